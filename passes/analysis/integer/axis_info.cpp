#include "passes/analysis/integer/axis_info.h"

#include <numeric>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/axis_rules.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"

namespace tile2cu::passes {
using namespace ir;

std::string AxisInfo::str() const {
  auto list = [](llvm::ArrayRef<int64_t> values) {
    std::string text = "[";
    for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + std::to_string(values[i]);
    return text + "]";
  };
  std::string text = fmt::format("contiguity {} divisibility {} constancy {}", list(contiguity),
                                 list(divisibility), list(constancy));
  if (constant) text += " constant " + std::to_string(*constant);
  return text;
}

// Fills an analysis, in program order.
class AxisAnalysis::Builder {
 public:
  explicit Builder(AxisAnalysis &analysis) : analysis_(analysis) {}

  void set(const Value *value, AxisInfo &&info) {
    AxisInfo *&known = analysis_.infos_[value->serial];
    if (known)
      *known = std::move(info);
    else
      known = new (analysis_.stored_.Allocate()) AxisInfo(std::move(info));
  }
  void block(const Block &block) {
    for (auto &op : block.ops) visit(*op);
  }
  // At the end: an `assume` after an early return holds for values that are computed later, and not
  // for all uses of the value that it names.
  void forgetLateConditions() {
    for (auto &[value, info] : llvm::reverse(found_)) set(value, std::move(info));
  }

 private:
  const AxisInfo *find(const Value *value) const { return analysis_.infos_.lookup(value->serial); }
  const AxisInfo &at(const Value *value) {
    if (!find(value)) set(value, unknownInfo(value->type));
    return *find(value);
  }
  llvm::SmallVector<const AxisInfo *, 3> operandInfos(const Op &op) {
    llvm::SmallVector<const AxisInfo *, 3> result;
    for (const Value *value : op.operands())
      if (value) result.push_back(&at(value));
    return result;
  }

  // Replaces the information about `value` by what holds for both it and `info`; returns whether
  // that changed it. The first time it becomes `info`.
  bool join(const Value *value, AxisInfo info) {
    const AxisInfo *known = find(value);
    if (known) info = joinInfo(*known, info, unitOf(value->type));
    if (known && *known == info) return false;
    set(value, std::move(info));
    return true;
  }

  // ---- conditions that the host has checked
  void raise(const Value *value, int64_t divisor) {
    AxisInfo info = at(value);
    if (!isForAll_) found_.emplace_back(value, info);
    for (int64_t &divisibility : info.divisibility)
      if (!info.constant) divisibility = std::max(divisibility, powerOfTwoIn(divisor));
    set(value, std::move(info));
  }
  // n % 16 == 0, (n & 15) == 0, and conjunctions.
  void assume(const Value *condition) {
    const Op *op = condition->definition;
    if (!op || op->numOperands() != 2 || op->result()->type.isTile()) return;
    const Value *lhs = op->operand(0), *rhs = op->operand(1);
    if (op->kind == OpKind::And && condition->type.scalar() == Scalar::Bool) {
      assume(lhs);
      assume(rhs);
      return;
    }
    auto bound = at(rhs).constant;
    const Op *rest = lhs->definition;
    if (op->kind != OpKind::Eq || bound != 0 || !rest || rest->numOperands() != 2) return;
    auto divisor = at(rest->operand(1)).constant;
    if (!divisor || *divisor <= 0) return;
    if (rest->kind == OpKind::Rem) raise(rest->operand(0), *divisor);
    if (rest->kind == OpKind::And && (*divisor & (*divisor + 1)) == 0)
      raise(rest->operand(0), *divisor + 1);
  }

  // ---- regions

