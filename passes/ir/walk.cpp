#include "passes/ir/walk.h"

namespace tile2cu::ir {

void walk(const Block &block, llvm::function_ref<void(const Op *)> visit) {
  for (const auto &op : block.ops) {
    visit(op.get());
    for (const auto &region : op->regions) walk(std::as_const(*region), visit);
  }
}

}  // namespace tile2cu::ir
