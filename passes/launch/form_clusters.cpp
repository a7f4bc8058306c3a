#include "passes/launch/form_clusters.h"

#include <map>
#include <optional>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether the launcher can compute an integer, or a comparison of integers.
bool isOfLaunch(const Value *value) {
  if (value->type.isTile() || value->type.isPointer()) return false;
  if (!isInteger(value->type.scalar()) && value->type.scalar() != Scalar::Bool) return false;
  if (value->isArgument()) return !value->owner->parent;
  const Op *op = value->definition;
  if (op->kind == OpKind::Constant) return true;
  return op->is(Elementwise) && llvm::all_of(op->operands(), isOfLaunch);
}

// How a value differs between the two programs of a cluster.
class ClusterValues {
 public:
  // The same value in both; an even number of 0 or more and the next one; anything else.
  enum class Kind { Same, Neighbours, Other };

  Kind of(const Value *value) {
    if (auto known = kinds_.find(value); known != kinds_.end()) return known->second;
    const Kind kind = compute(value);
    kinds_[value] = kind;
    return kind;
  }
  bool isSame(const Value *value) { return of(value) == Kind::Same; }
  bool isSameLoop(const Op *loop) {
    return isSame(ForOp(loop).lower()) && isSame(ForOp(loop).upper()) && isSame(ForOp(loop).step());
  }

  // Whether an integer is even, if the launcher finds that the integers of `needed` are even.
  bool isEven(Value *value) {
    if (const auto constant = constantInt(value)) return *constant % 2 == 0;
    const Op *op = value->definition;
    switch (op ? op->kind : OpKind::Return) {
      case OpKind::Hint:
      case OpKind::Cast:
        if (isInteger(op->operand(0)->type.scalar())) return isEven(op->operand(0));
        break;
      case OpKind::Mul:
        if (llvm::any_of(op->operands(), [&](Value *factor) { return isKnownEven(factor); }))
          return true;
        if (!isOfLaunch(value))
          return llvm::any_of(op->operands(),
                              [&](Value *factor) { return isOfLaunch(factor) && isEven(factor); });
        break;
      case OpKind::Select:
        return isEven(op->operand(1)) && isEven(op->operand(2));
      case OpKind::Minimum:
      case OpKind::Maximum:
        return isEven(op->operand(0)) && isEven(op->operand(1));
      case OpKind::Add:
      case OpKind::Sub:
        if (!isOfLaunch(value)) return isEven(op->operand(0)) && isEven(op->operand(1));
        break;
      default:
        break;
    }
    if (!isOfLaunch(value)) return false;
    if (!llvm::is_contained(needed, value)) needed.push_back(value);
    return true;
  }

  llvm::SmallVector<Value *, 4> needed;

 private:
  // Without new requirements. A cast between integers keeps the lowest bit, unless it goes through
  // bool.
  bool isKnownEven(const Value *value) {
    while (value->definition && value->definition->kind == OpKind::Cast &&
           isInteger(value->definition->operand(0)->type.scalar()))
      value = value->definition->operand(0);
    return llvm::is_contained(needed, value) || constantInt(value).value_or(1) % 2 == 0;
  }

  Kind compute(const Value *value) {
    if (value->type.isTile()) return Kind::Other;
    if (value->isArgument()) {
      const Op *loop = value->owner->parent;
      if (!loop) return Kind::Same;  // the same for the whole launch
      const bool counts = loop->kind == OpKind::For && value->index == 0;
      return counts && isSameLoop(loop) ? Kind::Same : Kind::Other;
    }
    const Op *op = value->definition;
    if (op->kind == OpKind::Grid)
      return op->getBool(Attr::persistent) ? Kind::Other
             : value->index == 0           ? Kind::Neighbours
                                           : Kind::Same;
    if (op->kind == OpKind::Constant) return Kind::Same;
    if (!op->is(Elementwise)) return op->kind == OpKind::Hint ? of(op->operand(0)) : Kind::Other;
    if (llvm::all_of(op->operands(), [&](const Value *each) { return isSame(each); }))
      return Kind::Same;
    if (op->kind == OpKind::Cast && isInteger(value->type.scalar())) return of(op->operand(0));
    const bool divides = op->kind == OpKind::Div || op->kind == OpKind::Rem;
    if (divides && of(op->operand(0)) == Kind::Neighbours && isSame(op->operand(1)) &&
        isEven(op->operand(1)))
      return op->kind == OpKind::Div ? Kind::Same : Kind::Neighbours;
    return Kind::Other;
  }

  std::map<const Value *, Kind> kinds_;
};

