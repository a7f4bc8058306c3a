// Nests: loops over a thread's registers, with whole vectors moved outside of the innermost loop and elements computed in it.
#include <algorithm>
#include <set>

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;

// ---- loops

// Loops over registers are named i, j, k, ... and v; scalars of the user keep these names for themselves.
void KernelEmitter::chooseLoopNames() {
  std::set<std::string> taken, tiles;
  for (const Parameter &parameter : kernel_.parameters) taken.insert(parameter.name);
  walk(kernel_.body, [&](const Op *op) {
    for (auto &result : op->results) (result->type.isTile() ? tiles : taken).insert(result->name);
    for (auto &region : op->regions)
      for (auto &argument : region->arguments)
        if (!argument->type.isTile()) taken.insert(argument->name);
  });
  if (taken.count("v") || tiles.count("v")) vectorVar_ = "e";
  for (const char *name : {"i", "j", "k", "l", "m", "n"})
    if (!taken.count(name)) loopVars_.push_back(name);
  if (loopVars_.empty()) loopVars_.push_back("i");
}

// Whether a nest makes tiles, or takes elements of those that are there: their registers have no index but constants.
static bool usesArrays(const Op *nest) {
  if (nest->numResults() > 0) return true;
  return llvm::any_of(nest->region()->ops, [&](const auto &op) {
    return llvm::any_of(op->operands(), [&](const Value *operand) {
      return operand && operand->type.isTile() && definedOutside(operand, *nest->region());
    });
  });
}

void KernelEmitter::openLoops(const Layout &layout, bool withVector, Vars &vars) {
  auto vector = vectorAxisOf(layout);
  if (hasLoops(layout, withVector))
    names_.open();  // else there are no braces, and names stay taken
  unsigned next = 0;
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) {
    bool isVector = vector && vector->axis == axis;
    if ((isVector && !withVector) || isDropped(layout, axis)) {
      vars.push_back(integer(0));
      continue;
    }
    const Expr extent = named(extentName(layout, axis));
    std::string var = names_.take(isVector ? vectorVar_ : loopVar(next++));
    // Copies keep nothing in registers: those of single elements are many, and need not all be on their way at once.
    const int64_t copies = passes::tunables().unrolled_copies;
    const bool few = inPhase_ && !isVector && layout.registerAxes()[axis] > copies && nest_ &&
                     nest_->layout.get() == &layout && !usesArrays(nest_);
    For loop = unrolledLoop(var, extent);
    if (few) loop.unroll += " " + std::to_string(copies);
    open({std::move(loop)});
    vars.push_back(named(var));
  }
}

void KernelEmitter::closeLoops(const Layout &layout, bool withVector) {
  auto vector = vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
    if ((withVector || !(vector && vector->axis == axis)) && !isDropped(layout, axis)) close();
  if (hasLoops(layout, withVector)) names_.close();
}

bool KernelEmitter::hasLoops(const Layout &layout, bool withVector) {
  auto vector = vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
    if ((withVector || !(vector && vector->axis == axis)) && !isDropped(layout, axis)) return true;
  return false;
}

// ---- values inside a nest

KernelEmitter::AxisRefs KernelEmitter::identityRefs(const Layout &layout) const {
  AxisRefs refs;
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) refs.push_back(axis);
  return refs;
}

KernelEmitter::AxisRefs KernelEmitter::operandRefs(const Op *op, const Value *operand,
                                                   const AxisRefs &refs) {
  if (!operand->type.isTile()) return {};
  if (op->kind == OpKind::ReduceThread) return refs;  // its result has fewer registers
  const Type &result = op->numResults() ? op->result()->type : operand->type;
  if (!result.isTile() || *operand->type.layout() == *result.layout()) {
    if (operand->type.isTile() && operand->type.layout()->registerAxes().size() == refs.size())
      return refs;
  }
  auto map = passes::axisMap(op, *operand->type.layout(), *result.layout());
  AxisRefs mapped;
  for (int axis : map) mapped.push_back(axis < 0 ? -1 : refs[axis]);
  return mapped;
}

