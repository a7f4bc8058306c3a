// Declarations inside functions: variables, references, structured bindings.
#include "clang/AST/DeclCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/clang_nodes.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"
#include "frontend/lower/table.h"

namespace tile2cu::frontend {

// The fields of a struct get the names of its members, unless they have names of their own.
static void nameFields(Lowering &l, const Val &value, clang::QualType type) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || record->isLambda() || record->isInStdNamespace() ||
      l.source.inSystemHeader(record->getLocation()))
    return;
  for (const clang::FieldDecl *field : record->fields()) {
    unsigned index = fieldIndex(field);
    if (index >= value.fields.size()) return;
    const Val &leaf = value.fields[index];
    if (leaf.isValue() && leaf.value->name.empty()) l.giveName(leaf, field->getName());
    nameFields(l, leaf, field->getType());
  }
}

// The object that an expression refers to, or a part of.
static const clang::Expr *objectIn(const clang::Expr *e) {
  while (true) {
    e = e->IgnoreParenImpCasts();
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(e);
    if (!member || member->isArrow()) return e;
    e = member->getBase();
  }
}

// A copy does not change with the variable.
Place lowerReferent(Lowering &l, const clang::Expr *initial) {
  Place place = lowerPlace(l, initial);
  if (!place.isCopy || initial->getType()->isFunctionType()) return place;
  const clang::Expr *object = objectIn(initial);
  if (llvm::isa<clang::AbstractConditionalOperator>(object))
    l.reject(object->getExprLoc(), "a reference to one of two variables",
             "choose the value, or assign in both branches of an if");
  else if (llvm::isa<clang::CallExpr>(object))
    l.reject(initial->getExprLoc(), "a reference to what this returns",
             "keep the value in a variable, or refer to the variable itself");
  return place;
}

static void checkDestructor(Lowering &l, const clang::VarDecl *variable) {
  if (!variable->getType()->isReferenceType() &&
      variable->needsDestruction(l.context) == clang::QualType::DK_cxx_destructor)
    l.reject(variable->getLocation(), "a destructor", "call a function where the block ends");
}

static Place lowerVariable(Lowering &l, const clang::VarDecl *variable) {
  checkVariableType(l, variable);
  checkDestructor(l, variable);
  const clang::Expr *initial = variable->getInit();
  clang::QualType type = variable->getType();
  if (type->isReferenceType() && initial) {
    Place place = lowerReferent(l, initial);
    if (place.isVariable()) l.giveName(l.env.read(place), variable->getName());
    return place;
  }
  std::optional<Val> array = constantArray(l, variable);
  Val value = array ? *array : initial ? lowerValue(l, initial) : l.undefined(type);
  if (auto lowered = lowerType(type); lowered && value.isValue())
    value = convert(l, value.value, *lowered);
  l.giveName(value, variable->getName());
  nameFields(l, value, type);
  return l.env.declare(variable->getName(), std::move(value), neverChanges(type));
}

static void lowerBindings(Lowering &l, const clang::DecompositionDecl *declaration,
                          const Place &place) {
  unsigned index = 0;
  for (const clang::BindingDecl *binding : declaration->bindings()) {
    // For a tuple-like type, Clang makes calls of get<I>; those of std::tuple need no body.
    Place element = place.field(index++);
    if (const clang::VarDecl *holding = binding->getHoldingVar()) {
      if (!stdTupleElements(declaration->getType())) element = lowerReferent(l, holding->getInit());
    } else if (binding->getBinding()) {
      element = lowerPlace(l, binding->getBinding());
    }
    l.env.bind(binding, element);
    if (element.isVariable()) l.giveName(l.env.read(element), binding->getName());
  }
}

void lowerDecl(Lowering &l, const clang::Decl *declaration) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable) {
    checkDecl(l, declaration);
    return;
  }
  if (variable->isStaticLocal()) {
    if (!variable->isConstexpr())
      l.error(ir::DiagId::StaticLocal, variable->getLocation(), {variable->getNameAsString()});
    if (!variable->isConstexpr())
      l.env.bind(variable, l.env.declare(variable->getName(), l.placeholder(variable->getType())));
    return;  // a constant is looked up by its initial value
  }
  if (variable->isLocalExternDecl()) return;  // a global variable: checked where it is read
  Place place = lowerVariable(l, variable);
  l.env.bind(variable, place);
  if (const auto *decomposition = llvm::dyn_cast<clang::DecompositionDecl>(variable))
    lowerBindings(l, decomposition, place);
}

}  // namespace tile2cu::frontend
