// Matrix products on tensor cores: the loop over k, and the instructions for each pair of fragments.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/mma_fragments.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
using passes::MmaShape;

// BLOCK_K / 16, rounded up.
Expr KernelEmitter::stepsOfK(const Op *dot) {
  const int64_t depth = dot->getInt(Attr::depth), step = dot->getInt(Attr::step);
  Expr size = number(depth);
  if (size.isLiteral()) return integer(llvm::divideCeil(depth, step));
  if (depth % step != 0) size = sum(size, literal(Scalar::I32, step - 1));
  return binary(Prec::Multiplicative, "/", size, literal(Scalar::I32, step));
}

void KernelEmitter::mmaComment(const Op *dot) {
  const MmaShape &shape = shapeOf(dot);
  const bool tripled = dot->get(Attr::precision) == Precision::Tf32x3;
  comment("Tensor cores: " + std::string(tripled ? "three " : "") + shape.helper + " for each " +
          std::to_string(shape.m) + " x " + std::to_string(shape.n) + " matrix of sums, " +
          std::to_string(shape.k) + " products at a time.");
}

// uint32_t a_frag[ROW_STEPS][4], b_frag[COLUMN_STEPS][2]; with `sets` before the extents.
Stmt KernelEmitter::fragmentArrays(const Op *dot, const std::string &a, const std::string &b,
                                   const Expr &sets) {
  const MmaShape &shape = shapeOf(dot);
  const Layout &layout = *dot->result()->type.layout();
  auto array = [&](const std::string &name, unsigned axis, int64_t registers) {
    Declarator result{name};
    if (sets) result.extents.push_back(sets);
    if (!isDropped(layout, axis)) result.extents.push_back(named(extentName(layout, axis)));
    result.extents.push_back(integer(registers));
    return result;
  };
  const Expr type = word(shape.registerBytes() == 8 ? "double" : "uint32_t");
  return {Declare{type,
                  {array(a, rowAxis(layout), shape.registersOfA()),
                   array(b, rowAxis(layout) + 1, shape.registersOfB())}}};
}

// The matrix of accumulators at the loops' variables i and j.
Expr KernelEmitter::sumsOf(const Storage &storage, const Layout &layout, const Fragments &of,
                           const std::string &i, const std::string &j) {
  const unsigned rows = rowAxis(layout);
  Expr sums = named(storage.name);
  if (layout.rank() == 3) sums = matrixOf(sums, layout, 0, of.batch);
  return matrixOf(matrixOf(sums, layout, rows, i), layout, rows + 1, j);
}

// A matrix instruction for each pair of fragments.
void KernelEmitter::multiply(const Op *op, const Storage &storage, const Fragments &from) {
  if (op->get(Attr::precision) == Precision::Tf32x3) return multiplyTripled(op, storage, from);
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  names_.open();
  const std::string i = names_.take("i"), j = names_.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const Expr sums = sumsOf(storage, layout, from, i, j);
  openMatrices(layout, rows, i);
  openMatrices(layout, columns, j);
  const Expr fragment =
      call(isHalf(shape.d) ? "tile2cu::packed_fragment" : "tile2cu::fragment", {sums});
  add(evaluate(
      call("tile2cu::" + std::string(shape.helper),
           {fragment, matrixOf(from.a, layout, rows, i), matrixOf(from.b, layout, columns, j)})));
  names_.change(storage.name);
  closeMatrices(layout, columns);
  closeMatrices(layout, rows);
  names_.close();
}

// Floats as sums of two tf32 each: all products but that of the small parts.
void KernelEmitter::multiplyTripled(const Op *op, const Storage &storage, const Fragments &from) {
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  names_.open();
  const Expr aSmall = named(names_.take("a_small")), bSmall = named(names_.take("b_small"));
  const std::string i = names_.take("i"), j = names_.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const Expr sums = sumsOf(storage, layout, from, i, j);
  auto matrix = [&](const Expr &array, bool isSecond) {
    return matrixOf(array, layout, isSecond ? columns : rows, isSecond ? j : i);
  };
  add(fragmentArrays(op, aSmall.spelling(), bSmall.spelling(), {}));
  openMatrices(layout, rows, i);
  add(evaluate(call("tile2cu::split_tf32", {matrix(from.a, false), matrix(aSmall, false)})));
  closeMatrices(layout, rows);
  openMatrices(layout, columns, j);
  add(evaluate(call("tile2cu::split_tf32", {matrix(from.b, true), matrix(bSmall, true)})));
  closeMatrices(layout, columns);
  openMatrices(layout, rows, i);
  openMatrices(layout, columns, j);
  const std::pair<Expr, Expr> products[] = {{aSmall, from.b}, {from.a, bSmall}, {from.a, from.b}};
  for (const auto &[a, b] : products)
    add(evaluate(call("tile2cu::" + std::string(shape.helper),
                      {call("tile2cu::fragment", {sums}), matrix(a, false), matrix(b, true)})));
  names_.change(storage.name);
  closeMatrices(layout, columns);
  closeMatrices(layout, rows);
  names_.close();
}

