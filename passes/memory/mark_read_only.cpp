#include "passes/memory/mark_read_only.h"

#include <set>

#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/global_effects.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// The parameters through which a kernel accesses memory in one way.
struct Accessed {
  std::set<unsigned> parameters;
  bool any = false;  // an address whose parameter is unknown

  bool mayInclude(unsigned parameter) const { return any || parameters.count(parameter) != 0; }
  void add(const Value *pointer) {
    if (const auto bases = basePointers(pointer))
      parameters.insert(bases->begin(), bases->end());
    else
      any = true;
  }
};

// The array of a tensor copy; null for other operations.
const Value *copiedArray(const Op *op) {
  const Op *map = op->numOperands() && op->operand(0) ? op->operand(0)->definition : nullptr;
  return map && map->kind == OpKind::TensorMap ? map->operand(0) : nullptr;
}

void markReadAndWritten(Kernel &kernel) {
  Accessed read, written;
  walk(kernel.body, [&](const Op *op) {
    for (const GlobalEffect &effect : globalEffects(op)) {
      if (tableOf(effect.pointer)) continue;
      if (effect.reads) read.add(effect.pointer);
      // Other programs write what an atomic load reads.
      if (effect.writes || op->kind == OpKind::Atomic) written.add(effect.pointer);
    }
    const Value *array = copiedArray(op);
    if (array && op->is(Reads)) read.add(array);
    if (array && op->is(Writes)) written.add(array);
  });
  for (unsigned i = 0; i < kernel.parameters.size(); ++i)
    if (kernel.parameters[i].type.isPointer())
      kernel.parameters[i].isReadAndWritten = read.mayInclude(i) && written.mayInclude(i);
}

}  // namespace

llvm::LogicalResult mark_read_only(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Load && isReadOnly(kernel, op)) op->setBool(Attr::read_only, true);
    });
    markReadAndWritten(kernel);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
