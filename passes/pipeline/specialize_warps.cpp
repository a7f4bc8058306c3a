#include "passes/pipeline/specialize_warps.h"

#include <map>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/dead_code.h"
#include "passes/target/target.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// A TMA load of a tile, and the store to its buffer.
struct Arrival {
  Op *load, *store;
  int64_t buffer() const { return store->getInt(Attr::buffer); }
};

struct State {
  Kernel &kernel;
  PassContext &context;
  // From the wait for a stage to its last reader.
  struct Step {
    Value *stage;
    const Op *last;
    int stages;
  };
  std::vector<Step> steps_ = {};

  std::vector<Op *> readersOf(int64_t buffer) {
    std::vector<Op *> readers;
    walk(kernel.body, [&](Op *op) {
      const bool isOperand =
          op->kind == OpKind::DotShared && llvm::is_contained(op->getInts(Attr::buffers), buffer);
      if (isOperand || (op->kind == OpKind::SharedLoad && op->getInt(Attr::buffer) == buffer))
        readers.push_back(op);
    });
    return readers;
  }

  // The first dot that reads a buffer, or a tile computed from it; the first reader of any kind if
  // there is no dot.
  Op *dotOf(int64_t buffer) {
    const std::vector<Op *> readers = readersOf(buffer);
    for (Op *reader : readers)
      if (reader->kind == OpKind::DotShared) return reader;
    std::set<const Op *> seen;
    for (Op *reader : readers)
      if (Op *dot = dotFrom(reader, seen)) return dot;
    return readers.front();
  }
  Op *dotFrom(const Op *op, std::set<const Op *> &seen) {
    if (!seen.insert(op).second) return nullptr;
    for (const auto &result : op->results)
      for (Op *user : result->users) {
        if (user->kind == OpKind::DotShared) return user;
        if (user->kind == OpKind::SharedStore) {
          const std::vector<Op *> readers = readersOf(user->getInt(Attr::buffer));
          for (Op *reader : readers) {
            if (reader->kind == OpKind::DotShared) return reader;
            if (Op *dot = reader->parent == op->parent ? dotFrom(reader, seen) : nullptr)
              return dot;
          }
        }
        if (user->results.empty() || user->parent != op->parent) continue;
        if (Op *dot = dotFrom(user, seen)) return dot;
      }
    return nullptr;
  }

  int stagesFor(const Block *block, llvm::ArrayRef<Op *> readers) {
    const Op *loop = loopAround(block);
    if (!loop) return 1;
    const int stages = stagesOf(loop, kernel);
    const bool isInner =
        llvm::all_of(readers, [&](Op *reader) { return loopAround(reader->parent) == loop; });
    return isInner ? stages : std::min(stages, 2);
  }

  void setStage(Op *reader, llvm::ArrayRef<int64_t> buffers, Value *stage) {
    if (reader->kind == OpKind::SharedLoad)
      return reader->setOperand(SharedLoadOp::stage_optIndex, stage);
    Op *dot = reader;
    const auto &mine = dot->getInts(Attr::buffers);
    if (llvm::is_contained(buffers, mine[0])) dot->setOperand(DotSharedOp::stage_optIndex, stage);
    if (llvm::is_contained(buffers, mine[1])) dot->setOperand(DotSharedOp::b_stage_optIndex, stage);
  }

