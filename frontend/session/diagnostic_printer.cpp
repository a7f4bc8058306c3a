#include "frontend/session/diagnostic_printer.h"

#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "frontend/session/advice.h"
#include "frontend/session/runtime_headers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::frontend {

using clang::Diagnostic;
using clang::DiagnosticsEngine;

DiagnosticPrinter::DiagnosticPrinter(clang::DiagnosticOptions *options, std::string runtimeInclude,
                                     ir::MessageList *list)
    : TextDiagnosticPrinter(llvm::errs(), options),
      options_(options),
      runtimeInclude_(std::move(runtimeInclude)),
      list_(list) {}

static ir::Severity severityOf(DiagnosticsEngine::Level level) {
  switch (level) {
    case DiagnosticsEngine::Ignored:
    case DiagnosticsEngine::Note:
      return ir::Severity::Note;
    case DiagnosticsEngine::Remark:
      return ir::Severity::Remark;
    case DiagnosticsEngine::Warning:
      return ir::Severity::Warning;
    case DiagnosticsEngine::Error:
    case DiagnosticsEngine::Fatal:
      return ir::Severity::Error;
  }
  T2C_UNREACHABLE("level");
}

void DiagnosticPrinter::addToList(DiagnosticsEngine::Level level, const Diagnostic &diagnostic,
                                  clang::SourceLocation loc, std::string text) {
  ir::Message message{severityOf(level), std::move(text)};
  const llvm::StringRef group =
      diagnostic.getID() < clang::diag::DIAG_UPPER_LIMIT
          ? diagnostic.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(diagnostic.getID())
          : "";
  if (!group.empty()) message.option = ("-W" + group).str();
  if (loc.isValid() && diagnostic.hasSourceManager()) {
    const clang::SourceManager &sources = diagnostic.getSourceManager();
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(loc));
    if (place.isValid()) {
      message.file = place.getFilename();
      message.line = place.getLine();
      message.column = place.getColumn();
    }
  }
  list_->add(std::move(message));
}

// As Clang would, or in the list.
void DiagnosticPrinter::show(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) {
  if (!list_) return TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);  // counts it
  llvm::SmallString<256> text;
  diagnostic.FormatDiagnostic(text);
  addToList(level, diagnostic, diagnostic.getLocation(), text.str().str());
}

bool DiagnosticPrinter::isInRuntime(const Diagnostic &diagnostic) const {
  if (!diagnostic.getLocation().isValid() || !diagnostic.hasSourceManager()) return false;
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  return isRuntimeHeader(sources.getFilename(sources.getFileLoc(diagnostic.getLocation())),
                         runtimeInclude_);
}

// "file:line" of a message, and the text of that line. `column` is where the message is in it.
static std::string lineOf(const Diagnostic &diagnostic, llvm::StringRef *text = nullptr,
                          size_t *column = nullptr) {
  if (!diagnostic.getLocation().isValid() || !diagnostic.hasSourceManager()) return {};
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  const auto [file, offset] =
      sources.getDecomposedLoc(sources.getExpansionLoc(diagnostic.getLocation()));
  if (text) {
    const llvm::StringRef content = sources.getBufferData(file);
    const size_t begin = content.rfind('\n', offset) + 1;  // npos + 1 is 0
    *text = content.slice(begin, content.find('\n', offset));
    if (column) *column = offset - begin;
  }
  return std::to_string(file.getHashValue()) + ":" +
         std::to_string(sources.getLineNumber(file, offset));
}

bool DiagnosticPrinter::isRepeated(const Diagnostic &diagnostic, llvm::StringRef message) {
  std::string reason = message.split("' is unavailable: ").second.str();
  const bool repeated = !reason.empty() && reason == reason_ && diagnostic.getLocation() == place_;
  reason_ = std::move(reason);
  place_ = diagnostic.getLocation();
  return repeated;
}

// After `std::vector<float> v;` without its header Clang finds `>`, `v` and each use of v wrong.
void DiagnosticPrinter::rememberUnknownType(const Diagnostic &diagnostic) {
  llvm::StringRef text;
  brokenLine_ = lineOf(diagnostic, &text);
  while (!text.empty()) {
    text = text.drop_until([](char c) { return llvm::isAlpha(c) || c == '_'; });
    const llvm::StringRef name =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    brokenNames_.insert(name);
    text = text.drop_front(name.size());
  }
}

