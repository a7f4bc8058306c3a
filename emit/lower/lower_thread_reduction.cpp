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

void KernelEmitter::assign(const Expr &target, const Expr &e) { line(assignment(target, e)); }

// x = x + y as x += y, and so on.
std::string KernelEmitter::assignment(const Expr &target, const Expr &e) {
  const std::string to = target.str(), text = e.str();
  const bool isCompound = e.is(ExprKind::Binary) && e.operand(0) == target &&
                          e.spelling().size() == 1 &&
                          llvm::StringRef("+-*/&|^").contains(e.spelling());
  if (!isCompound) return to + " = " + text + ";";
  return to + " " + e.spelling() + "= " + text.substr(to.size() + 3) + ";";
}

std::string KernelEmitter::valueTypeOf(Op *op) {
  if (op->numOperands() == 1) return cppType(op->operand(0)->type.element());
  if (isIndexed(op)) return "tile2cu::indexed<" + cppType(op->operand(0)->type.element()) + ">";
  std::string name = functor(op, "combine");
  return name.substr(0, name.size() - 2) + "::Values";  // name{}
}

// An expression between braces, where a small integer is not made of an int: conditions and sums are.
static std::string initializer(const Expr &e, Scalar type) {
  const bool promotes = type == Scalar::Bool || (isInteger(type) && byteWidth(type) < 4);
  return promotes && !e.isAtom() ? cppType(type) + "(" + e.str() + ")" : e.str();
}

std::string KernelEmitter::combiner(Op *op) {
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
    const std::string functor = combiner(op);
    start = call(functor.substr(0, functor.size() - 2) + "::identity", {});
  } else if (op->has(Attr::kind) && !isIndexed(op)) {
    const passes::Identity identity = passes::identityOf(*op->get(Attr::kind), scalarType);
    start = isFloat(scalarType) ? literal(scalarType, identity.real)
                                : literal(scalarType, identity.integer);
  }
  bool array = !isOneVariable(*type.layout());
  bool zero = start && isZero(start);
  std::string init = array ? (zero ? " = {}" : "") : start ? " = " + start.str() : "";
  line(declareArray(valueTypeOf(op), *type.layout(), storage.name, storage.isVector) + init + ";");
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Storage part = storage;
    part.member = memberName(op, i);
    storage_[op->result(i)] = part;
  }
  if (array && !zero && start) {
    line("tile2cu::fill(" + storage.name + ", " + start.str() + ");");
    names_.change(storage.name);
  }
}

void KernelEmitter::reduceThread(Op *op) {
  const Layout &source = *op->operand(0)->type.layout(), &partial = *op->result()->type.layout();
  Storage storage = storage_.at(op->result());
  storage.member.clear();
  auto map = passes::axisMap(op, partial, source);
  llvm::SmallVector<std::string, 4> vars;
  for (int axis : map) vars.push_back(axis < 0 ? "0" : vars_[axis]);
  Expr target = storageRef(storage, vars);
  auto refs = identityRefs(source);
  const auto kind = op->get(Attr::kind);
  if (op->numOperands() == 1 && kind) {
    Expr x = valueAt(op->operand(0), refs, Level::Element);
    assign(target, combineInThread(*kind, op->operand(0)->type.scalar(), target, x));
    return;
  }
  std::string values;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Expr x = valueAt(op->operand(i), refs, Level::Element);
    values += (i ? ", " : "") +
              (op->numOperands() > 1 ? initializer(x, op->operand(i)->type.scalar()) : x.str());
  }
  if (op->numOperands() > 1) values = valueTypeOf(op) + "{" + values + "}";
  std::string combined = combiner(op) + "(" + target.str() + ", " + values + ")";
  bool ascending = isIndexed(op) && ascends(op);
  if (ascending) {
    std::string name = combiner(op);
    combined = name.substr(0, name.size() - 2) + "::later(" + target.str() + ", " + values + ")";
  }
  if (!kind || ascending) {
    // No identity: the first element starts.
    std::string first;
    for (unsigned axis = 0; axis < source.registerAxes().size(); ++axis) {
      bool kept = std::find(map.begin(), map.end(), int(axis)) != map.end();
      auto use = source.axisUse(axis);
      if (kept || !use || use->dim != unsigned(op->getInt(Attr::axis)) ||
          source.registerAxes()[axis] == 1)
        continue;
      first += (first.empty() ? "" : " && ") + vars_[axis] + " == 0";
    }
    combined = first.empty() ? values : first + " ? " + values + " : " + combined;
  }
  line(target.str() + " = " + combined + ";");
}

}  // namespace tile2cu::emit
