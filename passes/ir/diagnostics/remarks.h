// The decisions that passes recorded (Diagnostics::decided) as remarks, for -Rtile.
//
// A kernel has several instances, and a statement of a helper several copies in each: equal remarks about one place are one
// remark. Where instances differ, it names those that it is about:
//
//   softmax.tile.cpp:18:12: remark: this load moves 4 elements (16 bytes) at a time [-Rtile]
//   softmax.tile.cpp:19:28: remark: softmax<4096>, <8192>: this max: each thread combines 16, then ... [-Rtile]
//
// A kernel with a form for Hopper and one for other devices is one instance; what only one of them does is said so:
//
//   matmul.tile.cpp:25:11: remark: on Hopper: this product runs on tensor cores: wgmma_m64n256k16_f16 [-Rtile]
//   matmul.tile.cpp:25:11: remark: on other devices: this product runs on tensor cores: mma_m16n8k16_f16 [-Rtile]
#pragma once
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::ir {

// An error or warning about one instance, which it names where there are several: "softmax<4096> on 8 warps: ...".
void reportAbout(const Kernel &kernel, const Module &module, Diagnostics &diagnostics, DiagId id,
                 Location loc, llvm::ArrayRef<std::string> arguments);

// Moves the decisions into the messages, in the order of the source. Those about the variant that a launcher takes where its
// facts do not hold are dropped: it is the other one with single elements.
void reportDecisions(const Module &module, Diagnostics &diagnostics);

}  // namespace tile2cu::ir
