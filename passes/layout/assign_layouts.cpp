#include "passes/layout/assign_layouts.h"

#include <algorithm>
#include <map>
#include <set>

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/mma_plan.h"
#include "passes/analysis/layout/sort_layout.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/layout/coalesce.h"
#include "passes/layout/copy_rematerializable.h"
#include "passes/layout/describe_layout.h"
#include "passes/layout/epilogue_layout.h"
#include "passes/layout/layout_groups.h"
#include "passes/layout/unpack_layout.h"
#include "passes/target/memory_system.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// ---- choosing (3 in the header; 1 is copy_rematerializable, 2 layout_groups)

struct State {
  Kernel &kernel;
  PassContext &context;
  std::vector<Target> targets;  // of the kernel
  std::shared_ptr<const AxisAnalysis> axes;
  LayoutGroups groups;
  std::map<Value *, LayoutRef> chosen;  // by group representative
  std::set<Value *> kept;               // of groups with values that are kept in registers
  std::map<Value *, int> exactAxes;     // by group representative: where padding has no identity
  bool failed = false;
  bool warned = false;

  State(Kernel &k, PassContext &c)
      : kernel(k),
        context(c),
        targets(c.targetsOf(k)),
        axes(c.analyses.axes(k, k.assumptions)),
        groups(k.body) {
    walk(kernel.body, [&](Op *op) {
      for (auto &result : op->results)
        if (result->type.isTile() && !isRematerializable(op))
          kept.insert(groups.representative(result.get()));
      if (op->kind == OpKind::Load) noteMemoryOrder(op);
      if (combinesAll(op))
        exactAxes.emplace(groups.representative(op->operand(0)), op->getInt(Attr::axis));
    });
  }

  // A matrix whose columns are contiguous, such as N x K read as K x N, keeps that order in shared
  // memory (memoryDim).
  void noteMemoryOrder(Op *load) {
    if (load->result()->type.rank() != 2) return;
    const auto contiguity = axes->of(load->operand(0)).contiguity;
    if (contiguity[0] > 1 && contiguity[1] == 1) load->setInt(Attr::contiguous_dim, 0);
  }

  // Whether a user-defined combine function would see the padding of a tile. It does not in a scan,
  // where padding comes after the last element.
  static bool combinesAll(const Op *op) {
    const bool isReversed = op->kind == OpKind::Scan && op->getBool(Attr::reverse);
    return (op->kind == OpKind::Reduce || isReversed) && !op->has(Attr::kind);
  }

  // Whether `op` needs a different layout than this one, and there is one.
  static bool needsExact(const Op *op, const Layout &layout) {
    const LayoutDim &dim = layout.dim(op->getInt(Attr::axis));
    return combinesAll(op) && dim.isPadded() && paddedSize(dim.size, 1) == dim.size;
  }

  // How the operand of a reduction or scan is distributed, for that operation alone.
  LayoutRef distributedAlong(const Op *op) const {
    BlockedSpec spec;
    spec.shape = op->operand(0)->type.shape();
    spec.numWarps = kernel.options.numWarps;
    if (op->kind == OpKind::Scan) spec.scanAxis = op->getInt(Attr::axis);
    if (combinesAll(op)) spec.exactAxis = op->getInt(Attr::axis);
    for (unsigned d = spec.shape.size(); d-- > 0;) spec.order.push_back(d);
    return blockedLayout(spec);
  }

  int64_t threads() const { return 32 * kernel.options.numWarps; }

  // Tiles that are only indices, masks and pointers are rematerialized, so they get no remark.
  void explain(const LayoutGroup &group, const std::string &why, Location loc) {
    if (kept.count(group.representative))
      context.diagnostics.decided(DiagId::TileLayout, kernel, loc,
                                  {why, layoutInWords(*chosen.at(group.representative))});
  }

  // The layout of a tile for a single access.
  LayoutRef distributedFor(Op *access) {
    LayoutGroup alone;
    const Shape &shape = access->operand(0)->type.shape();
    alone.shape.assign(shape.begin(), shape.end());
    alone.accesses = {access};
    return distributed(alone);
  }

