// Combine functions and per-element lambdas as small functors at namespace scope.
#include "emit/cuda/choose_names.h"
#include "emit/cuda/free_names.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// Scalars of the kernel that a region uses.
llvm::SmallVector<Value *, 4> capturedScalars(Block &region) {
  auto captured = capturedBy(region);
  llvm::erase_if(captured, [](const Value *value) {
    return value->definition && value->definition->kind == OpKind::Constant;
  });
  return captured;
}

// Names the parameters of the functor's operator, and remembers what the region's arguments are.
void takeParameters(LoweringContext &ctx, const Op *op, CallOperator &function) {
  const Block &region = *op->region();
  auto take = [&](const Expr &type, const std::string &wanted) {
    const Symbol name = ctx.names.take(wanted);
    function.parameters.push_back({type, name});
    return named(name);
  };
  const unsigned count = op->numResults();
  if (!op->has(Attr::axis)) {  // of one element
    for (auto &argument : region.arguments)
      ctx.values.remember(argument.get(), take(typeOf(argument->type),
                                               argument->name.empty() ? "x" : argument->name));
  } else if (count == 1) {
    for (const Value *argument : {region.argument(0), region.argument(1)}) {
      const char *const fallback = argument->index ? "b" : "a";
      ctx.values.remember(
          argument, take(function.result, argument->name.empty() ? fallback : argument->name));
    }
  } else {
    const Expr a = take(function.result, "a"), b = take(function.result, "b");
    for (unsigned i = 0; i < count; ++i) {
      ctx.values.remember(region.argument(i), member(a, "value" + std::to_string(i)));
      ctx.values.remember(region.argument(count + i), member(b, "value" + std::to_string(i)));
    }
  }
}

// The body is written like a kernel's.
Stmts callOperator(LoweringContext &ctx, const Op *op) {
  const bool isTuple = op->numResults() > 1;
  CallOperator function;
  function.result = isTuple ? word("Values") : typeOf(op->result()->type);
  takeParameters(ctx, op, function);
  const Expr result = function.result;
  const Block &region = *op->region();
  ctx.out.begin();
  ctx.out.open({std::move(function)});
  lowerBlock(ctx, region);
  const Op *yield = region.terminator();
  T2C_ASSERT(yield && yield->kind == OpKind::Yield);
  llvm::SmallVector<Expr, 4> values;
  for (const Value *value : yield->operands()) values.push_back(scalar(ctx, value));
  const Op *last = yield->operand(0)->definition;
  const AtSource at(ctx.out, last ? sourceOf(*last) : SourceLine{});
  ctx.out.add(jump("return", isTuple ? braces(result, values) : values[0]));
  ctx.out.close();
  return ctx.out.end();
}

// `functors`: those of operations inside of the region.
Stmts membersOf(LoweringContext &ctx, const Op *op, const std::vector<Struct> &functors) {
  Stmts members;
  if (op->numResults() > 1) {
    Stmts parts;
    for (unsigned i = 0; i < op->numResults(); ++i)
      parts.push_back(variable(typeOf(op->result(i)->type), Symbol("value" + std::to_string(i))));
    members.push_back(record("struct Values", std::move(parts)));
  }
  for (const Value *value : capturedScalars(*op->region())) {
    const Symbol name = ctx.names.take(value->name.empty() ? "captured" : value->name);
    members.push_back(variable(typeOf(value->type), name));
    ctx.values.remember(value, named(name));
  }
  llvm::append_range(members, callOperator(ctx, op));
  SymbolSet names;
  for (const Struct &functor : functors) names.insert(functor.name);
  chooseNames(members, names);
  return members;
}

// The struct with these members, which is made if the kernel has none. Its name is a symbol until
// the kernels of a file are known (uniteFunctors in merge_kernels.cpp).
Symbol nameOf(LoweringContext &ctx, const Op *op, Stmts members, std::vector<Struct> &structs) {
  for (const Struct &known : structs)
    if (known.members == members) return known.name;
  const bool isMap = op->kind == OpKind::Map, isReference = op->kind == OpKind::DeviceCall;
  const std::string base = camelCase(ctx.kernel.name) + (isMap         ? "Map"
                                                         : isReference ? "Reference"
                                                                       : "Combine");
  const Symbol name = ctx.names.symbol(base, {Origin::Generated}).renumbered(structs.size());
  const Statement *statement = ctx.comments.statementOf(op->loc.statement);
  const std::string comment = std::string(isMap         ? "One element of"
                                          : isReference ? "What the text computes in"
                                                        : "How two elements are combined in") +
                              ": " + (statement ? shortened(statement->text) : ctx.kernel.name);
  structs.push_back({comment, {}, name, std::move(members), sourceOf(*op)});
  return name;
}

// The call that a map of one call of a function of the user makes for each element.
DeviceCallOp onlyCallOf(const Op *map) {
  const Block &region = *map->region();
  const auto function = DeviceCallOp::of(region.front());
  const bool isOnly = function && region.front()->next() == region.back() &&
                      region.back()->operand(0) == function->result() &&
                      function->numOperands() == map->numOperands();
  for (unsigned i = 0; isOnly && i < map->numOperands(); ++i)
    if (function->operand(i) != region.argument(i)) return {};
  return isOnly ? function : DeviceCallOp();
}

bool hasFunctor(const Op *op) {
  if (op->kind == OpKind::Map) return !onlyCallOf(op);
  if (op->kind == OpKind::DeviceCall) return op->has(Attr::text);
  const bool combines = op->kind == OpKind::ReduceThread || op->kind == OpKind::Scan ||
                        (op->kind == OpKind::ReduceAcross && combinesThreads(op));
  return combines && !op->has(Attr::kind);
}

}  // namespace

// A functor may use those of operations inside of its region.
static void lowerFunctorsIn(const Block &block, KernelInfo &info) {
  for (const auto &op : block.ops) {
    // The file has the text, not what computes the same on the CPU.
    if (!info.options.isEmulated && op->kind == OpKind::DeviceCall) continue;
    for (const auto &region : op->regions) lowerFunctorsIn(*region, info);
    if (!hasFunctor(op.get())) continue;
    LoweringContext ctx(info, nullptr);
    Functors &functors = info.functors;
    Stmts members = membersOf(ctx, op.get(), functors.structs);
    functors.names[op.get()] = nameOf(ctx, op.get(), std::move(members), functors.structs);
    functors.helpers.insert(ctx.helpers.begin(), ctx.helpers.end());
  }
}

void lowerFunctors(KernelInfo &info) {
  lowerFunctorsIn(info.kernel.body, info);
  if (info.kernel.producer) lowerFunctorsIn(*info.kernel.producer, info);
}

Expr mapped(LoweringContext &ctx, const Op *map, llvm::ArrayRef<Expr> elements) {
  if (const auto function = onlyCallOf(map)) return callOf(ctx, function, elements);
  return call(functorOf(ctx, map), elements);
}

Expr functorType(const LoweringContext &ctx, const Op *op) {
  return named(ctx.info.functors.names.at(op));
}

Expr functorOf(LoweringContext &ctx, const Op *op) {
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *value : capturedScalars(*op->region())) arguments.push_back(scalar(ctx, value));
  return braces(functorType(ctx, op), arguments);
}

}  // namespace tile2cu::emit
