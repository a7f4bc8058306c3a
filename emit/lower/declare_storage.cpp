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
  const Expr block = member(word("blockIdx"), "x");
  // The number of this program.
  auto programNumber = [&]() -> Expr {
    if (!packed) return block;
    constantName("PROGRAMS_PER_BLOCK", kernel_.programsPerBlock);
    return sum(product(call("int64_t", {block}), named("PROGRAMS_PER_BLOCK")), named("warp"));
  };
  const Expr wide = word("int64_t");
  auto leaveFrom = [&](const Expr &program, const Expr &count) {
    add(shortIf(binary(Prec::Relational, ">=", program, count), jump("return")));
  };
  if (op->numResults() == 1) {
    if (op->result(0)->unused() && !packed) return;
    // The user keeps it in an int: const int pid = int(blockIdx.x).
    const Op *user = op->result(0)->users.size() == 1 ? op->result(0)->users.front() : nullptr;
    if (!packed && user && user->kind == OpKind::Cast &&
        user->result()->type.scalar() == Scalar::I32) {
      remember(op->result(0), block);
      return;
    }
    std::string name = idName(0, "program");
    declareConstant(wide, name, programNumber());
    if (packed) {
      const Op *extent = op->operand(0)->definition;
      bool widened = extent && passes::isWidening(extent);
      leaveFrom(named(name), scalar(widened ? extent->operand(0) : op->operand(0)));
    }
    remember(op->result(0), named(name));
    return;
  }
  // Several dimensions are one in the launch, x fastest. The launcher has seen that all programs together fit an int, so that
  // without packing 32 bits are enough.
  const Expr program = packed ? named(names_.take("program")) : block;
  if (packed) declareConstant(wide, program.spelling(), programNumber());
  const char *const kAxes[] = {"x", "y", "z"};
  Expr rest = program, total = integer(1);
  for (unsigned i = 0; i < op->numResults(); ++i) {
    const Value *operand = op->operand(i), *dividend, *divisor;
    Expr extent = scalar(operand);
    bool isWide = isWidePrograms(operand);
    // What it is converted from may have a name.
    const Op *cast = operand->definition;
    const bool isConverted = cast && passes::isWidening(cast);
    if (isConverted && !packed && !isWide && scalar(cast->operand(0)).isName())
      extent = scalar(cast->operand(0));
    if (!extent.isAtom() && passes::isCdiv(operand, dividend, divisor)) {
      isWide = isWidePrograms(dividend);
      const bool isInt = !packed && !isWide && dividend->type.scalar() != Scalar::U32;
      extent =
          call(isInt ? "tile2cu::cdiv<int>" : "tile2cu::cdiv", {scalar(dividend), scalar(divisor)});
    }
    extent = withoutCast(extent, operand);
    const bool last = i + 1 == op->numResults(), narrows = isWide && !packed;
    if ((!extent.isAtom() || narrows) && (!last || packed)) {
      const std::string count = names_.take(std::string("programs_") + kAxes[i]);
      declareScalar(packed ? wide : word("unsigned"), count,
                    narrows ? call("unsigned", {extent}) : extent);
      extent = named(count);
    }
    total = i == 0 ? extent : binary(Prec::Multiplicative, "*", total, extent);
    std::string name = idName(i, (std::string("program_") + kAxes[i]).c_str());
    declareScalar(wide, name, last ? rest : binary(Prec::Multiplicative, "%", rest, extent));
    rest = binary(Prec::Multiplicative, "/", rest, extent);
    remember(op->result(i), named(name));
  }
  if (packed) leaveFrom(program, total);
}

// ---- storage

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
Stmt KernelEmitter::declareArray(const Expr &element, const Layout &layout, const std::string &name,
                                 bool asVectors, const Expr &init) {
  Expr type = element;
  Declarator array{name, {}, init};
  auto vector = vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) {
    const Expr extent = named(extentName(layout, axis));
    if (asVectors && vector && vector->axis == axis)
      type = instance("tile2cu::vec", {type, extent});
    else if (!isDropped(layout, axis))
      array.extents.push_back(extent);
  }
  return {Declare{type, {array}}};
}

Stmt KernelEmitter::declare(const Type &type, const std::string &name, const Expr &init) {
  if (type.isTile()) return declareArray(typeOf(type), *type.layout(), name, true, init);
  return variable(typeOf(type), name, init);
}

KernelEmitter::Storage KernelEmitter::makeStorage(const Type &type, const std::string &wanted) {
  Storage storage;
  storage.name = names_.take(wanted.empty() ? "value" : wanted);
  storage.layout = type.layout();
  storage.isVector = type.isTile() && usesVec(*type.layout());
  return storage;
}

Expr KernelEmitter::storageRef(const Storage &storage, llvm::ArrayRef<Expr> vars,
                               bool wholeVector) {
  llvm::SmallVector<Expr, 4> indices;
  if (storage.oneVector) {
    indices.push_back(vars.back());
  } else if (storage.layout) {
    for (unsigned axis = 0; axis < storage.layout->registerAxes().size(); ++axis) {
      if (isDropped(*storage.layout, axis)) continue;
      int of = storage.axes ? (*storage.axes)[axis] : int(axis);
      indices.push_back(of < 0 ? integer(0) : vars[of]);
    }
  }
  if (wholeVector && storage.isVector && !indices.empty()) indices.pop_back();
  return storage.at(indices);
}

void KernelEmitter::copyStorage(const Storage &to, const Storage &from) {
  if (!to.layout || isOneVariable(*to.layout)) {
    const Vars zeros(8, integer(0));
    set(named(to.name), from.layout ? storageRef(from, zeros) : from.at());
    return;
  }
  Vars vars;
  bool whole = to.isVector && from.isVector && from.member.empty() && !to.axes && !from.axes;
  openLoops(*to.layout, !whole, vars);
  set(storageRef(to, vars, whole), storageRef(from, vars, whole));
  closeLoops(*to.layout, !whole);
}

}  // namespace tile2cu::emit