  // How a group is distributed for its own accesses and scans.
  LayoutRef distributed(const LayoutGroup &group) {
    BlockedSpec spec;
    spec.shape.assign(group.shape.begin(), group.shape.end());
    spec.numWarps = kernel.options.numWarps;
    if (auto exact = exactAxes.find(group.representative); exact != exactAxes.end())
      spec.exactAxis = exact->second;
    unsigned rank = spec.shape.size(), contiguous = rank - 1;
    if (Op *anchor = anchorOf(group))
      contiguous = contiguousDim(anchor, *axes);
    else if (!group.copies.empty())
      contiguous = group.copies.front()->getInt(Attr::contiguous_dim);
    // The contiguous dimension first, then the others from the last.
    spec.order.push_back(contiguous);
    for (unsigned d = rank; d-- > 0;)
      if (d != contiguous) spec.order.push_back(d);
    spec.vector = vectorOf(group, contiguous, *axes);
    for (const Op *op : group.copies)
      if (op->getInt(Attr::contiguous_dim) == contiguous)
        spec.vector =
            std::max(spec.vector, kMostAccessBytes / byteWidth(op->result()->type.scalar()));
    int64_t elements = 1;
    for (int64_t size : spec.shape) elements *= size;
    while (spec.vector > 1 && (spec.vector * threads() > elements ||
                               paddedSize(spec.shape[contiguous], spec.vector) / spec.vector < 1))
      spec.vector /= 2;
    spec.scalar = group.scans.empty() && wantsLanesSideBySide(group, contiguous, *axes);
    if (spec.scalar) spec.vector = 1;
    if (!group.scans.empty()) spec.scanAxis = group.scans.front()->getInt(Attr::axis);
    if (group.accesses.empty() && group.scans.empty() && group.shape.size() == 1)
      while (spec.vector < 4 && 2 * spec.vector * threads() <= elements) spec.vector *= 2;
    return blockedLayout(spec);
  }

  void choose(const LayoutGroup &group, LayoutRef layout, Location loc, const std::string &why) {
    if (layout->elementsPerThread() > tunables().thread_elements && !failed) {
      failed = true;
      context.diagnostics.report(
          DiagId::TileTooLarge, loc,
          {std::to_string(group.numElements()), std::to_string(kernel.options.numWarps),
           std::to_string(layout->elementsPerThread()),
           std::to_string(tunables().thread_elements)});
    }
    constexpr int64_t kManyElements = 128;
    if (layout->elementsPerThread() > kManyElements && !failed && !warned && isHeld(group)) {
      warned = true;
      context.diagnostics.report(
          DiagId::ManyElements, loc,
          {std::to_string(layout->elementsPerThread()), std::to_string(kManyElements)});
    }
    chosen[group.representative] = layout;
    explain(group, why, loc);
    propagate(group);
  }
  // Whether threads hold the group's elements, all at a time. Tiles that only dots read go through
  // shared memory, and check_occupancy knows how many registers the accumulators of wgmmas have.
  bool isHeld(const LayoutGroup &group) const {
    if (!group.dots.empty()) return !targets.front().isHopper();
    if (!group.scans.empty()) return true;
    return llvm::any_of(group.accesses, [](const Op *access) {
      return access->kind != OpKind::Load ||
             llvm::any_of(access->result()->users,
                          [](const Op *user) { return user->kind != OpKind::Dot; });
    });
  }
  // Whether an accumulator of this group is an operand of another dot, or an operand of its dots is
  // computed from an accumulator.
  bool isChained(const LayoutGroup &group) {
    for (const LayoutGroup &other : groups.all())
      for (Op *dot : other.dots) {
        const LayoutGroup &operand = groups.of(dot->operand(0));
        bool reads = operand.representative == group.representative,
             gives = other.representative == group.representative;
        if (!operand.dots.empty() && (reads || gives)) return true;
      }
    return false;
  }

