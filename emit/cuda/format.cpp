#include "emit/cuda/format.h"

#include <vector>

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "emit/cuda/text_lines.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

namespace {

constexpr size_t kColumns = 100;

// Braces around one statement that fits on a line go, and those of a loop over registers around a loop over registers, as
// clang-format's RemoveBracesLLVM does in part, which parses the text once more for it. The emitter writes a statement, a loop's
// head or a closing brace a line, not indented.
struct BraceRemover {
  std::vector<std::string> in, out;

  static bool isHead(llvm::StringRef line) {
    return line.starts_with("for (") || line.starts_with("while (") || line.starts_with("if (");
  }

  // What a block holds.
  enum class Inside { SHORT_STATEMENT, LOOP_OVER_REGISTERS, OTHER };

  // Copies the lines of a block up to its closing brace, which it leaves.
  Inside block(size_t &at, size_t depth) {
    size_t statements = 0;
    bool isShort = true, isUnrolled = false;
    while (at < in.size() && !llvm::StringRef(in[at]).starts_with("}")) {
      const llvm::StringRef line = in[at];
      if (line == "#pragma unroll") {
        isUnrolled = true;
        out.push_back(in[at++]);
        continue;
      }
      if (line.ends_with("{")) {
        isShort &= nested(at, depth) && isHead(line);
      } else {
        isShort &=
            line.ends_with(";") && !line.starts_with("#") && 2 * depth + line.size() <= kColumns;
        out.push_back(in[at++]);
      }
      ++statements;
    }
    if (statements != 1) return Inside::OTHER;
    if (isUnrolled) return Inside::LOOP_OVER_REGISTERS;
    return isShort ? Inside::SHORT_STATEMENT : Inside::OTHER;
  }

  bool canStandWithoutBraces(Inside inside, size_t head) const {
    const bool isOverRegisters = head > 0 && out[head - 1] == "#pragma unroll";
    return (inside == Inside::SHORT_STATEMENT && isHead(out[head])) ||
           (inside == Inside::LOOP_OVER_REGISTERS && isOverRegisters);
  }

  // A head with its block; whether its braces are gone.
  bool nested(size_t &at, size_t depth) {
    const size_t head = out.size();
    out.push_back(in[at++]);
    const Inside inside = block(at, depth + 1);
    if (at == in.size()) return false;
    const bool remove = canStandWithoutBraces(inside, head) && in[at] == "}";
    if (remove)
      out[head].erase(out[head].find_last_not_of(" {") + 1);
    else if (llvm::StringRef(in[at]).ends_with("{"))  // } else {
      return nested(at, depth) && false;
    else
      out.push_back(in[at]);
    ++at;
    return remove;
  }

  std::string run(const std::string &text) {
    in = splitLines(text);
    for (size_t at = 0; at < in.size();) {
      block(at, 0);
      if (at < in.size()) out.push_back(in[at++]);
    }
    return joinLines(out);
  }
};

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
  return joinLines(lines);
}

}  // namespace

std::string withoutBraces(const std::string &text) { return BraceRemover().run(text); }

size_t fewestFormattedLines(const std::string &text) {
  return llvm::count_if(splitLines(text), [](llvm::StringRef line) {
    return line.ends_with(";") && !line.starts_with("//") && !line.starts_with("}");
  });
}

std::string formatCuda(const std::string &unformatted) {
  using namespace clang;
  const std::string text = withoutBraces(unformatted);
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
