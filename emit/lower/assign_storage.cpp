// The results of a loop nest: their variables, which may be those of a loop, and the comments above
// the loop nest.
#include <algorithm>

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/value/rematerializable.h"

namespace tile2cu::emit {
using namespace ir;

// The result of the dot or wait that is in the same variable as its accumulator `value`; null if it
// only reads `value`.
static Value *inPlaceOf(const Op *user, const Value *value) {
  if (user->kind != OpKind::DotShared && user->kind != OpKind::DotWait) return nullptr;
  for (unsigned i = 0; i < user->numResults(); ++i)
    if (user->operand(i) == value) return user->result(i);
  return nullptr;
}

// The readers of a carried value's variable: those of the value itself, and those of what products,
// branches and loops make of it in place.
std::vector<Op *> KernelEmitter::readersOf(const Value *value) const {
  std::vector<Op *> readers;
  for (const auto &[slot, target] : branchTargets_)
    if (target == value)
      for (Op *next : readersOf(slot.first->result(slot.second))) readers.push_back(next);
  for (Op *user : value->users) {
    // A loop that goes on with the variable hands it on in its results.
    if (isLoop(user))
      for (const auto &result : user->results)
        if (storage_.count(result.get()) &&
            storage_.at(result.get()).name == storage_.at(value).name)
          for (Op *next : readersOf(result.get())) readers.push_back(next);
    const Value *same = inPlaceOf(user, value);
    if (!same || (user->kind == OpKind::DotShared && value->users.size() != 1)) {
      readers.push_back(user);
      continue;
    }
    for (Op *next : readersOf(same)) readers.push_back(next);
  }
  return readers;
}

// The variable of a loop that takes `values[i]` of the terminator at its body's end, and the values
// that read it in the body.
Value *KernelEmitter::carriedArgument(Op *loop, size_t i, std::vector<Op *> &readers) const {
  if (loop->kind == OpKind::For) {
    Value *argument = ForOp(loop).carried(i);
    readers = readersOf(argument);
    return argument;
  }
  // while: the first region tests, and hands on what the body reads.
  Value *argument = loop->region(0)->argument(i);
  Op *condition = loop->region(0)->terminator();
  for (unsigned k = 1; k < condition->numOperands(); ++k) {
    if (condition->operand(k) != argument) continue;
    for (Op *reader : readersOf(loop->region(1)->argument(k - 1))) readers.push_back(reader);
  }
  return argument;
}

// The carried value that `outer`, a result of the nest or branch, may be written over: the loop's
// next value of it, read by nobody later. A break or continue that hands on the old value is such a
// reader.
Value *KernelEmitter::carriedTarget(Op *nest, Value *outer, std::vector<Op *> &readers) {
  // Products are added up in place.
  auto sums = [&]() -> Value * {
    const Op *user = outer->users.size() == 1 ? outer->users.front() : nullptr;
    return user && user->parent == nest->parent ? inPlaceOf(user, outer) : nullptr;
  };
  while (Value *same = sums()) outer = same;
  for (Op *user : outer->users) {
    Op *holder = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != nest->parent || !holder) continue;
    const auto &values = user->operands();
    const unsigned at = std::find(values.begin(), values.end(), outer) - values.begin();
    readers.clear();
    Value *argument = nullptr;
    if (isLoop(holder)) {
      argument = carriedArgument(holder, at, readers);
    } else if (auto target = branchTargets_.find({holder, at}); target != branchTargets_.end()) {
      argument = target->second;
      for (Op *reader : argument->users)  // those of the other side are never run with these
        if (isInside(reader->parent, *nest->parent)) readers.push_back(reader);
    } else {
      continue;
    }
    if (std::count(values.begin(), values.end(), outer) != 1 || !storage_.count(argument))
      return nullptr;
    for (Op *reader : readers) {
      const bool within = llvm::any_of(
          nest->regions, [&](auto &region) { return isInside(reader->parent, *region); });
      if (within &&
          (nest->kind != OpKind::Nest || isVectorAccess(reader) || isComputedBehind(reader)))
        return nullptr;
      if (within) continue;
      const Op *around = ancestorIn(*nest->parent, reader);
      if (!around || !isBefore(around, nest)) return nullptr;
    }
    return argument;
  }
  return nullptr;
}

// The variable of a branch's result that `outer`, a result of the nest or product, becomes at the
// end of its side: nobody reads it before.
const KernelEmitter::Storage *KernelEmitter::branchVariable(const Op *nest,
                                                            const Value *outer) const {
  for (const Op *user : outer->users) {
    const Op *branch = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != nest->parent || !branch ||
        branch->kind != OpKind::If)
      continue;
    const unsigned at = llvm::find(user->operands(), outer) - user->operands().begin();
    if (branchTargets_.count({branch, at})) return nullptr;
    return &storage_.at(branch->result(at));
  }
  return nullptr;
}

// The name of a result: the user's, or that of the dot whose accumulator it is at first.
static std::string nameOf(const Value *result) {
  if (!result->name.empty()) return result->name;
  const Op *user = result->users.size() == 1 ? result->users.front() : nullptr;
  const bool starts = user && user->kind == OpKind::DotShared && user->operand(0) == result;
  return starts && !user->result()->name.empty() ? user->result()->name : "tile";
}

