#include "transpiler/wrap_text.h"

#include "llvm/ADT/StringExtras.h"

namespace tile2cu::transpiler {

void printWrapped(llvm::raw_ostream &out, llvm::StringRef text, unsigned indent, unsigned width) {
  unsigned column = indent;
  for (llvm::StringRef word : llvm::split(text, ' ')) {
    if (column != indent && column + 1 + word.size() > width) {
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
