// Program ids: which program this block or warp is.
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"

namespace tile2cu::emit {
using namespace ir;

// Whether a number of programs is computed in 64 bits, not widened from 32.
static bool isWidePrograms(const Value *count) {
  const Op *op = count->definition;
  if (op && op->kind == OpKind::Constant) return false;
  if (op && op->kind == OpKind::Cast) count = op->operand(0);
  return byteWidth(count->type.scalar()) > 4;
}

static Symbol idName(LoweringContext &ctx, const Value *id, const std::string &fallback) {
  return ctx.names.take(id->name.empty() ? fallback : id->name);
}

// The number of this program.
static Expr programNumber(LoweringContext &ctx) {
  const Expr block = member(word("blockIdx"), "x");
  if (!ctx.kernel.packed()) return block;
  ctx.constants.nameOf("PROGRAMS_PER_BLOCK", ctx.kernel.programsPerBlock);
  return sum(product(call("int64_t", {block}), named("PROGRAMS_PER_BLOCK")), named("warp"));
}

// A block that is not full has warps without a program.
static void leaveFrom(LoweringContext &ctx, const Expr &program, const Expr &count) {
  ctx.out.add(shortIf(binary(Prec::Relational, ">=", program, count), jump("return")));
}

static void lowerOneId(LoweringContext &ctx, const GridOp &grid) {
  const Value *id = grid->result();
  const bool packed = ctx.kernel.packed();
  if (id->unused() && !packed) return;
  const Symbol name = idName(ctx, id, "program");
  ctx.out.declareConstant(typeOf(id->type), name, programNumber(ctx));
  if (packed) {
    const Op *extent = grid.x()->definition;
    const bool widened = extent && passes::isWidening(extent);
    leaveFrom(ctx, named(name), scalar(ctx, widened ? extent->operand(0) : grid.x()));
  }
  ctx.values.remember(id, named(name));
}

// The number of programs along an axis, and whether it has 64 bits.
struct Programs {
  Expr count;
  bool isWide;
};
static Programs programsOf(LoweringContext &ctx, const Value *operand) {
  const bool packed = ctx.kernel.packed();
  Programs programs{scalar(ctx, operand), isWidePrograms(operand)};
  // The value before the conversion may have a name.
  const Op *cast = operand->definition;
  const bool isConverted = cast && passes::isWidening(cast);
  if (isConverted && !packed && !programs.isWide && scalar(ctx, cast->operand(0)).isName())
    programs.count = scalar(ctx, cast->operand(0));
  const Value *dividend, *divisor;
  if (!programs.count.isAtom() && passes::isCdiv(operand, dividend, divisor)) {
    programs.isWide = isWidePrograms(dividend);
    const bool isInt = !packed && !programs.isWide && dividend->type.scalar() != Scalar::U32;
    programs.count = call(isInt ? "tile2cu::cdiv<int>" : "tile2cu::cdiv",
                          {scalar(ctx, dividend), scalar(ctx, divisor)});
  }
  programs.count = withoutCast(programs.count, operand);
  return programs;
}

// Several dimensions are one in the launch, x fastest. The launcher has seen that all programs
// together fit an int, so that without packing 32 bits are enough.
static void lowerIds(LoweringContext &ctx, const GridOp &grid) {
  const bool packed = ctx.kernel.packed();
  const Expr wide = word("int64_t"), number = programNumber(ctx);
  const Expr program = packed ? named(ctx.names.take("program")) : number;
  if (packed) ctx.out.declareConstant(wide, program.symbol(), number);
  const char *const kAxes[] = {"x", "y", "z"};
  Expr rest = program, total = integer(1);
  for (unsigned i = 0; i < grid->numResults(); ++i) {
    const Programs programs = programsOf(ctx, grid->operand(i));
    Expr extent = programs.count;
    const bool last = i + 1 == grid->numResults(), narrows = programs.isWide && !packed;
    if ((!extent.isAtom() || narrows) && (!last || packed)) {
      const Symbol count = ctx.names.take(std::string("programs_") + kAxes[i]);
      ctx.out.declareScalar(packed ? wide : word("unsigned"), count,
                            narrows ? call("unsigned", {extent}) : extent);
      extent = named(count);
    }
    total = i == 0 ? extent : binary(Prec::Multiplicative, "*", total, extent);
    const Symbol name = idName(ctx, grid->result(i), std::string("program_") + kAxes[i]);
    ctx.out.declareScalar(typeOf(grid->result(i)->type), name,
                          last ? rest : binary(Prec::Multiplicative, "%", rest, extent));
    rest = binary(Prec::Multiplicative, "/", rest, extent);
    ctx.values.remember(grid->result(i), named(name));
  }
  if (packed) leaveFrom(ctx, program, total);
}

void lower(LoweringContext &ctx, const GridOp &grid) {
  const bool isUnused =
      llvm::all_of(grid->results, [](const auto &result) { return result->unused(); });
  if (ctx.kernel.packed() || !isUnused) ctx.comments.statement(grid.op);
  grid->numResults() == 1 ? lowerOneId(ctx, grid) : lowerIds(ctx, grid);
}

}  // namespace tile2cu::emit
