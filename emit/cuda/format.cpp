#include "emit/cuda/format.h"

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"

namespace tile2cu::emit {

std::string formatCuda(const std::string &text, size_t columns, std::vector<size_t> *places) {
  using namespace clang;
  format::FormatStyle style = format::getGoogleStyle(format::FormatStyle::LK_Cpp);
  style.ColumnLimit = columns;
  style.AllowShortIfStatementsOnASingleLine = format::FormatStyle::SIS_WithoutElse;
  style.AllowShortLoopsOnASingleLine = true;
  style.KeepEmptyLines.AtStartOfBlock = false;
  style.MaxEmptyLinesToKeep = 1;
  style.DerivePointerAlignment = false;
  style.PointerAlignment = format::FormatStyle::PAS_Left;
  style.IndentPPDirectives = format::FormatStyle::PPDIS_None;
  style.SortIncludes = format::FormatStyle::SI_Never;
  // Each of these options costs a pass over the text, and the emitter's text does not need it.
  style.FixNamespaceComments = false;
  style.SortUsingDeclarations = format::FormatStyle::SUD_Never;
  // Headings stay on one line. clang-format matches every comment three times, which is slow for an
  // expression without one fixed text.
  style.CommentPragmas = "^ ----";
  style.StatementMacros.push_back("__launch_bounds__");
  tooling::Replacements edits =
      format::reformat(style, text, {tooling::Range(0, text.size())}, "kernel.cu");
  auto formatted = tooling::applyAllReplacements(text, edits);
  if (!formatted) {
    llvm::consumeError(formatted.takeError());
    return text;
  }
  if (places)
    for (size_t &place : *places) place = edits.getShiftedCodePosition(place);
  return *formatted;
}

}  // namespace tile2cu::emit
