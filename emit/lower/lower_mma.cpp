// Matrix products on tensor cores: the loop over k, and the instructions for each pair of fragments.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/mma_fragments.h"
#include "emit/transform/outline_functions.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::MmaShape;

// BLOCK_K / 16, rounded up.
std::string KernelEmitter::stepsOfK(const Op *dot) {
  const int64_t depth = dot->getInt(Attr::depth), step = dot->getInt(Attr::step);
  Expr named = number(depth);
  if (named.isLiteral()) return std::to_string(llvm::divideCeil(depth, step));
  if (depth % step != 0) named = sum(named, literal(Scalar::I32, step - 1));
  return binary(Prec::Multiplicative, "/", named, literal(Scalar::I32, step)).str();
}

void KernelEmitter::mmaComment(const Op *dot) {
  const MmaShape &shape = shapeOf(dot);
  const bool tripled = dot->get(Attr::precision) == Precision::Tf32x3;
  comment("Tensor cores: " + std::string(tripled ? "three " : "") + shape.helper + " for each " +
          std::to_string(shape.m) + " x " + std::to_string(shape.n) + " matrix of sums, " +
          std::to_string(shape.k) + " products at a time.");
}

// uint32_t a_frag[ROW_STEPS][4], b_frag[COLUMN_STEPS][2]; with `sets` before the extents.
std::string KernelEmitter::fragmentArrays(const Op *dot, const std::string &a, const std::string &b,
                                          const std::string &sets) {
  const MmaShape &shape = shapeOf(dot);
  const Layout &layout = *dot->result()->type.layout();
  auto extents = [&](unsigned axis, int64_t registers) {
    return sets + (isDropped(layout, axis) ? "" : "[" + extentName(layout, axis) + "]") + "[" +
           std::to_string(registers) + "]";
  };
  return std::string(shape.registerBytes() == 8 ? "double " : "uint32_t ") + a +
         extents(rowAxis(layout), shape.registersOfA()) + ", " + b +
         extents(rowAxis(layout) + 1, shape.registersOfB()) + ";";
}

// A matrix instruction for each pair of fragments.
void KernelEmitter::multiply(const Op *op, const Storage &storage, const Fragments &from) {
  if (op->get(Attr::precision) == Precision::Tf32x3) return multiplyTripled(op, storage, from);
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  names_.open();
  const std::string i = names_.take("i"), j = names_.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const std::string atI = matrixSubscript(layout, rows, i),
                    atJ = matrixSubscript(layout, columns, j),
                    sums = storage.name + batchSubscript(layout, from) + atI + atJ;
  openMatrices(layout, rows, i);
  openMatrices(layout, columns, j);
  line("tile2cu::" + std::string(shape.helper) +
       "(tile2cu::" + (isHalf(shape.d) ? "packed_fragment(" : "fragment(") + sums + "), " + from.a +
       atI + ", " + from.b + atJ + ");");
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
  const std::string aSmall = names_.take("a_small"), bSmall = names_.take("b_small"),
                    i = names_.take("i"), j = names_.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const std::string atI = matrixSubscript(layout, rows, i),
                    atJ = matrixSubscript(layout, columns, j),
                    sums = storage.name + batchSubscript(layout, from) + atI + atJ;
  line(fragmentArrays(op, aSmall, bSmall, ""));
  openMatrices(layout, rows, i);
  line("tile2cu::split_tf32(" + from.a + atI + ", " + aSmall + atI + ");");
  closeMatrices(layout, rows);
  openMatrices(layout, columns, j);
  line("tile2cu::split_tf32(" + from.b + atJ + ", " + bSmall + atJ + ");");
  closeMatrices(layout, columns);
  openMatrices(layout, rows, i);
  openMatrices(layout, columns, j);
  const std::pair<std::string, std::string> products[] = {
      {aSmall, from.b}, {from.a, bSmall}, {from.a, from.b}};
  for (const auto &[a, b] : products)
    line("tile2cu::" + std::string(shape.helper) + "(tile2cu::fragment(" + sums + "), " + a + atI +
         ", " + b + atJ + ");");
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
  Fragments fragments{names_.take("a_frag"), names_.take("b_frag"), names_.take("kk"),
                      op->operand(1) ? scalar(op->operand(1)).str() : "",
                      isBatch ? names_.take("batch") : ""};
  out_ += partBegin("multiply_" + storage.name);
  mmaComment(op);
  if (isBatch) openMatrices(layout, 0, fragments.batch);
  line("#pragma unroll");
  line("for (int " + fragments.kk + " = 0; " + fragments.kk + " < " + stepsOfK(op) + "; ++" +
       fragments.kk + ") {");
  line(fragmentArrays(op, fragments.a, fragments.b, ""));
  loadOperands(op, fragments);
  multiply(op, storage, fragments);
  line("}");
  if (isBatch) closeMatrices(layout, 0);
  out_ += partEnd();
  names_.close();
}

// The arrays of a product whose fragments are loaded a step ahead, the function that loads them, and its first call.
void KernelEmitter::firstFragments(Op *op) {
  const int64_t id = op->getInt(Attr::fragments);
  const Op *dot = nullptr;
  walk(kernel_.body, [&](Op *other) {
    if (other->kind == OpKind::DotShared && other->has(Attr::fragments) &&
        other->getInt(Attr::fragments) == id)
      dot = other;
  });
  T2C_ASSERT(dot);
  AheadNames names{names_.take("a_frag"), names_.take("b_frag"), names_.take("load_fragments")};
  ahead_[id] = names;
  line("");
  comment("A step of " + std::to_string(dot->getInt(Attr::step)) +
          " products is loaded from shared memory to one of two sets of registers while the tensor "
          "cores work from the other.");
  line(fragmentArrays(dot, names.a, names.b, "[2]"));
  names_.open();
  std::string stage = names_.take("stage"), kk = names_.take("kk");
  line("const auto " + names.load + " = [&](int " + stage + ", int " + kk + ") {");
  loadOperands(dot, {names.a + "[" + kk + " % 2]", names.b + "[" + kk + " % 2]", kk, stage});
  line("};");
  names_.close();
  line(names.load + "(" + scalar(op->operand(0)).str() + ", 0);");
}

// The same with the fragments of the next step loaded first; those of the next stage behind its copies.
void KernelEmitter::mmaAhead(Op *op, const Storage &storage) {
  const AheadNames names = ahead_.at(op->getInt(Attr::fragments));
  names_.open();
  const std::string kk = names_.take("kk"), steps = stepsOfK(op);
  mmaComment(op);
  line("#pragma unroll");
  line("for (int " + kk + " = 0; " + kk + " < " + steps + "; ++" + kk + ") {");
  line("if (" + kk + " == " + steps + " - 1) {");
  block(*op->region(1));
  line(names.load + "(" + scalar(op->operand(3)).str() + ", 0);");
  line("} else {");
  line(names.load + "(" + scalar(op->operand(1)).str() + ", " + kk + " + 1);");
  line("}");
  line("if (" + kk + " == 0) {");
  block(*op->region(0));
  line("}");
  multiply(op, storage, {names.a + "[" + kk + " % 2]", names.b + "[" + kk + " % 2]", kk, ""});
  line("}");
  names_.close();
}

}  // namespace tile2cu::emit
