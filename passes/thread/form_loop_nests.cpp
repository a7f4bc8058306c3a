#include "passes/thread/form_loop_nests.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "passes/analysis/memory/access_overlap.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool isView(const Value *value) {
  return value->definition && value->type.isTile() && isInlinedAtUse(value->definition);
}

// The layout whose registers an operation runs over; null if no loop nest may hold the operation.
LayoutRef spaceOf(const Op *op) {
  switch (op->kind) {
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::Atomic:
    case OpKind::ReduceThread:
    case OpKind::SharedStore:
    case OpKind::AsyncCopy:
    case OpKind::DeviceAssert:
    case OpKind::DevicePrint:
    case OpKind::CudaEffect:
      return op->operand(0)->type.layout();
    case OpKind::SharedLoad:
    case OpKind::Map:
      return op->result()->type.layout();
    default:
      return op->is(Elementwise) && op->numResults() == 1 ? op->result()->type.layout() : nullptr;
  }
}

enum class NestKind : uint8_t { Loads, Compute, Mixed };

struct OpenNest {
  Op *op = nullptr;
  Block *body = nullptr;
  size_t position = 0;  // the position of its first member in the block
  NestKind kind = NestKind::Compute;
  std::map<Value *, Value *> copies;  // rematerializable values -> their copies in this loop nest
  std::multimap<size_t, Op *> made;   // all copies, by the operation that they copy
  struct Access {
    Op *op;
    std::optional<unsigned> base;
  };
  std::vector<Access> accesses;  // memory accesses, in program order
};

// A finished loop nest, and the last use of its tiles.
struct ClosedNest {
  LayoutRef layout;
  size_t lastUse = 0;
};

struct State {
  Kernel &kernel;
  explicit State(Kernel &k) : kernel(k) {}

  // The position of each operation of the current block; a loop nest has the position of its first
  // member.
  llvm::DenseMap<const Op *, size_t> position;
  llvm::DenseMap<const Op *, size_t> nestPosition;
  std::vector<ClosedNest> closed;  // the loop nests of the current block, one entry per layout
  AccessOverlaps overlaps;
  OpenNest open;

  // ---- copies of rematerializable expressions

  // `fresh`: not shared with an equal one, because the caller will overwrite it.
  Value *intoNest(OpenNest &nest, Value *value, bool fresh = false) {
    if (!value || !value->type.isTile() || !isView(value)) return value;
    auto known = nest.copies.find(value);
    if (known != nest.copies.end()) return known->second;
    Op *op = value->definition;
    llvm::SmallVector<Value *, 4> operands;
    for (Value *operand : op->operands()) operands.push_back(intoNest(nest, operand));
    // The same operation may have been copied already, for another tree.
    const size_t key =
        llvm::hash_combine(op->kind, llvm::hash_combine_range(operands.begin(), operands.end()));
    for (auto [it, end] = nest.made.equal_range(key); it != end && !fresh; ++it) {
      Op *other = it->second;
      if (other->kind != op->kind || other->attributes != op->attributes) continue;
      if (!(other->result()->type == value->type) ||
          llvm::ArrayRef<Value *>(other->operands()) != llvm::ArrayRef<Value *>(operands))
        continue;
      if (other->result()->name.empty()) other->result()->name = value->name;
      return nest.copies[value] = other->result();
    }
    Builder b(*nest.body);
    b.loc = op->loc;
    Op *copy = b.create(op->kind, operands, {value->type}, value->name);
    copy->attributes = op->attributes;
    nest.made.emplace(key, copy);
    return nest.copies[value] = copy->result();
  }

  // The values that a rematerializable expression depends on.
  void leaves(Value *value, llvm::SmallSetVector<Value *, 8> &out, std::set<Value *> &visited) {
    if (!value || !visited.insert(value).second) return;
    if (value->type.isTile() && isView(value)) {
      for (Value *operand : value->definition->operands()) leaves(operand, out, visited);
    } else {
      out.insert(value);
    }
  }

  // ---- whether `op` can join the open loop nest

  // A uniform value that is computed after the start of the loop nest, but from values that are
  // known before it, moves there.
  static bool isUniform(const Op *op) {
    return op->is(Pure) && !op->is(Control) && op->regions.empty() && op->numResults() == 1 &&
           !op->result()->type.isTile() && op->kind != OpKind::ReduceAcross &&
           op->kind != OpKind::VoteAny;
  }
  std::vector<Op *> moves;