// Gives every value that leaves the nest its storage.
void KernelEmitter::prepareResults(Op *op) {
  Op *yield = op->region()->terminator();
  inPlace_.clear();
  for (unsigned i = 0; i < yield->numOperands(); ++i) {
    Value *inner = yield->operand(i), *outer = op->result(i);
    if (inner->definition->kind == OpKind::ReduceThread) continue;  // declared with its start value
    std::vector<Op *> readers;
    if (Value *carried = segments_.size() == 1 ? carriedTarget(op, outer, readers) : nullptr) {
      storage_[inner] = storage_[outer] = storage_.at(carried);
      unsigned reads = 0;
      bool own = false;
      for (Op *reader : readers)
        if (isInside(reader->parent, *op->region())) {
          ++reads;
          own |= reader == inner->definition;
        }
      inPlace_[inner] = reads == 0 || (reads == 1 && own);
      continue;
    }
    if (const Storage *variable = branchVariable(op, outer)) {
      storage_[inner] = storage_[outer] = *variable;
      describeLayout(*variable);
      continue;
    }
    Storage storage =
        makeStorage(outer->type, outer->name.empty() ? roleName(inner->definition) : outer->name);
    describeLayout(storage);
    // One value or vector a thread is declared where it is computed.
    bool oneVector = !hasLoops(*op->layout, false) && isVectorAccess(inner->definition);
    if (storage.layout && (isOneVariable(*storage.layout) || oneVector))
      undeclared_.insert(inner);
    else
      add(declare(outer->type, storage.name));
    storage_[inner] = storage_[outer] = storage;
  }
}

// `float mean = ...;` for a value that has not been declared yet.
bool KernelEmitter::declareWith(const Value *value, const Expr &e) {
  if (!undeclared_.erase(value)) return false;
  add(variable(typeOf(value->type), storage_.at(value).name, e));
  return true;
}

// Says once for each layout which element a register holds.
void KernelEmitter::describeLayout(const Storage &storage) {
  if (!storage.layout || !describedLayouts_.insert(storage.layout->str()).second) return;
  std::vector<std::string> places;
  unsigned rank = storage.layout->rank();
  const char *const kDims[] = {"row", "column", "depth"};
  for (unsigned d = 0; d < rank; ++d)
    places.push_back(std::string(rank == 1 ? "element"
                                 : d < 3   ? kDims[d]
                                           : "index") +
                     " = " + layoutText(*storage.layout, d));
  const std::string start = storage.name + ": ", text = start + llvm::join(places, ", ");
  text_.layouts.push_back(text);
  constexpr size_t kMost = 82;  // on one line
  comment("Tile " + (text.size() <= kMost ? text : start + llvm::join(places, ",\n  ")) + ".");
}

void KernelEmitter::statementComments(const Op *nest) {
  for (auto &op : nest->region()->ops) {
    bool interesting = !passes::isCheap(op.get()) && op->kind != OpKind::Yield;
    if (op->kind == OpKind::ReduceThread && op->getBool(Attr::role_named)) {
      reductionComment(op.get());
      continue;
    }
    // An index or mask is printed under its name, close to what the user wrote: only a comment of
    // theirs is kept.
    const Statement *statement = statementOf(op->loc.statement);
    bool explained = statement && !statement->comment.empty();
    if (interesting || (explained && op->numResults() == 1 && !op->result()->name.empty() &&
                        wantsLocal(op->result())))
      statementComment(op.get());
  }
}

// Tiles that start with one value everywhere, full<float, N>(0): no loop of ours. False if the nest
// does anything else.
bool KernelEmitter::fillNest(Op *op) {
  Op *yield = op->region()->terminator();
  for (auto &inner : op->region()->ops)
    if (inner.get() != yield && inner->kind != OpKind::Splat) return false;
  if (isOneVariable(*op->layout) || yield->numOperands() == 0) return false;
  segments_.assign(1, {});
  std::vector<Op *> readers;
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (yield->operand(i)->definition->parent != op->region() ||
        carriedTarget(op, op->result(i), readers))
      return false;
  for (unsigned i = 0; i < yield->numOperands(); ++i) {
    Value *outer = op->result(i);
    Storage storage = makeStorage(outer->type, nameOf(outer));
    describeLayout(storage);
    Expr value = scalar(yield->operand(i)->definition->operand(0));
    bool zero = isZero(value);
    add(declare(outer->type, storage.name, zero ? braces({}, {}) : Expr{}));
    if (!zero) {
      add(evaluate(call("tile2cu::fill", {named(storage.name), value})));
      names_.change(storage.name);
    }
    storage_[outer] = storage;
  }
  return true;
}

// Whether every use is one that C++ widens by itself, and that is written without the cast.
bool KernelEmitter::widensInPlace(const Op *op) const {
  return op->kind == OpKind::Cast && llvm::all_of(op->result()->users, [&](const Op *user) {
           if (user->results.empty() || user->result()->type.isTile()) return false;
           for (unsigned i = 0; i < user->numOperands(); ++i)
             if (user->operand(i) == op->result() && implicitSource(user, i) == op->result())
               return false;
           return true;
         });
}

}  // namespace tile2cu::emit
