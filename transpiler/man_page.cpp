// The text of the man page, from the rows of options.def.
#include "llvm/Support/raw_ostream.h"
#include "transpiler/option_rows.h"

namespace tile2cu::transpiler {
namespace {

// `text` as roff reads it: minus signs that can be copied, and no line that begins with a control
// character.
std::string escaped(llvm::StringRef text) {
  std::string result;
  if (text.starts_with(".") || text.starts_with("'")) result += "\\&";
  for (char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

constexpr llvm::StringRef kHead = R"(.\" Written by `tile2cu --generate=man`.
.TH TILE2CU 1 "" "tile2cu )" T2C_VERSION R"("
.SH NAME
tile2cu \- turns tile functions in C++ into CUDA
.SH SYNOPSIS
.B tile2cu
[\fIoptions\fR] \fIFILE\fR... [\-\- \fIclang flags\fR]
.SH DESCRIPTION
Turns the tile functions of each
.I FILE
into CUDA: softmax.tile.cpp becomes softmax.cu in the current directory.
.I FILE
is C++, textual Tile IR (.t2ir), or \- for standard input.
.RI @ FILE
anywhere stands for the arguments in
.IR FILE .
.PP
For an input with an error no file is written. An output that would not change is left alone.
.SH OPTIONS
)";

constexpr llvm::StringRef kTail = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
the input has an error
.TP
.B 2
the command line has an error
.TP
.B 70
tile2cu has an error; please report it
.SH SEE ALSO
.BR nvcc (1),
the manual in the folder doc/tile2cu/runtime/doc of the installation
)";

}  // namespace

std::string manPage() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << kHead;
  llvm::StringRef group;
  for (const OptionRow &row : optionRows()) {
    if (!row.isListed()) continue;
    if (row.group != group) out << ".SS " << (group = row.group) << '\n';
    out << ".TP\n.B \"" << escaped(spelling(row)) << "\"\n" << escaped(row.help) << '\n';
  }
  out << kTail;
  return text;
}

}  // namespace tile2cu::transpiler
