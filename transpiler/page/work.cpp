#include "transpiler/page/work.h"

#include "passes/analysis/value/loop_info.h"

namespace tile2cu::page {
using namespace ir;
namespace {

int64_t elementsOf(const Value *value) {
  return value && value->type.isTile() ? value->type.numElements() : 1;
}

class Counter {
 public:
  explicit Counter(const Kernel &kernel) { work_.kernel = &kernel; }
  Work count() {
    add(work_.kernel->body, -1);
    return std::move(work_);
  }

 private:
  void add(const Block &block, int loop) {
    for (const auto &op : block.ops) {
      addItem(op.get(), loop);
      int inside = loop;
      if (op->kind == OpKind::For || op->kind == OpKind::While) {
        const auto trips =
            op->kind == OpKind::For ? passes::tripCount(op.get()) : std::optional<int64_t>();
        inside = work_.loops.size();
        work_.loops.push_back({op->loc, trips.value_or(-1), loop});
      }
      // The region of a reduction is the function of two elements that it combines by.
      if (op->is(Control))
        for (const auto &region : op->regions) add(*region, inside);
    }
  }

  void addItem(const Op *op, int loop) {
    WorkItem item{op->mnemonic().str(), op->loc, loop};
    item.bytes = bytesOf(op);
    item.flops = flopsOf(op);
    item.isDot = op->kind == OpKind::Dot;
    if (item.bytes > 0 || item.flops > 0) work_.items.push_back(std::move(item));
  }

  static int64_t bytesOf(const Op *op) {
    if (op->is(GlobalAccess)) {
      const Type &pointers = op->operand(0)->type;
      const int64_t once = elementsOf(op->operand(0)) * byteWidth(pointers.pointee().scalar);
      return op->kind == OpKind::Atomic ? 2 * once : once;
    }
    if (op->kind == OpKind::TensorLoad)
      return elementsOf(op->result()) * byteWidth(op->result()->type.scalar());
    if (op->kind == OpKind::TensorStore)
      return elementsOf(op->operand(1)) * byteWidth(op->operand(1)->type.scalar());
    return 0;
  }

  static int64_t flopsOf(const Op *op) {
    if (op->kind == OpKind::Dot)
      return 2 * elementsOf(op->result()) * op->operand(0)->type.shape().back();
    if (op->kind == OpKind::Reduce || op->kind == OpKind::Scan)
      return isFloat(op->operand(0)->type.scalar()) ? elementsOf(op->operand(0)) : 0;
    const bool computes = op->is(Elementwise) && !op->is(View) && op->numResults() == 1;
    if (!computes || op->kind == OpKind::Splat || op->kind == OpKind::Cast) return 0;
    const Type &type = op->result()->type;
    return type.isTile() && !type.isPointer() && isFloat(type.scalar()) ? type.numElements() : 0;
  }

  Work work_;
};

}  // namespace

std::vector<Work> workOf(const Module &module) {
  std::vector<Work> all;
  for (const Kernel &kernel : module.kernels) all.push_back(Counter(kernel).count());
  return all;
}

}  // namespace tile2cu::page
