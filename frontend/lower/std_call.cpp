// The functions of the standard library that tile functions may call: <cmath> on scalars, std::min
// and std::max, those of tuples, pairs and arrays, std::swap, and comparisons of what <=> returns.
#include <array>
#include <cmath>

#include "clang/AST/ComparisonCategories.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/table.h"

namespace tile2cu::frontend {
namespace {

using ir::OpKind;
using ir::Scalar;

struct MathRow {
  llvm::StringRef name;
  OpKind kind;
};
constexpr MathRow kMath[] = {
    {"exp", OpKind::Exp},
    {"exp2", OpKind::Exp2},
    {"log", OpKind::Log},
    {"log2", OpKind::Log2},
    {"sqrt", OpKind::Sqrt},
    {"sin", OpKind::Sin},
    {"cos", OpKind::Cos},
    {"tan", OpKind::Tan},
    {"tanh", OpKind::Tanh},
    {"erf", OpKind::Erf},
    {"floor", OpKind::Floor},
    {"ceil", OpKind::Ceil},
    {"rint", OpKind::Rint},
    {"nearbyint", OpKind::Rint},
    {"fabs", OpKind::Abs},
    {"abs", OpKind::Abs},
    {"labs", OpKind::Abs},
    {"llabs", OpKind::Abs},
    {"fmin", OpKind::Minimum},
    {"fmax", OpKind::Maximum},
    {"fma", OpKind::Fma},
    {"pow", OpKind::Pow},
    {"fmod", OpKind::Rem},
    {"rsqrt", OpKind::Rsqrt},
    {"hypot", OpKind::Hypot},
    {"trunc", OpKind::Trunc},
    {"round", OpKind::Round},
    {"asin", OpKind::Asin},
    {"acos", OpKind::Acos},
    {"atan", OpKind::Atan},
    {"sinh", OpKind::Sinh},
    {"cosh", OpKind::Cosh},
    {"asinh", OpKind::Asinh},
    {"acosh", OpKind::Acosh},
    {"atanh", OpKind::Atanh},
    {"exp10", OpKind::Exp10},
    {"expm1", OpKind::Expm1},
    {"log10", OpKind::Log10},
    {"log1p", OpKind::Log1p},
    {"cbrt", OpKind::Cbrt},
    {"erfc", OpKind::Erfc},
    {"lgamma", OpKind::Lgamma},
    {"tgamma", OpKind::Tgamma},
    {"atan2", OpKind::Atan2},
    {"copysign", OpKind::Copysign},
    {"nextafter", OpKind::Nextafter},
    {"remainder", OpKind::Remainder},
};

// A function of the C library, and not one of the program that has the same name.
bool isGlobalC(const clang::FunctionDecl *callee) {
  if (callee->isExternC()) return !callee->isDefined();
  return callee->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation());
}

std::optional<OpKind> mathKind(const clang::FunctionDecl *callee) {
  if (!callee->getIdentifier()) return std::nullopt;
  if (!callee->isInStdNamespace() && !isGlobalC(callee)) return std::nullopt;
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  auto find = [&](llvm::StringRef text) -> std::optional<OpKind> {
    for (const MathRow &row : kMath)
      if (row.name == text) return row.kind;
    return std::nullopt;
  };
  if (auto kind = find(name)) return kind;
  return name.consume_back("f") ? find(name) : std::nullopt;
}

Val lowerMathCall(Lowering &l, const clang::CallExpr *call, OpKind kind) {
  auto type = lowerType(call->getType());
  if (!type || type->isPointer()) return l.placeholder(call->getType());
  llvm::SmallVector<ir::Value *, 3> operands;
  for (const clang::Expr *e : call->arguments())
    operands.push_back(convertElement(l, lowerIr(l, e), type->scalar()));
  return l.builder.create(kind, operands, {*type})->result();
}

// std::min and std::max, which prefer their first argument when neither is less.
Val lowerMinMax(Lowering &l, const clang::CallExpr *call, bool isMax) {
  ir::Value *a = lowerIr(l, call->getArg(0)), *b = lowerIr(l, call->getArg(1));
  b = convert(l, b, a->type);
  if (!ir::isFloat(a->type.scalar()))
    return l.builder.binary(isMax ? OpKind::Maximum : OpKind::Minimum, a, b);
  ir::Value *less = isMax ? arithmetic(l, OpKind::Lt, a, b) : arithmetic(l, OpKind::Lt, b, a);
  return l.builder.select(less, b, a);
}

bool isNamed(const clang::FunctionDecl *callee, llvm::StringRef name) {
  return callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == name;
}

// Whether it is a std::strong_ordering or another result of <=>.
bool isOrdering(const clang::ASTContext &context, clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() &&
         context.CompCategories.lookupInfoForType(
             context.getRecordType(record->getCanonicalDecl())) != nullptr;
}

// A comparison of the result of <=> with another one, or with 0.
std::optional<OpKind> orderingComparison(const clang::FunctionDecl *callee) {
  if (!callee->isInStdNamespace() || callee->getNumParams() != 2) return std::nullopt;
  const auto takes = [&](unsigned i) {
    return isOrdering(callee->getASTContext(), callee->getParamDecl(i)->getType());
  };
  if (!takes(0) && !takes(1)) return std::nullopt;
  switch (callee->getOverloadedOperator()) {
    case clang::OO_Less:
      return OpKind::Lt;
    case clang::OO_LessEqual:
      return OpKind::Le;
    case clang::OO_Greater:
      return OpKind::Gt;
    case clang::OO_GreaterEqual:
      return OpKind::Ge;
    case clang::OO_EqualEqual:
      return OpKind::Eq;
    default:
      return std::nullopt;
  }
}

// std::strong_ordering to std::partial_ordering, and alike.
bool isOrderingConversion(const clang::FunctionDecl *callee) {
  const auto *conversion = llvm::dyn_cast<clang::CXXConversionDecl>(callee);
  const clang::ASTContext &context = callee->getASTContext();
  return conversion && isOrdering(context, conversion->getConversionType()) &&
         isOrdering(context, context.getRecordType(conversion->getParent()));
}

Val lowerOrderingConversion(Lowering &l, const clang::CallExpr *call) {
  const auto *member = llvm::cast<clang::CXXMemberCallExpr>(call);
  const clang::Expr *object = member->getImplicitObjectArgument();
  const auto numbersOf = [&](clang::QualType type) {
    const auto &of = l.context.CompCategories.getInfoForType(type);
    return std::array{of.getLess()->getIntValue(), of.getEqualOrEquiv()->getIntValue(),
                      of.getGreater()->getIntValue()};
  };
  T2C_ASSERT(numbersOf(object->getType()) == numbersOf(call->getType()));
  return lowerValue(l, object);
}

// Numbers are compared; what is unordered is neither less nor greater nor equal.
Val lowerOrderingComparison(Lowering &l, const clang::CallExpr *call, OpKind kind) {
  ir::Value *isOrdered = nullptr;
  const auto number = [&](const clang::Expr *e) -> ir::Value * {
    if (!isOrdering(l.context, e->getType())) return l.builder.constant(Scalar::I8, 0);
    Val value = lowerValue(l, e);
    if (value.fields.size() != 1 || !value.fields[0].isValue())
      return l.builder.constant(Scalar::I8, 0);
    ir::Value *of = value.fields[0].value;
    const auto &category = l.context.CompCategories.getInfoForType(e->getType());
    if (category.isPartial() && kind != OpKind::Eq)
      isOrdered = arithmetic(
          l, OpKind::Ne, of,
          l.builder.constant(Scalar::I8, category.getUnordered()->getIntValue().getExtValue()));
    return of;
  };
  ir::Value *lhs = number(call->getArg(0)), *rhs = number(call->getArg(1));
  ir::Value *result = arithmetic(l, kind, lhs, rhs);
  return isOrdered ? arithmetic(l, OpKind::And, isOrdered, result) : result;
}

bool holdsReference(const Val &value) {
  return value.kind == Val::Kind::Reference || llvm::any_of(value.fields, holdsReference);
}

// Whether a copy or an assignment of the object is a copy of its values.
bool isPlain(Lowering &l, const clang::Expr *object, const Val &value) {
  const clang::QualType type = object->getType().getNonReferenceType();
  if (!hasOwnCopy(type) && !hasOwnAssignment(type) && !holdsReference(value)) return true;
  l.reject(object->getExprLoc(), "an exchange of objects with a copy or assignment of their own",
           "exchange their members");
  return false;
}

Val lowerSwap(Lowering &l, const clang::CallExpr *call) {
  const clang::Expr *first = call->getArg(0), *second = call->getArg(1);
  const Place a = lowerPlace(l, first), b = lowerPlace(l, second);
  const clang::SourceLocation loc = call->getExprLoc();
  Val was = readPlace(l, a, loc), is = readPlace(l, b, loc);
  if (!isPlain(l, first, was)) return {};
  writePlace(l, a, std::move(is), loc, nameOfPlace(first));
  writePlace(l, b, std::move(was), loc, nameOfPlace(second));
  return {};
}

// std::exchange: the old value.
Val lowerExchange(Lowering &l, const clang::CallExpr *call) {
  const clang::Expr *object = call->getArg(0), *given = call->getArg(1);
  const clang::SourceLocation loc = call->getExprLoc();
  const Place place = lowerPlace(l, object);
  Val value = lowerValue(l, given), old = readPlace(l, place, loc);
  const bool isSame = l.context.hasSameUnqualifiedType(object->getType().getNonReferenceType(),
                                                       given->getType().getNonReferenceType());
  if (auto type = lowerType(object->getType()); type && value.isValue())
    value = convert(l, value.value, *type);
  else if (!isSame)
    l.reject(given->getExprLoc(), "an exchange with an object of another type",
             "give an object of the same type");
  if (isPlain(l, object, old)) writePlace(l, place, std::move(value), loc, nameOfPlace(object));
  return old;
}

// std::make_tuple and std::make_pair.
Val lowerMade(Lowering &l, const clang::CallExpr *call) {
  const bool isTuple = stdTupleElements(call->getType()).has_value();
  std::vector<Val> values;
  for (const clang::Expr *e : call->arguments()) {
    if (hasOwnCopy(e->getType()))
      l.reject(e->getExprLoc(),
               std::string("a std::") + (isTuple ? "tuple" : "pair") +
                   " of objects with a copy constructor",
               "use a struct");
    values.push_back(lowerValue(l, e));
  }
  if (isTuple) return Val::aggregate(std::move(values));
  Val pair = l.undefined(call->getType());
  T2C_ASSERT(pair.fields.size() >= values.size());
  // The members follow the base, if it has one.
  std::move(values.begin(), values.end(), pair.fields.end() - values.size());
  return pair;
}

// The array in a std::array.
const clang::FieldDecl *elementsOfStdArray(clang::QualType type) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || !record->isInStdNamespace() || record->getName() != "array") return nullptr;
  const llvm::SmallVector<clang::FieldDecl *, 2> fields(record->fields());
  return fields.size() == 1 && fields[0]->getType()->isArrayType() ? fields[0] : nullptr;
}

