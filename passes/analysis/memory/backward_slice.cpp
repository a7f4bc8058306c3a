#include "passes/analysis/memory/backward_slice.h"

#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/rematerializable.h"

namespace tile2cu::passes {
using namespace ir;

const char *const kMayBeWritten = "what it loads may be written by the kernel";

namespace {

class Slicer {
 public:
  Slicer(const Kernel &kernel, Op *loop) : kernel_(kernel), body_(*loop->region()) {}

  // Adds the slice of `store`; returns the reason why it stays, or nothing.
  std::string add(Op *store, CopySlice &slice) {
    CopySlice mine;
    mine.stores.push_back(store);
    if (std::string why = needOperands(store, mine); !why.empty()) return why;
    for (Op *op : mine.ops)
      if (std::string why = usedElsewhere(op, mine); !why.empty()) return why;
    std::vector<unsigned> open(mine.carried.begin(), mine.carried.end());
    while (!open.empty()) {
      unsigned i = open.back();
      open.pop_back();
      if (std::string why = needAdvance(i, mine, open); !why.empty()) return why;
    }
    slice.ops.insert(mine.ops.begin(), mine.ops.end());
    slice.carried.insert(mine.carried.begin(), mine.carried.end());
    slice.advances.insert(mine.advances.begin(), mine.advances.end());
    slice.stores.push_back(store);
    return "";
  }

 private:
  std::string needOperands(const Op *op, CopySlice &slice) {
    for (Value *operand : op->operands())
      if (operand)
        if (std::string why = need(operand, slice); !why.empty()) return why;
    return "";
  }

  std::string need(Value *value, CopySlice &slice) {
    if (value->isArgument()) {
      if (value->owner != &body_ || value->index == 0) return "";
      if (value->type.isTile())
        return value->type.isPointer() || isInteger(value->type.scalar())
                   ? "its addresses are carried as a tile"
                   : "it is computed from a tile that the loop carries";
      slice.carried.insert(value->index - 1);
      return "";
    }
    Op *op = value->definition;
    if (!isInside(op->parent, body_)) return "";
    if (op->parent != &body_ || !op->regions.empty()) return "it depends on a branch or loop";
    if (op->kind == OpKind::Load) {
      if (!isReadOnly(kernel_, op)) return kMayBeWritten;
    } else if (!op->is(Pure) || !(op->is(Elementwise) || op->is(View) || isRematerializable(op) ||
                                  !op->result()->type.isTile())) {
      return "it depends on a result of the same iteration";
    }
    if (!slice.ops.insert(op).second) return "";
    return needOperands(op, slice);
  }

  // Indices are loaded again if something else needs them too: the rows of the other operand, a
  // mask.
  static bool isIndexLoad(const Op *op) {
    const Type &type = op->result()->type;
    return op->kind == OpKind::Load && !type.isPointer() && isInteger(type.scalar()) &&
           type.rank() == 1;
  }

  // Tiles that are kept in registers are not computed twice.
  std::string usedElsewhere(const Op *op, const CopySlice &slice) {
    if (!op->result()->type.isTile() || isRematerializable(op) || isIndexLoad(op)) return "";
    for (Op *user : op->result()->users)
      if (!slice.ops.count(user) && user != slice.stores.front())
        return "the tile is used in other ways too";
    return "";
  }

  // The next value of carried value `i` may depend on carried values only.
  std::string needAdvance(unsigned i, CopySlice &slice, std::vector<unsigned> &open) {
    llvm::SmallVector<Value *, 8> values{body_.terminator()->operand(i)};
    while (!values.empty()) {
      Value *value = values.pop_back_val();
      if (value->isArgument()) {
        if (value->owner != &body_) continue;
        if (value->index == 0 || value->type.isTile())
          return "its addresses do not advance with the loop";
        if (slice.carried.insert(value->index - 1).second) open.push_back(value->index - 1);
        continue;
      }
      Op *op = value->definition;
      if (!isInside(op->parent, body_)) continue;
      if (op->parent != &body_ || !op->is(Pure) || !op->regions.empty() ||
          op->result()->type.isTile())
        return "its addresses do not advance with the loop";
      if (slice.advances.insert(op).second)
        for (Value *operand : op->operands()) values.push_back(operand);
    }
    return "";
  }

  const Kernel &kernel_;
  Block &body_;
};

}  // namespace

static int64_t bytesOf(const Op *load) {
  return load->getInt(Attr::vector, 1) * byteWidth(load->result()->type.scalar());
}

bool isCopy(const Op *op) {
  const auto load = LoadOp::of(const_cast<Op *>(op));
  const Type &type = op->result()->type;
  if (!type.isTile() || op->has(Attr::cache) || op->has(Attr::evict)) return false;
  if (Value *other = load.other_opt(); other && !isZero(other)) return false;
  return llvm::isPowerOf2_64(bytesOf(op)) && bytesOf(op) <= 16;
}

bool isAsynchronousCopy(const Op *load) { return isCopy(load) && bytesOf(load) >= 4; }

std::string addToSlice(const Kernel &kernel, Op *loop, Op *store, CopySlice &slice) {
  return Slicer(kernel, loop).add(store, slice);
}

}  // namespace tile2cu::passes
