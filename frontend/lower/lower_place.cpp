// Lvalues: variables, members, and memory that pointers point to.
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/clang_nodes.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/reference_copies.h"
#include "frontend/lower/table.h"

namespace tile2cu::frontend {

using clang::Stmt;
using ir::DiagId;

unsigned fieldIndex(const clang::FieldDecl *field) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  return field->getFieldIndex() + (record ? record->getNumBases() : 0);
}

std::string nameOfPlace(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  const clang::NamedDecl *named = nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) named = reference->getDecl();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) named = member->getMemberDecl();
  return named && named->getIdentifier() ? named->getName().str() : "";
}

static Place temporary(Lowering &l, Val value) {
  Place place = l.env.declare("", std::move(value));
  place.writable = false;
  return place;
}

// A substitute for a place for which an error was reported; assignments to it are allowed.
static Place unknownPlace(Lowering &l, clang::QualType type) {
  Place place = temporary(l, l.placeholder(type));
  place.writable = true;
  return place;
}

// A variable at namespace scope or a static member: its constant value.
static Place lowerGlobal(Lowering &l, const clang::VarDecl *variable, const clang::Expr *e) {
  bool isConstant = variable->isConstexpr() ||
                    (variable->getType().isConstQualified() && variable->getAnyInitializer());
  if (!isConstant) {
    l.error(variable->isStaticLocal() ? DiagId::StaticLocal : DiagId::GlobalVariable,
            e->getExprLoc(), {variable->getNameAsString()});
    return unknownPlace(l, e->getType());
  }
  if (std::optional<Val> array = constantArray(l, variable)) {
    Place place = l.env.declare(variable->getName(), std::move(*array), true);
    place.writable = false;
    return place;
  }
  const clang::Expr *initial = variable->getAnyInitializer();
  return temporary(l, initial ? lowerValue(l, initial) : l.undefined(variable->getType()));
}

static Place lowerReference(Lowering &l, const clang::DeclRefExpr *e) {
  const clang::ValueDecl *declaration = e->getDecl();
  if (const Place *place = l.env.find(declaration)) return *place;
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(declaration)) {
    if (const clang::VarDecl *holding = binding->getHoldingVar())
      if (const Place *place = l.env.find(holding)) return *place;
    if (binding->getBinding()) return lowerPlace(l, binding->getBinding());
  }
  if (const auto *object = llvm::dyn_cast<clang::TemplateParamObjectDecl>(declaration))
    return temporary(l, l.constant(object->getValue(), object->getType()));
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    return temporary(l, Val::ofFunction(function));
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
    if (variable->hasGlobalStorage()) return lowerGlobal(l, variable, e);
    const clang::Expr *initial = variable->getAnyInitializer();
    const auto &sources = l.context.getSourceManager();
    if (initial &&
        sources.isPointWithin(e->getLocation(), initial->getBeginLoc(), initial->getEndLoc()))
      l.reject(e->getLocation(), "a variable in its own initial value", "give it another name");
    T2C_ASSERT(l.diagnostics.hasErrors());
    return unknownPlace(l, e->getType());
  }
  rejectNode(l, e);
  return unknownPlace(l, e->getType());
}

// The fields that lead from an object of `type`, or of what it points to, to its base.
static llvm::SmallVector<unsigned, 2> pathToBase(clang::QualType type,
                                                 const clang::CastExpr *cast) {
  if (type->isPointerType()) type = type->getPointeeType();
  const clang::CXXRecordDecl *record = asRecord(type);
  llvm::SmallVector<unsigned, 2> path;
  for (const clang::CXXBaseSpecifier *step : cast->path()) {
    unsigned index = 0;
    for (const clang::CXXBaseSpecifier &base : record->bases()) {
      if (&base == step || base.getType().getCanonicalType() == step->getType().getCanonicalType())
        break;
      ++index;
    }
    path.push_back(index);
    record = step->getType()->getAsCXXRecordDecl();
  }
  return path;
}