  // Combines the information about `targets` with that of the values that leave `region` by `kind`,
  // also from inside an `if`.
  bool leaving(const Block &region, OpKind kind, llvm::ArrayRef<Value *> targets,
               unsigned first = 0) {
    bool changed = false;
    for (auto &op : region.ops) {
      if (op->kind == kind)
        for (unsigned i = 0; i < targets.size(); ++i)
          changed |= join(targets[i], at(op->operand(i + first)));
      bool isNestedExit =
          op->kind == OpKind::If && (kind == OpKind::Break || kind == OpKind::Continue);
      if (isNestedExit)
        for (auto &inner : op->regions) changed |= leaving(*inner, kind, targets);
    }
    return changed;
  }

  static llvm::SmallVector<Value *, 4> pointers(llvm::ArrayRef<std::unique_ptr<Value>> values,
                                                unsigned first = 0) {
    llvm::SmallVector<Value *, 4> result;
    for (auto &value : values.drop_front(first)) result.push_back(value.get());
    return result;
  }

  void loop(const Op &op) {
    const Block &body = *op.region();
    const AxisInfo lower = at(ForOp(&op).lower()), step = at(ForOp(&op).step());
    AxisInfo iv = unknownInfo(ForOp(&op).lower()->type);
    iv.divisibility[0] = std::gcd(lower.divisibility[0], step.divisibility[0]);
    set(ForOp(&op).variable(), std::move(iv));
    auto carried = pointers(body.arguments, 1), results = pointers(op.results);
    for (unsigned i = 0; i < carried.size(); ++i) join(carried[i], at(ForOp(&op).init(i)));
    bool changed = true;
    while (changed) {
      block(body);
      changed = leaving(body, OpKind::Yield, carried);
      changed |= leaving(body, OpKind::Continue, carried);
    }
    for (unsigned i = 0; i < results.size(); ++i) join(results[i], at(carried[i]));
    leaving(body, OpKind::Break, results);
  }

  void whileLoop(const Op &op) {
    const Block &head = *op.region(0), &body = *op.region(1);
    auto carried = pointers(head.arguments), passed = pointers(body.arguments),
         results = pointers(op.results);
    for (unsigned i = 0; i < carried.size(); ++i) join(carried[i], at(op.operand(i)));
    bool changed = true;
    while (changed) {
      block(head);
      leaving(head, OpKind::Condition, passed, 1);
      block(body);
      changed = leaving(body, OpKind::Yield, carried);
      changed |= leaving(body, OpKind::Continue, carried);
    }
    leaving(head, OpKind::Condition, results, 1);
    leaving(body, OpKind::Break, results);
  }

  void branch(const Op &op) {
    auto results = pointers(op.results);
    for (auto &region : op.regions) {
      block(*region);
      leaving(*region, OpKind::Yield, results);
    }
    for (Value *result : results) at(result);
  }

  // ---- operations
  // Equal pointers under equal masks have equal values.
  AxisInfo load(const Op &op) {
    AxisInfo info = unknownInfo(op.result()->type);
    for (unsigned d = 0; d < info.rank(); ++d) {
      int64_t equal = 0;
      for (const Value *value : op.operands())
        if (value) equal = std::gcd(equal, at(value).constancy[d]);
      info.constancy[d] = equal;
    }
    return info;
  }

  void map(const Op &op) {
    for (auto &region : op.regions) block(*region);
    for (auto &result : op.results) {
      AxisInfo info = unknownInfo(result->type);
      for (unsigned d = 0; d < info.rank(); ++d) {
        int64_t equal = op.numOperands() == 0 ? 1 : 0;
        for (const Value *value : op.operands()) equal = std::gcd(equal, at(value).constancy[d]);
        info.constancy[d] = equal;
      }
      set(result.get(), std::move(info));
    }
  }

  void everyResult(const Op &op) {
    for (auto &result : op.results) set(result.get(), unknownInfo(result->type));
  }