  bool available(Value *leaf, const Block &block) {
    if (leaf->isArgument() || !leaf->definition) return true;
    Block *home = leaf->definition->parent;
    if (home == open.body) return leaf->type.isTile();
    Op *scalar = leaf->definition;
    if (movedBefore.count(scalar) && home == &block && position.at(scalar) < open.position)
      return true;
    if (home == &block && isUniform(scalar) && position.at(scalar) >= open.position) {
      for (Value *operand : scalar->operands())
        if (operand && !available(operand, block)) return false;
      if (std::find(moves.begin(), moves.end(), scalar) == moves.end()) moves.push_back(scalar);
      return true;
    }
    Op *holder = leaf->definition;
    // Climb to an operation of the current block.
    while (holder && holder->parent != &block) holder = holder->parentOp();
    if (!holder) return true;  // defined outside of the block
    auto nest = nestPosition.find(holder);
    size_t at = nest != nestPosition.end() ? nest->second : position.at(holder);
    return at < open.position;
  }

  // Copies of read-only data access only shared memory.
  static bool isShared(const Op *op) {
    return op->kind == OpKind::SharedLoad || op->kind == OpKind::SharedStore ||
           op->kind == OpKind::AsyncCopy;
  }

  // Checked conditions and what is printed count as writes, so that they are not removed; they
  // access no memory.
  static bool touchesMemory(const Op *op) {
    return (op->is(Reads) || op->is(Writes)) && op->kind != OpKind::DeviceAssert &&
           op->kind != OpKind::DevicePrint;
  }

  static std::optional<unsigned> baseOf(const Op *op) {
    return op->is(GlobalAccess) ? basePointer(op->operand(0)) : std::nullopt;
  }

  // Whether nothing writes what it reads, and it writes nothing.
  bool readsConstants(const Op *op) const {
    return (op->kind == OpKind::Load && isReadOnly(kernel, op)) || !accessesGlobal(op);
  }

  bool memoryAllows(Op *op) {
    const bool writes = op->is(Writes);
    if (!touchesMemory(op)) return true;
    const auto base = baseOf(op);
    int proofs = 0;
    for (const auto &[other, otherBase] : open.accesses) {
      bool shared = isShared(op), otherShared = isShared(other);
      if (shared != otherShared) continue;
      if (!other->is(Writes) && !writes) continue;
      if (shared) {
        // Stores at indices are to elements of other threads.
        const bool areApart = other->kind == op->kind && !(writes && op->has(Attr::axis));
        if (other->getInt(Attr::buffer) == op->getInt(Attr::buffer) && !areApart) return false;
        continue;
      }
      if (isOrderedWithAll(op) ? !readsConstants(other)
                               : isOrderedWithAll(other) && !readsConstants(op))
        return false;
      if (areApart(kernel, base, otherBase)) continue;
      const Alias same = alias(kernel, op, other);
      if (same == Alias::May &&
          (++proofs > tunables().overlap_proofs || overlaps.of(op, other).isPossible))
        return false;
      // All threads that hold a copy load, but only one of them stores: a barrier has to separate
      // them.
      const bool isLoaded = op->kind == OpKind::Load || other->kind == OpKind::Load;
      if (same == Alias::SameElement && isLoaded && open.op->layout->isReplicated()) return false;
    }
    return true;
  }

  // Whether the block is a function, whose statements only store what they load.
  static bool isCopies(const Block &block) {
    return block.parent && block.parent->kind == OpKind::LocalFunction;
  }

  // Tiles that have one layout by chance are apart, as in other kernels of the template. But copies
  // into the stages of a pipeline then need registers for the offsets of each.
  bool joins(Op *op, const LayoutRef &space, const Block &block) {
    if (!open.op || !(*open.op->layout == *space)) return false;
    if (!isCopies(block) && !open.op->layout->isSameSpace(*space)) return false;
    bool load = op->kind == OpKind::Load;
    if (load && open.kind == NestKind::Compute) return false;
    if (!load && open.kind == NestKind::Loads) return false;
    llvm::SmallSetVector<Value *, 8> needed;
    std::set<Value *> visited;
    for (Value *operand : op->operands()) leaves(operand, needed, visited);
    // The captures of a user-defined function.
    for (const auto &region : op->regions)
      for (Value *captured : capturedBy(*region)) leaves(captured, needed, visited);
    moves.clear();
    for (Value *leaf : needed)
      if (!available(leaf, block)) return false;
    if (!memoryAllows(op)) return false;
    for (Op *scalar : moves) {
      scalar->moveBefore(open.op);
      position[scalar] = open.position - 1;
      movedBefore.insert(scalar);
    }
    return true;
  }
  std::set<const Op *> movedBefore;