// Whether a message only says that `name` is not an expression, for `std::string name` without the
// header: Clang reports the type after it.
static bool followsUnknownType(const Diagnostic &diagnostic) {
  const unsigned id = diagnostic.getID();
  if (id != clang::diag::err_undeclared_var_use &&
      id != clang::diag::err_undeclared_var_use_suggest &&
      id != clang::diag::err_expected_semi_after_expr)
    return false;
  llvm::StringRef text;
  size_t column = 0;
  lineOf(diagnostic, &text, &column);
  const llvm::StringRef before = text.take_front(column).rtrim();
  const llvm::StringRef type = before.drop_front(before.rfind(':') + 1);  // npos + 1 is 0
  return before.ends_with(("std::" + type).str()) && !adviceOnStd(type).empty();
}

bool DiagnosticPrinter::isConsequence(const Diagnostic &diagnostic) {
  if (!brokenLine_.empty() && lineOf(diagnostic) == brokenLine_) return true;
  if (followsUnknownType(diagnostic)) return true;
  if (missingName(diagnostic.getID()) != Missing::Anywhere) return false;
  return lacksNamespace_ || brokenNames_.contains(nameIn(diagnostic));
}

void DiagnosticPrinter::handleError(DiagnosticsEngine::Level level, const Diagnostic &diagnostic) {
  namespace diag = clang::diag;
  llvm::SmallString<256> message;
  diagnostic.FormatDiagnostic(message);
  isShown_ = !isRepeated(diagnostic, message) && !isConsequence(diagnostic);
  hidesNotes_ = !narrowedType(message).empty();
  forms_.clear();
  saysScalars_ = false;
  if (!isShown_) return;
  const unsigned id = diagnostic.getID();
  const bool isMember = id == diag::err_ovl_no_viable_member_function_in_call;
  isCall_ = id == diag::err_ovl_no_viable_function_in_call || isMember;
  if (isCall_) forms_ = formsOf((isMember ? "." : "") + nameIn(diagnostic)).str();
  listsCandidates_ = isCall_ && forms_.empty();
  if (id == diag::err_expected_namespace_name) lacksNamespace_ = true;
  const std::string advice = adviceOn(diagnostic, message);
  const bool isType = id == diag::err_unknown_typename || missingName(id) == Missing::InContext;
  if (isType && !isInRuntime(diagnostic)) rememberUnknownType(diagnostic);
  // Clang goes on with another name that is spelled alike.
  if (missingName(id) != Missing::No && message.str().contains("; did you mean"))
    brokenLine_ = lineOf(diagnostic);
  if (advice.empty()) return show(level, diagnostic);
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);  // counts it
  const llvm::StringRef own = message.str().split("; did you mean").first;
  print(diagnostic, level, (own + "; " + advice).str(), *options_);
}

// At the place of the last error, without the names that Clang would replace by others.
void DiagnosticPrinter::print(const Diagnostic &diagnostic, DiagnosticsEngine::Level level,
                              llvm::StringRef text, const clang::DiagnosticOptions &options) {
  if (list_) return addToList(level, diagnostic, place_, text.str());
  auto copy = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>(options);
  clang::TextDiagnostic renderer(llvm::errs(), clang::LangOptions(), copy.get());
  const bool isNote = level == DiagnosticsEngine::Note;
  renderer.emitDiagnostic(
      clang::FullSourceLoc(place_, diagnostic.getSourceManager()), level, text,
      isNote ? llvm::ArrayRef<clang::CharSourceRange>() : diagnostic.getRanges(), {});
}

// A note at the place of the last error, without its source line a second time.
void DiagnosticPrinter::addNote(const Diagnostic &diagnostic, llvm::StringRef text) {
  clang::DiagnosticOptions options = *options_;
  options.ShowCarets = false;
  print(diagnostic, DiagnosticsEngine::Note, text, options);
}

// Notes on the candidates for a call become one that says what to write, if they are in headers.
void DiagnosticPrinter::handleNote(const Diagnostic &diagnostic) {
  if (!isShown_ || hidesNotes_) return;
  if (isInRuntime(diagnostic) && !listsCandidates_) {
    if (!forms_.empty()) addNote(diagnostic, std::exchange(forms_, {}));
    return;
  }
  llvm::SmallString<256> message;
  diagnostic.FormatDiagnostic(message);
  const bool isOfStandard =
      isCall_ && diagnostic.hasSourceManager() && diagnostic.getLocation().isValid() &&
      diagnostic.getSourceManager().isInSystemHeader(diagnostic.getLocation());
  if (!isOfStandard) return show(DiagnosticsEngine::Note, diagnostic);
  if (message.str().contains("tile<") && !std::exchange(saysScalars_, true))
    addNote(diagnostic,
            "this function takes numbers; those of tl, which take tiles too, have no "
            "std:: in front");
}

void DiagnosticPrinter::HandleDiagnostic(DiagnosticsEngine::Level level,
                                         const Diagnostic &diagnostic) {
  if (level == DiagnosticsEngine::Note) return handleNote(diagnostic);
  handleError(level, diagnostic);
}

}  // namespace tile2cu::frontend
