#include "transpiler/wrap_text.h"

#include "llvm/ADT/StringExtras.h"

namespace tile2cu::transpiler {

constexpr unsigned kWidth = 100;

void printWrapped(llvm::raw_ostream &out, llvm::StringRef text, unsigned indent) {
  unsigned column = indent;
  for (llvm::StringRef word : llvm::split(text, ' ')) {
    if (column != indent && column + 1 + word.size() > kWidth) {
      out << '\n';
      out.indent(indent);
      column = indent;
    }
    if (column != indent) {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
  }
  out << '\n';
}

}  // namespace tile2cu::transpiler