  void makeRing(llvm::ArrayRef<Arrival> arrivals) {
    Block *block = arrivals.front().store->parent;
    std::vector<Op *> readers;
    SharedRing ring;
    for (const Arrival &arrival : arrivals) {
      llvm::append_range(readers, readersOf(arrival.buffer()));
      ring.buffers.push_back(arrival.buffer());
      const std::string &name = kernel.shared[arrival.buffer()].name;
      ring.name += (ring.name.empty() ? "" : "_") + name;
    }
    ring.stages = stagesFor(block, readers);
    const int64_t id = kernel.rings.size();
    // Filled where all coordinates are available, waited for before the first of them is read.
    Builder b = Builder::before(arrivals.back().store);
    b.loc = arrivals.front().load->loc;
    Value *free = b.create(OpKind::ProducerAcquire, {}, {Type(Scalar::I32)}, "stage")->result();
    free->definition->setInt(Attr::ring, id);
    for (const Arrival &arrival : arrivals) {
      b.loc = arrival.load->loc;
      llvm::SmallVector<Value *, 6> operands(arrival.load->operands().begin(),
                                             arrival.load->operands().end());
      operands.insert(operands.begin() + 1, free);
      Op *copy = b.create(OpKind::TmaLoad, operands, {});
      copy->setInt(Attr::ring, id);
      copy->setInt(Attr::buffer, arrival.buffer());
      kernel.shared[arrival.buffer()].stages = ring.stages;
      context.diagnostics.decided(
          DiagId::RingMade, kernel, arrival.load->loc,
          {fmt::format("'{}'", kernel.shared[arrival.buffer()].name),
           fmt::format("{} stage{}", ring.stages, ring.stages == 1 ? "" : "s")});
    }
    const bool isRead =
        llvm::any_of(readers, [](const Op *reader) { return reader->kind == OpKind::SharedLoad; });
    b = Builder::before(arrivals.front().store);
    b.loc = isRead ? arrivals.front().load->loc : readers.front()->loc;
    Value *stage = b.create(OpKind::ConsumerWait, {}, {Type(Scalar::I32)}, "stage")->result();
    stage->definition->setInt(Attr::ring, id);
    Op *last = nullptr;
    for (Op *reader : readers) {
      setStage(reader, ring.buffers, stage);
      Op *place = ancestorIn(*block, reader);
      if (!last || isBefore(last, place)) last = place;
    }
    steps_.push_back({stage, last, ring.stages});
    Builder after = Builder::after(last);
    release(after, id, stage, last->kind == OpKind::DotShared && !isRead);
    releaseAtExits(id, stage, last);
    for (const Arrival &arrival : arrivals) {
      arrival.store->erase();
      arrival.load->erase();
    }
    kernel.rings.push_back(std::move(ring));
  }

  // Operands that are computed between `stage` and `last` get stages: dots then run in parallel
  // with the computation of the next iteration.
  void stageComputed(Value *stage, const Op *last, int stages) {
    const int64_t limit = sharedLimit(context.targetsOf(kernel).front(), kernel.options.minBlocks);
    for (Op *op = stage->definition; op && op != last; op = op->next()) {
      if (op->kind != OpKind::SharedStore || op->operand(SharedStoreOp::stage_optIndex)) continue;
      if (op->operand(0)->definition && op->operand(0)->definition->kind == OpKind::TensorLoad)
        continue;
      const int64_t buffer = op->getInt(Attr::buffer);
      SharedBuffer &tile = kernel.shared[buffer];
      if (stages < 2 || !isOfStep(buffer, op, last) ||
          sharedBytes(kernel) + (stages - 1) * tile.bytes() -
                  std::min(stages * tile.bytes(), largestOutside(op)) >
              limit)
        continue;
      tile.stages = stages;
      op->setOperand(SharedStoreOp::stage_optIndex, stage);
      for (Op *reader : readersOf(buffer)) setStage(reader, buffer, stage);
    }
  }

  // The bytes of the largest buffer that may reuse the memory of a buffer that only the loop around
  // `op` uses.
  int64_t largestOutside(const Op *op) {
    const Op *loop = loopAround(op->parent);
    std::set<int64_t> others;  // buffers that share no memory
    walk(kernel.body, [&](const Op *user) {
      const bool isAlone = user->kind == OpKind::TmaStore || user->kind == OpKind::SharedZero;
      if (loop && !isInside(user->parent, *loop->region()) && !isAlone) return;
      if (user->has(Attr::buffer)) others.insert(user->getInt(Attr::buffer));
      for (int64_t buffer : user->getInts(Attr::buffers)) others.insert(buffer);
    });
    int64_t most = 0;
    for (size_t i = 0; i < kernel.shared.size(); ++i)
      if (!others.count(i)) most = std::max(most, kernel.shared[i].bytes());
    return most;
  }

  // Whether a buffer is written by `store` alone, and read only by wgmmas between it and `last`.
  bool isOfStep(int64_t buffer, const Op *store, const Op *last) {
    bool isSo = true;
    walk(kernel.body, [&](const Op *op) {
      const bool writes = op->has(Attr::buffer) && op->getInt(Attr::buffer) == buffer;
      const bool reads = llvm::is_contained(op->getInts(Attr::buffers), buffer);
      if (writes) isSo &= op == store;
      if (reads)
        isSo &= op->kind == OpKind::DotShared && op->has(Attr::group_columns) &&
                op->parent == store->parent && isBefore(store, op) &&
                (op == last || isBefore(op, last));
    });
    return isSo;
  }

  // `together`: all lanes of a warp have arrived, as after a wgmma. Otherwise they synchronize
  // first: without that, the barrier could complete further phases before a late lane has read its
  // stage.
  static void release(Builder &b, int64_t ring, Value *stage, bool together) {
    Op *op = b.create(OpKind::ConsumerRelease, {stage}, {});
    op->setInt(Attr::ring, ring);
    if (!together) op->setBool(Attr::sync, true);
  }