  // ---- the kind of loop nest that a load opens

  // Closes the open loop nest.
  void close() {
    if (!open.op) return;
    size_t lastUse = 0;
    for (auto &inner : open.body->ops)
      for (auto &result : inner->results) {
        if (!result->type.isTile() || !result->type.layout() ||
            !(*result->type.layout() == *open.op->layout))
          continue;
        for (Op *user : result->users)
          if (auto it = position.find(user); it != position.end())
            lastUse = std::max(lastUse, it->second);
      }
    auto same = llvm::find_if(
        closed, [&](const ClosedNest &nest) { return *nest.layout == *open.op->layout; });
    if (same == closed.end()) same = closed.insert(closed.end(), {open.op->layout, 0});
    same->lastUse = std::max(same->lastUse, lastUse);
    open = OpenNest();
  }

  // Whether a tile of this layout from an earlier loop nest of the block is needed after `op`.
  bool hasOtherLiveTile(Op *op, const LayoutRef &space) {
    return llvm::any_of(closed, [&](const ClosedNest &nest) {
      return *nest.layout == *space && nest.lastUse > position.at(op);
    });
  }
  // Whether the loaded tile is stored in this block without passing through a reduction.
  bool feedsStoreOnly(Op *op) {
    std::set<const Op *> visited;
    return feedsStoreOnly(op, visited);
  }
  bool feedsStoreOnly(Op *op, std::set<const Op *> &visited) {
    if (!visited.insert(op).second) return true;  // visited already, and the answer was not false
    for (auto &result : op->results) {
      for (Op *user : result->users) {
        if (user->kind == OpKind::Store) continue;
        if (user->parent != op->parent || !spaceOf(user) || user->kind == OpKind::ReduceThread)
          return false;
        if (!feedsStoreOnly(user, visited)) return false;
      }
    }
    return true;
  }

  void start(Op *op, const LayoutRef &space, const Block &block) {
    NestKind kind = NestKind::Compute;
    if (open.kind != NestKind::Loads) close();
    const bool copies = isCopies(block);
    if (op->kind == OpKind::Load)
      kind = copies || (hasOtherLiveTile(op, space) && feedsStoreOnly(op)) ? NestKind::Mixed
                                                                           : NestKind::Loads;
    close();
    Builder b = Builder::before(op);
    open.op = b.create(OpKind::Nest, {}, {});
    open.op->layout = space;
    open.body = open.op->addRegion();
    open.position = position.at(op);
    open.kind = kind;
    nestPosition[open.op] = open.position;
  }

