#include "frontend/session/diagnostic_printer.h"

#include "llvm/ADT/SmallString.h"

namespace tile2cu::frontend {

void DiagnosticPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic &diagnostic) {
  if (level != clang::DiagnosticsEngine::Note) {
    llvm::SmallString<256> message;
    diagnostic.FormatDiagnostic(message);
    std::string reason = message.str().split("' is unavailable: ").second.str();
    isRepeated_ = !reason.empty() && reason == reason_ && diagnostic.getLocation() == place_;
    reason_ = std::move(reason);
    place_ = diagnostic.getLocation();
  }
  if (!isRepeated_) clang::TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
}

}  // namespace tile2cu::frontend