// The base of `place` that a cast to a base class leads to.
static Place intoBase(Place place, const clang::CastExpr *cast) {
  place.path.append(pathToBase(cast->getSubExpr()->getType(), cast));
  return place;
}

Place lowerBase(Lowering &l, const clang::CastExpr *cast) {
  return intoBase(lowerPlace(l, cast->getSubExpr()), cast);
}

// Whether the value has the parts of an object of this type.
static bool isObjectOf(Lowering &l, clang::QualType type, const Val &value) {
  if (type->isReferenceType()) return value.kind == Val::Kind::Reference;
  if (value.isUndefined()) return true;
  if (auto lowered = lowerType(type)) return value.isValue() && value.value->type == *lowered;
  llvm::SmallVector<clang::QualType, 4> parts;
  if (auto elements = stdTupleElements(type)) {
    parts.assign(elements->begin(), elements->end());
  } else if (const clang::CXXRecordDecl *record = asRecord(type)) {
    for (const clang::CXXBaseSpecifier &base : record->bases()) parts.push_back(base.getType());
    for (const clang::FieldDecl *field : record->fields()) parts.push_back(field->getType());
  } else if (const auto *array = l.context.getAsConstantArrayType(type)) {
    parts.assign(value.fields.size(), array->getElementType());
  }
  return value.isAggregate() && value.fields.size() == parts.size() &&
         llvm::all_of_zip(parts, value.fields, [&](clang::QualType part, const Val &field) {
           return isObjectOf(l, part, field);
         });
}

// The object whose base `place` is, for a cast to the derived class.
static Place outOfBase(Lowering &l, const Place &base, const clang::CastExpr *cast) {
  clang::QualType type = cast->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const llvm::SmallVector<unsigned, 2> steps = pathToBase(type, cast);
  Place place = l.env.resolve(base);
  if (place.isVariable() && place.path.size() >= steps.size() &&
      llvm::equal(steps, llvm::ArrayRef(place.path).take_back(steps.size()))) {
    place.path.truncate(place.path.size() - steps.size());
    if (isObjectOf(l, type, l.env.read(place))) return place;
  }
  l.reject(cast->getExprLoc(), "a cast of an object to a derived class that it is not part of",
           "pass the object of the derived class");
  return unknownPlace(
      l, cast->getType()->isPointerType() ? cast->getType()->getPointeeType() : cast->getType());
}

std::optional<Place> pointedObject(Lowering &l, const clang::Expr *pointer) {
  pointer = pointer->IgnoreParens();
  if (llvm::isa<clang::CXXThisExpr>(pointer)) return l.frame->object;
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(pointer))
    if (op->getOpcode() == clang::UO_AddrOf && asRecord(op->getSubExpr()->getType()))
      return lowerPlace(l, op->getSubExpr());
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(pointer);
  if (!cast) return std::nullopt;
  switch (cast->getCastKind()) {
    case clang::CK_NoOp:
      return pointedObject(l, cast->getSubExpr());
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      if (std::optional<Place> object = pointedObject(l, cast->getSubExpr()))
        return intoBase(*object, cast);
      return std::nullopt;
    case clang::CK_BaseToDerived:
      if (std::optional<Place> object = pointedObject(l, cast->getSubExpr()))
        return outOfBase(l, *object, cast);
      return std::nullopt;
    case clang::CK_LValueToRValue:
      // The pointer of a range-for stands for the element.
      if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr());
          reference && reference->getDecl()->isImplicit())
        if (const Place *element = l.env.find(reference->getDecl())) return *element;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

void checkMember(Lowering &l, const clang::FieldDecl *field, clang::SourceLocation loc) {
  if (field->isBitField() || field->getParent()->isUnion())
    l.reject(loc, "a union or a bit-field", "use shifts and masks, or bitcast<T>(x)");
}

void lowerUnusedObject(Lowering &l, const clang::MemberExpr *e) {
  if (e->getBase()->HasSideEffects(l.context)) lowerDiscarded(l, e->getBase());
}