// Whether a cheap value of the nest gets a name of its own.
bool KernelEmitter::wantsLocal(const Value *value) {
  const Op *op = value->definition;
  if (!op || op->kind == OpKind::Splat || op->kind == OpKind::ExpandDims ||
      op->kind == OpKind::Broadcast || op->kind == OpKind::Hint || op->kind == OpKind::Permute ||
      op->kind == OpKind::Reshape || op->kind == OpKind::Convert)
    return false;
  if (value->type.isPointer()) return value->users.size() > 1 && !value->name.empty();
  unsigned uses = 0;
  llvm::SmallVector<const Value *, 4> open{value};
  while (!open.empty()) {
    const Value *v = open.pop_back_val();
    for (Op *user : v->users) {
      bool view = user->kind == OpKind::ExpandDims || user->kind == OpKind::Broadcast ||
                  user->kind == OpKind::Permute || user->kind == OpKind::Reshape;
      if (view && user->numResults())
        open.push_back(user->result());
      else
        ++uses;
    }
  }
  return uses > 1 || (!value->name.empty() && op->kind != OpKind::Cast);
}

Expr KernelEmitter::computeAt(const Op *op, const AxisRefs &refs, Level level) {
  switch (op->kind) {
    case OpKind::Splat:
      return scalar(op->operand(0));
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Permute:
    case OpKind::Reshape:
    case OpKind::Hint:
    case OpKind::Convert:
      return valueAt(op->operand(0), operandRefs(op, op->operand(0), refs), level);
    case OpKind::Arange: {
      Vars vars;
      for (int axis : refs) {
        bool zero = axis < 0 || (level == Level::Vector && axis == vectorAxis_);
        vars.push_back(zero ? integer(0) : vars_[axis]);
      }
      Expr e = coordinate(*op->result()->type.layout(), 0, vars);
      int64_t start = op->getInt(Attr::start);
      return start ? sum(number(start), e) : e;
    }
    default:
      break;
  }
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 4> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const Value *operand = implicitSource(op, i);
    operands.push_back(valueAt(operand, operandRefs(op, op->operand(i), refs), level));
  }
  return elementwise(op, operands, options_.preciseMath);
}

// What to call the coordinate that a range with this layout is in the nest's tiles.
std::string KernelEmitter::indexName(const Layout &range) const {
  const Layout &layout = *nest_->layout;
  if (layout.rank() != 2) return "index";
  auto runsAlong = [&](unsigned dim) {
    return llvm::equal(range.dim(0).digits, layout.dim(dim).digits,
                       [](const Digit &a, const Digit &b) {
                         return a.unit == b.unit && a.stride == b.stride && a.extent == b.extent;
                       });
  };
  if (runsAlong(0) == runsAlong(1)) return "index";
  return runsAlong(0) ? "row" : "column";
}

// Whether the expression reads an element of an array.
static bool readsElements(const Expr &e) {
  return anyOf(e, [](const Expr &node) { return node.is(ExprKind::Index); });
}

Expr KernelEmitter::valueAt(const Value *value, const AxisRefs &refs, Level level) {
  if (!value->type.isTile()) return scalar(value);
  const Op *op = value->definition;
  bool inside = op && isInside(op->parent, *nest_->region());
  if (level == Level::Element) {
    auto known = elementExprs_.find(value);
    if (known != elementExprs_.end()) return recalled(value, known->second);
  }
  if (!inside || storage_.count(value)) {
    const Storage &storage = stored(value);
    Vars vars;
    for (int axis : refs) {
      const bool isFirst = axis < 0 || (level == Level::Vector && axis == vectorAxis_);
      vars.push_back(isFirst ? integer(0) : vars_[axis]);
    }
    return storageRef(storage, vars);
  }
  Run run = runOf(value, refs);
  if (level == Level::Element && vectorAxis_ >= 0 && run != Run::Varies) {
    Expr e = valueAt(value, refs, Level::Vector);
    return run == Run::Counts ? sum(e, vars_[vectorAxis_]) : e;
  }
  auto &exprs = level == Level::Vector ? vectorExprs_ : elementExprs_;
  auto known = exprs.find(value);
  if (known != exprs.end()) return recalled(value, known->second);
  Expr e = computeAt(op, refs, level);
  if (!wantsLocal(value) || e.isAtom()) return e;
  const Expr type = op->kind == OpKind::UniformThreshold ? word("auto") : typeOf(value->type);
  // The same number for another tile of the same layout. Elements of arrays are read again.
  const bool steady = !readsElements(e);
  if (const Names::Constant *same = steady ? names_.constant(type.str(), e) : nullptr) {
    requireCurrent(value, same->reads);
    return (exprs[value] = remembered(named(same->name))).expr;
  }
  // Named: cols -> col, one number of this thread.
  std::string wanted = value->name.empty()
                           ? (op->kind == OpKind::Arange ? indexName(*value->type.layout())
                              : value->type.scalar() == Scalar::Bool ? "inside"
                                                                     : "offset")
                           : singular(value->name);
  std::string name = names_.take(wanted);
  declareConstant(type, name, e);
  if (steady) names_.rememberConstant(type.str(), e, name);
  return (exprs[value] = remembered(named(name))).expr;
}