  // "mma_m16n8k16_f16, padded to 16 x 24 x 32".
  std::string planInWords(const MmaPlan &plan, const Op *dot) const {
    const int64_t k = dot->operand(0)->type.shape().back(), step = plan.shape->k;
    const int64_t padded = llvm::alignTo(k, step);
    std::string text = plan.groupColumns
                           ? groupHelper(*plan.shape, plan.groupColumns)
                           : (plan.isTripled ? "three times " : "") + plan.shape->helper();
    if (!plan.layout->isPadded() && padded == k) return text + notByGroups(plan);
    text += ", padded to ";
    for (unsigned d = 0; d < plan.layout->rank(); ++d)
      text += fmt::format("{} x ", plan.layout->dim(d).padded());
    return text + std::to_string(padded) + notByGroups(plan);
  }
  // The reason why a dot on Hopper is not a wgmma.
  std::string notByGroups(const MmaPlan &plan) const {
    const bool asked = targets.front().isHopper();
    return asked && !plan.groupColumns ? "; not wgmma: " + plan.whyNoGroups : "";
  }

  // Accumulators of tensor cores get the layout of the instruction.
  bool chooseForDots(const LayoutGroup &group) {
    LayoutRef layout;
    for (Op *dot : group.dots) {
      std::string why;
      auto plan = mmaPlan(dot, kernel.options.numWarps, targets, isChained(group), why);
      if (!plan) {
        context.diagnostics.decided(DiagId::DotWithoutMma, kernel, dot->loc, {why});
        continue;
      }
      if (layout && !(*layout == *plan->layout)) {
        context.diagnostics.decided(DiagId::DotWithoutMma, kernel, dot->loc,
                                    {"its accumulator has the layout of another dot"});
        continue;
      }
      layout = plan->layout;
      dot->set(Attr::mma, plan->shape->instruction);
      dot->setInt(Attr::instruction_k, plan->shape->k);
      if (plan->groupColumns) dot->setInt(Attr::group_columns, plan->groupColumns);
      context.diagnostics.decided(DiagId::DotWithMma, kernel, dot->loc, {planInWords(*plan, dot)});
    }
    if (layout)
      choose(group, layout, group.dots.front()->loc,
             "has the accumulator layout of the tensor cores");
    return layout != nullptr;
  }

  // Whether an accumulator of this group needs its own layout: the layout of a neighbour would rule
  // out tensor cores.
  bool isForTensorCores(const LayoutGroup &group) {
    std::string why;
    return llvm::any_of(group.dots, [&](const Op *dot) {
      return mmaPlan(dot, kernel.options.numWarps, targets, isChained(group), why).has_value();
    });
  }

  void chooseFreely(const LayoutGroup &group) {
    if (chooseForDots(group)) return;
    LayoutRef layout = distributed(group);
    if (!group.scans.empty())
      choose(group, layout, group.scans.front()->loc, "is distributed for the scan");
    else if (Op *anchor = anchorOf(group))
      choose(group, layout, anchor->loc,
             fmt::format("is distributed for the {}", anchor->mnemonic().str()));
    else if (!group.copies.empty())
      choose(group, layout, group.loc, "is laid out for reading a staged tile");
    else
      choose(group, layout, group.loc,
             "is distributed evenly, because no access decides its layout");
  }

