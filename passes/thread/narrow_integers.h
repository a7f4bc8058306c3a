// Computes 64-bit integers in 32 bits where ranges, with the launcher's checks, show that they fit:
//
//  %pid = grid %n : i64                              %pid = grid %n : i32
//  %rows = cast %r : i64
//  %first = mul %pid, %eight : i64                   %first = mul %pid, %eight.1 : i32
//  %left = sub %rows, %first : i64            ==>    %left = sub %r, %first : i32
//  %valid = clamp %left, %zero, %128 : i64           %valid = minimum %left, %128.1 : i32
//  %start = mul %first, %stride : i64                %wide = cast %first : i64
//                                                    %start = mul %wide, %stride : i64
//
// A value is narrow if it fits and if everything that it is computed from is narrow, or has 32 bits
// already; a minimum or a quotient of wide values that fits is converted. An operation that needs
// 64 bits, such as the offset of an address, converts its narrow operands. Three kinds of values
// stay wide: those whose users all need 64 bits, those that only the launcher computes, and the ids
// of packed programs (a block that is not full counts past the number of programs).
//
// Numbers that are not negative are divided as unsigned ones, which takes fewer instructions, and
// the items of a persistent kernel are counted in u32. A clamp, or a coordinate of a TMA copy,
// loses the bounds that its operand never passes.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult narrow_integers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