// A TMA load that both blocks of a cluster may share.
struct SharedLoad {
  Op *copy;
  unsigned row_dim;  // of its map: the dimension along which each block loads half of the box
};

struct State {
  Kernel &kernel;
  PassContext &context;
  ClusterValues copying = {}, computing = {};  // of the producer's values, and of the body's

  // Whether both programs execute an operation equally often.
  static bool runsEquallyOften(const Op *op, ClusterValues &values) {
    for (const Op *outer = op->parent->parent; outer; outer = outer->parent->parent) {
      const bool isSame = outer->kind == OpKind::For  ? values.isSameLoop(outer)
                          : outer->kind == OpKind::If ? values.isSame(outer->operand(0))
                                                      : false;
      if (!isSame) return false;
    }
    return true;
  }

  // Checks that both programs of a cluster execute the same copies and waits in the same order.
  static bool runsTheSameCopies(Block &part, ClusterValues &values) {
    bool isSo = true;
    walk(part, [&](const Op *op) {
      isSo &= !op->is(Exit);
      switch (op->kind) {
        case OpKind::ProducerAcquire:
        case OpKind::ConsumerWait:
        case OpKind::ConsumerRelease:
          isSo &= runsEquallyOften(op, values);
          break;
        default:
          break;
      }
    });
    return isSo;
  }

  Op *mapOfBody(const Op *map) {
    for (auto &op : kernel.body.ops)
      if (op->kind == OpKind::TensorMap && op->result()->name == map->result()->name)
        return op.get();
    return nullptr;
  }

  // Whether rows of the array may start at addresses that are not cache lines.
  static bool mayCrossLines(const Op *map) {
    const int64_t rank = map->getInt(Attr::rank), bytes = byteWidth(map->operand(0)->type.scalar());
    for (int64_t d = 1; d < rank; ++d)
      if (constantInt(map->operand(rank + d)).value_or(1) * bytes % kCacheLineBytes != 0)
        return true;
    return false;
  }

  std::optional<SharedLoad> sharedLoad(Op *copy) {
    const Op *map = copy->operand(0)->definition;
    const Op *other = mapOfBody(map);
    if (!other || !other->result()->users.empty() || map->result()->users.size() != 1 ||
        !mayCrossLines(map))
      return std::nullopt;
    for (unsigned i = 2; i < copy->numOperands(); ++i)
      if (!copying.isSame(copy->operand(i))) return std::nullopt;
    const auto &box = map->getInts(Attr::box);
    const SharedBuffer &buffer = kernel.shared[copy->getInt(Attr::buffer)];
    std::optional<unsigned> rows;
    for (unsigned d = 1; d < box.size(); ++d) {
      if (box[d] == 1) continue;
      if (rows) return std::nullopt;
      rows = d;
    }
    if (!rows || box.size() > 3 || !buffer.swizzled || box[*rows] != buffer.shape.front() ||
        box[*rows] % (2 * kSwizzleRows) != 0)
      return std::nullopt;
    return SharedLoad{copy, *rows};
  }

  void run() {
    const Op *grid = kernel.grid();
    if (!kernel.producer || !grid || grid->getBool(Attr::persistent)) return;
    std::vector<SharedLoad> shared;
    walk(*kernel.producer, [&](Op *op) {
      if (op->kind != OpKind::TmaLoad) return;
      if (auto one = sharedLoad(op)) shared.push_back(*one);
    });
    if (shared.empty() || !runsTheSameCopies(*kernel.producer, copying) ||
        !runsTheSameCopies(kernel.body, computing) || !computing.isEven(grid->operand(0)))
      return;
    std::set<int64_t> rings;
    for (const SharedLoad &one : shared) {
      mapOfBody(one.copy->operand(0)->definition)->setInt(Attr::row_dim, one.row_dim);
      one.copy->setBool(Attr::for_cluster, true);
      one.copy->setInt(Attr::row_dim, one.row_dim);
      rings.insert(one.copy->getInt(Attr::ring));
      context.diagnostics.decided(DiagId::BlocksPaired, kernel, one.copy->loc,
                                  {"'" + kernel.shared[one.copy->getInt(Attr::buffer)].name + "'"});
    }
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::ConsumerRelease && rings.count(op->getInt(Attr::ring)))
        op->setBool(Attr::for_cluster, true);
    });
    Builder(*kernel.producer).create(OpKind::Cluster, copying.needed, {});
    Builder(kernel.body).create(OpKind::Cluster, computing.needed, {});
  }
};

}  // namespace

llvm::LogicalResult form_clusters(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) State{kernel, context}.run();
  return llvm::success();
}

}  // namespace tile2cu::passes