static Place lowerMember(Lowering &l, const clang::MemberExpr *e) {
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(e->getMemberDecl())) {
    lowerUnusedObject(l, e);
    return lowerGlobal(l, variable, e);
  }
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(e->getMemberDecl());
  if (!field) {
    rejectNode(l, e);
    return unknownPlace(l, e->getType());
  }
  checkMember(l, field, e->getExprLoc());
  if (!e->isArrow()) return lowerPlace(l, e->getBase()).field(fieldIndex(field));
  if (std::optional<Place> object = pointedObject(l, e->getBase()))
    return object->field(fieldIndex(field));
  l.reject(e->getExprLoc(), "a pointer to a struct", "pass one pointer for each member");
  return unknownPlace(l, e->getType());
}

// One of some scalars or pointers, or structs and arrays of them, chosen at run time:
// i == 1 ? array[1] : array[0]. nullopt for others.
static std::optional<Val> chosenElement(Lowering &l, llvm::ArrayRef<const Val *> elements,
                                        ir::Value *index) {
  const Val &first = *elements.front();
  if (first.isAggregate()) {
    std::vector<Val> fields;
    for (size_t i = 0; i < first.fields.size(); ++i) {
      std::vector<const Val *> parts;
      for (const Val *element : elements)
        if (element->fields.size() > i) parts.push_back(&element->fields[i]);
      if (parts.size() != elements.size()) return std::nullopt;
      auto chosen = chosenElement(l, parts, index);
      if (!chosen) return std::nullopt;
      fields.push_back(std::move(*chosen));
    }
    return Val::aggregate(std::move(fields));
  }
  const auto isScalar = [&](const Val *each) {
    return each->isValue() && !each->value->type.isTile() && each->value->type == first.value->type;
  };
  if (!first.isValue() || !llvm::all_of(elements, isScalar)) return std::nullopt;
  ir::Value *chosen = first.value;
  for (size_t i = 1; i < elements.size(); ++i) {
    ir::Value *number = l.builder.constant(index->type.scalar(), static_cast<int64_t>(i));
    chosen = l.builder.select(l.builder.binary(ir::OpKind::Eq, index, number), elements[i]->value,
                              chosen);
  }
  return Val(chosen);
}

// The name of such a copy, for the message where it is assigned to: no variable has it.
constexpr llvm::StringLiteral kChosen = "[]";

// array[index] as a copy, where the array is one of values, as a member of a kernel's parameter is.
static std::optional<Place> chosenPlace(Lowering &l, const clang::Expr *array, ir::Value *index) {
  constexpr size_t kMost = 16;
  if (array->HasSideEffects(l.context)) return std::nullopt;  // it has been lowered before
  if (index->type.scalar() == ir::Scalar::Bool) index = l.builder.cast(index, ir::Scalar::I32);
  const Place place = l.env.resolve(lowerPlace(l, array));
  if (place.isMemory()) return std::nullopt;
  const Val value = l.env.read(place);
  if (!value.isAggregate() || value.fields.empty() || value.fields.size() > kMost)
    return std::nullopt;
  std::vector<const Val *> elements;
  for (const Val &field : value.fields) elements.push_back(&field);
  auto chosen = chosenElement(l, elements, index);
  if (!chosen) return std::nullopt;
  if (chosen->isValue() && chosen->value->name.empty()) l.giveName(*chosen, nameOfPlace(array));
  Place copy = l.env.declare(kChosen, std::move(*chosen));
  copy.writable = false;
  copy.isCopy = true;
  return copy;
}

