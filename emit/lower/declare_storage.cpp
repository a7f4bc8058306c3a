// Program ids, and the variables and arrays that values live in.
#include <algorithm>

#include "emit/host/host_expr.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// ---- program ids

// Whether a number of programs is one of 64 bits, and not only widened to them.
static bool isWidePrograms(const Value *count) {
  const Op *op = count->definition;
  if (op && op->kind == OpKind::Constant) return false;
  if (op && op->kind == OpKind::Cast) count = op->operand(0);
  return byteWidth(count->type.scalar()) > 4;
}

void KernelEmitter::gridOp(Op *op) {
  bool packed = kernel_.packed();
  if (packed || !std::all_of(op->results.begin(), op->results.end(),
                             [](const auto &result) { return result->unused(); }))
    statementComment(op);
  auto idName = [&](unsigned i, const char *fallback) {
    return names_.take(op->result(i)->name.empty() ? fallback : op->result(i)->name);
  };
  // The number of this program.
  auto programNumber = [&]() -> std::string {
    if (!packed) return "blockIdx.x";
    constantName("PROGRAMS_PER_BLOCK", kernel_.programsPerBlock, "");
    return "int64_t(blockIdx.x) * PROGRAMS_PER_BLOCK + warp";
  };
  if (op->numResults() == 1) {
    if (op->result(0)->unused() && !packed) return;
    // The user keeps it in an int: const int pid = int(blockIdx.x).
    const Op *user = op->result(0)->users.size() == 1 ? op->result(0)->users.front() : nullptr;
    if (!packed && user && user->kind == OpKind::Cast &&
        user->result()->type.scalar() == Scalar::I32) {
      remember(op->result(0), primary("blockIdx.x"));
      return;
    }
    std::string name = idName(0, "program");
    line("const int64_t " + name + " = " + programNumber() + ";");
    if (packed) {
      const Op *extent = op->operand(0)->definition;
      bool widened = extent && extent->kind == OpKind::Cast;
      const Expr programs = scalar(widened ? extent->operand(0) : op->operand(0));
      line("if (" + binary(Prec::Relational, ">=", primary(name), programs).str() + ") return;");
    }
    remember(op->result(0), primary(name));
    return;
  }
  // Several dimensions are one in the launch, x fastest. The launcher has seen that all programs together fit an int, so that
  // without packing 32 bits are enough.
  std::string program = packed ? names_.take("program") : "blockIdx.x";
  if (packed) line("const int64_t " + program + " = " + programNumber() + ";");
  const char *const kAxes[] = {"x", "y", "z"};
  std::string rest = program;
  std::string total;
  for (unsigned i = 0; i < op->numResults(); ++i) {
    const Value *operand = op->operand(i), *dividend, *divisor;
    Expr extent = scalar(operand);
    bool isWide = isWidePrograms(operand);
    // What it is converted from may have a name.
    const Op *cast = operand->definition;
    const bool isConverted = cast && cast->kind == OpKind::Cast;
    if (isConverted && !packed && !isWide && scalar(cast->operand(0)).isName())
      extent = scalar(cast->operand(0));
    if (!extent.isAtom() && passes::isCdiv(operand, dividend, divisor)) {
      isWide = isWidePrograms(dividend);
      extent = call(packed || isWide ? "tile2cu::cdiv" : "tile2cu::cdiv<int>",
                    {scalar(dividend), scalar(divisor)});
    }
    extent = withoutCast(extent);
    std::string extentText = extent.str();
    const bool last = i + 1 == op->numResults(), narrows = isWide && !packed;
    if ((!extent.isAtom() || narrows) && (!last || packed)) {
      extentText = names_.take(std::string("programs_") + kAxes[i]);
      declareScalar((packed ? "const int64_t " : "const unsigned ") + extentText + " = " +
                        (narrows ? "unsigned(" + extent.str() + ")" : extent.str()) + ";",
                    extentText);
    }
    total += (i ? " * " : "") + extentText;
    std::string name = idName(i, (std::string("program_") + kAxes[i]).c_str());
    declareScalar("const int64_t " + name + " = " + (last ? rest : rest + " % " + extentText) + ";",
                  name);
    rest = rest + " / " + extentText;
    remember(op->result(i), primary(name));
  }
  if (packed) line("if (" + program + " >= " + total + ") return;");
}

