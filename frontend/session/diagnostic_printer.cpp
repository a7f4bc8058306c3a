#include "frontend/session/diagnostic_printer.h"

#include "llvm/ADT/SmallString.h"

namespace tile2cu::frontend {

// float16 for "no viable conversion from 'double' to 'tl::float16'"; else empty.
static llvm::StringRef narrowedType(llvm::StringRef message) {
  if (!message.starts_with("no viable conversion")) return {};
  for (llvm::StringRef type : {"bfloat16", "float16"})
    if (message.ends_with((type + "'").str())) return type;
  return {};
}

void DiagnosticPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic &diagnostic) {
  if (level != clang::DiagnosticsEngine::Note) {
    llvm::SmallString<256> message;
    diagnostic.FormatDiagnostic(message);
    std::string reason = message.str().split("' is unavailable: ").second.str();
    isRepeated_ = !reason.empty() && reason == reason_ && diagnostic.getLocation() == place_;
    reason_ = std::move(reason);
    place_ = diagnostic.getLocation();
    const llvm::StringRef type = narrowedType(message);
    isNarrowing_ = !type.empty();
    if (isNarrowing_) {
      message += ("; narrowing is explicit: write " + type + "(x)").str();
      const clang::Diagnostic longer(diagnostic.getDiags(), message);
      clang::TextDiagnosticPrinter::HandleDiagnostic(level, longer);
      return;
    }
  }
  if (!isRepeated_ && !isNarrowing_)
    clang::TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
}

}  // namespace tile2cu::frontend