// Declares the named values of a tree that do not change along the vector, before the element loop opens.
void KernelEmitter::vectorLocals(const Value *value, const AxisRefs &refs) {
  if (!value || !value->type.isTile() || !vectorLocalsOf_.insert({value, refs}).second) return;
  const Op *op = value->definition;
  if (!op || !isInside(op->parent, *nest_->region()) || storage_.count(value) ||
      elementExprs_.count(value))
    return;
  bool element =
      segmentOps_.count(op) && !passes::isWrittenAtUse(op);  // computed in the element loop itself
  if (!element && runOf(value, refs) != Run::Varies) {
    valueAt(value, refs, Level::Vector);
    return;
  }
  if (segmentOps_.count(op) || passes::isWrittenAtUse(op))
    for (Value *operand : op->operands())
      if (operand) vectorLocals(operand, operandRefs(op, operand, refs));
}

// ---- elements

void KernelEmitter::elementOp(Op *op) {
  switch (op->kind) {
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::AtomicAdd:
      elementAccess(op);
      return;
    case OpKind::SharedLoad:
    case OpKind::SharedStore:
      sharedAccess(op);
      return;
    case OpKind::AsyncCopy:
      asyncCopy(op, Level::Element);
      return;
    case OpKind::ReduceThread:
      reduceThread(op);
      return;
    case OpKind::DeviceAssert:
      deviceAssert(op);
      return;
    default:
      break;
  }
  auto refs = identityRefs(*nest_->layout);
  Value *result = op->result();
  const Expr type = op->kind == OpKind::UniformThreshold ? word("auto") : typeOf(result->type);
  auto give = [&](Value *value, const Expr &e) {
    auto stored = storage_.find(value);
    auto inPlace = inPlace_.find(value);
    bool waits = inPlace != inPlace_.end() &&
                 !inPlace->second;  // other elements' operations still read the old value
    if (stored != storage_.end() && !waits) {
      if (!declareWith(value, e)) assign(storageRef(stored->second, vars_), e);
      return;
    }
    if (!waits &&
        (e.isAtom() || (e.str().size() <= 60 && value->users.size() == 1 && value->name.empty()))) {
      elementExprs_[value] = remembered(e);
      return;
    }
    Expr local = e;
    if (!e.isAtom()) {
      std::string name =
          names_.take(value->name.empty()                           ? roleName(op)
                      : waits && value->name == stored->second.name ? "new_" + value->name
                                                                    : singular(value->name));
      declareConstant(type, name, e);
      local = named(name);
    }
    elementExprs_[value] = remembered(local);
    if (waits)
      deferred_.push_back({storageRef(stored->second, vars_), local,
                           !e.isAtom() && value->users.size() == 1, e, value,
                           names_.readsOf(local)});
  };
  if (result->type.isTile() && (passes::isWrittenAtUse(op))) {
    give(result, computeAt(op, refs, Level::Element));
    return;
  }
  if (op->kind == OpKind::Map) {
    llvm::SmallVector<Expr, 4> operands;
    for (Value *operand : op->operands())
      operands.push_back(valueAt(operand, refs, Level::Element));
    Expr e = call(functor(op, "map"), operands);
    if (op->numResults() == 1) {
      give(result, e);
      return;
    }
    std::string name = names_.take("mapped");
    declareConstant(word("auto"), name, e);
    for (unsigned i = 0; i < op->numResults(); ++i)
      give(op->result(i), member(named(name), "value" + std::to_string(i)));
    return;
  }
  llvm::SmallVector<Expr, 4> operands;
  for (Value *operand : op->operands())
    operands.push_back(valueAt(operand, operandRefs(op, operand, refs), Level::Element));
  give(result, elementwise(op, operands, options_.preciseMath));
}

bool KernelEmitter::isDeclaredLast(const Expr &variable) const {
  const Stmt *last = out_.last();
  const Declare *declare = last ? last->as<Declare>() : nullptr;
  return declare && variable.isName() && declare->all.back().name == variable.spelling();
}