// ---- storage

std::string KernelEmitter::elementTypeName(const Type &type) const {
  return cppType(type.element());
}

bool KernelEmitter::isDropped(const Layout &layout, unsigned axis) {
  // All axes have names, so that the others are called the same with and without these.
  extentName(layout, axis);
  if (options_.unitAxes.empty()) return false;
  const auto [entry, isNew] = droppedAxes_.try_emplace({&layout, axis}, false);
  if (isNew) {
    entry->second = options_.unitAxes.count(structureOf(layout, axis)) != 0;
    T2C_ASSERT(!entry->second || layout.registerAxes()[axis] == 1);
  }
  return entry->second;
}

std::optional<passes::VectorAxis> KernelEmitter::vectorAxisOf(const Layout &layout) {
  auto vector = passes::vectorAxis(layout);
  return vector && !isDropped(layout, vector->axis) ? vector : std::nullopt;
}

bool KernelEmitter::isOneVariable(const Layout &layout) {
  return !vectorAxisOf(layout) && !hasLoops(layout, true);
}

// `tile2cu::vec<float, VEC> x[VECS]`, `float x[ROWS]` or `float x`.
std::string KernelEmitter::declareArray(const std::string &element, const Layout &layout,
                                        const std::string &name, bool asVectors) {
  std::string type = element, brackets;
  auto vector = vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) {
    std::string extent = extentName(layout, axis);
    if (asVectors && vector && vector->axis == axis)
      type = "tile2cu::vec<" + type + ", " + extent + ">";
    else if (!isDropped(layout, axis))
      brackets += "[" + extent + "]";
  }
  return type + " " + name + brackets;
}

std::string KernelEmitter::declare(const Type &type, const std::string &name,
                                   const std::string &init) {
  std::string element = elementTypeName(type);
  std::string text =
      type.isTile() ? declareArray(element, *type.layout(), name, true) : element + " " + name;
  return text + (init.empty() ? "" : " = " + init) + ";";
}

KernelEmitter::Storage KernelEmitter::makeStorage(const Type &type, const std::string &wanted) {
  Storage storage;
  storage.name = names_.take(wanted.empty() ? "value" : wanted);
  storage.layout = type.layout();
  storage.isVector = type.isTile() && usesVec(*type.layout());
  return storage;
}

Expr KernelEmitter::storageRef(const Storage &storage, llvm::ArrayRef<std::string> vars,
                               bool wholeVector) {
  llvm::SmallVector<Expr, 4> indices;
  if (storage.oneVector) {
    indices.push_back(primary(vars.back()));
  } else if (storage.layout) {
    for (unsigned axis = 0; axis < storage.layout->registerAxes().size(); ++axis) {
      if (isDropped(*storage.layout, axis)) continue;
      int of = storage.axes ? (*storage.axes)[axis] : int(axis);
      indices.push_back(of < 0 ? integer(0) : primary(vars[of]));
    }
  }
  if (wholeVector && storage.isVector && !indices.empty()) indices.pop_back();
  return storage.at(indices);
}

void KernelEmitter::copyStorage(const Storage &to, const Storage &from) {
  if (!to.layout || isOneVariable(*to.layout)) {
    llvm::SmallVector<std::string, 4> zeros(8, "0");
    line(to.name + " = " + (from.layout ? storageRef(from, zeros) : from.at()).str() + ";");
    return;
  }
  std::vector<std::string> vars;
  bool whole = to.isVector && from.isVector && from.member.empty() && !to.axes && !from.axes;
  openLoops(*to.layout, !whole, vars);
  line(storageRef(to, vars, whole).str() + " = " + storageRef(from, vars, whole).str() + ";");
  closeLoops(*to.layout, !whole);
}

}  // namespace tile2cu::emit
