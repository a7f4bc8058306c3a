// The rows of options.def as data: --help, the man page and the completion of shells are made of
// them.
#pragma once
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::transpiler {

struct OptionRow {
  llvm::StringRef type, nameList, group, meta, help;

  bool isListed() const { return !group.empty(); }
  bool takesValue() const { return !meta.empty(); }
  bool isRepeated() const { return type == "List" || type == "ForClang"; }
  llvm::SmallVector<llvm::StringRef> names() const;
  // The only values allowed, if the row names them: "fast|precise".
  llvm::SmallVector<llvm::StringRef> choices() const;
};

// How a name is followed by the value of its option.
enum class ValueForm {
  None,
  AfterEquals,       // --math=fast
  MaybeAfterEquals,  // --header, --header=FILE
  Attached,          // -Wtune
  Separate,          // -MF FILE
};
ValueForm valueForm(const OptionRow &row, llvm::StringRef name);

llvm::ArrayRef<OptionRow> optionRows();

// "-o, --output=FILE", "-I DIR", "-std=STANDARD", "--header[=FILE]"
std::string spelling(const OptionRow &row);

// The text of --generate: the man page ("man"), or the completion for a shell ("bash", "zsh",
// "fish"), or the tables of the manual ("remarks").
std::string generatedText(llvm::StringRef what);

std::string manPage();
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();

}  // namespace tile2cu::transpiler
