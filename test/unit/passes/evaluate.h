// Executes Tile IR on small inputs, element by element, as ops.def says. The tests of passes compare what a kernel does before
// and after, and look at every value on the way.
#pragma once
#include <functional>
#include <map>

#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/module.h"

namespace tile2cu::test {

// Row-major elements. Pointers are i64 byte addresses.
using Tile = std::vector<passes::Const>;

class Evaluator {
 public:
  std::map<int64_t, passes::Const> memory;  // by byte address; reading elsewhere is undefined
  std::function<void(const ir::Value *, const Tile &)> observe;  // after each definition

  // Undefined results of arithmetic (not of integer division) are undefined values, of type None, rather than the end: what
  // compilers assume of code that they move. Storing one, or branching on one, is the end.
  bool speculates = false;

  // False if the kernel does something undefined, or is not supported here.
  bool run(const ir::Kernel &kernel, llvm::ArrayRef<Tile> arguments,
           llvm::ArrayRef<int64_t> programIds = {3, 1, 0});

 private:
  enum class Exit : uint8_t { End, Yield, Condition, Break, Continue, Return };

  const Tile &at(const ir::Value *value) const { return values_.at(value); }
  void define(const ir::Value *value, Tile tile);
  void defineAll(llvm::ArrayRef<std::unique_ptr<ir::Value>> values, const std::vector<Tile> &tiles,
                 unsigned first = 0);
  std::vector<Tile> operandsFrom(const ir::Op &op, unsigned first = 0) const;
  void fail() { undefined_ = true; }
  bool condition(const ir::Value *value, int64_t i = 0);

  Exit block(const ir::Block &block, std::vector<Tile> &handed);
  Exit operation(const ir::Op &op, std::vector<Tile> &handed);
  Exit loop(const ir::Op &op);
  Exit whileLoop(const ir::Op &op);
  Exit branch(const ir::Op &op, std::vector<Tile> &handed);
  void elementwise(const ir::Op &op);
  void shape(const ir::Op &op);
  void load(const ir::Op &op);
  void store(const ir::Op &op);
  void reduce(const ir::Op &op);
  void map(const ir::Op &op);

  std::map<const ir::Value *, Tile> values_;
  std::vector<int64_t> programIds_;
  int64_t steps_ = 0;
  bool undefined_ = false;
};

}  // namespace tile2cu::test
