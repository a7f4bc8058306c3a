"""Diagnostics."""

from conformance.rows import Section

section = Section("J")
DOT = "auto x = reshape<16, 8>(load(in + i));\n  "

section.rejects("a variable that is not defined", "use of undeclared identifier 'y'", "store(out + i, y);")
section.rejects("an operator that a type does not have", "this operator takes integers", "store(out + i, load(in + i) & load(in + i));")
section.rejects("a wrong operand of a unary operator", "invalid argument type", "store(out + i, ~load(in + i));")
section.rejects("a wrong argument of an operation", "axis", "store(out + i, cumsum<2>(load(in + i)));")
section.rejects("a fault in a function that a function calls", "undeclared identifier 'wrong'", """#include <tile2cu/tile.h>
using namespace tl;
__tile__ float inner(float x) { return x + wrong; }
__tile__ float outer(float x) { return inner(x); }
__tile_global__ void refused(float* out) { out[grid(1)] = outer(1.0f); }
inline constexpr auto refused_w4 = instantiate(::refused);
""")
section.rejects("static_assert with a message", "the block is too small", 'static_assert(sizeof(int) == 8, "the block is too small");')
section.absent("sizes that are not powers of two", "every size works")
section.rejects("variables of a namespace that change", "counter", """#include <tile2cu/tile.h>
using namespace tl;
int counter = 0;
__tile_global__ void refused(float* out) { out[grid(1)] = counter; }
inline constexpr auto refused_w4 = instantiate(::refused);
""")
section.absent("8-bit floats that the machine does not have", "they work on every target: types.md")
section.absent("dots smaller than 16 x 16 x 16", "every size works")
section.rejects("operands of dot that do not fit", "dot", DOT + "store(out + reshape<16, 8>(i), dot(x, x));")
section.add("a result that is not used is a warning", "", tests=("test/errors/unused.cpp: warning",))
section.absent("constexpr against do_not_specialize", "nothing is compiled at run time")
section.absent("a function defined in a kernel", "lambdas of C++ work")
section.absent("a histogram of types other than int32", "integers of every type work")
section.rejects("a histogram of floats", "histogram", "store(ints + i, histogram<128>(load(in + i)));")
section.add("remark: the instruction of a dot, and why it is no better one", "", tests=("test/errors/remarks_dots.cpp: remark", "test/errors/remarks_hopper.cpp: remark"))
section.add("remark: the width of an access, and what keeps it from being wider", "", tests=("test/errors/remarks_accesses.cpp: remark",))
section.add("remark: copies that run ahead, and loops that have none", "", tests=("test/errors/remarks_pipeline.cpp: remark", "test/errors/remarks_loops.cpp: remark"))
section.add("each statement's line in the emitted text", "", tests=("test/emit/line_directives.test: RUN",))
section.add("what to write instead of names and calls of Triton, CUDA and the standard library", "", tests=("test/errors/advice.test: RUN",))