// array[i]: an element, or memory of a table.
static Place lowerElement(Lowering &l, const clang::ArraySubscriptExpr *e,
                          const clang::Expr *array) {
  ir::Value *index = lowerIr(l, e->getIdx()), *table = nullptr;
  const auto number = scalarConstant(index);
  const auto *type = l.context.getAsConstantArrayType(array->getType());
  const bool isInside = number && *number >= 0 && type &&
                        static_cast<uint64_t>(*number) < type->getSize().getLimitedValue();
  if (isInside) {
    const Place place = lowerPlace(l, array);
    if (!l.env.resolve(place).isMemory()) return place.field(static_cast<unsigned>(*number));
    table = tablePointer(l, place, array->getType(), nameOfPlace(array));
  } else if (!number && asRecord(e->getType())) {
    auto object = tableObject(l, lowerPlace(l, array), index, e->getType(), nameOfPlace(array));
    if (object) return temporary(l, std::move(*object));
  } else if (!number) {
    table = tablePointer(l, array);
  }
  if (table) {
    Place place;
    place.pointer = tableElement(l, table, index, e->getType());
    return place;
  }
  if (!number)
    if (const auto chosen = chosenPlace(l, array, index)) return *chosen;
  l.error(DiagId::ArrayIndex, e->getIdx()->getExprLoc());
  return unknownPlace(l, e->getType());
}

// p[i] and array[i].
static Place lowerSubscript(Lowering &l, const clang::ArraySubscriptExpr *e) {
  const clang::Expr *base = e->getBase()->IgnoreParens();
  const auto *decay = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
  if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay)
    return lowerElement(l, e, decay->getSubExpr());
  ir::Value *pointer = lowerIr(l, base), *index = lowerIr(l, e->getIdx());
  Place place;
  place.pointer = scalarConstant(index) == 0 ? pointer : offsetPointer(l, pointer, index);
  return place;
}

static Place lowerDeref(Lowering &l, const clang::UnaryOperator *e) {
  if (std::optional<Place> object = pointedObject(l, e->getSubExpr())) return *object;
  Place place;
  place.pointer = lowerIr(l, e->getSubExpr());
  return place;
}

static Place lowerCastPlace(Lowering &l, const clang::CastExpr *cast) {
  switch (cast->getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_LValueToRValueBitCast:
      return lowerPlace(l, cast->getSubExpr());
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      return lowerBase(l, cast);
    case clang::CK_BaseToDerived:
      return outOfBase(l, lowerPlace(l, cast->getSubExpr()), cast);
    default:
      return temporary(l, lowerCast(l, cast));
  }
}

Place lowerPlace(Lowering &l, const clang::Expr *e) {
  LocationScope here(l, e->getExprLoc());
  if (!e->isGLValue()) return temporary(l, lowerValue(l, e));
  switch (e->getStmtClass()) {
    case Stmt::ParenExprClass:
      return lowerPlace(l, llvm::cast<clang::ParenExpr>(e)->getSubExpr());
    case Stmt::ConstantExprClass:
    case Stmt::ExprWithCleanupsClass:
      return lowerPlace(l, llvm::cast<clang::FullExpr>(e)->getSubExpr());
    case Stmt::MaterializeTemporaryExprClass: {
      Place place =
          temporary(l, lowerValue(l, llvm::cast<clang::MaterializeTemporaryExpr>(e)->getSubExpr()));
      place.writable = !e->getType().isConstQualified();
      return place;
    }
    case Stmt::SubstNonTypeTemplateParmExprClass:
      return lowerPlace(l, llvm::cast<clang::SubstNonTypeTemplateParmExpr>(e)->getReplacement());
    case Stmt::CXXDefaultArgExprClass:
      return lowerPlace(l, llvm::cast<clang::CXXDefaultArgExpr>(e)->getExpr());
    case Stmt::CXXDefaultInitExprClass:
      return lowerPlace(l, llvm::cast<clang::CXXDefaultInitExpr>(e)->getExpr());
    case Stmt::DeclRefExprClass:
      return lowerReference(l, llvm::cast<clang::DeclRefExpr>(e));
    case Stmt::MemberExprClass:
      return lowerMember(l, llvm::cast<clang::MemberExpr>(e));
    case Stmt::ArraySubscriptExprClass:
      return lowerSubscript(l, llvm::cast<clang::ArraySubscriptExpr>(e));
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
    case Stmt::CXXStaticCastExprClass:
    case Stmt::CXXFunctionalCastExprClass:
    case Stmt::CXXConstCastExprClass:
      return lowerCastPlace(l, llvm::cast<clang::CastExpr>(e));
    case Stmt::UnaryOperatorClass: {
      const auto *op = llvm::cast<clang::UnaryOperator>(e);
      if (op->getOpcode() == clang::UO_Deref) return lowerDeref(l, op);
      if (op->isIncrementDecrementOp()) return lowerIncrement(l, op).place;
      break;
    }
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass: {
      const auto *op = llvm::cast<clang::BinaryOperator>(e);
      if (op->isAssignmentOp()) return lowerAssignment(l, op);
      if (op->getOpcode() == clang::BO_Comma) {
        lowerDiscarded(l, op->getLHS());
        return lowerPlace(l, op->getRHS());
      }
      break;
    }
    case Stmt::ConditionalOperatorClass: {
      const auto *choice = llvm::cast<clang::AbstractConditionalOperator>(e);
      if (ir::Value *condition = l.foldConstant(choice->getCond()))
        if (auto known = scalarConstant(condition))
          return lowerPlace(l, *known ? choice->getTrueExpr() : choice->getFalseExpr());
      Place place = temporary(l, lowerConditional(l, choice));
      place.isCopy = true;
      return place;
    }
    case Stmt::CallExprClass:
    case Stmt::CXXMemberCallExprClass:
    case Stmt::CXXOperatorCallExprClass:
      return lowerCallPlace(l, llvm::cast<clang::CallExpr>(e));
    case Stmt::InitListExprClass:
      if (llvm::cast<clang::InitListExpr>(e)->getNumInits() == 1)
        return lowerPlace(l, llvm::cast<clang::InitListExpr>(e)->getInit(0));
      break;
    default:
      break;
  }
  rejectNode(l, e);
  return unknownPlace(l, e->getType());
}

