// Messages to the user. Errors and warnings are rows of diagnostics.def; remarks report decisions
// and their reasons.
#pragma once
#include <string>
#include <vector>

#include "passes/ir/op.h"

namespace tile2cu::ir {

enum class Severity : uint8_t { Note, Remark, Warning, Error };

enum class DiagId : uint16_t {
#define DIAG(Id, severity, group, text) Id,
#include "passes/ir/diagnostics/diagnostics.def"
};

struct Diagnostic {
  DiagId id;
  Severity severity;
  Location loc;
  std::string message;  // complete, lower case, no full stop
  std::vector<std::pair<Location, std::string>> notes;
};

struct Kernel;

// A decision of a pass about one place in one kernel, and its reason; remarks.h turns decisions
// into remarks.
struct Decision {
  DiagId id;
  const Kernel *kernel;
  Location loc;
  std::string message;
};

// Collects messages; the driver prints them through Clang's engine (caret, colours, -W groups).
class Diagnostics {
 public:
  // `arguments` replace {0}, {1}, ... in the row's text.
  Diagnostic &report(DiagId id, Location loc, llvm::ArrayRef<std::string> arguments = {});
  // A remark about one kernel. It is reported when all kernels are known, once for all that agree.
  void decided(DiagId id, const Kernel &kernel, Location loc,
               llvm::ArrayRef<std::string> arguments);
  bool hasErrors() const { return errors_ > 0; }
  std::vector<Diagnostic> all;
  std::vector<Decision> decisions;

 private:
  unsigned errors_ = 0;
};

// -W group of a row ("" for errors): "unused-kernel", or "tile" (-Rtile)
llvm::StringRef groupOf(DiagId id);
llvm::StringRef idName(DiagId id);
Severity severityOf(DiagId id);

}  // namespace tile2cu::ir

// For states that only a bug of ours can reach; not a diagnostic for the user. Ends the process
// with exit code 70.
[[noreturn]] void t2cUnreachable(const char *what, const char *file, int line);
#define T2C_UNREACHABLE(what) t2cUnreachable(what, __FILE__, __LINE__)
#define T2C_ASSERT(condition) \
  ((condition) ? (void)0 : t2cUnreachable("assertion failed: " #condition, __FILE__, __LINE__))
