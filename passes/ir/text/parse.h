// Reads the textual Tile IR that print.h writes: print(parse(text)) is text.
//
// Comments are `// ...`. For texts written by hand a layout may be named once, at the top, and used
// by its name:
//
//     #rows = #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>
//     ... : tile<1024xf32, #rows>
//
// Structure and types are checked too (verify.h), so that passes get only IR that they can handle;
// the rules of the module's level are not checked. An operation without loc(...) gets its location
// in the text, unless the text starts with `files "a.cpp", ...`: then locations are in the user's
// source.
#pragma once
#include "llvm/Support/LogicalResult.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::ir {

// Fills the empty `module`. On failure one located error is reported, and the module is of no use.
llvm::LogicalResult parse(llvm::StringRef text, llvm::StringRef fileName, Module &module,
                          Diagnostics &diagnostics);

}  // namespace tile2cu::ir