  // Releases the stage where the enclosing loop is left, or continues with its next iteration,
  // between the wait and the last reader.
  static void releaseAtExits(int64_t ring, Value *stage, const Op *last) {
    const Block *block = last->parent;
    Op *loop = loopAround(block);
    if (!loop) return;
    for (Op *exit : exitsOf(loop, true, true)) {
      const Op *place = ancestorIn(*block, exit);
      if (!place || !isBefore(stage->definition, place) || isBefore(last, place)) continue;
      Builder b = Builder::before(exit);
      release(b, ring, stage, false);
    }
  }

  void makeRings() {
    // In program order of their stores. Tiles whose first reader is the same dot share a ring, if
    // no iteration ends in between.
    std::vector<std::pair<Op *, std::vector<Arrival>>> groups;
    walk(kernel.body, [&](Op *op) {
      Op *load = arrivingIn(*op);
      if (!load) return;
      Op *reader = dotOf(op->getInt(Attr::buffer));
      auto group = llvm::find_if(groups, [&](const auto &each) {
        Op *first = each.second.front().store;
        return each.first == reader && first->parent == op->parent && !leavesBetween(first, op) &&
               !arrivesBetween(first, op);
      });
      if (group == groups.end()) group = groups.insert(groups.end(), {reader, {}});
      group->second.push_back({load, op});
    });
    for (auto &[reader, arrivals] : groups) makeRing(arrivals);
    for (const Step &step : steps_) stageComputed(step.stage, step.last, step.stages);
    nameRings();
  }

  // The TMA load whose tile this operation stores; null for other operations.
  static Op *arrivingIn(const Op &op) {
    if (op.kind != OpKind::SharedStore) return nullptr;
    Op *load = op.operand(0)->definition;
    return load && load->kind == OpKind::TensorLoad ? load : nullptr;
  }

  // Whether a loop or branch between the two has TMA loads. Consumers wait for the ring before that
  // loop, but the producer would fill the ring after it: the producer would wait in the loop for
  // stages that nothing releases.
  static bool arrivesBetween(Op *first, Op *last) {
    return anyBetween(first, last, [&](const Op &op) {
      return op.parent != first->parent && arrivingIn(op) != nullptr;
    });
  }

  // Whether an operation from `first` to `last` may end the iteration.
  static bool leavesBetween(Op *first, Op *last) {
    return anyBetween(first, last, [](const Op &op) { return op.is(Exit); });
  }

  // Whether `isOne` holds for an operation from `first` up to but not including `last`, or for one
  // in their regions.
  static bool anyBetween(Op *first, Op *last, llvm::function_ref<bool(const Op &)> isOne) {
    bool found = false;
    const auto look = [&](const Op *op) { found |= isOne(*op); };
    for (Op *op = first; op != last; op = op->next()) {
      look(op);
      for (auto &region : op->regions) walk(*region, look);
    }
    return found;
  }

  void nameRings() {
    std::set<std::string> names;
    for (SharedRing &ring : kernel.rings) {
      const std::string name = ring.name;
      for (int i = 2; !names.insert(ring.name).second; ++i)
        ring.name = name + "_" + std::to_string(i);
    }
    if (kernel.rings.size() == 1) kernel.rings.front().name.clear();
  }

  static bool isCopy(const Op &op) {
    return op.kind == OpKind::ProducerAcquire || op.kind == OpKind::TmaLoad;
  }

  // The producer's part, and the body without it.
  void split() {
    kernel.producer = std::make_unique<Block>();
    std::map<Value *, Value *> map;
    for (auto &argument : kernel.body.arguments)
      map[argument.get()] = kernel.producer->addArgument(argument->type, argument->name);
    Builder b(*kernel.producer);
    for (auto &op : kernel.body.ops) clone(op.get(), b, map);
    keepNeeded(*kernel.producer,
               [](const Op &op) { return isCopy(op) || op.kind == OpKind::Return; });
    std::vector<Op *> copies;
    walk(kernel.body, [&](Op *op) {
      if (isCopy(*op)) copies.push_back(op);
    });
    for (Op *op : llvm::reverse(copies)) op->erase();
    removeDeadCode(kernel.body);
  }
};

}  // namespace

llvm::LogicalResult specialize_warps(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    state.makeRings();
    if (!kernel.rings.empty()) state.split();
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