void KernelEmitter::elementSegment(llvm::ArrayRef<Op *> ops) {
  segmentOps_.clear();
  vectorLocalsOf_.clear();
  segmentOps_.insert(ops.begin(), ops.end());
  auto refs = identityRefs(*nest_->layout);
  bool loop = vectorAxis_ >= 0;
  for (Op *op : ops)
    for (Value *operand : op->operands())
      if (operand && loop) vectorLocals(operand, operandRefs(op, operand, refs));
  std::map<const Value *, Remembered> savedElements = elementExprs_, savedVectors = vectorExprs_;
  out_.begin();
  deferred_.clear();
  if (loop) names_.open();
  for (Op *op : ops) {
    elementOp(op);
    for (const auto &result : op->results)  // those that wait have the old value still
      if (storage_.count(result.get()) && !elementExprs_.count(result.get())) hold(result.get());
  }
  if (deferred_.size() == 1 && deferred_[0].isOnlyUse && isDeclaredLast(deferred_[0].value)) {
    out_.removeLast();
    assign(deferred_[0].target, deferred_[0].declared);
  } else {
    for (const Deferred &each : deferred_) {
      requireCurrent(each.of, each.reads);
      set(each.target, each.value);
    }
  }
  for (const Deferred &each : deferred_) hold(each.of);
  if (loop) names_.close();
  Stmts body = out_.end();
  if (body.empty()) {  // all of it folded into later uses
    return;
  }
  if (loop)
    open({unrolledLoop(vars_[vectorAxis_].spelling(),
                       named(extentName(*nest_->layout, vectorAxis_)))});
  out_.append(std::move(body));
  if (loop) {
    close();
    // Names of the loop's body end with it.
    elementExprs_ = std::move(savedElements);
    vectorExprs_ = std::move(savedVectors);
  }
}

// Which values of a run of elements are needed in another one: the cheap ones are part of those that use them, and element-wise ones
// are computed again.
struct UsedBehind {
  std::set<const Op *> segment;
  std::map<const Value *, bool> known = {};

  bool operator()(const Value *value) {
    const auto [entry, isNew] = known.try_emplace(value, false);
    if (!isNew) return entry->second;
    const bool is = llvm::any_of(value->users, [&](const Op *user) {
      if (user->kind == OpKind::Yield) return false;
      const bool isHere = segment.count(user) != 0;
      if (isHere ? !user->is(Elementwise) : !passes::isWrittenAtUse(user)) return !isHere;
      return llvm::any_of(user->results, [&](const auto &result) { return (*this)(result.get()); });
    });
    return known[value] = is;
  }
};

// Part of a nest: an access to whole vectors, or a run of element-wise operations.
struct KernelEmitter::Step {
  Op *access = nullptr;
  std::vector<Op *> elements = {};
};

// Whether an access reads a value that one of these steps puts into a variable. Other element-wise
// values are computed again where they are read.
bool KernelEmitter::readsResult(const Op *access, const std::set<const Op *> &steps) const {
  llvm::SmallVector<const Value *, 8> open(access->operands().begin(), access->operands().end());
  std::set<const Value *> seen;
  while (!open.empty()) {
    const Value *value = open.pop_back_val();
    const Op *op = value && seen.insert(value).second ? value->definition : nullptr;
    if (!op || !isInside(op->parent, *nest_->region())) continue;
    if (steps.count(op) && (!op->is(Elementwise) || kept_.count(value))) return true;
    llvm::append_range(open, op->operands());
  }
  return false;
}

// Whether an access behind a run of elements computes the operation's result again, from what is
// in variables then.
bool KernelEmitter::isComputedBehind(const Op *op) const {
  llvm::SmallVector<const Op *, 8> open{op};
  std::set<const Op *> seen;
  while (!open.empty()) {
    const Op *at = open.pop_back_val();
    if (!seen.insert(at).second) continue;
    for (const auto &result : at->results) {
      if (kept_.count(result.get())) continue;
      for (const Op *user : result->users) {
        if (behindElements_.count(user)) return true;
        open.push_back(user);
      }
    }
  }
  return false;
}

