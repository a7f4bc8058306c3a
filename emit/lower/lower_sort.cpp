// Sorts: in each thread, in the warp by shuffles, then pairs of runs through shared memory.
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/layout/sort_layout.h"

namespace tile2cu::emit {
using namespace ir;

Expr sortKeyOf(const Op *op) {
  llvm::SmallVector<Expr, 2> arguments{typeOf(op->operand(0)->type.scalar())};
  if (op->getBool(Attr::descending)) arguments.push_back(word("true"));
  return instance(op->result(1)->unused() ? "tile2cu::sort_key" : "tile2cu::indexed_key",
                  arguments);
}

namespace {

class SortWriter {
 public:
  SortWriter(LoweringContext &ctx, Op *op)
      : ctx_(ctx),
        op_(op),
        axis_(op->getInt(Attr::axis)),
        layout_(*op->operand(0)->type.layout()),
        row_(*passes::sortedRow(layout_, axis_)),
        ofThread_(layout_.registerAxes().size() - 1),
        isOneKey_(ctx.constants.isDropped(layout_, ofThread_)),
        key_(sortKeyOf(op)) {}

  void write() {
    declareResults();
    bool hasRows = false;
    for (unsigned axis = 0; axis < ofThread_; ++axis)
      hasRows |= !ctx_.constants.isDropped(layout_, axis);
    if (hasRows) ctx_.names.open();  // else there are no braces, and names stay taken
    openRows();
    keys_ = ctx_.names.take("keys");
    count_ = isOneKey_ ? integer(1) : ctx_.constants.extent(layout_, ofThread_);
    ctx_.out.add({Declare{key_, {Declarator{keys_, {count_}}}}});
    makeKeys();
    sortKeys();
    takeResults();
    for (unsigned i = 0; i < numRowLoops_; ++i) ctx_.out.close();
    if (hasRows) ctx_.names.close();
  }

 private:
  void declareResults() {
    for (const auto &result : op_->results) {
      if (result->unused()) continue;
      const Storage storage = makeStorage(ctx_, result->type,
                                          !result->name.empty()            ? result->name
                                          : result.get() == op_->result(0) ? "sorted"
                                                                           : "indices");
      describeLayout(ctx_, storage);
      ctx_.out.add(declare(ctx_, result->type, storage.name));
      ctx_.values.place(result.get(), storage);
    }
  }

  // The loops over the rows of a thread.
  void openRows() {
    for (unsigned axis = 0; axis < ofThread_; ++axis) {
      if (ctx_.constants.isDropped(layout_, axis)) {
        vars_.push_back(integer(0));
        continue;
      }
      const Symbol var = ctx_.info.loopNames.take(ctx_.names, numRowLoops_++);
      vars_.push_back(named(var));
      ctx_.out.open({unrolledLoop(var, ctx_.constants.extent(layout_, axis))});
    }
    vars_.push_back(integer(0));
  }

  void openKeys() {
    if (isOneKey_) return;
    ctx_.names.open();
    const Symbol var = ctx_.names.take(ctx_.info.loopNames.ofVector());
    ctx_.out.open({unrolledLoop(var, count_)});
    vars_.back() = named(var);
  }
  void closeKeys() {
    if (isOneKey_) return;
    ctx_.out.close();
    ctx_.names.close();
    vars_.back() = integer(0);
  }
  Expr key() const { return elementOf(named(keys_), vars_.back()); }

  void makeKeys() {
    openKeys();
    const LayoutDim &dim = layout_.dim(axis_);
    const bool hasIndex = !op_->result(1)->unused();
    llvm::SmallVector<Expr, 2> arguments{
        storageRef(ctx_, ctx_.values.stored(op_->operand(0)), vars_)};
    Expr index;
    if (hasIndex || dim.isPadded()) index = coordinate(ctx_, layout_, axis_, vars_);
    if (hasIndex) {
      const Symbol name = ctx_.names.take("index");
      ctx_.out.declareConstant(word("int"), name, index);
      index = named(name);
      arguments.push_back(index);
    }
    Expr made = call(scoped(key_, "of"), arguments);
    if (dim.isPadded())
      made = conditional(binary(Prec::Relational, "<", index, ctx_.constants.number(dim.size)),
                         made, call(scoped(key_, "last"), {}));
    ctx_.out.set(key(), made);
    closeKeys();
  }

  void sortKeys() {
    const Digit &lanes = row_.lanes;
    const Expr inWarp =
        lanes.extent == 32
            ? word("tile2cu::warp_sort")
            : instance("tile2cu::warp_sort", {integer(lanes.extent), integer(lanes.stride)});
    ctx_.out.add(evaluate(Effect::Synchronizes, call(inWarp, {named(keys_)})));
    ctx_.names.change(keys_);
    if (row_.warps.extent > 1) mergeRuns();
  }

  // for (int run = 32 * KEYS; run < NUM_THREADS * KEYS; run *= 2) { ... }
  void mergeRuns() {
    const Expr shared = sharedTile(ctx_, op_->getInt(Attr::buffer)), thread = named("tid"),
               all = product(named("NUM_THREADS"), count_);
    ctx_.names.open();
    const Symbol run = ctx_.names.take("run");
    For loop;
    loop.start = {word("int"), {{run, {}, product(integer(32), count_)}}};
    loop.condition = binary(Prec::Relational, "<", named(run), all);
    loop.advance = {named(run), "*=", integer(2)};
    ctx_.out.open({std::move(loop)});
    ctx_.out.add(evaluate(call("tile2cu::share_keys", {named(keys_), shared, thread})));
    ctx_.out.add(barrierCall(ctx_, "the sorted runs are in " + shared.str()));
    ctx_.out.add(evaluate(
        call(instance("tile2cu::merge_runs", {all}), {named(keys_), shared, named(run), thread})));
    ctx_.names.change(keys_);
    ctx_.out.add(barrierCall(ctx_, "all threads have read " + shared.str()));
    ctx_.out.close();
    ctx_.names.close();
  }

  void takeResults() {
    openKeys();
    for (unsigned i : {0u, 1u}) {
      const Value *result = op_->result(i);
      if (result->unused()) continue;
      ctx_.out.set(storageRef(ctx_, ctx_.values.storageOf(result), vars_),
                   call(member(key(), i == 0 ? "value" : "index"), {}));
    }
    closeKeys();
  }

  LoweringContext &ctx_;
  Op *const op_;
  const unsigned axis_;
  const Layout &layout_;
  const passes::SortedRow row_;
  const unsigned ofThread_;  // the register axis of a thread's part of a row
  const bool isOneKey_;
  const Expr key_;
  Symbol keys_;
  Expr count_;
  Vars vars_;
  unsigned numRowLoops_ = 0;
};

}  // namespace

void lower(LoweringContext &ctx, const SortOp &sort) {
  ctx.comments.statement(sort.op);
  SortWriter(ctx, sort.op).write();
}

}  // namespace tile2cu::emit
