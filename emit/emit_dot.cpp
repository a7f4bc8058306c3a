// Matrix products of tiles in shared memory.
#include "emit/kernel_emitter.h"
#include "emit/scalar_text.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The variable that products are added to: that of the accumulator, unless somebody else reads it, or an outer loop again.
KernelEmitter::Storage KernelEmitter::accumulator(Op *op) {
  Value *acc = op->operand(0);
  const Storage &from = storage_.at(acc);
  const Block *home = acc->isArgument() ? acc->owner : acc->definition->parent;
  if (acc->users.size() == 1 && home == op->parent && from.member.empty() && !from.axes)
    return from;
  Storage storage = makeStorage(op->result()->type, op->result()->name);
  describeLayout(storage);
  line(declare(op->result()->type, storage.name));
  copyStorage(storage, from);
  return storage;
}

// An element of an operand: its buffer at batch, row or column, and k.
std::string KernelEmitter::operandElement(const Op *op, unsigned which, const std::string &stage,
                                          llvm::ArrayRef<Expr> at) {
  return sharedElement(op->getInts("buffers")[which], stage, 0,
                       op->getInts(which ? "b_strides" : "a_strides"), at);
}

// Which of the 16 x 8 matrices of a dimension: the warp's and the loop's part of the coordinate.
Expr KernelEmitter::matrixIndex(const Layout &layout, unsigned dim, unsigned axis,
                                const std::string &var) {
  Expr warp = primary("0");
  for (const Digit &digit : layout.dim(dim).digits)
    if (digit.unit == Unit::Warp) warp = unitPart(digit);
  if (isDropped(layout, axis)) return warp;
  return sum(product(warp, primary(extentName(layout, axis))), primary(var));
}

namespace {
Expr laneOver(int64_t by) {
  return binary(Prec::Multiplicative, "/", primary("lane"), literal(Scalar::I32, int64_t{by}));
}
Expr laneModulo(int64_t by) {
  return binary(Prec::Multiplicative, "%", primary("lane"), literal(Scalar::I32, int64_t{by}));
}
// Of the lanes of ldmatrix, each of which names a row of 8 elements: 16 rows after each other, then their next 8 elements.
Expr sixteenRows() { return laneModulo(16); }
Expr nextEight() { return product(laneOver(16), literal(Scalar::I32, int64_t{8})); }
// 8 rows, their next 8 elements, then the next 8 rows.
Expr eightRows() { return sum(laneModulo(8), nextEight()); }
Expr eightBetween() {
  Expr part = binary(Prec::Multiplicative, "%", laneOver(8), literal(Scalar::I32, int64_t{2}));
  return product(part, literal(Scalar::I32, int64_t{8}));
}
}  // namespace

// What the operands of one step of k are loaded into.
struct KernelEmitter::Fragments {
  std::string a, b;   // arrays of registers, of this step
  std::string kk;     // the step
  std::string stage;  // of the shared tiles
};

// BLOCK_K / 16
std::string KernelEmitter::stepsOfK(const Op *dot) {
  int64_t depth = dot->getInt("depth"), step = dot->getInt("step");
  Expr named = number(depth);
  return named.isLiteral()
             ? std::to_string(depth / step)
             : binary(Prec::Multiplicative, "/", named, literal(Scalar::I32, step)).text;
}

