#include "passes/pipeline/stage_operand_loads.h"

#include <limits>
#include <set>

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/backward_slice.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/padding.h"
#include "passes/target/target.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class Stager {
 public:
  Stager(Kernel &kernel, PassContext &context, Op *loop, int stages)
      : kernel_(kernel), context_(context), loop_(loop), stages_(stages) {}

  void run(std::vector<Op *> &stores) {
    countRoom(stores);
    std::vector<Op *> result;
    for (Op *store : stores) {
      Op *made = store->operand(0)->definition;
      loads_.clear();
      seen_.clear();
      if (made && made->kind != OpKind::Load && isWorthIt(store)) collect(store->operand(0));
      // The operand is stored once then.
      const int64_t bytes = kernel_.shared[store->getInt(Attr::buffer)].placeBytes(),
                    ahead = (stages_ - 1) * bytes;
      room_ += ahead;
      bool isStaged = false;
      for (Op *load : loads_)
        if (Op *copy = stage(load, bytes)) {
          result.push_back(copy);
          isStaged = true;
        }
      if (!isStaged) {
        room_ -= ahead;
        result.push_back(store);
        continue;
      }
      context_.diagnostics.decided(
          DiagId::CopyNotAhead, kernel_, made->loc,
          {fmt::format("'{}'", kernel_.shared[store->getInt(Attr::buffer)].name),
           "it is computed from a prefetched tile"});
    }
    stores = std::move(result);
  }

 private:
  // With two stages, an operand that can be prefetched as a whole is better prefetched: its loads
  // are in flight equally long, and the iteration has one barrier. (int8 weights on an H200, by
  // mma.sync, staged versus prefetched: with three stages or more 1.07 to 1.46 times as fast for
  // large matmuls and 0.80 to 1.00 for 64 rows, where the best tiles stay as they are; with two
  // stages 0.94 to 1.07, and 0.79 to 0.83.)
  bool isWorthIt(Op *store) const {
    CopySlice slice;
    return stages_ > 2 || !addToSlice(kernel_, loop_, store, slice).empty();
  }

  // The shared memory that is left if all of these operands are prefetched.
  void countRoom(llvm::ArrayRef<Op *> stores) {
    room_ = std::numeric_limits<int64_t>::max();
    for (const Target &target : context_.targetsOf(kernel_))
      room_ = std::min(room_, sharedLimit(target, kernel_.options.minBlocks));
    for (const SharedBuffer &buffer : kernel_.shared) room_ -= buffer.placeBytes();
    for (const Op *store : stores)
      room_ -= (stages_ - 1) * kernel_.shared[store->getInt(Attr::buffer)].placeBytes();
  }

  // The loads of this iteration from which `value` is computed.
  void collect(Value *value) {
    Op *op = value->definition;
    if (!op || op->parent != loop_->region() || !seen_.insert(op).second) return;
    if (op->kind == OpKind::Load) {
      if (!staged_.count(op) && canStage(op)) loads_.push_back(op);
      return;
    }
    if (!op->is(Pure) || !op->regions.empty()) return;
    for (Value *operand : op->operands())
      if (operand && operand->type.isTile()) collect(operand);
  }

  // Whether the load can be an asynchronous copy that is prefetched.
  bool canStage(const Op *load) const {
    const Type &type = load->result()->type;
    if (!isAsynchronousCopy(load) || type.isPointer() || type.rank() < 2 ||
        !isReadOnly(kernel_, load) || type.layout()->isReplicated())
      return false;
    const auto axis = vectorAxis(*type.layout());
    return axis && load->getInt(Attr::vector, 1) <= axis->extent;
  }

  // Puts a shared tile between a load and its users. Returns the store, or null if the load cannot
  // be prefetched, or if its tile would be larger than the operand: then many elements share one
  // address, and more blocks per multiprocessor hide more latency.
  Op *stage(Op *load, int64_t operandBytes) {
    const Type type = load->result()->type;
    const unsigned contiguous = vectorAxis(*type.layout())->dim;
    SharedBuffer buffer;
    buffer.name = load->result()->name.empty() ? "loaded" : load->result()->name;
    buffer.members = {type.scalar()};
    buffer.alignment = 16;
    llvm::SmallVector<unsigned, 4> order;  // outermost first
    for (unsigned d = 0; d < type.rank(); ++d)
      if (d != contiguous) order.push_back(d);
    order.push_back(contiguous);
    for (unsigned d : order) buffer.shape.push_back(type.shape()[d]);
    Dim &row = buffer.shape.back();
    row += int64_t(llvm::alignTo(row, load->getInt(Attr::vector, 1))) - row;
    llvm::SmallVector<int64_t, 4> strides(type.rank(), 1);
    for (size_t d = type.rank(); d-- > 1;)
      strides[order[d - 1]] = strides[order[d]] * buffer.shape[d];
    if (buffer.placeBytes() > operandBytes || stages_ * buffer.placeBytes() > room_) return nullptr;

    auto describe = [&](Op *op) {
      op->setInt(Attr::buffer, kernel_.shared.size());
      op->setInt(Attr::offset, 0);
      op->set(Attr::strides, strides);
      return op;
    };
    std::vector<Op *> users = load->result()->users;
    Builder b = Builder::after(load);
    Value *mask = validMask(b, type);
    Op *store = describe(b.create(OpKind::SharedStore, {load->result(), mask}, {}));
    Op *read = describe(b.create(OpKind::SharedLoad, {mask}, {type}, load->result()->name));
    replaceUses(users, load->result(), read->result());
    CopySlice slice;
    if (!addToSlice(kernel_, loop_, store, slice).empty()) {
      std::vector<Op *> readers = read->result()->users;
      replaceUses(readers, read->result(), load->result());
      read->erase();
      store->erase();
      return nullptr;
    }
    room_ -= stages_ * buffer.placeBytes();
    kernel_.shared.push_back(std::move(buffer));
    staged_.insert(load);
    return store;
  }

  Kernel &kernel_;
  PassContext &context_;
  Op *loop_;
  const int stages_;
  int64_t room_ = 0;
  std::vector<Op *> loads_;
  std::set<Op *> seen_, staged_;
};

}  // namespace

void stageLoads(Kernel &kernel, PassContext &context, Op *loop, std::vector<Op *> &stores,
                int stages) {
  Stager(kernel, context, loop, stages).run(stores);
}

}  // namespace tile2cu::passes
