// Clang's printer of messages, with what tile2cu knows more about (advice.def), and without what
// follows from an error that was shown:
// * a name that does not exist gets an end that says what to write instead;
// * a call that fits no function of tl shows how it is called, not the candidates of the headers;
// * an operation that is marked unavailable (TL_REJECT) is reported once, where Clang reports its
//   name and its specialization;
// * a type that does not exist is reported once, without the variables that were to have it.
#pragma once
#include <string>

#include "clang/Basic/SourceLocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringSet.h"
#include "passes/ir/diagnostics/message_list.h"

namespace tile2cu::frontend {

class DiagnosticPrinter : public clang::TextDiagnosticPrinter {
 public:
  // runtimeInclude: the folder of the headers whose declarations do not help a reader. `list` gets
  // the messages instead of standard error if it is not null.
  DiagnosticPrinter(clang::DiagnosticOptions *options, std::string runtimeInclude,
                    ir::MessageList *list);

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

 private:
  void handleError(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic);
  void handleNote(const clang::Diagnostic &diagnostic);
  void addNote(const clang::Diagnostic &diagnostic, llvm::StringRef text);
  void print(const clang::Diagnostic &diagnostic, clang::DiagnosticsEngine::Level level,
             llvm::StringRef text, const clang::DiagnosticOptions &options);
  void show(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic);
  void addToList(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic,
                 clang::SourceLocation loc, std::string text);
  bool isRepeated(const clang::Diagnostic &diagnostic, llvm::StringRef message);
  bool isConsequence(const clang::Diagnostic &diagnostic);
  void rememberUnknownType(const clang::Diagnostic &diagnostic);
  bool isInRuntime(const clang::Diagnostic &diagnostic) const;

  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options_;
  std::string runtimeInclude_;
  ir::MessageList *list_;

  // The last error:
  clang::SourceLocation place_;
  std::string reason_;            // why its operation is unavailable
  std::string forms_;             // of the operation that it calls; a note shows them
  bool isShown_ = true;           // its notes are shown if it is
  bool isCall_ = false;           // no function fits a call
  bool hidesNotes_ = false;       // its notes list constructors
  bool listsCandidates_ = false;  // its notes show functions of tl, as it has no forms
  bool saysScalars_ = false;      // a note says that functions of std take numbers

  // All errors:
  bool lacksNamespace_ = false;    // a using-directive failed, so that all names are missing
  std::string brokenLine_;         // the line of the last name that has consequences
  llvm::StringSet<> brokenNames_;  // the identifiers of all such lines
};

}  // namespace tile2cu::frontend
