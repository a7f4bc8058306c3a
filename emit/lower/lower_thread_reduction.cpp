// Reductions in the thread: each element of a nest joins its thread's partial result.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/value/reduction_identity.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {
// Whether the indices that argmax sees grow from one of a thread's elements to the next: they are the coordinates along the
// axis, and every register axis but the innermost steps further than those inside of it reach.
bool ascends(const Op *op) {
  const Op *index = op->operand(1)->definition;
  while (index && (index->kind == OpKind::Broadcast || index->kind == OpKind::ExpandDims ||
                   index->kind == OpKind::Cast))
    index = index->operand(0)->definition;
  if (!index || index->kind != OpKind::Arange) return false;
  const Layout &layout = *op->operand(0)->type.layout();
  unsigned axis = op->getInt(Attr::axis);
  int last = -1;
  for (size_t k = layout.dim(axis).digits.size(); k-- > 0;) {
    const Digit &digit = layout.dim(axis).digits[k];
    if (digit.unit != Unit::Register) continue;
    if (int(digit.axis) < last) return false;
    last = digit.axis;
  }
  return true;
}
}  // namespace

bool isZero(const Expr &e) {
  if (e.isCallOf("uint64_t")) return isZero(e.operand(1));
  if (!e.isLiteral()) return e.is(ExprKind::Word, "false");
  const std::string &digits = e.spelling();
  return digits == "0" || digits == "0u" || digits == "0.0f" || digits == "0.0";
}

bool isIndexed(const Op *op) {
  const auto kind = op->get(Attr::kind);
  return kind == ReduceKind::Argmax || kind == ReduceKind::Argmin;
}

std::string memberName(const Op *op, unsigned i) {
  if (op->numOperands() == 1) return "";
  if (isIndexed(op)) return i == 0 ? "value" : "index";
  return "value" + std::to_string(i);
}

Expr KernelEmitter::valueTypeOf(Op *op) {
  if (op->numOperands() == 1) return typeOf(op->operand(0)->type);
  if (isIndexed(op)) return instance("tile2cu::indexed", {typeOf(op->operand(0)->type)});
  return scoped(functor(op, "combine").operand(0), "Values");
}

// An expression between braces, where a small integer is not made of an int: conditions and sums are.
static Expr initializer(const Expr &e, Scalar type) {
  const bool promotes = type == Scalar::Bool || (isInteger(type) && byteWidth(type) < 4);
  return promotes && !e.isAtom() ? call(cppType(type), {e}) : e;
}

Expr KernelEmitter::combiner(Op *op) {
  if (const auto kind = op->get(Attr::kind))
    return combineFunctor(*kind, op->operand(0)->type.scalar());
  return functor(op, "combine");
}

// ---- in the thread

void KernelEmitter::startPartial(Op *op) {
  Value *first = op->result();
  const Type &type = first->type;
  // The nest's result of the same values, for its name.
  std::string wanted = first->name;
  Storage storage = makeStorage(
      type, wanted.empty() ? (op->has(Attr::kind) ? wordOf(*op->get(Attr::kind)).str() : "partial")
                           : wanted);
  storage.isVector = storage.isVector && op->numOperands() == 1;
  Expr start;
  Scalar scalarType = op->operand(0)->type.scalar();
  if (isIndexed(op) && !ascends(op)) {
    start = call(scoped(combiner(op).operand(0), "identity"), {});
  } else if (op->has(Attr::kind) && !isIndexed(op)) {
    const passes::Identity identity = passes::identityOf(*op->get(Attr::kind), scalarType);
    start = isFloat(scalarType) ? literal(scalarType, identity.real)
                                : literal(scalarType, identity.integer);
  }
  bool array = !isOneVariable(*type.layout());
  bool zero = start && isZero(start);
  const Expr init = !array ? start : zero ? braces({}, {}) : Expr{};
  add(declareArray(valueTypeOf(op), *type.layout(), storage.name, storage.isVector, init));
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Storage part = storage;
    part.member = memberName(op, i);
    storage_[op->result(i)] = part;
  }
  if (array && !zero && start) {
    add(evaluate(call("tile2cu::fill", {named(storage.name), start})));
    names_.change(storage.name);
  }
}

void KernelEmitter::reduceThread(Op *op) {
  const Layout &source = *op->operand(0)->type.layout(), &partial = *op->result()->type.layout();
  Storage storage = storage_.at(op->result());
  storage.member.clear();
  auto map = passes::axisMap(op, partial, source);
  Vars vars;
  for (int axis : map) vars.push_back(axis < 0 ? integer(0) : vars_[axis]);
  Expr target = storageRef(storage, vars);
  auto refs = identityRefs(source);
  const auto kind = op->get(Attr::kind);
  if (op->numOperands() == 1 && kind) {
    Expr x = valueAt(op->operand(0), refs, Level::Element);
    assign(target, combineInThread(*kind, op->operand(0)->type.scalar(), target, x));
    return;
  }
  llvm::SmallVector<Expr, 4> parts;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Expr x = valueAt(op->operand(i), refs, Level::Element);
    parts.push_back(op->numOperands() > 1 ? initializer(x, op->operand(i)->type.scalar()) : x);
  }
  const Expr values = op->numOperands() > 1 ? braces(valueTypeOf(op), parts) : parts[0];
  const bool ascending = isIndexed(op) && ascends(op);
  const Expr combine = combiner(op);
  Expr combined = call(ascending ? scoped(combine.operand(0), "later") : combine, {target, values});
  if (!kind || ascending) {
    // No identity: the first element starts.
    Expr first;
    for (unsigned axis = 0; axis < source.registerAxes().size(); ++axis) {
      bool kept = std::find(map.begin(), map.end(), int(axis)) != map.end();
      auto use = source.axisUse(axis);
      if (kept || !use || use->dim != unsigned(op->getInt(Attr::axis)) ||
          source.registerAxes()[axis] == 1)
        continue;
      first = bothOf(first, binary(Prec::Equality, "==", vars_[axis], integer(0)));
    }
    combined = first ? conditional(first, values, combined) : values;
  }
  set(target, combined);
}

}  // namespace tile2cu::emit
