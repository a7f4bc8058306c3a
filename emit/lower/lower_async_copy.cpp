// Copies that run ahead of a loop: the statements that several places invoke, asynchronous copies, and the waits for them.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "emit/transform/merge_kernels.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// STAGES: how many steps of a loop have their operands in shared memory at once. A single one has no name.
std::string KernelEmitter::stagesName(int64_t stages) {
  if (stages == 1) return "1";
  for (const Constant &constant : text_.constants)
    if (constant.value == stages && constant.name.starts_with("STAGES")) return constant.name;
  std::string name = names_.takeForKernel("STAGES");
  text_.constants.push_back({name, stages, "", "steps whose operands are in shared memory"});
  return name;
}

// What a place that invokes the phase hands over as argument `i`, under the name that it has there, or would have.
std::string KernelEmitter::argumentName(Op *phase, unsigned i) {
  std::string name;
  walk(kernel_.body, [&](Op *op) {
    if (op->kind != OpKind::Invoke || op->getInt(Attr::id) != phase->getInt(Attr::id)) return;
    const Value *value = op->operand(i);
    if (!value->name.empty())
      name = value->name;
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
  std::string parameters;
  for (auto &argument : region.arguments) {
    if (argument->name.empty()) argument->name = argumentName(op, argument->index);
    std::string text = names_.take(argument->name);
    remember(argument.get(), primary(text));
    parameters += (parameters.empty() ? "" : ", ") + cppType(argument->type.element()) + " " + text;
  }
  std::string outer = std::move(out_);
  out_.clear();
  commentOpen_ = true;
  inPhase_ = true;
  const std::set<int> commented = commented_;
  block(region);
  // What is computed for an item, here and in its step, is explained in both places.
  if (op->getBool(Attr::item)) commented_ = commented;
  inPhase_ = false;
  std::string body = std::move(out_);
  out_ = std::move(outer);
  commentOpen_ = false;
  line("");
  comment(op->getBool(Attr::item)
              ? "Starts the copies of an item's first steps."
              : "Starts the copies of one step of the loop into a stage of shared memory.");
  line("const auto " + name + " = [&](" + parameters + ") {");
  out_ += body;
  line("};");
  line("");
  names_.close();
  phases_[op->getInt(Attr::id)] = {name, names_.readsOf(llvm::StringRef(withoutComments(body)))};
}

void KernelEmitter::invoke(Op *op) {
  std::string arguments;
  for (Value *operand : op->operands())
    arguments += (arguments.empty() ? "" : ", ") + scalar(operand).str();
  const PhaseFunction &function = phases_.at(op->getInt(Attr::id));
  T2C_ASSERT(names_.firstChanged(function.reads).empty());
  line(function.name + "(" + arguments + ");");
}

void KernelEmitter::asyncWait(Op *op) {
  int64_t pending = op->getInt(Attr::pending);
  std::string count = std::to_string(pending);
  for (const Constant &constant : text_.constants)
    if (constant.name.starts_with("STAGES") && constant.value == pending + 2)
      count = constant.name + " - 2";
  line("tile2cu::cp_async_wait<" + count +
       ">();  // the copies of the next step to compute have landed");
}

// One copy of the nest's loop: a vector, or an element of at least 4 bytes.
void KernelEmitter::asyncCopy(Op *op, Level level) {
  const Layout &layout = *nest_->layout;
  std::vector<std::string> vars = vars_;
  if (level == Level::Vector) vars[vectorAxis_] = "0";
  int64_t bytes = op->getInt(Attr::vector) * byteWidth(op->operand(0)->type.scalar());
  auto refs = identityRefs(layout);
  Expr condition = ownerCondition(layout);
  if (op->operand(2)) condition = bothOf(condition, valueAt(op->operand(2), refs, level));
  std::string mask = op->operand(1) ? valueAt(op->operand(1), refs, level).str() : "";
  std::string pointer = pointerText(op, level), place = "&" + sharedPlace(op, vars);
  bool prefix = op->get(Attr::form) == MaskForm::Prefix && level == Level::Vector;
  std::string width = std::to_string(bytes), call = "tile2cu::cp_async";
  if (op->get(Attr::form) == MaskForm::Prefix && !prefix && !mask.empty())
    mask = "(" + mask + ") > 0";
  call += mask.empty()  ? (bytes == 16 ? "_16(" : "<" + width + ">(")
          : prefix      ? "_prefix<" + width + ">(" + mask + ", "
          : bytes == 16 ? "_16_if(" + mask + ", "
                        : "_if<" + width + ">(" + mask + ", ";
  line(guard(condition) + call + place + ", " + pointer + ");");
}

}  // namespace tile2cu::emit
