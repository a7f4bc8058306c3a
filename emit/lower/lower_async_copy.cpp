// Copies that run ahead of a loop: the statements that several places invoke, asynchronous copies, and the waits for them.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

// STAGES: how many steps of a loop have their operands in shared memory at once. A single one has no name.
Expr KernelEmitter::stagesName(int64_t stages) {
  if (stages == 1) return integer(1);
  for (const Constant &constant : text_.constants)
    if (constant.value == stages && constant.name.starts_with("STAGES"))
      return named(constant.name);
  std::string name = names_.takeForKernel("STAGES");
  text_.constants.push_back({name, stages, {}, "steps whose operands are in shared memory"});
  return named(name);
}

// What a place that invokes the phase hands over as argument `i`, under the name that it has there, or would have.
std::string KernelEmitter::argumentName(Op *phase, unsigned i) {
  std::string name;
  walk(kernel_.body, [&](const Op *op) {
    if (op->kind != OpKind::Invoke || op->getInt(Attr::id) != phase->getInt(Attr::id)) return;
    const Value *value = op->operand(i);
    if (!hintOf(value).empty())
      name = hintOf(value);
    else if (name.empty() && value->definition)
      name = roleName(value->definition);
  });
  return name.empty() ? "value" : name;
}

// const auto copy_x_y = [&](int stage, int k, const __half* a_ptrs) { ... };
void KernelEmitter::phase(Op *op) {
  Block &region = *op->region();
  std::string name = names_.take(op->getString(Attr::name));
  names_.open();
  llvm::SmallVector<FunctionParameter, 4> parameters;
  for (auto &argument : region.arguments) {
    if (argument->name.empty()) roleNames_[argument.get()] = argumentName(op, argument->index);
    const std::string parameter = names_.take(hintOf(argument.get()));
    remember(argument.get(), named(parameter));
    parameters.push_back({typeOf(argument->type), parameter});
  }
  out_.begin();
  commentOpen_ = true;
  inPhase_ = true;
  const std::set<int> commented = commented_;
  block(region);
  // What is computed for an item, here and in its step, is explained in both places.
  if (op->getBool(Attr::item)) commented_ = commented;
  inPhase_ = false;
  Stmts body = out_.end();
  commentOpen_ = false;
  blank();
  comment(op->getBool(Attr::item)
              ? "Starts the copies of an item's first steps."
              : "Starts the copies of one step of the loop into a stage of shared memory.");
  names_.close();
  phases_[op->getInt(Attr::id)] = {name, names_.readsOf(body)};
  open(localFunction(name, parameters));
  out_.append(std::move(body));
  close();
  blank();
}

void KernelEmitter::invoke(Op *op) {
  llvm::SmallVector<Expr, 4> arguments;
  for (Value *operand : op->operands()) arguments.push_back(scalar(operand));
  const PhaseFunction &function = phases_.at(op->getInt(Attr::id));
  T2C_ASSERT(names_.firstChanged(function.reads).empty());
  add(evaluate(call(named(function.name), arguments)));
}

void KernelEmitter::asyncWait(Op *op) {
  int64_t pending = op->getInt(Attr::pending);
  Expr count = integer(pending);
  for (const Constant &constant : text_.constants)
    if (constant.name.starts_with("STAGES") && constant.value == pending + 2)
      count = binary(Prec::Additive, "-", named(constant.name), integer(2));
  add(evaluate(call(instance("tile2cu::cp_async_wait", {count}), {}),
               "the copies of the next step to compute have landed"));
}

// One copy of the nest's loop: a vector, or an element of at least 4 bytes.
void KernelEmitter::asyncCopy(Op *op, Level level) {
  const Layout &layout = *nest_->layout;
  Vars vars = vars_;
  if (level == Level::Vector) vars[vectorAxis_] = integer(0);
  const int64_t bytes = op->getInt(Attr::vector) * byteWidth(op->operand(0)->type.scalar());
  auto refs = identityRefs(layout);
  Expr condition = ownerCondition(layout);
  if (op->operand(2)) condition = bothOf(condition, valueAt(op->operand(2), refs, level));
  Expr mask = op->operand(1) ? valueAt(op->operand(1), refs, level) : Expr{};
  const Expr pointer = pointerAt(op, level), place = addressOf(sharedPlace(op, vars));
  const bool isPrefix = op->get(Attr::form) == MaskForm::Prefix;
  const bool prefix = isPrefix && level == Level::Vector;
  if (isPrefix && !prefix && mask) mask = binary(Prec::Relational, ">", mask, integer(0));
  const Expr width = integer(bytes);
  Expr helper = mask && prefix ? instance("tile2cu::cp_async_prefix", {width})
                : bytes == 16
                    ? word(mask ? "tile2cu::cp_async_16_if" : "tile2cu::cp_async_16")
                    : instance(mask ? "tile2cu::cp_async_if" : "tile2cu::cp_async", {width});
  llvm::SmallVector<Expr, 3> arguments{place, pointer};
  if (mask) arguments.insert(arguments.begin(), mask);
  add(shortIf(condition, evaluate(call(helper, arguments))));
}

}  // namespace tile2cu::emit