// std::isnan, std::isinf or std::isfinite: how the number, or its magnitude and infinity, compare.
struct Classification {
  llvm::StringRef name;
  OpKind comparison;
};
constexpr Classification kClassifications[] = {
    {"isnan", OpKind::Ne}, {"isinf", OpKind::Eq}, {"isfinite", OpKind::Lt}};

const Classification *classification(const clang::FunctionDecl *callee) {
  if (!callee->getIdentifier()) return nullptr;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("__builtin_") && !callee->isInStdNamespace() && !isGlobalC(callee))
    return nullptr;
  for (const Classification &row : kClassifications)
    if (row.name == name) return &row;
  return nullptr;
}

Val lowerClassification(Lowering &l, const clang::CallExpr *call, const Classification &by) {
  ir::Value *x = lowerIr(l, call->getArg(0));
  if (!ir::isFloat(x->type.scalar())) x = convertElement(l, x, Scalar::F64);
  ir::Value *result = nullptr;
  if (by.comparison == OpKind::Ne)
    result = arithmetic(l, OpKind::Ne, x, x);
  else
    result = arithmetic(l, by.comparison, arithmetic(l, OpKind::Abs, x),
                        l.builder.constantFloat(x->type.scalar(), HUGE_VAL));
  return convertElement(l, result,
                        lowerType(call->getType())->scalar());  // the builtin's is an int
}

}  // namespace

