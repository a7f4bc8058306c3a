// The decisions that passes recorded (Diagnostics::decided) as remarks, for -Rtile.
//
// A kernel has several instances, and a statement of a helper has several copies in each. Equal
// remarks about one place become one remark. If instances differ, the remark names those that it
// concerns:
//
//   softmax.tile.cpp:18:12: remark: this load moves 4 elements (16 bytes) at a time [-Rtile,T2C101]
//   softmax.tile.cpp:19:28: remark: softmax<4096>, <8192>: this max: each thread combines 16, then
//                           ... [-Rtile,T2C205]
//
// A kernel with a Hopper variant and one for other devices is one instance; a remark that concerns
// only one variant says so:
//
//   matmul.tile.cpp:25:11: remark: on Hopper: this dot runs on tensor cores:
//                          wgmma_m64n256k16_f16 [-Rtile,T2C301]
//   matmul.tile.cpp:25:11: remark: on other devices: this dot runs on tensor cores:
//                          mma_m16n8k16_f16 [-Rtile,T2C301]
#pragma once
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::ir {

// Reports an error or warning about one instance and names the instance if there are several:
// "softmax<4096> on 8 warps: ...".
void reportAbout(const Kernel &kernel, const Module &module, Diagnostics &diagnostics, DiagId id,
                 Location loc, llvm::ArrayRef<std::string> arguments);

// A remark about one place and some instances of its kernel.
struct Remark {
  DiagId id;
  Location loc;
  std::string who;  // "on Hopper, softmax<1024>, <2048>"; empty for all instances
  std::string message;
};
// All decisions of `decisions` as remarks, in source order. Equal: those that are equal are one.
// ButForNumbers: also those that differ in numbers alone, "each thread combines 8 to 32"; an
// instance is not named if it is one of many.
enum class Merge { Equal, ButForNumbers };
std::vector<Remark> remarksOf(const Module &module, llvm::ArrayRef<Decision> decisions,
                              Merge merge);

// Moves the decisions into the messages, in source order. Decisions about the variant that a
// launcher takes if its assumptions do not hold are dropped: that variant differs only in its
// element-wise accesses.
void reportDecisions(const Module &module, Diagnostics &diagnostics);

}  // namespace tile2cu::ir
