#include "passes/simplify/check_steps.h"

#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/remarks.h"

namespace tile2cu::passes {
using namespace ir;

// The step as written in the program: the loop may count in an unsigned type.
static const Value *signedStep(const Op *loop) {
  const Value *step = ForOp(loop).step();
  while (!isSigned(step->type.scalar()) && step->definition &&
         step->definition->kind == OpKind::Cast)
    step = step->definition->operand(0);
  return step;
}

static Location stepLocation(const Op *loop) {
  const auto &at = loop->getInts(Attr::step_at);
  Location loc = loop->loc;
  if (at.size() != 3) return loc;
  loc.file = at[0];
  loc.line = at[1];
  loc.column = at[2];
  return loc;
}

llvm::LogicalResult check_steps(Module &module, PassContext &context) {
  bool isKnown = true;
  for (Kernel &kernel : module.kernels)
    for (Op *loop : forLoopsIn(kernel.body)) {
      if (!loop->getBool(Attr::stops) || constantInt(ForOp(loop).step())) continue;
      const Integers integers(Assume::Launched);
      if (loop->has(Attr::step_at) && !integers.isNonNegative(signedStep(loop))) {
        reportAbout(kernel, module, context.diagnostics, DiagId::StepSign, stepLocation(loop), {});
        isKnown = false;
      }
      loop->attributes.erase(Attr::step_at);
      if (integers.isAtLeast(ForOp(loop).step(), 1)) continue;
      Builder b = Builder::before(loop);
      Value *step = ForOp(loop).step(), *lower = ForOp(loop).lower();
      Value *none = b.binary(OpKind::Eq, step, b.constant(step->type.scalar(), 0));
      ForOp(loop).setUpper(b.select(none, lower, ForOp(loop).upper()));
    }
  return llvm::success(isKnown);
}

}  // namespace tile2cu::passes
