#include "passes/memory/mark_read_only.h"

#include <set>

#include "passes/analysis/memory/alias.h"

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

// The address of an access: a pointer, or the array of its tensor map. Null: nothing that is
// written, or no access of global memory.
const Value *addressOf(const Op *op) {
  if (op->numOperands() == 0 || !op->operand(0)) return nullptr;
  const Value *address = op->operand(0);
  if (address->type.isPointer()) return tableOf(address) ? nullptr : address;
  const Op *map = address->definition;
  return map && map->kind == OpKind::TensorMap ? map->operand(0) : nullptr;
}

void markReadAndWritten(Kernel &kernel) {
  Accessed read, written;
  walk(kernel.body, [&](const Op *op) {
    const Value *address = op->is(Reads) || op->is(Writes) ? addressOf(op) : nullptr;
    if (address && op->is(Reads)) read.add(address);
    if (address && op->is(Writes)) written.add(address);
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