  // Propagates the layout of this group to its neighbours, and from those to theirs.
  void propagate(const LayoutGroup &group) {
    LayoutRef layout = chosen[group.representative];
    for (Op *op : group.neighbours) {
      if (op->kind == OpKind::Reduce) {
        Value *result = op->result();
        if (!result->type.isTile() || groups.representative(op->operand(0)) != group.representative)
          continue;
        // A result that is reduced across warps is read back from shared memory, in the layout that
        // its own accesses need.
        if (!groups.of(result).accesses.empty() &&
            layout->extentAlong(op->getInt(Attr::axis), Unit::Warp) > 1)
          continue;
        offer(result, layout->withoutDim(op->getInt(Attr::axis)), op,
              "has the layout that the reduction leaves");
        continue;
      }
      if (op->kind == OpKind::Sort) {
        if (groups.representative(op->operand(0)) == group.representative)
          offer(op->result(), resultOfSort(op), op, "has the layout that the sort leaves");
        continue;
      }
      if (isPairing(op)) {
        if (groups.representative(wholeOf(op)) == group.representative)
          if (LayoutRef part = partLayout(op, *layout))
            offer(partOf(op), part, op,
                  fmt::format("has the layout of the whole of the {}", view(op)));
        if (groups.representative(partOf(op)) == group.representative)
          if (LayoutRef whole = pairedLayout(op, *layout))
            offer(wholeOf(op), whole, op,
                  fmt::format("has the layout of the parts of the {}", view(op)));
        continue;
      }
      if (groups.representative(op->result()) == group.representative) {
        if (LayoutRef source = sourceLayout(op, *layout))
          offer(op->operand(0), source, op,
                fmt::format("is distributed for the result of the {}", view(op)));
      }
      if (groups.representative(op->operand(0)) == group.representative) {
        if (LayoutRef result = resultLayout(op, *layout))
          offer(op->result(), result, op,
                fmt::format("has the layout of the source of the {}", view(op)));
        if (LayoutRef result = unpackedLayout(groups, op, *layout, [&](Value *tile) {
              return chosen.count(groups.representative(tile)) == 0;
            }))
          offer(op->result(), result, op, "keeps the results of each element in its thread");
      }
    }
  }
  // The layouts in which a sort needs its operand, and leaves its results.
  LayoutRef operandOfSort(const Op *op) const {
    const unsigned axis = op->getInt(Attr::axis);
    return sortLayout(op->operand(0)->type.shape(), axis, kernel.options.numWarps,
                      op->result()->type.shape()[axis]);
  }
  LayoutRef resultOfSort(const Op *op) const {
    const unsigned axis = op->getInt(Attr::axis);
    return sortedLayout(*operandOfSort(op), axis, op->result()->type.shape()[axis]);
  }
  void offer(Value *value, LayoutRef layout, const Op *through, const std::string &why) {
    const LayoutGroup &group = groups.of(value);
    if (!chosen.count(group.representative) && !isForTensorCores(group) &&
        coalesces(group, *layout))
      choose(group, std::move(layout), through->loc, why);
  }
  static std::string view(const Op *op) {
    return op->kind == OpKind::Permute      ? "transposition"
           : op->kind == OpKind::ExpandDims ? "new dimension"
                                            : op->mnemonic().str();
  }

  // Whether the accesses of a group of several dimensions would still be contiguous from lane to
  // lane. If not (the other side of a transposition), the group gets its own layout and a
  // conversion through shared memory.
  bool coalesces(const LayoutGroup &group, const Layout &layout) {
    for (Op *op : group.accesses) {
      if (op->kind == OpKind::Atomic || layout.rank() < 2) continue;
      unsigned contiguous = contiguousDim(op, *axes);
      if (axes->of(op->operand(0)).contiguity[contiguous] == 1) continue;
      for (unsigned d = 0; d < layout.rank(); ++d)
        for (const Digit &digit : layout.dim(d).digits)
          if (digit.unit == Unit::Lane && digit.stride == 1 && digit.extent > 1 && d != contiguous)
            return false;
    }
    return true;
  }

  void chooseAll() {
    std::vector<const LayoutGroup *> order;
    std::map<const LayoutGroup *, int64_t> distributedWith;
    for (const LayoutGroup &group : groups.all()) {
      order.push_back(&group);
      distributedWith[&group] = elementsDistributedWith(groups, group);
    }
    std::sort(order.begin(), order.end(), [&](const LayoutGroup *a, const LayoutGroup *b) {
      if (a->dots.empty() != b->dots.empty()) return b->dots.empty();
      const bool anchorA = a->hasAnchor(), anchorB = b->hasAnchor();
      if (anchorA != anchorB) return anchorA;
      if (distributedWith[a] != distributedWith[b]) return distributedWith[a] > distributedWith[b];
      if (a->numElements() != b->numElements()) return a->numElements() > b->numElements();
      if (a->shape.size() != b->shape.size()) return a->shape.size() > b->shape.size();
      return a < b;  // program order
    });
    for (const LayoutGroup *group : order)
      if (!chosen.count(group->representative)) chooseFreely(*group);
  }

