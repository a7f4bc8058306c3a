// Combine functions and per-element lambdas as small functors at namespace scope.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
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

// While it lives, statements have names of their own, and no comments; the kernel's numbers have no
// names at namespace scope.
class NamespaceScope {
 public:
  NamespaceScope(LoweringContext &ctx, llvm::ArrayRef<Value *> captured)
      : ctx_(ctx),
        names_(std::exchange(ctx.names, Names())),
        arguments_(ctx.constants.takeArguments()),
        said_(ctx.comments.said()) {
    for (const Value *value : captured) {
      const Remembered *known = ctx.values.known(value);
      captured_.emplace_back(value, known ? std::optional(*known) : std::nullopt);
    }
    ctx.comments.silence();
  }
  NamespaceScope(const NamespaceScope &) = delete;
  ~NamespaceScope() {
    ctx_.names = std::move(names_);
    ctx_.constants.putBack(std::move(arguments_));
    ctx_.comments.restore(std::move(said_));
    for (auto &[value, known] : captured_)
      known ? ctx_.values.remember(value, std::move(*known)) : ctx_.values.forget(value);
  }

 private:
  LoweringContext &ctx_;
  Names names_;
  std::vector<TemplateArgument> arguments_;
  std::set<int> said_;
  std::vector<std::pair<const Value *, std::optional<Remembered>>> captured_;
};

// Names the parameters of the functor's operator, and remembers what the region's arguments are.
void takeParameters(LoweringContext &ctx, const Op *op, CallOperator &function) {
  const Block &region = *op->region();
  auto take = [&](const Expr &type, const std::string &wanted) {
    const std::string name = ctx.names.take(wanted);
    function.parameters.push_back({type, name});
    return named(name);
  };
  const unsigned count = op->numResults();
  if (op->kind == OpKind::Map) {
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

Stmts membersOf(LoweringContext &ctx, const Op *op, llvm::ArrayRef<Value *> captured) {
  const NamespaceScope scope(ctx, captured);
  Stmts members;
  if (op->numResults() > 1) {
    Stmts parts;
    for (unsigned i = 0; i < op->numResults(); ++i)
      parts.push_back(variable(typeOf(op->result(i)->type), "value" + std::to_string(i)));
    members.push_back(record("struct Values", std::move(parts)));
  }
  for (const Value *value : captured) {
    const std::string name = ctx.names.take(value->name.empty() ? "captured" : value->name);
    members.push_back(variable(typeOf(value->type), name));
    ctx.values.remember(value, named(name));
  }
  llvm::append_range(members, callOperator(ctx, op));
  return members;
}

// The functor with these members, which is made if the kernel has none.
std::string functorName(LoweringContext &ctx, const Op *op, Stmts members) {
  for (const Struct &known : ctx.functors)
    if (known.members == members) return known.name;
  const bool isMap = op->kind == OpKind::Map;
  const std::string base = camelCase(ctx.kernel.name) + (isMap ? "Map" : "Combine");
  const auto isTaken = [&](const std::string &name) {
    return llvm::any_of(ctx.functors, [&](const Struct &known) { return known.name == name; });
  };
  std::string name = base;
  for (int i = 2; isTaken(name); ++i) name = base + std::to_string(i);
  const Statement *statement = ctx.comments.statementOf(op->loc.statement);
  const std::string comment =
      std::string(isMap ? "One element of" : "How two elements are combined in") + ": " +
      (statement ? shortened(statement->text) : ctx.kernel.name);
  ctx.functors.push_back({comment, {}, name, std::move(members), sourceOf(*op)});
  return name;
}

}  // namespace

Expr functorOf(LoweringContext &ctx, const Op *op) {
  if (const auto known = ctx.functorValues.find(op); known != ctx.functorValues.end())
    return ctx.values.recalled(op->result(), known->second);
  const auto captured = capturedScalars(*op->region());
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *value : captured) arguments.push_back(scalar(ctx, value));
  const std::string name = functorName(ctx, op, membersOf(ctx, op, captured));
  const Remembered functor = ctx.values.remembered(braces(word(name), arguments));
  ctx.functorValues[op] = functor;
  return functor.expr;
}

}  // namespace tile2cu::emit
