// The text of --help, from the rows of options.def.
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "transpiler/option_rows.h"
#include "transpiler/options.h"
#include "transpiler/wrap_text.h"

namespace tile2cu::transpiler {
namespace {

constexpr unsigned kColumn = 30;

}  // namespace

std::string helpText() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "usage: tile2cu [options] FILE... [-- clang flags]\n\n"
         "Turns the tile functions of each FILE (C++; .t2ir: textual Tile IR; -: standard input) "
         "into CUDA:\n"
         "  tile2cu softmax.tile.cpp -o softmax.cu\n";
  llvm::StringRef group;
  for (const OptionRow &row : optionRows()) {
    if (!row.isListed()) continue;
    if (row.group != group) out << '\n' << (group = row.group) << ":\n";
    std::string left = "  " + spelling(row);
    out << left;
    if (left.size() + 1 > kColumn) {
      out << '\n';
      out.indent(kColumn);
    } else {
      out.indent(kColumn - left.size());
    }
    printWrapped(out, row.help, kColumn);
  }
  out << '\n';
  printWrapped(
      out,
      "@FILE anywhere stands for the arguments in FILE. Exit codes: 0 done, 1 the input is in "
      "error, 2 the command line is, 70 tile2cu is.",
      0);
  return text;
}

}  // namespace tile2cu::transpiler
