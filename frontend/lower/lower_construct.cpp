// Objects that are split into values: constructors, initializer lists, lambdas.
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/inline_call.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {

static Val zeroOf(Lowering &l, const ir::Type &type, clang::SourceLocation loc) {
  if (type.isPointer()) {
    l.reject(loc, "a null pointer", "pass a flag to the kernel");
    return l.placeholderValue(type);
  }
  return l.builder.splat(l.builder.constant(type.scalar(), 0), type.shape());
}

// An object of `type`: the result of `construct`, or an element of the array that it creates.
static Val lowerConstruct(Lowering &l, const clang::CXXConstructExpr *construct,
                          clang::QualType type) {
  if (const auto *array = l.context.getAsConstantArrayType(type)) {
    std::vector<Val> elements;
    for (uint64_t i = l.elementsOf(array, construct->getLocation()); i-- > 0;)
      elements.push_back(lowerConstruct(l, construct, array->getElementType()));
    return Val::aggregate(std::move(elements));
  }
  const clang::CXXConstructorDecl *constructor = construct->getConstructor();
  const bool isElement = construct->getType()->isArrayType();
  if (!operationOf(constructor).empty() && !isElement) return lowerOperation(l, construct);
  if (auto lowered = lowerType(type)) {
    if (construct->getNumArgs() == 0) return zeroOf(l, *lowered, construct->getLocation());
    return lowerValue(l, construct->getArg(0));
  }
  if (constructor->isCopyOrMoveConstructor()) return lowerValue(l, construct->getArg(0));
  if (auto elements = stdTupleElements(type)) {
    std::vector<Val> fields;
    for (const clang::Expr *argument : construct->arguments())
      if (fields.size() < elements->size()) fields.push_back(lowerValue(l, argument));
    if (fields.size() != elements->size()) return zeroInit(l, type, construct->getLocation());
    for (size_t i = 0; i < fields.size(); ++i)
      if (auto to = lowerType((*elements)[i]); to && fields[i].isValue())
        fields[i] = convert(l, fields[i].value, *to);
    return Val::aggregate(std::move(fields));
  }
  if (constructor->isTrivial())
    return construct->requiresZeroInitialization() ? zeroInit(l, type, construct->getLocation())
                                                   : l.undefined(type);
  return inlineConstructor(l, construct);
}

Val lowerConstruct(Lowering &l, const clang::CXXConstructExpr *construct) {
  return lowerConstruct(l, construct, construct->getType());
}

Val zeroInit(Lowering &l, clang::QualType type, clang::SourceLocation loc) {
  if (auto lowered = lowerType(type)) return zeroOf(l, *lowered, loc);
  return lowerInitList(l, type, {}, nullptr, loc);
}

static bool isReferenceMember(clang::QualType type, size_t index) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || index < record->getNumBases()) return false;
  auto field = std::next(record->field_begin(), index - record->getNumBases());
  return field != record->field_end() && field->getType()->isReferenceType();
}

Val lowerInitList(Lowering &l, clang::QualType type, llvm::ArrayRef<clang::Expr *> inits,
                  const clang::Expr *filler, clang::SourceLocation loc) {
  if (auto lowered = lowerType(type)) {
    if (inits.empty()) return zeroOf(l, *lowered, loc);
    return lowerValue(l, inits[0]);
  }
  std::vector<Val> fields;
  const auto *array = l.context.getAsConstantArrayType(type);
  const uint64_t elements = array ? l.elementsOf(array, loc) : 0;
  for (const clang::Expr *init : inits)  // a reference member is an alias, the others are copies
    fields.push_back(isReferenceMember(type, fields.size()) ? Val::reference(lowerPlace(l, init))
                                                            : lowerValue(l, init));
  auto fill = [&](clang::QualType to) { fields.push_back(zeroInit(l, to, loc)); };
  if (const clang::CXXRecordDecl *record = asRecord(type)) {
    llvm::SmallVector<clang::QualType, 8> types;
    for (const clang::CXXBaseSpecifier &base : record->bases()) types.push_back(base.getType());
    for (const clang::FieldDecl *field : record->fields()) types.push_back(field->getType());
    while (fields.size() < types.size()) fill(types[fields.size()]);
  } else if (array) {
    while (fields.size() < elements) {
      if (filler && !llvm::isa<clang::ImplicitValueInitExpr>(filler))
        fields.push_back(lowerValue(l, filler));
      else
        fill(array->getElementType());
    }
  } else {
    l.reject(loc, "a value of type '" + type.getAsString(l.context.getPrintingPolicy()) + "'",
             "use numbers, tiles and structs of them");
  }
  return Val::aggregate(std::move(fields));
}

Val lowerLambda(Lowering &l, const clang::LambdaExpr *lambda) {
  std::vector<Val> captures;
  auto init = lambda->capture_init_begin();
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    const clang::Expr *initial = *init++;
    if (capture.capturesThis()) {
      l.reject(capture.getLocation(), "capturing this", "capture the members that you need");
      captures.push_back(Val::undefined());
    } else if (capture.getCaptureKind() == clang::LCK_ByRef) {
      captures.push_back(Val::reference(lowerPlace(l, initial)));
    } else {
      captures.push_back(lowerValue(l, initial));
    }
  }
  return Val::aggregate(std::move(captures));
}

}  // namespace tile2cu::frontend
