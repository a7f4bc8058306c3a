// A tile of pointers with its mask as a box of a strided array, which is what TMA copies.
//
//     load(a + (pid_m * 128 + rows) * stride + k + columns,
//          rows < M - pid_m * 128 & columns < K - k)
//
//         dimension   start           extent   stride
//         0 columns   k               K        1
//         1 rows      pid_m * 128     M        stride
//
// Elements outside the extents are those that the mask excludes. A dimension without a bound in the
// mask has no extent. Terms of the address that belong to no dimension of the tile (the batch of a
// program) become further dimensions of size 1. Extents and strides depend on kernel arguments
// alone, so that the launcher can compute them.
#pragma once
#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

struct BoxDim {
  Polynomial start, stride;  // in elements
  std::optional<Polynomial> extent;
  int64_t size = 1;             // of the tile
  int tileDim = -1;             // -1: none
  bool isBoundedBelow = false;  // the mask excludes negative coordinates too, as TMA does
};

struct Box {
  ir::Value *pointer = nullptr;       // a parameter
  Polynomial offset;                  // of the array's first element from it
  llvm::SmallVector<BoxDim, 5> dims;  // contiguous dimension first
};

// Whether the launcher can compute a value: sums, products, and quotients by constants, of kernel
// arguments.
bool isKnownToHost(const ir::Kernel &kernel, const ir::Value *value);

// The box of a load or store; otherwise the reason why it is not one, as text that follows "...: ".
std::optional<Box> boxOf(const ir::Kernel &kernel, ir::Value *pointers, ir::Value *mask,
                         Symbols &symbols, std::string &why);

}  // namespace tile2cu::passes