// Loads the fragments of both operands for one step of k.
void KernelEmitter::loadOperands(const Op *op, const Fragments &to) {
  const Layout &layout = *op->result()->type.layout();
  auto at = [&](const std::string &var, unsigned axis) {
    return isDropped(layout, axis) ? std::string() : "[" + var + "]";
  };
  auto open = [&](const std::string &var, unsigned axis, int64_t by) {
    if (isDropped(layout, axis)) return;
    line("#pragma unroll");
    line("for (int " + var + " = 0; " + var + " < " + extentName(layout, axis) + "; " +
         (by == 1 ? "++" + var : var + " += " + std::to_string(by)) + ") {");
  };
  auto close = [&](unsigned axis) {
    if (!isDropped(layout, axis)) line("}");
  };
  names_.open();
  std::string i = names_.take("i"), j = names_.take("j");
  // Rows of the shared tile run along k, or along the other dimension: then matrices are transposed on the way.
  bool rowsA = op->getInts("a_strides")[1] == 1, rowsB = op->getInts("b_strides")[0] == 1;
  Expr start = product(primary(to.kk), literal(Scalar::I32, op->getInt("step")));
  open(i, 0, 1);
  if (const Value *a = op->operand(2)) {
    const Storage &tile = storage_.at(a);
    const Layout &from = *a->type.layout();
    // The two 16 x 8 matrices of this step.
    auto matrix = [&](const std::string &of) {
      return tile.name + (isDropped(from, 0) ? "" : "[" + i + "]") + "[" + of + "]";
    };
    Expr twice = product(literal(Scalar::I32, int64_t{2}), primary(to.kk));
    line("tile2cu::operand_fragment(" + to.a + at(i, 0) + ", " + matrix(twice.text) + ", " +
         matrix(sum(twice, primary("1")).text) + ");");
  } else {
    Expr row = product(matrixIndex(layout, 0, 0, i), primary("16"));
    row = sum(row, rowsA ? sixteenRows() : eightBetween());
    Expr depth = sum(start, rowsA ? nextEight() : eightRows());
    line("tile2cu::ldmatrix_x4" + std::string(rowsA ? "" : "_trans") + "(" + to.a + at(i, 0) +
         ", &" + operandElement(op, 0, to.stage, {row, depth}) + ");");
  }
  close(0);
  // Two matrices of B at once, if their number is even.
  const bool pairs = layout.registerAxes()[1] % 2 == 0 && !isDropped(layout, 1);
  open(j, 1, pairs ? 2 : 1);
  Expr column = product(matrixIndex(layout, 1, 1, j), primary("8")), depth = start;
  const std::string second = pairs ? ", " + to.b + "[" + j + " + 1]" : "";
  if (rowsB) {
    column = sum(column, pairs ? eightRows() : laneModulo(8));
    depth = sum(depth, eightBetween());
  } else {
    if (pairs) column = sum(column, nextEight());
    depth = sum(depth, sixteenRows());
  }
  line("tile2cu::ldmatrix_x" + std::string(pairs ? "4" : "2") + (rowsB ? "" : "_trans") + "(" +
       to.b + at(j, 1) + second + ", &" + operandElement(op, 1, to.stage, {depth, column}) + ");");
  close(1);
  names_.close();
}

// A matrix instruction for each pair of fragments.
void KernelEmitter::multiply(const Op *op, const Storage &storage, const Fragments &from) {
  const Layout &layout = *op->result()->type.layout();
  names_.open();
  std::string i = names_.take("i"), j = names_.take("j"), at[2];
  for (unsigned axis : {0u, 1u}) {
    if (isDropped(layout, axis)) continue;
    const std::string &var = axis ? j : i;
    at[axis] = "[" + var + "]";
    line("#pragma unroll");
    line("for (int " + var + " = 0; " + var + " < " + extentName(layout, axis) + "; ++" + var +
         ") {");
  }
  line("tile2cu::" + op->getString("mma") + "(tile2cu::fragment(" + storage.name + at[0] + at[1] +
       "), " + from.a + at[0] + ", " + from.b + at[1] + ");");
  for (unsigned axis : {0u, 1u})
    if (!isDropped(layout, axis)) line("}");
  names_.close();
}

// Fragments of both operands for one step of k, then their products.
void KernelEmitter::mmaShared(Op *op, const Storage &storage) {
  const Layout &layout = *op->result()->type.layout();
  auto extent = [&](unsigned axis) {
    return isDropped(layout, axis) ? std::string() : "[" + extentName(layout, axis) + "]";
  };
  names_.open();
  Fragments fragments{names_.take("a_frag"), names_.take("b_frag"), names_.take("kk"),
                      op->operand(1) ? scalar(op->operand(1)).text : ""};
  line("// Tensor cores: " + op->getString("mma") + " for each 16 x 8 matrix of sums, " +
       std::to_string(op->getInt("step")) + " products at a time.");
  line("#pragma unroll");
  line("for (int " + fragments.kk + " = 0; " + fragments.kk + " < " + stepsOfK(op) + "; ++" +
       fragments.kk + ") {");
  line("uint32_t " + fragments.a + extent(0) + "[4], " + fragments.b + extent(1) + "[2];");
  loadOperands(op, fragments);
  multiply(op, storage, fragments);
  line("}");
  names_.close();
}