  void setTypes() {
    auto give = [&](Value *value) {
      if (value->type.isTile())
        value->type = value->type.withLayout(chosen.at(groups.representative(value)));
    };
    walk(kernel.body, [&](Op *op) {
      for (auto &result : op->results) give(result.get());
      for (auto &region : op->regions)
        for (auto &argument : region->arguments) give(argument.get());
    });
  }

  // ---- conversions (4)

  Value *convertBefore(Op *user, Value *value, LayoutRef layout) {
    Builder b = Builder::before(user);
    Op *op = b.create(OpKind::Convert, {value}, {value->type.withLayout(std::move(layout))},
                      value->name);
    return op->result();
  }

  // `op` computes its result in `layout`; the users of the result get it in the layout of its type.
  // A result without users needs no conversion: it would move data that nothing reads.
  void convertAfter(Op *op, Value &result, const LayoutRef &layout) {
    const Type wanted = result.type;
    result.type = wanted.withLayout(layout);
    if (result.unused()) return;
    Op *convert = Builder::after(op).create(OpKind::Convert, {}, {wanted}, result.name);
    result.replaceAllUsesWith(convert->result());
    convert->addOperand(&result);
  }

  // Whether a scan along `axis` needs no data movement first: vector, lanes, registers, warps, in
  // this order, each at most once.
  static bool scans(const Layout &layout, unsigned axis) {
    int last = -1;
    for (const Digit &digit : layout.dim(axis).digits) {
      if (digit.extent == 1) continue;
      const int at = digit.unit == Unit::Warp ? 3 : digit.unit == Unit::Lane ? 1 : last < 0 ? 0 : 2;
      if (at <= last) return false;
      last = at;
    }
    return true;
  }

  void insertConversions() {
    walk(kernel.body, [&](Op *op) {
      switch (op->kind) {
        case OpKind::ExpandDims:
        case OpKind::Broadcast:
        case OpKind::Permute: {
          if (isFreeView(op)) return;
          LayoutRef needed = sourceLayout(op, *op->result()->type.layout());
          op->setOperand(0, convertBefore(op, op->operand(0), needed));
          return;
        }
        case OpKind::Reduce: {
          if (needsExact(op, *op->operand(0)->type.layout())) {
            const LayoutRef exact = distributedAlong(op);
            for (unsigned i = 0; i < op->numOperands(); ++i)
              op->setOperand(i, convertBefore(op, op->operand(i), exact));
          }
          for (auto &result : op->results) {
            if (!result->type.isTile()) continue;
            LayoutRef natural = op->operand(0)->type.layout()->withoutDim(op->getInt(Attr::axis));
            LayoutRef wanted = result->type.layout();
            if (!sameArrays(*natural, *wanted)) convertAfter(op, *result, natural);
          }
          return;
        }
        case OpKind::Scan: {
          unsigned axis = op->getInt(Attr::axis);
          LayoutRef have = op->operand(0)->type.layout();
          if (scans(*have, axis) && !needsExact(op, *have)) return;
          LayoutRef layout = distributedAlong(op);
          for (unsigned i = 0; i < op->numOperands(); ++i)
            op->setOperand(i, convertBefore(op, op->operand(i), layout));
          for (auto &result : op->results) convertAfter(op, *result, layout);
          return;
        }
        case OpKind::Sort: {
          const Layout &have = *op->operand(0)->type.layout();
          LayoutRef needed = operandOfSort(op);
          const bool fits =
              sameArrays(*needed, have) && sortedRow(have, op->getInt(Attr::axis)).has_value();
          if (!fits) op->setOperand(0, convertBefore(op, op->operand(0), needed));
          const LayoutRef left = resultOfSort(op);
          for (auto &result : op->results)
            if (!fits || !sameArrays(*left, *result->type.layout()))
              convertAfter(op, *result, left);
          return;
        }
        case OpKind::Store:
          if (op->operand(0)->type.isTile()) widenStore(op);
          return;
        case OpKind::Atomic:
          if (op->operand(0)->type.isTile() && op->operand(1) && op->result()->unused())
            widenStore(op);
          return;
        default:
          return;
      }
    });
    foldRematerializableConversions();
    hoistConversions();
  }

