// Clang's printer of messages, without messages that Clang repeats. It adds to Clang's message for
// a number that does not become a float16 what to write; an implicit constructor that rejects it
// would make float16 ambiguous with float elsewhere.
#pragma once
#include <string>

#include "clang/Basic/SourceLocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"

namespace tile2cu::frontend {

// For an operator that is marked unavailable (TL_REJECT), Clang reports an error for its name and
// another one for its specialization.
class DiagnosticPrinter : public clang::TextDiagnosticPrinter {
 public:
  using clang::TextDiagnosticPrinter::TextDiagnosticPrinter;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

 private:
  clang::SourceLocation place_;
  std::string reason_;  // of the last operation that is unavailable
  bool isRepeated_ = false;
  bool isNarrowing_ = false;  // its notes list the constructors
};

}  // namespace tile2cu::frontend
