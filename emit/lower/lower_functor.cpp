// Combine functions and per-element lambdas as small functors at namespace scope.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The expression that makes the functor of a reduce, scan or map with a region: `SoftmaxCombine{}`, with captured scalars
// between the braces.
std::string KernelEmitter::functor(Op *op, llvm::StringRef role) {
  auto known = functors_.find(op);
  if (known != functors_.end()) return recalled(op->result(), known->second).str();
  Block &region = *op->region();
  // Scalars of the kernel that the region uses.
  auto captured = capturedBy(region);
  llvm::erase_if(captured, [](const Value *value) {
    return value->definition && value->definition->kind == OpKind::Constant;
  });

  // The body is written like a kernel's, with names and text of its own.
  std::string capturedArguments;
  for (Value *value : captured)
    capturedArguments += (capturedArguments.empty() ? "" : ", ") + scalar(value).str();
  std::string savedOut = std::move(out_);
  Names savedNames = std::move(names_);
  auto savedScalars = scalars_;
  auto savedCommented = commented_;
  for (int i = 0; i < int(kernel_.statements.size()); ++i) commented_.insert(i);
  out_.clear();
  names_ = Names();
  std::string members, arguments;
  for (Value *value : captured) {
    std::string name = names_.take(value->name.empty() ? "captured" : value->name);
    members += cppType(value->type.element()) + " " + name + ";\n";
    remember(value, primary(name));
  }
  unsigned count = op->numResults();
  bool tuple = count > 1;
  std::string result = tuple ? "Values" : cppType(op->result()->type.element());
  if (role == "map") {
    for (auto &argument : region.arguments) {
      std::string name = names_.take(argument->name.empty() ? "x" : argument->name);
      arguments += (arguments.empty() ? "" : ", ") + cppType(argument->type.element()) + " " + name;
      remember(argument.get(), primary(name));
    }
  } else if (!tuple) {
    for (unsigned i = 0; i < 2; ++i) {
      Value *argument = region.argument(i);
      std::string name = names_.take(argument->name.empty() ? (i ? "b" : "a") : argument->name);
      arguments += (i ? ", " : "") + result + " " + name;
      remember(argument, primary(name));
    }
  } else {
    std::string a = names_.take("a"), b = names_.take("b");
    arguments = "Values " + a + ", Values " + b;
    for (unsigned i = 0; i < count; ++i) {
      remember(region.argument(i), primary(a + ".value" + std::to_string(i)));
      remember(region.argument(count + i), primary(b + ".value" + std::to_string(i)));
    }
  }
  block(region);
  Op *yield = region.terminator();
  T2C_ASSERT(yield && yield->kind == OpKind::Yield);
  std::string values;
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    values += (i ? ", " : "") + scalar(yield->operand(i)).str();
  line(tuple ? "return Values{" + values + "};" : "return " + values + ";");
  std::string body = std::move(out_);
  out_ = std::move(savedOut);
  names_ = std::move(savedNames);
  scalars_ = std::move(savedScalars);
  commented_ = std::move(savedCommented);

  std::string text = " {\n";
  if (tuple) {
    text += "struct Values {\n";
    for (unsigned i = 0; i < count; ++i)
      text += cppType(op->result(i)->type.element()) + " value" + std::to_string(i) + ";\n";
    text += "};\n";
  }
  text += members + "__device__ __forceinline__ " + result + " operator()(" + arguments +
          ") const {\n" + body + "}\n};\n";
  auto same = functorTexts_.find(text);
  std::string name;
  if (same != functorTexts_.end()) {
    name = same->second;
  } else {
    std::string base = camelCase(kernel_.name) + (role == "map" ? "Map" : "Combine");
    name = base;
    for (int i = 2; std::any_of(functorTexts_.begin(), functorTexts_.end(),
                                [&](const auto &entry) { return entry.second == name; });
         ++i)
      name = base + std::to_string(i);
    functorTexts_[text] = name;
    const Statement *statement = statementOf(op->loc.statement);
    std::string comment = std::string("// ") +
                          (role == "map" ? "One element of" : "How two elements are combined in") +
                          ": " + (statement ? shortened(statement->text) : kernel_.name) + "\n";
    text_.functors.push_back({name, comment, text});
  }
  return (functors_[op] = remembered(primary(name + "{" + capturedArguments + "}"))).expr.str();
}

}  // namespace tile2cu::emit
