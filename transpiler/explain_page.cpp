#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/ir/diagnostics/explanations.h"
#include "transpiler/explain.h"
#include "transpiler/wrap_text.h"

namespace tile2cu::transpiler {

std::optional<std::string> explainPage(llvm::StringRef name) {
  const ir::Explanation *found = ir::explanationNamed(name);
  if (!found) return std::nullopt;
  std::string text;
  llvm::raw_string_ostream out(text);
  for (llvm::StringRef form : llvm::split(found->form, '|'))
    printWrapped(out, found->name() + ": " + form.str(), 2);
  out << '\n';
  printWrapped(out, found->page, 0);
  out << '\n';
  printWrapped(out, "What helps: " + ir::plainText(found->helps), 0);
  if (found->reasons.empty()) return text;
  out << "\nReasons that follow the colon, and what to write:\n";
  for (const ir::Reason &reason : ir::reasons()) {
    if (reason.table != found->reasons) continue;
    out << '\n';
    for (llvm::StringRef why : reason.texts) {
      out << "  ";
      printWrapped(out, why, 4);
    }
    out << "      ";
    printWrapped(out, ir::plainText(reason.advice), 6);
  }
  return text;
}

// `a`, `b`
static std::string quoted(llvm::ArrayRef<llvm::StringRef> texts) {
  std::string result;
  for (llvm::StringRef text : texts) result += (result.empty() ? "`" : ", `") + text.str() + "`";
  return result;
}

std::string remarkTables() {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::StringRef section;
  for (const ir::Explanation &row : ir::explanations()) {
    if (row.section != section) {
      section = row.section;
      out << "## " << section << "\n\n| | remark | what helps |\n|---|---|---|\n";
    }
    llvm::SmallVector<llvm::StringRef, 2> forms;
    row.form.split(forms, '|');
    out << "| " << row.name() << " | " << quoted(forms) << " | " << row.helps << " |\n";
    if (&row == &ir::explanations().back() || (&row)[1].section != section) out << '\n';
  }
  out << "## Reasons\n\nThe reasons that follow the colon of a remark, and what to write:\n";
  llvm::StringRef table;
  for (const ir::Reason &row : ir::reasons()) {
    if (row.table != table) {
      table = row.table;
      out << "\n### " << table << "\n\n| reason | what to write |\n|---|---|\n";
    }
    out << "| " << quoted(row.texts) << " | " << row.advice << " |\n";
  }
  return text;
}

}  // namespace tile2cu::transpiler