// The steps of a nest in the order in which they are written. Loads and random bits whose operands
// are there before the nest, or from such a load, move to the front, so that elements form one run.
std::vector<KernelEmitter::Step> KernelEmitter::inOrder(const Op *nest,
                                                        std::vector<Step> steps) const {
  auto isAboveStores = [&](const Op *access) {
    const Op *load = access;
    if (load->kind == OpKind::Cast) load = load->operand(0)->definition;  // of what it converts
    for (auto &other : nest->region()->ops)
      if (other->is(Writes) && other->kind != OpKind::SharedStore && load &&
          load->kind == OpKind::Load && !load->getBool(Attr::read_only))
        return false;
    return true;
  };
  std::vector<Step> ordered, others;
  std::set<const Op *> late;
  for (Step &step : steps) {
    const bool isEarly = step.access && !step.access->is(Writes) && isAboveStores(step.access) &&
                         !readsResult(step.access, late);
    if (step.access && !isEarly) late.insert(step.access);
    late.insert(step.elements.begin(), step.elements.end());
    (isEarly ? ordered : others).push_back(std::move(step));
  }
  for (Step &step : others) {
    if (!step.access && !ordered.empty() && !ordered.back().access)
      llvm::append_range(ordered.back().elements, step.elements);
    else
      ordered.push_back(std::move(step));
  }
  return ordered;
}

// ---- the nest

void KernelEmitter::nest(Op *op) {
  statementComments(op);
  if (fillNest(op)) return;
  const Layout &layout = *op->layout;
  nest_ = op;
  runs_.clear();
  vectorExprs_.clear();
  elementExprs_.clear();
  auto vector = vectorAxisOf(layout);
  vectorAxis_ = vector ? int(vector->axis) : -1;

  std::vector<Step> steps;
  // Cheap values are written where they are used, unless they leave the nest or are stored as a whole.
  kept_.clear();
  for (auto &inner : op->region()->ops) {
    if (inner->kind == OpKind::Yield)
      kept_.insert(inner->operands().begin(), inner->operands().end());
    if ((inner->kind == OpKind::Store || inner->kind == OpKind::AtomicAdd) &&
        isVectorAccess(inner.get()))
      kept_.insert(inner->operand(1));
    if (inner->kind == OpKind::SharedStore && isVectorAccess(inner.get()))
      kept_.insert(inner->operand(0));
  }
  for (auto &inner : op->region()->ops) {
    if (inner->kind == OpKind::Yield) continue;
    bool cheap = inner->numResults() == 1 && (passes::isWrittenAtUse(inner.get()));
    if (cheap && !kept_.count(inner->result())) continue;
    if (isVectorAccess(inner.get())) {
      steps.push_back({inner.get(), {}});
    } else {
      if (steps.empty() || steps.back().access) steps.push_back({});
      steps.back().elements.push_back(inner.get());
    }
  }
  const std::vector<Step> ordered = inOrder(op, std::move(steps));
  segments_.clear();
  behindElements_.clear();
  for (const Step &step : ordered) {
    if (!step.access)
      segments_.push_back(step.elements);
    else if (!segments_.empty())
      behindElements_.insert(step.access);
  }
  // What cannot be computed again stays in a vector from one run of elements to the next.
  for (const std::vector<Op *> &segment : segments_) {
    UsedBehind isUsedBehind{{segment.begin(), segment.end()}};
    for (const Op *inner : segment)
      if (!inner->is(Elementwise))
        for (auto &result : inner->results)
          if (isUsedBehind(result.get())) kept_.insert(result.get());
  }

  prepareResults(op);
  for (auto &inner : op->region()->ops)
    if (inner->kind == OpKind::ReduceThread) startPartial(inner.get());

  vars_.clear();
  openLoops(layout, false, vars_);
  if (vectorAxis_ >= 0) vars_[vectorAxis_] = named(names_.take(vectorVar_));

  for (const Step &step : ordered) {
    if (step.access) {
      vectorAccess(step.access);
      holdResults(step.access);
      continue;
    }
    // Vectors that a store takes whole are filled element by element.
    for (Op *element : step.elements)
      for (auto &result : element->results) {
        if (storage_.count(result.get()) || !kept_.count(result.get())) continue;
        std::string name = result->name.empty() ? "result" : result->name;
        storage_[result.get()] = localVector(name);
        add(variable(vectorType(typeOf(result->type)), storage_[result.get()].name));
      }
    elementSegment(step.elements);
  }
  // Its loops are closed: the next nest's elements may be called v again.
  if (vectorAxis_ >= 0) names_.release(vars_[vectorAxis_].spelling());
  closeLoops(layout, false);
  nest_ = nullptr;
  runs_.clear();

  Op *yield = op->region()->terminator();
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (auto it = storage_.find(yield->operand(i)); it != storage_.end())
      storage_[op->result(i)] = it->second;
}

}  // namespace tile2cu::emit
