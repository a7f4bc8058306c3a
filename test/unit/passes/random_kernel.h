// Random kernels for the tests of passes: arithmetic on scalars and tiles, views, loads and stores, loops and branches.
#pragma once
#include <random>

#include "passes/ir/builder.h"
#include "test/unit/passes/evaluate.h"

namespace tile2cu::test {

struct RandomOptions {
  int operations = 30;
  bool control = true;  // for, while, if, break, continue, return
  bool memory = true;   // loads and stores
  bool floats = true;
  bool maps = true;     // and reductions
  bool narrow = false;  // casts to 8 and 16 bits, and ranges with more numbers than 8 bits have
};

// Parameters: %in: ptr<const i32> restrict, %out: ptr<i32>, scalars n0..n3 (i32), w (i64), u (u32), c (bool), f (f32).
void makeRandomKernel(std::mt19937 &random, const RandomOptions &options, ir::Module &module);

// Values for them; n0 and u are multiples of 16, n1 of 4, and so are the addresses.
struct RandomInput {
  std::vector<Tile> arguments;
  std::map<int64_t, passes::Const> memory;
};
RandomInput makeRandomInput(std::mt19937 &random);

}  // namespace tile2cu::test
