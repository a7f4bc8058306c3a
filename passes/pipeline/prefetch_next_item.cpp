#include "passes/pipeline/prefetch_next_item.h"

#include "fmt/format.h"
#include "llvm/ADT/SetVector.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/dead_code.h"
#include "passes/target/target.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The operations that pipeline_copies created for one loop of an item.
struct Copies {
  Op *function = nullptr;  // the copies of one iteration
  Op *first = nullptr;     // the loop that starts the copies of the first iterations
  Op *steps = nullptr;     // the loop that uses them
};

bool calls(Op *loop, int64_t id, bool ahead) {
  bool found = false;
  for (auto &region : loop->regions)
    walk(*region, [&](const Op *op) {
      found |= op->kind == OpKind::Call && op->getInt(Attr::id) == id &&
               op->getBool(Attr::ahead) == ahead;
    });
  return found;
}

std::vector<Copies> copiesIn(Block &body) {
  std::vector<Copies> all;
  for (auto &op : body.ops) {
    if (op->kind == OpKind::LocalFunction) all.push_back({op.get()});
    if (op->kind != OpKind::For) continue;
    for (Copies &copies : all) {
      if (calls(op.get(), copies.function->getInt(Attr::id), false)) copies.first = op.get();
      if (calls(op.get(), copies.function->getInt(Attr::id), true)) copies.steps = op.get();
    }
  }
  return all;
}

// The copies of one loop, and the items for which it runs.
class Flattening {
 public:
  Flattening(Kernel &kernel, Op *items, const Copies &copies, int64_t id)
      : kernel_(kernel), items_(items), body_(*items->region()), copies_(copies), id_(id) {}

  // The reason why the copies stay in their item; empty if they can move.
  std::string obstacle(const Target &target) {
    for (int64_t buffer : buffers())
      if (isReadElsewhere(buffer))
        return fmt::format("smem.{} is read after the loop too", kernel_.shared[buffer].name);
    std::string why = needCaptured(copies_.function);
    if (why.empty()) why = needCaptured(copies_.first);
    if (!why.empty()) return why;
    const int64_t bytes = sharedBytesIfKept(kernel_, buffers()), limit = sharedLimit(target);
    if (bytes > limit)
      return fmt::format("it would take {} bytes of shared memory of {}", bytes, limit);
    return "";
  }

  void run() {
    handOver();
    copies_.function->moveBefore(items_);
    defineStart();
    Builder before = Builder::before(items_), after = Builder::after(copies_.steps);
    before.loc.statement = after.loc.statement = -1;
    Value *lower = items_->operand(0), *upper = items_->operand(1), *step = items_->operand(2);
    startIf(before, isLess(before, lower, upper), [&](Builder &) { return lower; });
    // A sum that could overflow is not computed if there is no such item.
    Value *item = ForOp(items_).variable();
    Value *left = after.binary(OpKind::Sub, wide(after, upper), wide(after, item));
    startIf(after, isLess(after, wide(after, step), left), [&](Builder &then) {
      return then.binary(OpKind::Add, item, step, "next_" + item->name);
    });
    dropFirst();
  }

 private:
  // ---- dependences of the copies

  std::set<int64_t> buffers() const {
    std::set<int64_t> all;
    walk(*copies_.function->region(), [&](const Op *op) {
      if (op->has(Attr::buffer)) all.insert(op->getInt(Attr::buffer));
    });
    return all;
  }

  // Whether the buffer is read after the loop, where it may already hold stages of the next item.
  bool isReadElsewhere(int64_t buffer) const {
    bool found = false;
    walk(kernel_.body, [&](const Op *op) {
      if (op->kind == OpKind::SharedZero) return;  // once, before all loops
      const bool reads = (op->has(Attr::buffer) && op->getInt(Attr::buffer) == buffer) ||
                         llvm::is_contained(op->getInts(Attr::buffers), buffer);
      if (!reads || isInside(op->parent, *copies_.function->region()) ||
          isInside(op->parent, *copies_.steps->region()))
        return;
      found |= op->parent != &body_ || !isBefore(op, copies_.steps);
    });
    return found;
  }

  // The values of the item that an operation, or one inside it, uses: results of the item's
  // operations, or the item itself.
  llvm::SetVector<Value *> captured(Op *op) const {
    llvm::SetVector<Value *> values;
    auto add = [&](const Op *user) {
      for (Value *operand : user->operands())
        if (operand && (operand->isArgument() ? operand->owner == &body_
                                              : operand->definition->parent == &body_))
          values.insert(operand);
    };
    add(op);
    for (auto &region : op->regions) walk(*region, add);
    return values;
  }