Val readPlace(Lowering &l, const Place &unresolved, clang::SourceLocation loc,
              llvm::StringRef name) {
  Place place = l.env.resolve(unresolved);
  if (place.isMemory()) {
    if (l.regionDepth) l.error(DiagId::MemoryInRegion, loc);
    const ir::Type type(place.pointer->type.pointee());
    return asPointer(l, l.builder.create(ir::OpKind::Load, {place.pointer}, {type})->result());
  }
  checkCopy(l, place);
  Val value = l.env.read(place);
  if (!value.isUndefined()) return value;
  if (!l.diagnostics.hasErrors())
    l.error(DiagId::Uninitialized, loc, {name.empty() ? "this value" : "'" + name.str() + "'"});
  return value;
}

static bool holdsFunction(const Val &value) {
  return value.kind == Val::Kind::Function || llvm::any_of(value.fields, holdsFunction);
}

void writePlace(Lowering &l, const Place &unresolved, Val value, clang::SourceLocation loc,
                llvm::StringRef name) {
  Place place = l.env.resolve(unresolved);
  if (place.isMemory()) {
    if (l.regionDepth) l.error(DiagId::MemoryInRegion, loc);
    if (holdsPointers(place.pointer->type)) {
      l.reject(loc, "a store of a pointer", "store an offset");
    } else if (value.isValue()) {
      ir::Value *stored = convert(l, value.value, ir::Type(place.pointer->type.scalar()));
      l.builder.create(ir::OpKind::Store, {place.pointer, stored}, {});
    }
    return;
  }
  if (!place.writable) {
    const bool isChosen = place.isVariable() && l.env.name(place.slot) == kChosen;
    l.error(isChosen ? DiagId::ArrayIndex : DiagId::AssignTemporary, loc);
    return;
  }
  if (holdsFunction(value)) {
    l.reject(loc, "an assignment of a function", "make the function a template argument");
    return;
  }
  if (static_cast<unsigned>(place.slot) < l.env.readOnlyBelow) {
    l.error(DiagId::AssignCaptured, loc, {name.empty() ? "a variable" : "'" + name.str() + "'"});
    return;
  }
  // An assignment through a reference still names the variable's value.
  const std::string &variable = l.env.name(place.slot);
  l.giveName(value, place.path.empty() && !variable.empty() ? llvm::StringRef(variable) : name);
  l.env.write(place, std::move(value));
}

}  // namespace tile2cu::frontend
