#include "emit/lower/tables.h"

#include <bit>

#include "emit/cuda/free_names.h"
#include "emit/cuda/occupied_names.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

static std::string keyOf(const TableOp &table) {
  std::string key = table.symbol() + ": " + table->result()->type.str();
  for (const int64_t element : table.elements()) key += " " + std::to_string(element);
  return key;
}

Tables::Tables(const Module &module) {
  takeNames(module);
  const auto visit = [&](const Op *op) {
    if (const auto table = TableOp::of(op)) add(table);
  };
  for (const Kernel &kernel : module.kernels) {
    ir::walk(kernel.body, visit);
    if (kernel.producer) ir::walk(*kernel.producer, visit);
  }
}

void Tables::takeNames(const Module &module) {
  const auto takeSpaces = [&](llvm::StringRef nameSpace) {
    llvm::SmallVector<llvm::StringRef, 4> spaces;
    nameSpace.split(spaces, "::", -1, false);
    for (const llvm::StringRef space : spaces) taken_.insert(space.str());
  };
  for (const Launcher &launcher : module.launchers) {
    for (const char *end : {"", "_pin", "_tuner"}) taken_.insert(launcher.name + end);
    takeSpaces(launcher.nameSpace);
  }
  for (const ir::Record &record : module.records) {
    taken_.insert(record.name);
    takeSpaces(record.nameSpace);
  }
  for (const Kernel &kernel : module.kernels) {
    taken_.insert(kernel.name);
    takeSpaces(kernel.nameSpace);
    for (const Parameter &parameter : kernel.parameters) taken_.insert(parameter.identifier());
    for (const TemplateArgument &argument : kernel.templateArguments) taken_.insert(argument.name);
    ir::walk(kernel.body, [&](const Op *op) {
      if (op->has(Attr::header)) suffix_ = "_table";
    });
  }
}

// __device__ const float kTable[4] = {1.0f, 2.0f, 3.0f, 4.0f};
void Tables::add(const TableOp &table) {
  std::string &name = names_[keyOf(table)];
  if (!name.empty()) return;
  const std::string wanted = identifier(table.symbol() + suffix_);
  name = occupiedName(wanted) == Occupied::Free ? wanted : wanted + "_table";
  const std::string first = name;
  for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", first, i);
  const Scalar type = table->result()->type.scalar();
  std::vector<Expr> elements;
  for (const int64_t element : table.elements())
    elements.push_back(isFloat(type) ? literal(type, std::bit_cast<double>(element))
                                     : literal(type, element));
  Declare declare{word("__device__ const " + cppType(type)), {}};
  declare.all.push_back({Symbol(name), {integer(table.elements().size())}, list(elements)});
  tables_.push_back({Stmt{std::move(declare)}});
}

Expr Tables::nameOf(const TableOp &table) const { return word(names_.at(keyOf(table))); }

}  // namespace tile2cu::emit
