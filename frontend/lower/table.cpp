#include "frontend/lower/table.h"

#include <bit>

#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {

using ir::OpKind;

namespace {

// The elements of an array, those of its arrays one after the other.
struct Elements {
  ir::Scalar type = ir::Scalar::None;
  ir::Ints numbers;

  bool add(const Val &value) {
    if (value.isAggregate())
      return !value.fields.empty() &&
             llvm::all_of(value.fields, [&](const Val &field) { return add(field); });
    const auto constant = ir::ConstantOp::of(value.isValue() ? value.value : nullptr);
    if (!constant || value.value->type.isPointer()) return false;
    const ir::Scalar scalar = value.value->type.scalar();
    // CUDA's 16-bit and 8-bit floats have no constants that a variable of the device begins with.
    if (ir::isFloat(scalar) && ir::bitWidth(scalar) < 32) return false;
    if (type == ir::Scalar::None) type = scalar;
    numbers.push_back(ir::isFloat(scalar)
                          ? std::bit_cast<int64_t>(constant->getDouble(ir::Attr::value))
                          : constant->getInt(ir::Attr::value));
    return type == scalar;
  }
};

// How many scalars an object of this type has in a table.
int64_t scalarsOf(Lowering &l, clang::QualType type) {
  const auto *array = l.context.getAsConstantArrayType(type);
  if (!array) array = stdArrayType(l, type);
  return array ? array->getSize().getSExtValue() * scalarsOf(l, array->getElementType()) : 1;
}

}  // namespace

ir::Value *tablePointer(Lowering &l, const Place &unresolved, llvm::StringRef name) {
  const Place place = l.env.resolve(unresolved);
  if (place.isMemory()) return place.pointer;
  if (place.writable && !l.env.isConst(place.slot)) return nullptr;
  Elements elements;
  const Val array = l.env.read(place);
  if (!array.isAggregate() || !elements.add(array)) return nullptr;
  const std::string &variable = l.env.name(place.slot);
  ir::Op *table =
      l.builder.create(OpKind::Table, {}, {ir::Type::pointer(elements.type, true)}, name);
  table->set(ir::Attr::elements, std::move(elements.numbers));
  table->setString(ir::Attr::symbol, variable.empty() ? name : llvm::StringRef(variable));
  table->result()->name = table->getString(ir::Attr::symbol);
  return table->result();
}

ir::Value *tablePointer(Lowering &l, const clang::Expr *array) {
  array = array->IgnoreParens();
  const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(array);
  if (!choice) return tablePointer(l, lowerPlace(l, array), nameOfPlace(array));
  ir::Value *condition = lowerCondition(l, choice->getCond());
  if (auto known = scalarConstant(condition))
    return tablePointer(l, *known ? choice->getTrueExpr() : choice->getFalseExpr());
  ir::Value *onTrue = tablePointer(l, choice->getTrueExpr());
  ir::Value *onFalse = tablePointer(l, choice->getFalseExpr());
  return onTrue && onFalse ? l.builder.select(condition, onTrue, onFalse) : nullptr;
}

ir::Value *tableElement(Lowering &l, ir::Value *table, ir::Value *index, clang::QualType element) {
  const int64_t size = scalarsOf(l, element);
  if (size != 1)
    index = arithmetic(l, OpKind::Mul, convertElement(l, index, ir::Scalar::I64),
                       l.builder.constant(ir::Scalar::I64, size));
  return scalarConstant(index) == 0 ? table : offsetPointer(l, table, index);
}

// Whether it is an array of numbers, or a std::array of them.
static bool isArrayOfNumbers(const clang::ASTContext &context, clang::QualType type) {
  if (const auto *array = context.getAsConstantArrayType(type))
    return array->getElementType()->isArithmeticType() ||
           isArrayOfNumbers(context, array->getElementType());
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !record->isInStdNamespace() || record->getName() != "array") return false;
  const clang::QualType element = record->getTemplateArgs()[0].getAsType();
  return element->isArithmeticType() || isArrayOfNumbers(context, element);
}

std::optional<Val> constantArray(Lowering &l, const clang::VarDecl *variable) {
  if (!variable->isConstexpr() || !isArrayOfNumbers(l.context, variable->getType()))
    return std::nullopt;
  const clang::APValue *value = variable->evaluateValue();
  if (!value) return std::nullopt;
  return l.constant(*value, variable->getType().getUnqualifiedType());
}

}  // namespace tile2cu::frontend