  std::string needCaptured(Op *op) {
    for (Value *value : captured(op))
      if (std::string why = need(value, op == copies_.function); !why.empty()) return why;
    return "";
  }

  // `isOfStep`: for the copies of one iteration themselves, which compute tiles of indices in
  // place.
  std::string need(Value *value, bool isOfStep) {
    const std::string name = value->name.empty() ? "a value" : fmt::format("'{}'", value->name);
    if (value->isArgument())
      return value->index == 0 ? "" : name + " that they need is carried from item to item";
    Op *op = value->definition;
    if (value->type.isTile()) {
      if (!isOfStep || !op->regions.empty() ||
          !(op->is(Pure) && (op->is(Elementwise) || op->is(View) || isRematerializable(op))))
        return name + " that they need is a tile of the item";
      return local_.insert(op) ? needAll(op, true) : "";
    }
    if (isOfStep && op->kind == OpKind::Constant) {
      local_.insert(op);
      return "";
    }
    std::string why;
    auto check = [&](const Op *inner) {
      if (!why.empty() || inner->is(Pure) || isLoop(inner)) return;
      if (inner->kind == OpKind::Load && !inner->result()->type.isTile()) {
        if (!isReadOnly(kernel_, inner)) why = name + " is loaded from what the kernel may write";
      } else if (inner->kind != OpKind::If && !inner->isTerminator()) {
        why = name + " that they need is not a scalar of the item";
      }
      for (const auto &result : inner->results)
        if (result->type.isTile()) why = name + " that they need depends on a tile of the item";
    };
    check(op);
    for (auto &region : op->regions) walk(*region, check);
    if (!why.empty()) return why;
    return numbers_.insert(op) ? needAll(op, false) : "";
  }

  std::string needAll(Op *op, bool isOfStep) {
    for (Value *value : captured(op))
      if (std::string why = need(value, isOfStep); !why.empty()) return why;
    return "";
  }

  // ---- the rewrite

  // The copies of an iteration get the item's scalars as arguments, and compute its tiles
  // themselves.
  void handOver() {
    Block &region = *copies_.function->region();
    std::map<Value *, Value *> map;
    llvm::SetVector<Value *> handed;
    auto hand = [&](Op *user) {
      for (Value *value : captured(user)) {
        if (!value->isArgument() && local_.contains(value->definition)) continue;
        if (handed.insert(value)) map[value] = region.addArgument(value->type, value->name);
      }
    };
    Builder top = Builder::before(region.front());
    for (auto &op : body_.ops) {
      if (!local_.contains(op.get())) continue;
      hand(op.get());
      clone(op.get(), top, map);
    }
    hand(copies_.function);
    walk(region, [&](Op *op) { replaceOperands(op, map); });
    for (Op *loop : {copies_.first, copies_.steps})
      walk(*loop->region(), [&](Op *op) {
        if (op->kind != OpKind::Call || op->getInt(Attr::id) != copies_.function->getInt(Attr::id))
          return;
        for (Value *value : handed) op->addOperand(value);
      });
  }

  static void replaceOperands(Op *op, const std::map<Value *, Value *> &map) {
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (auto found = map.find(op->operand(i)); found != map.end())
        op->setOperand(i, found->second);
  }

  // function (item): its scalars, and the copies of its first iterations.
  void defineStart() {
    Value *item = ForOp(items_).variable();
    Builder b = Builder::before(items_);
    b.loc.statement = -1;
    Op *start = b.create(OpKind::LocalFunction, {}, {});
    start->setInt(Attr::id, id_);
    start->setString(Attr::name, "start_" + (item->name.empty() ? "item" : item->name));
    start->setBool(Attr::item, true);
    Block &region = *start->addRegion();
    std::map<Value *, Value *> map;
    map[item] = region.addArgument(item->type, item->name);
    Builder inside(region);
    for (auto &op : body_.ops)
      if (numbers_.contains(op.get())) clone(op.get(), inside, map);
    clone(copies_.first, inside, map);
    inside.yield({});
  }

  static Value *wide(Builder &b, Value *value) { return b.cast(value, Scalar::I64); }

  Value *isLess(Builder &b, Value *lhs, Value *rhs) const {
    return b.binary(ForOp(items_).compare() == Compare::Le ? OpKind::Le : OpKind::Lt, lhs, rhs);
  }

