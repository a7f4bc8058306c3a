#include "passes/analysis/value/nest_steps.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

bool hasWholeArray(const Value *value) {
  const Op *made = value->definition;
  if (!made) {
    // The head of a `while` passes tiles to its body; loops carry tiles in their own arrays.
    const Op *loop = value->owner->parent;
    const bool isPassed = loop && loop->kind == OpKind::While && value->owner != loop->region(0);
    return !isPassed || hasWholeArray(loop->region(0)->terminator()->operand(1 + value->index));
  }
  switch (made->kind) {
    case OpKind::Nest: {
      const Op *inner = made->region()->terminator()->operand(value->index)->definition;
      return !inner || inner->kind != OpKind::ReduceThread || inner->numOperands() == 1;
    }
    case OpKind::ReduceAcross: {
      const Type &parts = made->operand(0)->type;
      return made->numOperands() == 1 && value->type.isTile() &&
             parts.layout()->registerAxes() == value->type.layout()->registerAxes();
    }
    case OpKind::Scan:
      return made->numOperands() == 1;
    default:  // an array of its own
      return true;
  }
}

NestSteps::NestSteps(const Kernel &kernel, const Op *nest, std::optional<VectorAxis> vector)
    : kernel_(kernel), nest_(nest), vector_(vector) {
  keepResults();
  steps_ = inOrder(inSourceOrder());
  for (const NestStep &step : steps_) {
    if (!step.access)
      ++numRuns_;
    else if (numRuns_ > 0)
      afterRuns_.insert(step.access);
  }
  for (const NestStep &step : steps_)
    if (!step.access) keepUsedLater(step.elements);
}

bool NestSteps::isInside(const Op *op) const { return ir::isInside(op->parent, *nest_->region()); }

// ---- accesses to whole vectors

int64_t NestSteps::sharedPiece(const Op *op) const {
  const int64_t width = byteWidth(kernel_.shared[op->getInt(Attr::buffer)].members[0]);
  return std::min(vector_->extent, std::max<int64_t>(kMostAccessBytes / width, 1));
}

// A divisor of the start of a part along a dimension.
static int64_t startDivisor(const Op *load, unsigned dim) {
  return std::get<Ints>(*load->get(Attr::divisibility))[dim];
}

// Whether a thread's vectors go to shared memory whole: rows of whole vectors, in an aligned
// buffer. So do vectors of one element, which are there only where another kernel of the text has
// longer ones, if the buffer is aligned for vectors.
bool NestSteps::isSharedVector(const Op *op) const {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const int64_t width = byteWidth(buffer.members[0]);
  const Value *mask = op->operand(op->kind == OpKind::SharedStore ? 1 : 0);
  if (!vector_ || mask || buffer.members.size() != 1 || op->has(Attr::axis)) return false;
  const int64_t piece = sharedPiece(op);
  if (vector_->extent == 1 ? buffer.alignment < kMostAccessBytes : piece * width > buffer.alignment)
    return false;
  if (vector_->extent > 1 && piece == 1) return false;
  const auto &strides = op->getInts(Attr::strides);
  const bool hasStarts = op->has(Attr::divisibility);
  for (unsigned d = 0; d < strides.size(); ++d) {
    if (d == vector_->dim ? strides[d] != 1 : strides[d] % piece != 0) return false;
    if (hasStarts && d == vector_->dim && startDivisor(op, d) % piece != 0) return false;
  }
  return op->getInt(Attr::offset) % piece == 0;
}

// 8-bit integers become 16-bit floats several at a time, if they are in a vector already.
bool NestSteps::convertsVectors(const Op *cast) const {
  const Value *source = cast->operand(0);
  const Scalar from = source->type.scalar(), to = cast->result()->type.scalar();
  const bool isByte = from == Scalar::I8 || from == Scalar::U8;
  if (!vector_ || !isByte || (to != Scalar::F16 && to != Scalar::BF16)) return false;
  if (!(*source->type.layout() == *nest_->layout)) return false;
  const Op *load = source->definition;
  if (!load || !isInside(load)) return hasWholeArray(source);
  return load->kind == OpKind::SharedLoad
             ? isSharedVector(load)
             : load->kind == OpKind::Load && load->get(Attr::form) != MaskForm::Element;
}

bool NestSteps::isVectorAccess(const Op *op) const {
  if (!vector_) return false;
  if (op->kind == OpKind::Cast) return convertsVectors(op);
  if (op->kind == OpKind::SharedStore || op->kind == OpKind::SharedLoad) return isSharedVector(op);
  const bool isAccess = op->kind == OpKind::Load || op->kind == OpKind::Store ||
                        op->kind == OpKind::Atomic || op->kind == OpKind::AsyncCopy ||
                        op->kind == OpKind::RandomBits;
  return isAccess && op->get(Attr::form) != MaskForm::Element;
}

// ---- the steps