const clang::ConstantArrayType *stdArrayType(Lowering &l, clang::QualType type) {
  const clang::FieldDecl *elements = elementsOfStdArray(type);
  return elements ? l.context.getAsConstantArrayType(elements->getType()) : nullptr;
}

std::optional<Val> stdArrayCall(Lowering &l, const clang::CallExpr *call,
                                const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!method || method->isStatic()) return std::nullopt;
  const clang::FieldDecl *elements =
      elementsOfStdArray(l.context.getRecordType(method->getParent()));
  if (!elements) return std::nullopt;
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::Expr *object = member ? member->getImplicitObjectArgument() : call->getArg(0);
  const clang::Expr *subscript = nullptr;
  const uint64_t count =
      l.context.getAsConstantArrayType(elements->getType())->getSize().getZExtValue();
  std::optional<int64_t> index;
  const llvm::StringRef name = method->getIdentifier() ? method->getName() : "";
  if (method->getOverloadedOperator() == clang::OO_Subscript)
    subscript = call->getArg(1);
  else if (name == "at")
    subscript = call->getArg(0);
  else if (name == "front" || name == "back")
    index = name == "front" ? 0 : static_cast<int64_t>(count) - 1;
  else if (name != "data")
    return std::nullopt;
  Place place;
  if (std::optional<Place> pointed;
      object->getType()->isPointerType() && (pointed = pointedObject(l, object)))
    place = *pointed;
  else
    place = lowerPlace(l, object);
  const Place array = place.field(fieldIndex(elements));
  ir::Value *at = subscript ? lowerIr(l, subscript) : nullptr;
  if (at) index = scalarConstant(at);
  const bool isInside = index && *index >= 0 && static_cast<uint64_t>(*index) < count;
  const bool isTable = l.env.resolve(place).isMemory();  // an array in one
  if (isInside && !isTable) return Val::reference(array.field(static_cast<unsigned>(*index)));
  if (isInside && !at) at = l.builder.constant(Scalar::I32, *index);
  if (!index && at && asRecord(call->getType()))
    if (auto chosen = tableObject(l, array, at, call->getType(), nameOfPlace(object)))
      return Val::reference(l.env.declare("", std::move(*chosen), true));
  ir::Value *table = index && !isInside
                         ? nullptr
                         : tablePointer(l, array, elements->getType(), nameOfPlace(object));
  if (table && name == "data") return table;
  if (table) {
    Place element;
    element.pointer = tableElement(l, table, at, call->getType());
    return Val::reference(element);
  }
  l.error(ir::DiagId::ArrayIndex, (subscript ? subscript : call)->getExprLoc());
  if (name == "data") return l.placeholder(call->getType());
  return Val::reference(l.env.declare("", l.placeholder(call->getType())));
}

