#include "emit/lower/scalar_names.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/memory/alias.h"
#include "passes/ir/builder.h"

namespace tile2cu::emit {
using namespace ir;

const std::string &ScalarNames::hintOf(const Value *value) const {
  const auto hint = hints_.find(value);
  return hint == hints_.end() ? value->name : hint->second;
}

std::string ScalarNames::parameterOf(const Value *pointer) const {
  const auto base = passes::basePointer(pointer);
  return base ? parameters_[*base].name : "";
}

// The first named scalar of an offset says where it is: row of in_row; a program id by itself says
// only "this program's".
std::string ScalarNames::whereOf(const Value *offset) const {
  llvm::SmallVector<const Value *, 8> open{offset};
  for (unsigned steps = 0; steps < 8 && !open.empty(); ++steps) {
    const Value *value = open.pop_back_val();
    if (!value) continue;
    const std::string &known = hintOf(value);
    const bool plainId =
        known.starts_with("pid") || known.starts_with("bid") || known.starts_with("program");
    const bool constant = value->definition && value->definition->kind == OpKind::Constant;
    if (!known.empty() && !plainId && !constant && !value->isArgument() && known.size() <= 12)
      return known;
    if (value->definition && !plainId)
      for (const Value *operand : llvm::reverse(value->definition->operands()))
        open.push_back(operand);
  }
  return "tile";
}

std::string ScalarNames::pointerName(const Op *addptr) const {
  if (const auto table = TableOp::of(addptr->operand(0))) return table.symbol() + "_value";
  std::string pointer = parameterOf(addptr->result());
  if (pointer.empty()) {
    pointer = hintOf(addptr->operand(0));
    // A pointer that is handed to a function is called a_tile.
    if (llvm::StringRef(pointer).ends_with("_tile")) pointer.resize(pointer.size() - 5);
  }
  if (pointer.empty()) pointer = "pointer";
  return pointer + "_" + whereOf(addptr->operand(1));
}

// Where a pointer points to, or the pointers of a tile: out_row.
std::string ScalarNames::placeName(const Value *pointer) const {
  const Op *op = pointer->definition;
  while (op && pointer->type.isTile() && op->numOperands() > 0) {
    pointer = op->operand(0);
    op = pointer->definition;
  }
  return op && op->kind == OpKind::AddPtr ? pointerName(op) : parameterOf(pointer);
}

std::string ScalarNames::storedName(const Value *value) const {
  for (const Op *user : value->users)
    if (const auto store = StoreOp::of(user))
      if (const std::string place = placeName(store.pointer()); !place.empty())
        return place + "_result";
  return "";
}

// The name of a sum or product by one of its operands; empty: that says nothing.
std::string ScalarNames::termName(const Op *op, const Value *operand) const {
  const bool isFloatResult = isFloat(op->result()->type.scalar());
  // int64_t(row) * 64, where row is a number of the kernel's own.
  const Op *cast = operand->definition;
  if (op->kind == OpKind::Mul && operand->name.empty() && cast && cast->kind == OpKind::Cast) {
    const Value *row = cast->operand(0);
    const bool isParameter = row->isArgument() && !row->owner->parent;
    if (!row->name.empty() && !isParameter && isInteger(row->type.scalar()) &&
        isInteger(op->result()->type.scalar()))
      return row->name + "_offset";
  }
  const std::string of = hintOf(operand);
  const bool isNamed = !of.empty() && !operand->type.isPointer() && operand->definition &&
                       operand->definition->kind != OpKind::Constant;
  if (!isNamed) return "";
  return isFloatResult ? of + "_term" : of + "_start";
}

std::string ScalarNames::arithmeticName(const Op *op) const {
  const Value *dividend, *divisor;
  if (passes::isCdiv(op->result(), dividend, divisor))
    return hintOf(dividend).empty() ? "blocks" : hintOf(dividend) + "_blocks";
  if (op->kind == OpKind::Sub && isInteger(op->result()->type.scalar()) &&
      llvm::none_of(op->operands(), [](Value *value) { return constantInt(value); }))
    return op->operand(0)->isArgument() ? hintOf(op->operand(0)) + "_left" : "difference";
  for (const Value *operand : op->operands())
    if (std::string name = termName(op, operand); !name.empty()) return name;
  if (isFloat(op->result()->type.scalar())) return "term";
  if (op->kind == OpKind::Sub)
    return hintOf(op->operand(0)).empty() ? "left" : hintOf(op->operand(0)) + "_left";
  return op->kind == OpKind::Mul && constantInt(op->operand(0)) ? "step" : "start";
}

std::string ScalarNames::secondName(const Op *op) const {
  if (op->kind == OpKind::AddPtr) return pointerName(op) + "_pointer";
  if (const auto load = LoadOp::of(op)) return placeName(load.pointer());
  const bool isIndex = (op->kind == OpKind::Mul || op->kind == OpKind::Add) &&
                       isInteger(op->result()->type.scalar());
  if (!isIndex) return "";
  for (const Value *operand : op->operands())
    if (!hintOf(operand).empty() && !constantInt(operand)) return hintOf(operand) + "_offset";
  return whereOf(op->result()) + "_offset";
}

std::string ScalarNames::roleName(const Op *op) const {
  switch (op->kind) {
    case OpKind::AddPtr:
      return pointerName(op);
    case OpKind::Reciprocal: {
      const std::string &of = hintOf(op->operand(0));
      return of.empty() ? "scale" : "inv_" + of;
    }
    case OpKind::Mul:
    case OpKind::Add:
    case OpKind::Sub:
      return arithmeticName(op);
    case OpKind::ProgramId:
      return "program";
    case OpKind::NumPrograms:
      return "programs";
    case OpKind::UniformThreshold:
      return "threshold";
    case OpKind::Clamp:
      return "limit";
    case OpKind::Minimum:
      return "lower";
    case OpKind::Maximum:
      return "upper";
    case OpKind::Cast: {
      const std::string &of = hintOf(op->operand(0));
      return of.empty() ? "value" : of + "_" + name(op->result()->type.scalar()).str();
    }
    case OpKind::Ne:
    case OpKind::Eq:
      if (op->operand(0)->type.isPointer() && ConstantOp::of(op->operand(1)) &&
          !hintOf(op->operand(0)).empty())
        return (op->kind == OpKind::Ne ? "has_" : "no_") + hintOf(op->operand(0));
      return "condition";
    default:  // any other operation: its own name says it
      if (op->result()->type.scalar() == Scalar::Bool) return "condition";
      return op->mnemonic().str() + "_value";
  }
}

}  // namespace tile2cu::emit
