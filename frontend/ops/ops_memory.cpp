// Loads, stores and atomics.
#include "frontend/lower/convert.h"
#include "frontend/ops/operations.h"
#include "passes/ir/atomic_update.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

namespace {

// The arguments that are not options; the mask and the value get the shape of the pointers.
struct Access {
  ir::Value *pointers = nullptr;
  llvm::SmallVector<ir::Value *, 2> rest;
};

Access accessOf(Lowering &l, const Operation &operation) {
  if (l.regionDepth) l.error(ir::DiagId::MemoryInRegion, operation.loc);
  Access access;
  for (unsigned i = 0; i < operation.arguments.size(); ++i) {
    const clang::Expr *e = operation.arguments[i];
    if (isOption(e, "cache") || isOption(e, "evict") || isOption(e, "memory_order") ||
        isOption(e, "scope"))
      continue;
    ir::Value *value = argument(l, operation, i);
    if (i == 0)
      access.pointers = value;
    else
      access.rest.push_back(value);
  }
  return access;
}

ir::Value *asMask(Lowering &l, const Access &access, ir::Value *mask) {
  return convert(l, mask,
                 ir::Type(ir::Element{Scalar::Bool, false, false}, access.pointers->type.shape()));
}

ir::Type elementsOf(const Access &access) {
  return ir::Type(access.pointers->type.pointee(), access.pointers->type.shape());
}

// Whether the access is one of a pointer in memory, which only p[i] and *p read.
bool rejectsPointers(Lowering &l, const Operation &operation, const Access &access) {
  if (!holdsPointers(access.pointers->type)) return false;
  l.reject(operation.loc, "this access to pointers in memory",
           "read one pointer, as in `const float* q = p[i];`");
  return true;
}

}  // namespace

Val lowerLoad(Lowering &l, const Operation &operation) {
  Access access = accessOf(l, operation);
  if (rejectsPointers(l, operation, access))
    return l.placeholderValue(
        ir::Type(elementsOf(access).targetPointer().element(), access.pointers->type.shape()));
  std::vector<ir::Value *> operands = {access.pointers};
  if (!access.rest.empty()) operands.push_back(asMask(l, access, access.rest[0]));
  if (access.rest.size() > 1) operands.push_back(convert(l, access.rest[1], elementsOf(access)));
  ir::Op *op = l.builder.create(OpKind::Load, operands, {elementsOf(access)});
  setOptions(l, operation, op);
  return op->result();
}

static std::vector<ir::Value *> stored(Lowering &l, const Access &access) {
  std::vector<ir::Value *> operands = {access.pointers,
                                       convert(l, access.rest[0], elementsOf(access))};
  if (access.rest.size() > 1) operands.push_back(asMask(l, access, access.rest[1]));
  return operands;
}

Val lowerStore(Lowering &l, const Operation &operation) {
  Access access = accessOf(l, operation);
  if (rejectsPointers(l, operation, access)) return {};
  setOptions(l, operation, l.builder.create(OpKind::Store, stored(l, access), {}));
  return {};
}

static Val atomic(Lowering &l, const Operation &operation, llvm::StringRef update,
                  llvm::ArrayRef<ir::Value *> operands) {
  const ir::Type &pointers = operands[0]->type;
  const ir::Element element{pointers.scalar(), false, false};
  ir::Op *op = l.builder.create(OpKind::Atomic, operands, {ir::Type(element, pointers.shape())});
  op->attributes.set(ir::Attr::update.id, *ir::enumFromWord(ir::AttrType::AtomicUpdate, update));
  setOptions(l, operation, op);
  const bool updates = update != "load" && update != "store";
  if (updates && op->get(ir::Attr::scope) == ir::AtomicScope::System &&
      ir::bitWidth(element.scalar) < 32)
    l.error(ir::DiagId::AtomicOfSystem, operation.loc);
  return op->result();
}

// An access has one of the two halves of an order.
static void checkOrder(Lowering &l, const Operation &operation, const ir::Op *op) {
  const ir::MemoryOrder strongest = ir::strongestOrder(*op->get(ir::Attr::update));
  const auto order = op->get(ir::Attr::memory_order);
  if (order && *order != ir::MemoryOrder::Relaxed && *order != strongest)
    l.error(ir::DiagId::AtomicAccessOrder, operation.loc,
            {operation.name.str(), ir::wordOf(strongest).str()});
}

Val lowerAtomicLoad(Lowering &l, const Operation &operation) {
  const Access access = accessOf(l, operation);
  std::vector<ir::Value *> operands = {access.pointers, nullptr};
  if (!access.rest.empty()) operands.push_back(asMask(l, access, access.rest[0]));
  const Val old = atomic(l, operation, "load", operands);
  checkOrder(l, operation, old.value->definition);
  return old;
}

Val lowerAtomicStore(Lowering &l, const Operation &operation) {
  const Val old = atomic(l, operation, "store", stored(l, accessOf(l, operation)));
  checkOrder(l, operation, old.value->definition);
  return {};
}

// The word of the update is a part of the function's name.
Val lowerAtomic(Lowering &l, const Operation &operation) {
  const llvm::StringRef update = operation.name.drop_front(llvm::StringRef("atomic_").size());
  return atomic(l, operation, update, stored(l, accessOf(l, operation)));
}

Val lowerAtomicSub(Lowering &l, const Operation &operation) {
  std::vector<ir::Value *> operands = stored(l, accessOf(l, operation));
  // Negated without a sign: the smallest integer has no negative value.
  const ir::Scalar type = operands[1]->type.scalar();
  const ir::Scalar wrapping = type == ir::Scalar::I32   ? ir::Scalar::U32
                              : type == ir::Scalar::I64 ? ir::Scalar::U64
                                                        : type;
  ir::Value *negative = arithmetic(l, OpKind::Neg, convertElement(l, operands[1], wrapping));
  operands[1] = convertElement(l, negative, type);
  return atomic(l, operation, "add", operands);
}

Val lowerAtomicCas(Lowering &l, const Operation &operation) {
  Access access = accessOf(l, operation);
  ir::Value *expected = convert(l, access.rest.front(), elementsOf(access));
  access.rest.erase(access.rest.begin());
  std::vector<ir::Value *> operands = stored(l, access);
  operands.resize(3);
  operands.push_back(expected);
  return atomic(l, operation, "cas", operands);
}

}  // namespace tile2cu::frontend