  void add(Op *op) {
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      Value *copy = intoNest(open, op->operand(i));
      if (copy != op->operand(i)) op->setOperand(i, copy);
    }
    if (touchesMemory(op)) open.accesses.push_back({op, baseOf(op)});
    open.body->ops.splice(open.body->ops.end(), op->parent->ops, op->position);
    op->parent = open.body;
  }

  // ---- a block

  // The branch, if `yield` ends a side of it that computes nothing: the results of the branch are
  // then initialized with the yielded values.
  static Op *branchAround(Op *yield) {
    Op *branch = yield->parentOp();
    if (yield->kind != OpKind::Yield || !branch || branch->kind != OpKind::If) return nullptr;
    const bool isQuiet = llvm::all_of(yield->parent->ops, [&](auto &op) {
      return op.get() == yield || op->kind == OpKind::Undefined || op->kind == OpKind::Splat;
    });
    return isQuiet ? branch : nullptr;
  }

  // If a rematerializable tile is needed outside of a loop nest (as the initial value of a carried
  // value, or the operand of a scan), it is computed in a loop nest.
  void materialize(Op *user) {
    Op *branch = branchAround(user);
    std::vector<OpenNest> nests;  // one for each layout
    for (unsigned i = 0; i < user->numOperands(); ++i) {
      Value *operand = user->operand(i);
      if (!operand || !operand->type.isTile() || !isView(operand)) continue;
      auto nest = std::find_if(nests.begin(), nests.end(), [&](const OpenNest &n) {
        return n.op->layout->isSameSpace(*operand->type.layout());
      });
      if (nest == nests.end()) {
        Builder b = Builder::before(branch ? branch : user);
        nest = nests.emplace(nests.end());
        nest->op = b.create(OpKind::Nest, {}, {});
        nest->op->layout = operand->type.layout();
        nest->body = nest->op->addRegion();
      }
      nest->copies.clear();  // each carried value is a copy of its own
      Value *copy = intoNest(*nest, operand, branch || user->kind == OpKind::For);
      if (branch) copy->name = branch->result(i)->name;
      if (user->kind == OpKind::For &&
          i >= 3) {  // the initial value of a carried value gets the name of the carried value
        const std::string &carried = user->region()->argument(i - 2)->name;
        if (!carried.empty()) copy->name = carried;
      }
      user->setOperand(i, copy);
    }
  }

  void runBlock(Block &block) {
    auto savedPosition = std::move(position);
    auto savedNests = std::move(nestPosition);
    auto savedClosed = std::move(closed);
    OpenNest savedOpen = std::move(open);
    position.clear();
    nestPosition.clear();
    closed.clear();
    open = OpenNest();
    std::vector<Op *> ops;
    for (auto &op : block.ops) {
      ops.push_back(op.get());
      position[op.get()] = ops.size();  // 0 is before the first: uniform values may move there
    }
    for (Op *op : ops) {
      if (op->numResults() == 1 && isView(op->result())) continue;
      LayoutRef space = spaceOf(op);
      if (space) {
        if (!joins(op, space, block)) start(op, space, block);
        add(op);
        continue;
      }
      bool fence = op->is(Control) || op->is(Writes) || op->is(Reads) || op->kind == OpKind::Scan ||
                   op->kind == OpKind::Sort;
      bool hasTile = false;
      for (Value *operand : op->operands()) hasTile |= operand && operand->type.isTile();
      if (hasTile) materialize(op);
      if (!fence) continue;
      close();
      bool combiner = op->kind == OpKind::Scan || op->kind == OpKind::ReduceAcross;
      if (!combiner)
        for (auto &region : op->regions) runBlock(*region);
    }
    position = std::move(savedPosition);
    nestPosition = std::move(savedNests);
    closed = std::move(savedClosed);
    open = std::move(savedOpen);
  }

  // ---- values that are used outside of their loop nest become its results

  void finish() {
    std::vector<Op *> nests;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Nest) nests.push_back(op);
    });
    for (Op *nest : nests) {
      Block &body = *nest->region();
      llvm::SmallVector<Value *, 4> yields;
      std::vector<Value *> values;
      for (auto &op : body.ops)
        for (auto &result : op->results) values.push_back(result.get());
      for (Value *value : values) {
        std::vector<Op *> outside;
        for (Op *user : value->users)
          if (!isInside(user->parent, body)) outside.push_back(user);
        if (outside.empty()) continue;
        Value *result = nest->addResult(value->type, value->name);
        yields.push_back(value);
        for (Op *user : outside)
          for (unsigned i = 0; i < user->numOperands(); ++i)
            if (user->operand(i) == value) user->setOperand(i, result);
      }
      Builder b(body);
      b.loc = nest->loc;
      b.yield(yields);
    }
  }

  // Users before definitions, so that a chain is handled in one round.
  void removeDeadTrees(Block &block) {
    for (Op *op = block.back(); op;) {
      Op *previous = op->previous();
      for (auto &region : llvm::reverse(op->regions)) removeDeadTrees(*region);
      if (op->is(Pure) && !op->is(Control) &&
          llvm::all_of(op->results, [](const auto &result) { return result->unused(); }))
        op->erase();
      op = previous;
    }
  }
};

}  // namespace

llvm::LogicalResult form_loop_nests(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    State state(kernel);
    state.runBlock(kernel.body);
    state.removeDeadTrees(kernel.body);
    state.finish();
  }
  module.level = Level::Thread;
  return llvm::success();
}

}  // namespace tile2cu::passes