// The arrays of a product whose fragments are loaded a step ahead, the function that loads them, and its first call.
void KernelEmitter::firstFragments(Op *op) {
  const int64_t id = op->getInt("fragments");
  const Op *dot = nullptr;
  walk(kernel_.body, [&](Op *other) {
    if (other->kind == OpKind::DotShared && other->has("fragments") &&
        other->getInt("fragments") == id)
      dot = other;
  });
  T2C_ASSERT(dot);
  const Layout &layout = *dot->result()->type.layout();
  auto extent = [&](unsigned axis) {
    return isDropped(layout, axis) ? std::string() : "[" + extentName(layout, axis) + "]";
  };
  AheadNames names{names_.take("a_frag"), names_.take("b_frag"), names_.take("load_fragments")};
  ahead_[id] = names;
  line("");
  comment("A step of " + std::to_string(dot->getInt("step")) +
          " products is loaded from shared memory to one of two sets of registers while the tensor "
          "cores work from the other.");
  line("uint32_t " + names.a + "[2]" + extent(0) + "[4], " + names.b + "[2]" + extent(1) + "[2];");
  names_.open();
  std::string stage = names_.take("stage"), kk = names_.take("kk");
  line("const auto " + names.load + " = [&](int " + stage + ", int " + kk + ") {");
  loadOperands(dot, {names.a + "[" + kk + " % 2]", names.b + "[" + kk + " % 2]", kk, stage});
  line("};");
  names_.close();
  line(names.load + "(" + scalar(op->operand(0)).text + ", 0);");
}

// The same with the fragments of the next step loaded first; those of the next stage behind its copies.
void KernelEmitter::mmaAhead(Op *op, const Storage &storage) {
  const AheadNames names = ahead_.at(op->getInt("fragments"));
  names_.open();
  const std::string kk = names_.take("kk"), steps = stepsOfK(op);
  line("// Tensor cores: " + op->getString("mma") + " for each 16 x 8 matrix of sums, " +
       std::to_string(op->getInt("step")) + " products at a time.");
  line("#pragma unroll");
  line("for (int " + kk + " = 0; " + kk + " < " + steps + "; ++" + kk + ") {");
  line("if (" + kk + " == " + steps + " - 1) {");
  block(*op->region(1));
  line(names.load + "(" + scalar(op->operand(3)).text + ", 0);");
  line("} else {");
  line(names.load + "(" + scalar(op->operand(1)).text + ", " + kk + " + 1);");
  line("}");
  line("if (" + kk + " == 0) {");
  block(*op->region(0));
  line("}");
  multiply(op, storage, {names.a + "[" + kk + " % 2]", names.b + "[" + kk + " % 2]", kk, ""});
  line("}");
  names_.close();
}

// On tensor cores; else a product and a sum an element, in the accumulator's type.
void KernelEmitter::dotShared(Op *op) {
  statementComment(op);
  Storage storage = accumulator(op);
  storage_[op->result()] = storage;
  if (op->has("mma")) {
    op->has("fragments") ? mmaAhead(op, storage) : mmaShared(op, storage);
    return;
  }
  const Layout &layout = *op->result()->type.layout();
  unsigned rank = layout.rank();
  names_.open();
  std::string k = names_.take("kk");
  line("#pragma unroll 4");
  line("for (int " + k + " = 0; " + k + " < " + number(op->getInt("depth")).text + "; ++" + k +
       ") {");
  std::vector<std::string> vars;
  openLoops(layout, true, vars);
  llvm::SmallVector<Expr, 3> a, b;
  for (unsigned d = 0; d < rank; ++d) {
    Expr at = coordinate(layout, d, vars);
    // Behind the tile's end nothing is stored, and what is read for it is not used.
    if (layout.dim(d).isPadded())
      at = call("min", {at, literal(Scalar::I32, layout.dim(d).size - 1)});
    if (d + 1 != rank) a.push_back(at);
    if (d + 2 != rank) b.push_back(at);
  }
  a.push_back(primary(k));
  b.insert(b.end() - 1, primary(k));
  auto factor = [&](unsigned which, llvm::ArrayRef<Expr> at) {
    Scalar from = kernel_.shared[op->getInts("buffers")[which]].members[0];
    Scalar to = op->result()->type.scalar();
    std::string element =
        operandElement(op, which, op->operand(1) ? scalar(op->operand(1)).text : "", at);
    return from == to ? element : cppType(to) + "(" + element + ")";
  };
  line(storageRef(storage, vars).text + " += " + factor(0, a) + " * " + factor(1, b) + ";");
  closeLoops(layout, true);
  line("}");
  names_.close();
}

}  // namespace tile2cu::emit
