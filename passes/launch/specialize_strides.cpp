#include "passes/launch/specialize_strides.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/access_width.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/clone_kernel.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Operations of addresses: an integer that only they use is a stride or an offset.
bool isOfAddress(OpKind kind) {
  switch (kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Neg:
    case OpKind::Cast:
    case OpKind::Splat:
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
    case OpKind::Permute:
    case OpKind::Reshape:
    case OpKind::Hint:
      return true;
    default:
      return false;
  }
}

// The operations that compute conditions for the launcher, or assumptions.
std::set<const Op *> promisesOf(Kernel &kernel) {
  std::set<const Op *> found;
  std::vector<const Op *> open;
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::Require || op->kind == OpKind::Assume) open.push_back(op);
  });
  while (!open.empty()) {
    const Op *op = open.back();
    open.pop_back();
    if (!found.insert(op).second) continue;
    for (const Value *operand : op->operands())
      if (operand && operand->definition) open.push_back(operand->definition);
  }
  return found;
}

// The alternatives of one access: parameter -> its width in elements if that stride is 1.
struct Choice {
  Op *access;
  std::map<unsigned, int64_t> widths;

  // The best parameter but `other`; none if no other is as good.
  std::optional<unsigned> best(std::optional<unsigned> other = std::nullopt) const {
    std::optional<unsigned> found;
    for (const auto &[parameter, width] : widths)
      if (parameter != other && (!found || width >= widths.at(*found))) found = parameter;
    return found;
  }
};

struct State {
  Kernel &kernel;
  std::set<const Op *> promises = promisesOf(kernel);
  std::vector<Choice> choices = {};

  // Whether the value is a factor of coordinates, and has uses in addresses alone.
  bool isStride(const Value *value) const {
    bool scalesTile = false;
    std::set<const Op *> seen;
    llvm::SmallVector<const Value *, 8> open{value};
    while (!open.empty()) {
      for (const Op *user : open.pop_back_val()->users) {
        if (user->kind == OpKind::AddPtr || promises.count(user)) continue;
        if (!isOfAddress(user->kind)) return false;
        scalesTile |= user->kind == OpKind::Mul && user->result()->type.isTile();
        if (seen.insert(user).second) open.push_back(user->result());
      }
    }
    return scalesTile;
  }

  void findChoices() {
    std::vector<unsigned> strides;
    for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
      const Value *value = kernel.body.argument(i);
      if (!value->type.isPointer() && isInteger(value->type.scalar()) && isStride(value))
        strides.push_back(i);
    }
    if (strides.empty()) return;
    const int64_t threads = 32 * kernel.options.numWarps;
    walk(kernel.body, [&](Op *op) {
      if (isTileAccess(op) && op->kind != OpKind::Atomic &&
          op->operand(0)->type.numElements() >= 2 * threads)
        choices.push_back({op, {}});
    });
    const std::vector<int64_t> general = widths(std::nullopt);
    for (unsigned stride : strides) {
      const std::vector<int64_t> special = widths(stride);
      for (size_t i = 0; i < choices.size(); ++i)
        if (special[i] > general[i]) choices[i].widths[stride] = special[i];
    }
    llvm::erase_if(choices, [](const Choice &choice) { return choice.widths.empty(); });
  }

  // The width of each access, if everything is aligned, with this stride of 1.
  std::vector<int64_t> widths(std::optional<unsigned> stride) {
    Assumptions assumptions = allAssumptions(kernel);
    if (stride) assumptions.ones.insert(*stride);
    const AxisAnalysis analysis(kernel, assumptions);
    std::vector<int64_t> all;
    for (const Choice &choice : choices)
      all.push_back(
          accessAlong(choice.access, contiguousDim(choice.access, analysis), analysis).vector);
    return all;
  }

  // The first load that an operand of a dot comes from, element by element or by views; null if
  // none.
  static const Op *loadOf(const Value *tile) {
    std::set<const Value *> seen;
    llvm::SmallVector<const Value *, 8> open{tile};
    while (!open.empty()) {
      const Value *value = open.pop_back_val();
      const Op *op = value->definition;
      if (!op || !seen.insert(value).second) continue;
      if (op->kind == OpKind::Load) return op;
      if (!op->is(Elementwise) && !op->is(View)) continue;
      for (const Value *operand : llvm::reverse(op->operands()))
        if (operand && operand->type.isTile()) open.push_back(operand);
    }
    return nullptr;
  }

  std::set<unsigned> usualOnes() const {
    std::set<unsigned> ones;
    for (const Choice &choice : choices) ones.insert(*choice.best());
    return ones;
  }

  // The same, with the second operands of matmuls the other way around.
  std::set<unsigned> transposedOnes() const {
    std::set<const Op *> second;
    walk(kernel.body, [&](const Op *op) {
      if (op->kind == OpKind::Dot && loadOf(op->operand(0))) second.insert(loadOf(op->operand(1)));
    });
    std::set<unsigned> ones;
    for (const Choice &choice : choices) {
      const auto usual = choice.best();
      const auto other = second.count(choice.access) ? choice.best(usual) : std::nullopt;
      ones.insert(other.value_or(*usual));
    }
    return ones;
  }
};

bool isUsedOutside(const Value *value, const std::set<const Op *> &promises) {
  return llvm::any_of(value->users, [&](const Op *user) {
    return !promises.count(user) ||
           (user->numResults() == 1 && isUsedOutside(user->result(), promises));
  });
}

// Replaces `value` except in `promises`. Operations that others use too are copied for these.
void replace(Value *value, Value *by, const std::set<const Op *> &promises) {
  for (Op *user : std::vector<Op *>(value->users)) {
    if (!promises.count(user)) {
      for (unsigned i = 0; i < user->numOperands(); ++i)
        if (user->operand(i) == value) user->setOperand(i, by);
    } else if (user->is(Pure) && user->numResults() == 1 &&
               isUsedOutside(user->result(), promises)) {
      Builder builder = Builder::before(user);
      std::map<Value *, Value *> map{{value, by}};
      replace(user->result(), clone(user, builder, map)->result(), promises);
    }
  }
}

// Puts 1 in the place of the strides, except in what the launcher checks.
void specialize(Kernel &kernel, const std::set<unsigned> &ones) {
  const std::set<const Op *> promises = promisesOf(kernel);
  for (unsigned index : ones) {
    Value *stride = kernel.body.argument(index);
    Value *one = Builder::before(kernel.body.front()).constant(stride->type.scalar(), 1);
    replace(stride, one, promises);
  }
  kernel.assumptions.ones = ones;
}

}  // namespace

llvm::LogicalResult specialize_strides(Module &module, PassContext &context) {
  std::vector<Kernel *> kernels;
  for (Kernel &kernel : module.kernels) kernels.push_back(&kernel);
  for (Kernel *kernel : kernels) {
    State state{*kernel};
    state.findChoices();
    if (state.choices.empty()) continue;
    const std::set<unsigned> usual = state.usualOnes(), transposed = state.transposedOnes();
    std::string which = describeOnes(*kernel, usual);
    Kernel *next = kernel;
    if (transposed != usual) {
      next = kernel->scalarVariant = &cloneKernel(module, *kernel);
      specialize(*next, transposed);
      which += ", and one where " + describeOnes(*kernel, transposed);
    }
    next->scalarVariant = &cloneKernel(module, *kernel);
    specialize(*kernel, usual);
    context.diagnostics.decided(DiagId::StrideVariants, *kernel, kernel->loc, {which});
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
