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

const clang::ConstantArrayType *arrayType(Lowering &l, clang::QualType type) {
  const auto *array = l.context.getAsConstantArrayType(type);
  return array ? array : stdArrayType(l, type);
}

// The elements of an array, those of its arrays one after the other.
struct Elements {
  ir::Scalar type = ir::Scalar::None;
  ir::Ints numbers = {};

  bool addArray(Lowering &l, const Val &value, clang::QualType of) {
    const auto *array = arrayType(l, of);
    if (!array) return add(value);
    // A std::array has its array as a member.
    if (!l.context.getAsConstantArrayType(of))
      return value.fields.size() == 1 && addArray(l, value.fields[0], clang::QualType(array, 0));
    return !value.fields.empty() && llvm::all_of(value.fields, [&](const Val &field) {
      return addArray(l, field, array->getElementType());
    });
  }

  bool add(const Val &value) {
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
  const auto *array = arrayType(l, type);
  return array ? array->getSize().getSExtValue() * scalarsOf(l, array->getElementType()) : 1;
}

}  // namespace

static ir::Value *tableOf(Lowering &l, Elements elements, llvm::StringRef symbol) {
  ir::Op *table =
      l.builder.create(OpKind::Table, {}, {ir::Type::pointer(elements.type, true)}, symbol);
  table->set(ir::Attr::elements, std::move(elements.numbers));
  table->setString(ir::Attr::symbol, symbol);
  return table->result();
}

// The array at `place`, and what the source calls it; nullopt if it may change.
static std::optional<std::pair<Val, std::string>> constantAt(Lowering &l, const Place &place,
                                                             llvm::StringRef name) {
  if (place.isMemory() || (place.writable && !l.env.isConst(place.slot))) return std::nullopt;
  Val array = l.env.read(place);
  if (!array.isAggregate()) return std::nullopt;
  const std::string &variable = l.env.name(place.slot);
  return std::pair(std::move(array), variable.empty() ? name.str() : variable);
}

ir::Value *tablePointer(Lowering &l, const Place &unresolved, clang::QualType type,
                        llvm::StringRef name) {
  const Place place = l.env.resolve(unresolved);
  if (place.isMemory()) return place.pointer;
  const auto array = constantAt(l, place, name);
  Elements elements;
  if (!array || !elements.addArray(l, array->first, type)) return nullptr;
  return tableOf(l, std::move(elements), array->second);
}

// Objects of one type, of which one is chosen at run time: a table for each number in them.
static std::optional<Val> chosenObject(Lowering &l, llvm::ArrayRef<const Val *> objects,
                                       ir::Value *index, const std::string &name,
                                       const clang::CXXRecordDecl *record) {
  if (objects.front()->isAggregate()) {
    std::vector<Val> fields;
    for (size_t i = 0; i < objects.front()->fields.size(); ++i) {
      const size_t bases = record ? record->getNumBases() : 0;
      const clang::FieldDecl *field =
          record && i >= bases ? *std::next(record->field_begin(), i - bases) : nullptr;
      std::vector<const Val *> parts;
      for (const Val *object : objects) {
        if (object->fields.size() <= i) return std::nullopt;
        parts.push_back(&object->fields[i]);
      }
      auto chosen = chosenObject(
          l, parts, index, name + "_" + (field ? field->getNameAsString() : std::to_string(i)),
          field ? asRecord(field->getType()) : nullptr);
      if (!chosen) return std::nullopt;
      fields.push_back(std::move(*chosen));
    }
    return Val::aggregate(std::move(fields));
  }
  Elements elements;
  if (!llvm::all_of(objects, [&](const Val *object) { return elements.add(*object); }))
    return std::nullopt;
  const ir::Type type(elements.type);
  ir::Value *pointer = offsetPointer(l, tableOf(l, std::move(elements), name), index);
  return Val(l.builder.create(OpKind::Load, {pointer}, {type})->result());
}

std::optional<Val> tableObject(Lowering &l, const Place &unresolved, ir::Value *index,
                               clang::QualType type, llvm::StringRef name) {
  const auto array = constantAt(l, l.env.resolve(unresolved), name);
  if (!array || array->first.fields.empty()) return std::nullopt;
  std::vector<const Val *> objects;
  for (const Val &object : array->first.fields) objects.push_back(&object);
  return chosenObject(l, objects, index, array->second, asRecord(type));
}

ir::Value *tablePointer(Lowering &l, const clang::Expr *array) {
  array = array->IgnoreParens();
  const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(array);
  if (!choice) return tablePointer(l, lowerPlace(l, array), array->getType(), nameOfPlace(array));
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

static bool isArrayOfNumbers(const clang::ASTContext &context, clang::QualType type);

// Whether it is a number, or consists of numbers.
static bool consistsOfNumbers(const clang::ASTContext &context, clang::QualType type) {
  if (type->isArithmeticType() || isArrayOfNumbers(context, type)) return true;
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->isAggregate() && record->getNumBases() == 0 && !record->isUnion() &&
         !lowerType(type) && llvm::all_of(record->fields(), [&](const clang::FieldDecl *field) {
           return consistsOfNumbers(context, field->getType());
         });
}

// Whether it is an array of numbers or of structs of numbers, or a std::array of them.
static bool isArrayOfNumbers(const clang::ASTContext &context, clang::QualType type) {
  if (const auto *array = context.getAsConstantArrayType(type))
    return consistsOfNumbers(context, array->getElementType());
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !record->isInStdNamespace() || record->getName() != "array") return false;
  return consistsOfNumbers(context, record->getTemplateArgs()[0].getAsType());
}

std::optional<Val> constantArray(Lowering &l, const clang::VarDecl *variable) {
  if (!variable->isConstexpr() || !isArrayOfNumbers(l.context, variable->getType()))
    return std::nullopt;
  const clang::APValue *value = variable->evaluateValue();
  if (!value) return std::nullopt;
  return l.constant(*value, variable->getType().getUnqualifiedType());
}

}  // namespace tile2cu::frontend
