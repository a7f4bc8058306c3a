#include "transpiler/option_rows.h"

#include "transpiler/explain.h"

namespace tile2cu::transpiler {

static constexpr OptionRow kRows[] = {
#define OPTION(Type, field, names, fallback, group, meta, help) {#Type, names, group, meta, help},
#include "transpiler/options.def"
};

llvm::ArrayRef<OptionRow> optionRows() { return kRows; }

llvm::SmallVector<llvm::StringRef> OptionRow::names() const {
  llvm::SmallVector<llvm::StringRef> all;
  nameList.split(all, ',');
  return all;
}

llvm::SmallVector<llvm::StringRef> OptionRow::choices() const {
  llvm::SmallVector<llvm::StringRef> all;
  if (meta.contains('|') && !meta.contains(',')) meta.split(all, '|');
  return all;
}

ValueForm valueForm(const OptionRow &row, llvm::StringRef name) {
  if (!row.takesValue()) return ValueForm::None;
  if (name == "--header" || name == "--torch") return ValueForm::MaybeAfterEquals;
  if (name.starts_with("--") || name == "-std" || name == "-ferror-limit")
    return ValueForm::AfterEquals;
  return name == "-W" || name == "-R" ? ValueForm::Attached : ValueForm::Separate;
}

std::string spelling(const OptionRow &row) {
  std::string text;
  const auto names = row.names();
  for (llvm::StringRef name : names) {
    if (!text.empty()) text += ", ";
    text += name;
    switch (valueForm(row, name)) {
      case ValueForm::None:
        break;
      case ValueForm::AfterEquals:
        text += "=" + row.meta.str();
        break;
      case ValueForm::MaybeAfterEquals:
        text += "[=" + row.meta.str() + "]";
        break;
      case ValueForm::Attached:
        text += row.meta;
        break;
      case ValueForm::Separate:
        if (names.size() == 1) text += " " + row.meta.str();
        break;
    }
  }
  return text;
}

std::string generatedText(llvm::StringRef what) {
  if (what == "man") return manPage();
  if (what == "remarks") return remarkTables();
  if (what == "bash") return bashCompletion();
  return what == "zsh" ? zshCompletion() : fishCompletion();
}

}  // namespace tile2cu::transpiler