std::optional<llvm::SmallVector<unsigned, 2>> stdElement(const clang::FunctionDecl *get,
                                                         clang::QualType type) {
  const llvm::SmallVector<int64_t, 3> numbers = integerTemplateArguments(get);
  const clang::CXXRecordDecl *record = asRecord(type);
  if (numbers.empty() || !record || !record->isInStdNamespace()) return std::nullopt;
  const auto index = static_cast<unsigned>(numbers[0]);
  if (stdTupleElements(type)) return {{index}};
  const llvm::SmallVector<clang::FieldDecl *, 2> fields(record->fields());
  if (record->getName() == "pair" && index < fields.size()) return {{fieldIndex(fields[index])}};
  if (const clang::FieldDecl *elements = elementsOfStdArray(type))
    return {{fieldIndex(elements), index}};
  return std::nullopt;
}

bool isStdCall(const clang::FunctionDecl *callee) {
  if (mathKind(callee) || classification(callee) || orderingComparison(callee) ||
      isOrderingConversion(callee))
    return true;
  for (llvm::StringRef name : {"min", "max", "get", "move", "forward", "as_const", "make_tuple",
                               "make_pair", "tie", "swap", "exchange"})
    if (isNamed(callee, name)) return true;
  return false;
}

Val lowerStdCall(Lowering &l, const clang::CallExpr *call, const clang::FunctionDecl *callee) {
  if (auto kind = mathKind(callee)) return lowerMathCall(l, call, *kind);
  if (const Classification *by = classification(callee)) return lowerClassification(l, call, *by);
  if (auto kind = orderingComparison(callee)) return lowerOrderingComparison(l, call, *kind);
  if (isOrderingConversion(callee)) return lowerOrderingConversion(l, call);
  llvm::StringRef name = callee->getName();
  if ((name == "min" || name == "max") && call->getNumArgs() == 2)
    return lowerMinMax(l, call, name == "max");
  std::vector<Val> fields;
  if (name == "tie") {
    for (const clang::Expr *e : call->arguments())
      fields.push_back(Val::reference(lowerReferent(l, e)));
    return Val::aggregate(std::move(fields));
  }
  if (name == "make_tuple" || name == "make_pair") return lowerMade(l, call);
  if (name == "swap" && call->getNumArgs() == 2) return lowerSwap(l, call);
  if (name == "exchange" && call->getNumArgs() == 2) return lowerExchange(l, call);
  if (name == "get" && call->getNumArgs() == 1) {
    if (const auto path = stdElement(callee, call->getArg(0)->getType())) {
      Val value = lowerValue(l, call->getArg(0));
      for (const unsigned index : *path) {
        if (index >= value.fields.size()) return l.placeholder(call->getType());
        Val field = value.fields[index];
        value = std::move(field);
      }
      return value;
    }
  } else if (call->getNumArgs() == 1) {
    return lowerValue(l, call->getArg(0));
  }
  l.error(ir::DiagId::NotTileFunction, call->getExprLoc(), {callee->getQualifiedNameAsString()});
  return l.placeholder(call->getType());
}

}  // namespace tile2cu::frontend
