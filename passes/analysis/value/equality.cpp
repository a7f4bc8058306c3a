#include "passes/analysis/value/equality.h"

#include <bit>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Bit by bit: 0.0 and -0.0 are different constants.
bool areSame(const Attribute &a, const Attribute &b) {
  if (const auto *x = std::get_if<double>(&a))
    if (const auto *y = std::get_if<double>(&b))
      return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
  return a == b;
}

bool areSame(const Attributes &a, const Attributes &b) {
  return llvm::equal(a, b, [](const auto &x, const auto &y) {
    return x.first == y.first && areSame(x.second, y.second);
  });
}

bool haveSameTypes(llvm::ArrayRef<std::unique_ptr<Value>> a,
                   llvm::ArrayRef<std::unique_ptr<Value>> b) {
  return llvm::equal(a, b, [](const auto &x, const auto &y) { return x->type == y->type; });
}

bool areSame(const LayoutRef &a, const LayoutRef &b) { return a == b || (a && b && *a == *b); }

unsigned presentOperands(const Op &op) {
  unsigned count = op.numOperands();
  while (count > 0 && !op.operand(count - 1)) --count;
  return count;
}

bool areSame(const SharedBuffer &a, const SharedBuffer &b) {
  const auto fields = [](const SharedBuffer &buffer) {
    return std::tie(buffer.members, buffer.shape, buffer.alignment, buffer.swizzled, buffer.panel,
                    buffer.stages, buffer.slot, buffer.stack);
  };
  return fields(a) == fields(b);
}

bool areSame(const SharedRing &a, const SharedRing &b) {
  return a.stages == b.stages && a.buffers == b.buffers;
}

bool areSame(const Parameter &a, const Parameter &b) {
  return a.name == b.name && a.type == b.type && a.isRestrict == b.isRestrict &&
         a.isReadAndWritten == b.isReadAndWritten;
}

template <class T>
bool areAllSame(const std::vector<T> &a, const std::vector<T> &b) {
  return llvm::equal(a, b, [](const T &x, const T &y) { return areSame(x, y); });
}

// Whether the operands may change places.
bool isCommutative(OpKind kind) {
  switch (kind) {
    case OpKind::Add:
    case OpKind::Mul:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Minimum:
    case OpKind::Maximum:
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Mulhi:
    case OpKind::AddRounded:
    case OpKind::MulRounded:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Equality::value(const Value *a, const Value *b) const {
  const auto it = inner_.find(a);
  if ((it == inner_.end() ? a : it->second) == b) return true;
  const auto x = constantOf(a), y = constantOf(b);
  return x && y && x->same(*y) && a->type == b->type;
}

bool Equality::operands(const Op &a, const Op &b) const {
  const unsigned count = presentOperands(a);
  if (presentOperands(b) != count) return false;
  bool same = true;
  for (unsigned i = 0; i < count; ++i) same &= value(a.operand(i), b.operand(i));
  if (same || count != 2 || !isCommutative(a.kind)) return same;
  return value(a.operand(0), b.operand(1)) && value(a.operand(1), b.operand(0));
}

bool Equality::block(const Block &a, const Block &b) {
  if (!haveSameTypes(a.arguments, b.arguments) || a.ops.size() != b.ops.size()) return false;
  for (unsigned i = 0; i < a.arguments.size(); ++i) inner_[a.argument(i)] = b.argument(i);
  return llvm::equal(a.ops, b.ops, [&](const auto &x, const auto &y) { return op(*x, *y); });
}

bool Equality::op(const Op &a, const Op &b) {
  if (a.kind != b.kind || a.regions.size() != b.regions.size() ||
      !areSame(a.attributes, b.attributes) || !areSame(a.layout, b.layout) ||
      !haveSameTypes(a.results, b.results) || !operands(a, b))
    return false;
  for (unsigned i = 0; i < a.regions.size(); ++i)
    if (!block(*a.regions[i], *b.regions[i])) return false;
  for (unsigned i = 0; i < a.numResults(); ++i) inner_[a.result(i)] = b.result(i);
  return true;
}

bool Equality::computed(const Value *a, const Value *b) {
  if (value(a, b)) return true;
  const Op *x = a->definition, *y = b->definition;
  if (a->index != b->index || !x != !y) return false;
  if (!x) {  // parameters
    inner_[a] = b;
    return true;
  }
  const unsigned count = presentOperands(*x);
  if (presentOperands(*y) != count) return false;
  for (unsigned i = 0; i < count; ++i) {
    const Value *from = x->operand(i), *to = y->operand(i);
    if (from && to ? !computed(from, to) : from != to) return false;
  }
  return op(*x, *y);
}

bool areEqual(const Kernel &a, const Kernel &b) {
  const auto sizes = [](const Kernel &kernel) {
    return std::tie(kernel.options.numWarps, kernel.options.residentThreads,
                    kernel.options.minBlocks, kernel.explicitGrid, kernel.programsPerBlock);
  };
  if (sizes(a) != sizes(b) || !areAllSame(a.parameters, b.parameters) ||
      !areAllSame(a.shared, b.shared) || !areAllSame(a.rings, b.rings))
    return false;
  if (!a.producer != !b.producer || (a.producer && !Equality().block(*a.producer, *b.producer)))
    return false;
  return Equality().block(a.body, b.body);
}

}  // namespace tile2cu::passes