  void visit(const Op &op) {
    switch (op.kind) {
      case OpKind::For:
        return loop(op);
      case OpKind::While:
        return whileLoop(op);
      case OpKind::If:
        return branch(op);
      case OpKind::Map:
        return map(op);
      case OpKind::Require:
      case OpKind::Assume:
        if (op.parentOp()) return;  // within an `if` the condition holds only there
        isForAll_ = op.kind == OpKind::Require || isAlwaysReached(&op);
        assume(op.operand(0));
        return;
      case OpKind::Constant: {
        const Type &type = op.result()->type;
        // A null pointer is a multiple of every number, as the integer 0 is.
        return set(op.result(), isFloat(type.scalar()) && !type.isPointer()
                                    ? unknownInfo(type)
                                    : constantInfo(type, op.getInt(Attr::value)));
      }
      case OpKind::Load:
        return set(op.result(), load(op));
      case OpKind::Arange:
      case OpKind::Splat:
      case OpKind::ExpandDims:
      case OpKind::Broadcast:
      case OpKind::Permute:
      case OpKind::Reshape:
      case OpKind::Join:
      case OpKind::Interleave:
      case OpKind::Deinterleave:
      case OpKind::Split:
      case OpKind::Cat:
      case OpKind::Flip:
      case OpKind::Slice:
      case OpKind::Convert: {
        AxisInfo info = shapeInfo(op, operandInfos(op));
        for (auto &result : llvm::drop_begin(op.results)) set(result.get(), AxisInfo(info));
        return set(op.result(), std::move(info));
      }
      default:
        if (op.is(Elementwise))
          return set(op.result(), elementwiseInfo(op, operandInfos(op), integers_));
        for (auto &region : op.regions) block(*region);
        everyResult(op);
    }
  }

  AxisAnalysis &analysis_;
  const Integers integers_{Assume::Launched};
  bool isForAll_ = true;  // whether the current condition holds in each program
  // Values of other conditions, with the information from before the condition.
  std::vector<std::pair<const Value *, AxisInfo>> found_;
};

static AxisInfo parameterInfo(const Parameter &parameter, int64_t assumption) {
  AxisInfo info = unknownInfo(parameter.type);
  int64_t natural = unitOf(parameter.type);  // C++ requires pointers to be aligned to their type
  for (int64_t promised : {parameter.alignment, parameter.divisibility, assumption})
    if (promised > 0) natural = std::max(natural, powerOfTwoIn(promised));
  info.divisibility[0] = natural;
  return info;
}

AxisAnalysis::AxisAnalysis(Kernel &kernel, const Assumptions &assumptions) {
  Builder builder(*this);
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    auto it = assumptions.divisibility.find(i);
    const int64_t divisor = it == assumptions.divisibility.end() ? 1 : it->second;
    builder.set(kernel.body.argument(i), assumptions.ones.count(i)
                                             ? constantInfo(kernel.parameters[i].type, 1)
                                             : parameterInfo(kernel.parameters[i], divisor));
  }
  builder.block(kernel.body);
  builder.forgetLateConditions();
}

bool AxisAnalysis::operator==(const AxisAnalysis &other) const {
  return infos_.size() == other.infos_.size() && llvm::all_of(infos_, [&](const auto &entry) {
           const AxisInfo *same = other.infos_.lookup(entry.first);
           return same && *entry.second == *same;
         });
}

const AxisInfo &AxisAnalysis::of(const Value *value) const {
  if (const AxisInfo *known = infos_.lookup(value->serial)) return *known;
  const auto [info, isNew] = unknown_.try_emplace(value->type.rank());
  if (isNew) info->second = unknownInfo(value->type);
  return info->second;
}

int64_t AxisAnalysis::divisorOf(const Polynomial::Monomial &monomial, int64_t factor,
                                int64_t divisor) const {
  int64_t known = std::gcd(factor, divisor);
  for (const Atom &atom : monomial)
    known = std::min(known * of(atom.value).divisibility[0], kMaxDivisibility);
  return std::gcd(known, divisor);
}

}  // namespace tile2cu::passes
