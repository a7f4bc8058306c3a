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

// The element of a std::tuple that is constructed from `initial`; nullopt if that runs a
// constructor.
static std::optional<Val> tupleElement(Lowering &l, clang::QualType type,
                                       const clang::Expr *initial) {
  if (type->isReferenceType()) return Val::reference(lowerReferent(l, initial));
  if (auto to = lowerType(type)) return convert(l, lowerIr(l, initial), *to);
  if (!l.context.hasSameUnqualifiedType(type, initial->getType()) || hasOwnCopy(type))
    return std::nullopt;
  return lowerValue(l, initial);
}

std::optional<Val> tupleElement(Lowering &l, clang::QualType type, clang::QualType from, Val value,
                                clang::SourceLocation loc) {
  if (value.kind == Val::Kind::Reference) {
    if (type->isReferenceType()) return value;
    value = readPlace(l, value.place, loc);
  }
  if (auto to = lowerType(type); to && value.isValue() && !type->isReferenceType())
    return convert(l, value.value, *to);
  if (!l.context.hasSameUnqualifiedType(type, from.getNonReferenceType()) || hasOwnCopy(type))
    return std::nullopt;
  return value;
}

static Val lowerStdTuple(Lowering &l, const clang::CXXConstructExpr *construct,
                         llvm::ArrayRef<clang::QualType> types) {
  const clang::SourceLocation loc = construct->getLocation();
  std::vector<std::optional<Val>> elements;
  const clang::Expr *first = construct->getNumArgs() ? construct->getArg(0) : nullptr;
  const auto from = first ? stdTupleElements(first->getType()) : std::nullopt;
  // A tuple of one tuple may be a copy or a conversion.
  const bool isConversion = from && construct->getNumArgs() == 1 && from->size() == types.size() &&
                            (types.size() > 1 || !stdTupleElements(types[0]));
  if (!first) {
    for (clang::QualType type : types) {
      const clang::CXXRecordDecl *record = stdTupleElements(type) ? nullptr : asRecord(type);
      elements.push_back(record && !record->hasTrivialDefaultConstructor()
                             ? std::nullopt
                             : std::optional(zeroInit(l, type, loc)));
    }
  } else if (isConversion) {
    Val source = lowerValue(l, first);
    for (size_t i = 0; i < types.size(); ++i)
      elements.push_back(tupleElement(l, types[i], (*from)[i], source.fields[i], loc));
  } else if (construct->getNumArgs() == types.size()) {
    for (size_t i = 0; i < types.size(); ++i)
      elements.push_back(tupleElement(l, types[i], construct->getArg(i)));
  }
  Val result = Val::aggregate();
  for (std::optional<Val> &element : elements)
    if (element) result.fields.push_back(std::move(*element));
  if (result.fields.size() == types.size()) return result;
  l.reject(loc, "this constructor of std::tuple",
           "give one value of its own type for each element, or use a struct");
  return l.undefined(construct->getType());
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
  if (constructor->isCopyOrMoveConstructor() && (constructor->isTrivial() || !hasOwnCopy(type)))
    return lowerValue(l, construct->getArg(0));
  if (auto elements = stdTupleElements(type)) return lowerStdTuple(l, construct, *elements);
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
  if (auto elements = stdTupleElements(type)) {
    std::vector<Val> fields;
    for (clang::QualType element : *elements) fields.push_back(zeroInit(l, element, loc));
    return Val::aggregate(std::move(fields));
  }
  return lowerInitList(l, type, {}, nullptr, loc);
}

Val lowerMemberInit(Lowering &l, const clang::FieldDecl *member, const clang::Expr *initial) {
  if (!member || !member->getType()->isReferenceType()) return lowerValue(l, initial);
  return Val::reference(l.env.resolve(lowerReferent(l, initial)));
}

static bool refersTo(const Val &value, int slot) {
  return (value.kind == Val::Kind::Reference && value.place.slot == slot) ||
         llvm::any_of(value.fields, [&](const Val &field) { return refersTo(field, slot); });
}

void checkOwnReferences(Lowering &l, const Val &object, const Place &constructed,
                        clang::SourceLocation loc) {
  if (refersTo(object, constructed.slot))
    l.reject(loc, "an object that holds a reference to itself", "use the member itself");
}

// The member at an index of an initializer list; null for a base or an element of an array.
static const clang::FieldDecl *memberAt(clang::QualType type, size_t index) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || index < record->getNumBases()) return nullptr;
  auto fields = llvm::drop_begin(record->fields(), index - record->getNumBases());
  return fields.empty() ? nullptr : *fields.begin();
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
  const std::optional<Place> outer = l.frame->object;
  for (const clang::Expr *init : inits) {
    const clang::FieldDecl *member = memberAt(type, fields.size());
    if (!llvm::isa<clang::CXXDefaultInitExpr>(init)) {
      fields.push_back(lowerMemberInit(l, member, init));
      continue;
    }
    // A default member initializer may read and change the members before its own.
    const size_t before = fields.size();
    const Place object = l.env.declare("", Val::aggregate(std::move(fields)));
    l.frame->object = object;
    Val value = lowerMemberInit(l, member, init);
    checkOwnReferences(l, value, object, init->getExprLoc());
    l.frame->object = outer;
    fields = l.env.read(object).fields;
    fields.resize(before);
    fields.push_back(std::move(value));
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
    if (capture.getCaptureKind() == clang::LCK_This && l.frame->object) {
      captures.push_back(Val::reference(*l.frame->object));
    } else if (capture.getCaptureKind() == clang::LCK_ByRef) {
      captures.push_back(Val::reference(lowerReferent(l, initial)));
    } else {
      captures.push_back(lowerValue(l, initial));
    }
  }
  return Val::aggregate(std::move(captures));
}

}  // namespace tile2cu::frontend
