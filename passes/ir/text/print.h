// The Tile IR as text (`.t2ir`), for people, for tests and for parse.h.
//
//     level placed                      (module.h; without this line the level is `tile`)
//     kernel @scale<BLOCK = 1024>(%in: ptr<const f32> restrict, %n: i32 divisible 16) warps 4 {
//       %pid = grid %n : i64
//       %cols = arange {end = 1024, start = 0} : tile<1024xi32>
//       %bound = splat %n : tile<1024xi32>
//       %mask = lt %cols, %bound : tile<1024xbool>
//       %x = load %p, %mask : tile<1024xf32>
//       %m = reduce %x {axis = 0} : f32 {
//       ^(%a: f32, %b: f32)
//         %max = maximum %a, %b : f32
//         yield %max
//       }
//       %sum = for %k = %lo to %hi step %st, %acc = %init {compare = lt} : f32 {
//         ...
//         yield %next
//       }
//       if %c {
//         ...
//       } else {
//         ...
//       }
//     }
//     launcher @scale_1024 = select @scale#0
//
// An operation is `results = mnemonic operands {attributes} : result types` and its regions. An
// absent optional operand is `_`; trailing ones are left out. Names are hints and need not be
// unique: in the text the second %x is %x.1, a value without a name is a number, and a name that is
// not an identifier is %"a.b".
#pragma once
#include <string>

#include "llvm/Support/raw_ostream.h"
#include "passes/ir/module.h"

namespace tile2cu::ir {

struct PrintOptions {
  bool locations = false;  // loc(file:line:column), the list of files, statements and comments
  bool progress = true;    // Module::after
};

void print(const Module &module, llvm::raw_ostream &os, PrintOptions options = {});
void print(const Kernel &kernel, llvm::raw_ostream &os, PrintOptions options = {});
std::string toString(const Module &module, PrintOptions options = {});
// The op with its regions, named as in the text of its whole kernel.
std::string toString(const Op *op);

}  // namespace tile2cu::ir