// Fragments of both operands for one step of k, then their products; of a batch one product after the other.
void KernelEmitter::mmaShared(Op *op, const Storage &storage) {
  const Layout &layout = *op->result()->type.layout();
  const bool isBatch = layout.rank() == 3;
  names_.open();
  const std::string a = names_.take("a_frag"), b = names_.take("b_frag"), kk = names_.take("kk");
  Fragments fragments{named(a), named(b), kk, op->operand(1) ? scalar(op->operand(1)) : Expr{},
                      isBatch ? names_.take("batch") : ""};
  openPart("multiply_" + storage.name);
  mmaComment(op);
  if (isBatch) openMatrices(layout, 0, fragments.batch);
  open({unrolledLoop(kk, stepsOfK(op))});
  add(fragmentArrays(op, a, b, {}));
  loadOperands(op, fragments);
  multiply(op, storage, fragments);
  close();
  if (isBatch) closeMatrices(layout, 0);
  closePart();
  names_.close();
}

// The set of registers of a k-step: a_frag[kk % 2].
static Expr setOf(const std::string &array, const std::string &kk) {
  return elementOf(named(array), binary(Prec::Multiplicative, "%", named(kk), integer(2)));
}

// The arrays of a product whose fragments are loaded a step ahead, the function that loads them, and its first call.
void KernelEmitter::firstFragments(Op *op) {
  const int64_t id = op->getInt(Attr::fragments);
  const Op *dot = nullptr;
  walk(kernel_.body, [&](const Op *other) {
    if (other->kind == OpKind::DotShared && other->has(Attr::fragments) &&
        other->getInt(Attr::fragments) == id)
      dot = other;
  });
  T2C_ASSERT(dot);
  AheadNames names{names_.take("a_frag"), names_.take("b_frag"), names_.take("load_fragments")};
  ahead_[id] = names;
  blank();
  comment("A step of " + std::to_string(dot->getInt(Attr::step)) +
          " products is loaded from shared memory to one of two sets of registers while the tensor "
          "cores work from the other.");
  add(fragmentArrays(dot, names.a, names.b, integer(2)));
  names_.open();
  std::string stage = names_.take("stage"), kk = names_.take("kk");
  const Expr type = word("int");
  open(localFunction(names.load, {{type, stage}, {type, kk}}));
  loadOperands(dot, {setOf(names.a, kk), setOf(names.b, kk), kk, named(stage)});
  close();
  names_.close();
  add(evaluate(call(named(names.load), {scalar(op->operand(0)), integer(0)})));
}

// The same with the fragments of the next step loaded first; those of the next stage behind its copies.
void KernelEmitter::mmaAhead(Op *op, const Storage &storage) {
  const AheadNames names = ahead_.at(op->getInt(Attr::fragments));
  names_.open();
  const std::string kk = names_.take("kk");
  const Expr steps = stepsOfK(op), one = integer(1), zero = integer(0);
  auto isStep = [&](const Expr &step) {
    return branchOn(binary(Prec::Equality, "==", named(kk), step));
  };
  auto load = [&](const Value *stage, const Expr &step) {
    add(evaluate(call(named(names.load), {scalar(stage), step})));
  };
  mmaComment(op);
  open({unrolledLoop(kk, steps)});
  open(isStep(binary(Prec::Additive, "-", steps, one)));
  block(*op->region(1));
  load(op->operand(3), zero);
  openElse();
  load(op->operand(1), sum(named(kk), one));
  close();
  open(isStep(zero));
  block(*op->region(0));
  close();
  multiply(op, storage, {setOf(names.a, kk), setOf(names.b, kk), kk, {}});
  close();
  names_.close();
}

}  // namespace tile2cu::emit
