#include "passes/ir/diagnostics/diagnostics.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tile2cu::ir {
namespace {
struct Row {
  llvm::StringRef name;
  Severity severity;
  llvm::StringRef group, text;
};
constexpr Row kRows[] = {
#define DIAG(Id, severity, group, text) {#Id, Severity::severity, group, text},
#include "passes/ir/diagnostics/diagnostics.def"
};
const Row &row(DiagId id) { return kRows[static_cast<size_t>(id)]; }
}  // namespace

llvm::StringRef groupOf(DiagId id) { return row(id).group; }
llvm::StringRef idName(DiagId id) { return row(id).name; }
Severity severityOf(DiagId id) { return row(id).severity; }

static std::string fillIn(DiagId id, llvm::ArrayRef<std::string> arguments) {
  std::string message;
  llvm::StringRef text = row(id).text;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}') {
      size_t k = text[i + 1] - '0';
      T2C_ASSERT(k < arguments.size());
      message += arguments[k];
      i += 2;
    } else {
      message += text[i];
    }
  }
  return message;
}

Diagnostic &Diagnostics::report(DiagId id, Location loc, llvm::ArrayRef<std::string> arguments) {
  std::string message = fillIn(id, arguments);
  // A pass that finds the same error in several variants of a kernel reports it once.
  for (Diagnostic &earlier : all)
    if (earlier.id == id && earlier.message == message && earlier.loc.file == loc.file &&
        earlier.loc.line == loc.line && earlier.loc.column == loc.column)
      return earlier;
  if (row(id).severity == Severity::Error) ++errors_;
  all.push_back({id, row(id).severity, loc, std::move(message), {}});
  return all.back();
}

void Diagnostics::decided(DiagId id, const Kernel &kernel, Location loc,
                          llvm::ArrayRef<std::string> arguments) {
  decisions.push_back({id, &kernel, loc, fillIn(id, arguments)});
}

}  // namespace tile2cu::ir

void t2cUnreachable(const char *what, const char *file, int line) {
  std::fprintf(stderr,
               "tile2cu: internal error: %s (%s:%d)\n"
               "please report this with the input file and the command line\n",
               what, file, line);
  std::exit(70);
}
