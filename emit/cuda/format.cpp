#include "emit/cuda/format.h"

#include <algorithm>
#include <vector>

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"

namespace tile2cu::emit {

namespace {

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// clang-format puts a comment above a #pragma into the pragma's column: move it to the loop's that the pragma belongs to.
std::string indentComments(const std::string &text) {
  std::vector<std::string> lines = splitLines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind("//", 0) != 0) continue;
    size_t next = i;
    while (next < lines.size() && lines[next].rfind("//", 0) == 0) ++next;
    size_t code = next;
    while (code < lines.size() && lines[code].rfind("#pragma unroll", 0) == 0) ++code;
    if (code == next || code == lines.size()) continue;
    std::string indent =
        lines[code].substr(0, std::min(lines[code].find_first_not_of(' '), lines[code].size()));
    for (; i < next; ++i) lines[i] = indent + lines[i];
  }
  std::string result;
  for (const std::string &line : lines) result += line + "\n";
  return result;
}

}  // namespace

std::string formatCuda(const std::string &text) {
  using namespace clang;
  format::FormatStyle style = format::getGoogleStyle(format::FormatStyle::LK_Cpp);
  style.ColumnLimit = kColumns;
  style.AllowShortIfStatementsOnASingleLine = format::FormatStyle::SIS_WithoutElse;
  style.AllowShortLoopsOnASingleLine = true;
  style.KeepEmptyLines.AtStartOfBlock = false;
  style.MaxEmptyLinesToKeep = 1;
  style.DerivePointerAlignment = false;
  style.PointerAlignment = format::FormatStyle::PAS_Left;
  style.IndentPPDirectives = format::FormatStyle::PPDIS_None;
  style.SortIncludes = format::FormatStyle::SI_Never;
  // Each of these is a pass of its own over the text, and the emitter leaves them nothing to do.
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
  return indentComments(*formatted);
}

}  // namespace tile2cu::emit