  void startIf(Builder &b, Value *condition, llvm::function_ref<Value *(Builder &)> item) {
    Op *branch = b.create(OpKind::If, {condition}, {});
    Builder then(*branch->addRegion());
    branch->addRegion();
    then.create(OpKind::Call, {item(then)}, {})->setInt(Attr::id, id_);
    then.yield({});
  }

  // Removes the rest of the first copies: the addresses after them.
  void dropFirst() {
    Op *first = copies_.first;
    std::vector<Op *> copies;
    for (auto &op : first->region()->ops)
      if (op->kind == OpKind::If || op->kind == OpKind::AsyncCommit) copies.push_back(op.get());
    for (Op *op : copies) op->erase();
    first->setBool(Attr::prologue, false);
    Builder b = Builder::before(first);
    b.loc.statement = -1;
    for (unsigned i = 0; i < first->numResults(); ++i)
      if (Value *advanced = advancedBy(b, i)) {
        first->result(i)->replaceAllUsesWith(advanced);
        advanced->name.clear();  // the name belongs to the value that the loop carries
      }
    const bool isDone =
        llvm::all_of(first->results, [](const auto &result) { return result->unused(); });
    if (isDone) first->erase();
  }

  // If each iteration adds the same amount, it is multiplied by the number of iterations; null
  // otherwise.
  Value *advancedBy(Builder &b, unsigned i) {
    Op *first = copies_.first;
    const Op *add = first->region()->terminator()->operand(i)->definition;
    if (!add || (add->kind != OpKind::AddPtr && add->kind != OpKind::Add) ||
        add->operand(0) != ForOp(first).carried(i) ||
        !definedOutside(add->operand(1), *first->region()))
      return nullptr;
    const Value *result = first->result(i);
    const Scalar type = result->type.isPointer() ? Scalar::I64 : add->operand(1)->type.scalar();
    std::map<Value *, Value *> none;
    Value *steps = clone(ForOp(first).upper()->definition, b, none)->result();  // STAGES - 1
    Value *distance = b.binary(OpKind::Mul, b.cast(steps, type), b.cast(add->operand(1), type));
    Value *start = ForOp(first).init(i);
    return result->type.isPointer() ? b.addptr(start, distance)
                                    : b.binary(OpKind::Add, start, distance);
  }

  Kernel &kernel_;
  Op *items_;
  Block &body_;
  const Copies copies_;
  const int64_t id_;
  llvm::SetVector<Op *> numbers_;  // scalars of the item that its first copies depend on
  llvm::SetVector<Op *> local_;    // indices, masks and constants, which the copies compute
};

class Items {
 public:
  Items(Kernel &kernel, PassContext &context) : kernel_(kernel), context_(context) {}

  void run() {
    std::vector<Op *> loops;
    walkPostOrder(kernel_.body, [&](Op *op) {
      if (op->kind == OpKind::For && op->getBool(Attr::flatten)) loops.push_back(op);
      if (op->kind == OpKind::LocalFunction)
        functions_ = std::max(functions_, op->getInt(Attr::id) + 1);
    });
    const int64_t before = functions_;
    for (Op *loop : loops) flatten(loop);
    if (functions_ != before) removeDeadCode(kernel_.body);
  }

 private:
  // The reason why the next item is not known in advance; empty if it is.
  static std::string obstacle(Op *items) {
    if (!countsUp(items)) return "the loop over items does not count up to a bound";
    if (!isSigned(items->operand(0)->type.scalar()))
      return "the variable of the loop over items is unsigned";
    return isLeft(items) ? "the loop over items has a break, continue or return" : "";
  }

  void flatten(Op *items) {
    std::vector<Copies> all = copiesIn(*items->region());
    if (all.empty()) return;
    const std::string ofItems = obstacle(items);
    for (const Copies &copies : all) {
      if (!copies.first || !copies.steps) continue;
      Flattening flattening(kernel_, items, copies, functions_);
      const std::string why =
          ofItems.empty() ? flattening.obstacle(context_.targetsOf(kernel_).front()) : ofItems;
      if (why.empty()) {
        flattening.run();
        ++functions_;
        context_.diagnostics.decided(DiagId::LoopFlattened, kernel_, copies.steps->loc, {});
      } else {
        context_.diagnostics.decided(DiagId::LoopNotFlattened, kernel_, copies.steps->loc, {why});
      }
    }
  }

  Kernel &kernel_;
  PassContext &context_;
  int64_t functions_ = 0;
};

}  // namespace

llvm::LogicalResult prefetch_next_item(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) Items(kernel, context).run();
  return llvm::success();
}

}  // namespace tile2cu::passes
