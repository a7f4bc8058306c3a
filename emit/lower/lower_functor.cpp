// Combine functions and per-element lambdas as small functors at namespace scope.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The expression that makes the functor of a reduce, scan or map with a region: `SoftmaxCombine{}`, with captured scalars
// between the braces.
Expr KernelEmitter::functor(Op *op, llvm::StringRef role) {
  auto known = functors_.find(op);
  if (known != functors_.end()) return recalled(op->result(), known->second);
  Block &region = *op->region();
  // Scalars of the kernel that the region uses.
  auto captured = capturedBy(region);
  llvm::erase_if(captured, [](const Value *value) {
    return value->definition && value->definition->kind == OpKind::Constant;
  });

  // The body is written like a kernel's, with names and text of its own.
  llvm::SmallVector<Expr, 4> capturedArguments;
  for (Value *value : captured) capturedArguments.push_back(scalar(value));
  Names savedNames = std::move(names_);
  auto savedScalars = scalars_;
  auto savedCommented = commented_;
  // The kernel's numbers have no names at namespace scope.
  std::vector<TemplateArgument> savedArguments;
  std::swap(savedArguments, templateArguments_);
  for (int i = 0; i < int(kernel_.statements.size()); ++i) commented_.insert(i);
  names_ = Names();
  Stmts members;
  for (Value *value : captured) {
    std::string name = names_.take(value->name.empty() ? "captured" : value->name);
    members.push_back(variable(typeOf(value->type), name));
    remember(value, named(name));
  }
  unsigned count = op->numResults();
  bool tuple = count > 1;
  const Expr result = tuple ? word("Values") : typeOf(op->result()->type);
  CallOperator function;
  function.result = result;
  auto take = [&](const Expr &type, const std::string &name) {
    function.parameters.push_back({type, name});
    return named(name);
  };
  if (role == "map") {
    for (auto &argument : region.arguments) {
      std::string name = names_.take(argument->name.empty() ? "x" : argument->name);
      remember(argument.get(), take(typeOf(argument->type), name));
    }
  } else if (!tuple) {
    for (unsigned i = 0; i < 2; ++i) {
      Value *argument = region.argument(i);
      std::string name = names_.take(argument->name.empty() ? (i ? "b" : "a") : argument->name);
      remember(argument, take(result, name));
    }
  } else {
    const std::string first = names_.take("a"), second = names_.take("b");
    const Expr a = take(result, first), b = take(result, second);
    for (unsigned i = 0; i < count; ++i) {
      remember(region.argument(i), member(a, "value" + std::to_string(i)));
      remember(region.argument(count + i), member(b, "value" + std::to_string(i)));
    }
  }
  out_.begin();
  open({std::move(function)});
  block(region);
  Op *yield = region.terminator();
  T2C_ASSERT(yield && yield->kind == OpKind::Yield);
  llvm::SmallVector<Expr, 4> values;
  for (Value *value : yield->operands()) values.push_back(scalar(value));
  add(jump("return", tuple ? braces(result, values) : values[0]));
  close();
  Stmts call = out_.end();
  names_ = std::move(savedNames);
  scalars_ = std::move(savedScalars);
  commented_ = std::move(savedCommented);
  templateArguments_ = std::move(savedArguments);

  if (tuple) {
    Stmts parts;
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(variable(typeOf(op->result(i)->type), "value" + std::to_string(i)));
    members.insert(members.begin(), record("struct Values", std::move(parts)));
  }
  llvm::append_range(members, call);
  auto same =
      llvm::find_if(text_.functors, [&](const Functor &known) { return known.members == members; });
  std::string name;
  if (same != text_.functors.end()) {
    name = same->name;
  } else {
    std::string base = camelCase(kernel_.name) + (role == "map" ? "Map" : "Combine");
    name = base;
    for (int i = 2;
         llvm::any_of(text_.functors, [&](const Functor &known) { return known.name == name; });
         ++i)
      name = base + std::to_string(i);
    const Statement *statement = statementOf(op->loc.statement);
    std::string comment = std::string("// ") +
                          (role == "map" ? "One element of" : "How two elements are combined in") +
                          ": " + (statement ? shortened(statement->text) : kernel_.name) + "\n";
    text_.functors.push_back({name, comment, std::move(members)});
  }
  return (functors_[op] = remembered(braces(word(name), capturedArguments))).expr;
}

}  // namespace tile2cu::emit