namespace {

// Which values of a run of elements are needed in another one. Values that are inlined at their use
// are part of that use, and element-wise ones are computed again.
struct UsedLater {
  std::set<const Op *> run;
  std::map<const Value *, bool> known = {};

  bool operator()(const Value *value) {
    const auto [entry, isNew] = known.try_emplace(value, false);
    if (!isNew) return entry->second;
    const bool is = llvm::any_of(value->users, [&](const Op *user) {
      if (user->kind == OpKind::Yield) return false;
      const bool isHere = run.count(user) != 0;
      if (isHere ? !user->is(Elementwise) : !isInlinedAtUse(user)) return !isHere;
      return llvm::any_of(user->results, [&](const auto &result) { return (*this)(result.get()); });
    });
    return known[value] = is;
  }
};

}  // namespace

// Whether an access reads a value that one of these operations puts into a variable. Other
// element-wise values are computed again where they are read.
bool NestSteps::readsResult(const Op *access, const std::set<const Op *> &steps) const {
  llvm::SmallVector<const Value *, 8> pending{access->operands().begin(), access->operands().end()};
  std::set<const Value *> seen;
  while (!pending.empty()) {
    const Value *value = pending.pop_back_val();
    const Op *op = value && seen.insert(value).second ? value->definition : nullptr;
    if (!op || !isInside(op)) continue;
    if (steps.count(op) && (!op->is(Elementwise) || kept_.count(value))) return true;
    llvm::append_range(pending, op->operands());
  }
  return false;
}

bool NestSteps::isComputedAgain(const Op *op) const {
  llvm::SmallVector<const Op *, 8> open{op};
  std::set<const Op *> seen;
  while (!open.empty()) {
    const Op *at = open.pop_back_val();
    if (!seen.insert(at).second) continue;
    for (const auto &result : at->results) {
      if (kept_.count(result.get())) continue;
      for (const Op *user : result->users) {
        if (afterRuns_.count(user)) return true;
        open.push_back(user);
      }
    }
  }
  return false;
}

// Results of the loop nest, and values that are stored as whole vectors, get a variable even if
// they could be inlined at their use.
void NestSteps::keepResults() {
  for (auto &inner : nest_->region()->ops) {
    if (inner->kind == OpKind::Yield)
      kept_.insert(inner->operands().begin(), inner->operands().end());
    if ((inner->kind == OpKind::Store || inner->kind == OpKind::Atomic) &&
        isVectorAccess(inner.get()))
      kept_.insert(inner->operand(1));
    if (inner->kind == OpKind::SharedStore && isVectorAccess(inner.get()))
      kept_.insert(inner->operand(0));
  }
}

std::vector<NestStep> NestSteps::inSourceOrder() const {
  std::vector<NestStep> steps;
  for (auto &inner : nest_->region()->ops) {
    if (inner->kind == OpKind::Yield) continue;
    const bool isInlined = inner->numResults() == 1 && isInlinedAtUse(inner.get());
    if (isInlined && !kept_.count(inner->result())) continue;
    if (isVectorAccess(inner.get())) {
      steps.push_back({inner.get(), {}});
    } else {
      if (steps.empty() || steps.back().access) steps.push_back({});
      steps.back().elements.push_back(inner.get());
    }
  }
  return steps;
}

// Whether an access may move above the loop nest's stores to global memory.
bool NestSteps::isAboveStores(const Op *access) const {
  const Op *load = access;
  if (load->kind == OpKind::Cast) load = load->operand(0)->definition;  // of what it converts
  if (!load || load->kind != OpKind::Load || load->getBool(Attr::read_only)) return true;
  return llvm::none_of(nest_->region()->ops, [](const auto &other) {
    return other->is(Writes) && other->kind != OpKind::SharedStore;
  });
}

std::vector<NestStep> NestSteps::inOrder(std::vector<NestStep> steps) const {
  std::vector<NestStep> ordered, others;
  std::set<const Op *> late;
  for (NestStep &step : steps) {
    const bool isEarly = step.access && !step.access->is(Writes) && isAboveStores(step.access) &&
                         !readsResult(step.access, late);
    if (step.access && !isEarly) late.insert(step.access);
    late.insert(step.elements.begin(), step.elements.end());
    (isEarly ? ordered : others).push_back(std::move(step));
  }
  for (NestStep &step : others) {
    if (!step.access && !ordered.empty() && !ordered.back().access)
      llvm::append_range(ordered.back().elements, step.elements);
    else
      ordered.push_back(std::move(step));
  }
  return ordered;
}

// Values that cannot be computed again stay in a vector from one run of elements to the next.
void NestSteps::keepUsedLater(llvm::ArrayRef<Op *> run) {
  UsedLater isUsedLater{{run.begin(), run.end()}};
  for (const Op *inner : run)
    if (!inner->is(Elementwise))
      for (auto &result : inner->results)
        if (isUsedLater(result.get())) kept_.insert(result.get());
}

}  // namespace tile2cu::passes
