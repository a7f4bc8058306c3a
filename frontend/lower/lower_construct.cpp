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

// Whether a member function of this kind is the program's own.
static bool isOwnCopy(const clang::CXXMethodDecl *method, bool assigns) {
  if (!method->isUserProvided()) return false;
  if (assigns) return method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
  const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
  return constructor && constructor->isCopyOrMoveConstructor();
}

// The class with such a function among this class, its bases and its members; null if there is
// none. Those of libraries copy their members.
static const clang::CXXRecordDecl *classWithOwnCopy(Lowering &l, clang::QualType type,
                                                    bool assigns) {
  type = l.context.getBaseElementType(type);
  if (auto elements = stdTupleElements(type)) {
    for (clang::QualType element : *elements)
      if (const auto *found = classWithOwnCopy(l, element, assigns)) return found;
    return nullptr;
  }
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || type->isReferenceType()) return nullptr;
  if (!l.source.inSystemHeader(record->getLocation()))
    for (const clang::Decl *declaration : record->decls())
      if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration);
          method && isOwnCopy(method, assigns))
        return record;
  for (const clang::CXXBaseSpecifier &base : record->bases())
    if (const auto *found = classWithOwnCopy(l, base.getType(), assigns)) return found;
  for (const clang::FieldDecl *field : record->fields())
    if (const auto *found = classWithOwnCopy(l, field->getType(), assigns)) return found;
  return nullptr;
}

void checkCopy(Lowering &l, clang::QualType type, clang::SourceLocation loc, bool assigns) {
  if (const clang::CXXRecordDecl *record = classWithOwnCopy(l, type, assigns))
    l.reject(loc,
             std::string(assigns ? "a defaulted assignment of" : "a copy of") + " '" +
                 record->getNameAsString() + "', which " +
                 (assigns ? "has an assignment operator" : "has a copy or move constructor") +
                 " of its own,",
             "leave copies to the compiler, or write a function with another name");
}

// The elements of a std::tuple from those of another, or from one argument each.
static Val lowerTuple(Lowering &l, const clang::CXXConstructExpr *construct,
                      llvm::ArrayRef<clang::QualType> elements) {
  std::vector<Val> fields;
  const bool isEmpty = construct->getNumArgs() == 0;
  const bool isOther =
      construct->getNumArgs() == 1 && stdTupleElements(construct->getArg(0)->getType());
  if (isOther) fields = lowerValue(l, construct->getArg(0)).fields;
  for (size_t i = 0; i < elements.size() && !isOther; ++i)
    if (isEmpty)
      fields.push_back(zeroInit(l, elements[i], construct->getLocation()));
    else if (i < construct->getNumArgs())
      fields.push_back(lowerValue(l, construct->getArg(i)));
  if (fields.size() != elements.size()) {
    l.reject(construct->getLocation(), "this constructor of std::tuple",
             "give one value for each element");
    return l.undefined(construct->getType());
  }
  for (size_t i = 0; i < fields.size(); ++i)
    if (auto to = lowerType(elements[i]); to && fields[i].isValue())
      fields[i] = convert(l, fields[i].value, *to);
  return Val::aggregate(std::move(fields));
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
  if (constructor->isCopyOrMoveConstructor()) {
    checkCopy(l, type, construct->getLocation());
    return lowerValue(l, construct->getArg(0));
  }
  if (auto elements = stdTupleElements(type)) return lowerTuple(l, construct, *elements);
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

// The member with this index, if it is a reference.
static const clang::FieldDecl *referenceMember(clang::QualType type, size_t index) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || index < record->getNumBases()) return nullptr;
  auto field = std::next(record->field_begin(), index - record->getNumBases());
  return field != record->field_end() && field->getType()->isReferenceType() ? *field : nullptr;
}

Val lowerMemberInit(Lowering &l, const clang::FieldDecl *field, const clang::Expr *initial) {
  return field->getType()->isReferenceType()
             ? Val::reference(lowerReferent(l, field->getType(), initial))
             : lowerValue(l, initial);
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
  for (const clang::Expr *init : inits) {
    const clang::FieldDecl *reference = referenceMember(type, fields.size());
    fields.push_back(reference ? lowerMemberInit(l, reference, init) : lowerValue(l, init));
  }
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
      // Of a temporary that a variable keeps, too.
      const clang::QualType type = l.context.getRValueReferenceType(initial->getType());
      captures.push_back(Val::reference(lowerReferent(l, type, initial)));
    } else {
      captures.push_back(lowerValue(l, initial));
    }
  }
  return Val::aggregate(std::move(captures));
}

}  // namespace tile2cu::frontend