  // A result of dots is converted to a layout with wide accesses before it is stored.
  void widenStore(Op *store) {
    if (groups.of(store->operand(0)).dots.empty()) return;
    for (const LayoutRef &wide : wideLayouts(kernel, targets, *axes, store, distributedFor(store)))
      for (unsigned i = 0; i < store->numOperands(); ++i)
        if (store->operand(i)) store->setOperand(i, convertBefore(store, store->operand(i), wide));
    if (store->kind == OpKind::Atomic)
      store->result()->type = store->result()->type.withLayout(store->operand(1)->type.layout());
  }

  // Hoists conversions of small tiles (of indices, say) out of a loop: they run once, and loads
  // that depend on them can be prefetched.
  void hoistConversions() {
    walk(kernel.body, [&](Op *op) {
      if (op->kind != OpKind::Convert) return;
      if (op->result()->type.layout()->elementsPerThread() > tunables().hoisted_convert_elements)
        return;
      const Block &home = *op->operand(0)->home();
      Op *outermost = nullptr;
      for (Op *around = op->parentOp(); around && isInside(around->parent, home);
           around = around->parentOp())
        if (isLoop(around)) outermost = around;
      if (outermost) op->moveBefore(outermost);
    });
  }

  // Whether a rematerializable expression depends on several tiles that are not: each of them would
  // be converted instead of the result.
  static bool dependsOnSeveral(Value *tree) {
    std::set<const Value *> seen;
    unsigned leaves = 0;
    llvm::SmallVector<Value *, 8> open{tree};
    while (!open.empty() && leaves < 2) {
      Value *value = open.pop_back_val();
      if (!value || !value->type.isTile() || !seen.insert(value).second) continue;
      if (!isRematerializable(value))
        ++leaves;
      else
        open.append(value->definition->operands().begin(), value->definition->operands().end());
    }
    return leaves > 1;
  }

  // A conversion of a rematerializable expression is the expression in the other layout.
  void foldRematerializableConversions() {
    bool changed = true;
    while (changed) {
      changed = false;
      walk(kernel.body, [&](Op *op) {
        if (op->kind != OpKind::Convert || !isRematerializable(op->operand(0)) ||
            dependsOnSeveral(op->operand(0)))
          return;
        Op *source = op->operand(0)->definition;
        LayoutRef layout = op->result()->type.layout();
        Builder b = Builder::before(op);
        llvm::SmallVector<Value *, 4> operands;
        for (Value *operand : source->operands()) {
          if (!operand || !operand->type.isTile()) {
            operands.push_back(operand);
            continue;
          }
          LayoutRef needed = source->isShapeView() ? sourceLayout(source, *layout) : layout;
          operands.push_back(b.create(OpKind::Convert, {operand},
                                      {operand->type.withLayout(needed)}, operand->name)
                                 ->result());
        }
        Op *copy = b.create(source->kind, operands, {op->result()->type}, op->result()->name);
        copy->attributes = source->attributes;
        op->result()->replaceAllUsesWith(copy->result());
        op->erase();
        changed = true;
      });
    }
  }
};

}  // namespace

llvm::LogicalResult assign_layouts(Module &module, PassContext &context) {
  bool failed = false;
  for (Kernel &kernel : module.kernels) {
    keepLongTrees(kernel.body);
    if (copyRematerializable(kernel.body)) context.analyses.invalidate(kernel);
    State state(kernel, context);
    state.chooseAll();
    state.setTypes();
    state.insertConversions();
    failed |= state.failed;
  }
  module.level = Level::Placed;
  return llvm::failure(failed);
}

}  // namespace tile2cu::passes
