#include "passes/analysis/value/register_pressure.h"

#include <algorithm>
#include <map>

#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Results of loops and branches, and values that these pass on, have registers of their own. Other
// values are inlined at their use.
bool isHeld(const Op *op) { return op->is(Control); }

// The keys of a sort, of one row at a time, and those of another lane next to them.
int64_t registersOfKeys(const SortOp &sort) {
  const Type &type = sort.source()->type;
  const int64_t words = (byteWidth(type.scalar()) == 8 ? 2 : 1) + !sort->result(1)->unused();
  return type.layout() ? 2 * words * type.layout()->registerAxes().back() : 0;
}

// The maximum number of registers that are live at once within the block, for values that the block
// makes.
int64_t mostLive(Block &block) {
  std::map<const Op *, int> at;
  for (const auto &op : block.ops) at.emplace(op.get(), int(at.size()));
  const int count = int(at.size());
  std::vector<int64_t> change(count + 2, 0);  // registers that become live, less those that die
  const auto live = [&](const Value *value, int from) {
    int end = from;  // operands free registers for the results, unless regions use them
    for (const Op *user : value->users)
      if (const Op *here = ancestorIn(block, user))
        end = std::max(end, at.at(here) + (user != here && here->kind != OpKind::Nest));
    change[from] += registersOf(value);
    change[end] -= registersOf(value);
  };
  for (const auto &argument : block.arguments) live(argument.get(), 0);
  for (const auto &op : block.ops)
    if (isHeld(op.get()))
      for (const auto &result : op->results)  // within it, its regions yield them
        live(result.get(), at.at(op.get()) + (op->kind != OpKind::Nest));
  int64_t most = 0, now = 0;
  for (const auto &op : block.ops) {
    now += change[at.at(op.get())];
    int64_t inside = op->kind == OpKind::Sort ? registersOfKeys(SortOp(op.get())) : 0;
    if (op->kind != OpKind::Nest)
      for (const auto &region : op->regions) inside = std::max(inside, mostLive(*region));
    most = std::max(most, now + inside);
  }
  return most;
}

}  // namespace

int64_t registersOf(const Value *value) {
  const Type &type = value->type;
  if (!type.isTile() || type.isPointer() || !type.layout()) return 0;
  const int64_t bytes = std::max<int64_t>(byteWidth(type.scalar()), 1);
  return (type.layout()->elementsPerThread() * bytes + 3) / 4;
}

int64_t liveRegisters(Kernel &kernel) { return mostLive(kernel.body); }

}  // namespace tile2cu::passes
