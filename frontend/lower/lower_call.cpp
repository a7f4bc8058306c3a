#include "frontend/lower/lower_call.h"

#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/device_call.h"
#include "frontend/lower/inline_call.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {
namespace {

// The function that a call runs: a named function, or one that was passed as an argument.
const clang::FunctionDecl *calleeOf(Lowering &l, const clang::CallExpr *call) {
  if (const clang::FunctionDecl *direct = call->getDirectCallee()) return direct;
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(callee);
      unary && unary->getOpcode() == clang::UO_Deref)
    callee = unary->getSubExpr()->IgnoreParenImpCasts();
  if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(callee)) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(callee);
    if (!reference || l.env.find(reference->getDecl())) {
      Val value = l.env.read(lowerPlace(l, callee));
      if (value.kind == Val::Kind::Function) return value.function;
    }
  }
  return nullptr;
}

// Arguments with the object of a method first.
llvm::SmallVector<const clang::Expr *, 4> allArguments(const clang::CallExpr *call) {
  llvm::SmallVector<const clang::Expr *, 4> result;
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    result.push_back(member->getImplicitObjectArgument());
  result.append(call->arg_begin(), call->arg_end());
  return result;
}

Val runOperation(Lowering &l, const Operation &operation) {
  const OperationRow *row = findOperation(operation.name);
  if (!row) {
    l.error(ir::DiagId::UnknownOperation, operation.loc, {operation.name.str()});
    return l.placeholder(operation.resultType);
  }
  Operation complete = operation;
  complete.kind = row->kind;
  return row->handler(l, complete);
}

Val inlineMethodOrFunction(Lowering &l, const clang::CallExpr *call,
                           const clang::FunctionDecl *callee) {
  auto arguments = allArguments(call);
  Inlined inlined;
  inlined.function = callee;
  inlined.callee = call->getCallee();
  inlined.loc = call->getExprLoc();
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  llvm::ArrayRef<const clang::Expr *> rest = arguments;
  if (method && !arguments.empty()) {
    if (method->isVirtual())
      l.reject(call->getExprLoc(), "a virtual call", "call the function itself, or pass a lambda");
    // An explicit object parameter (`this auto self`) is an argument like the others.
    const bool isExplicit = method->isExplicitObjectMemberFunction();
    if (!method->isStatic() && !isExplicit) inlined.object = arguments[0];
    if (inlined.object || (method->isStatic() && llvm::isa<clang::CXXOperatorCallExpr>(call)))
      rest = rest.drop_front();
  }
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (method && method->isStatic() && member) lowerUnusedObject(l, member);
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  inlined.isAssignment = operation && operation->isAssignmentOp();
  inlined.arguments = rest;
  return inlineCall(l, inlined);
}

bool isSample(const clang::FunctionDecl *callee) {
  return callee->getIdentifier() && callee->getName() == "sample" && callee->getNumParams() == 0;
}

bool isDefaultedAssignment(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method && method->isDefaulted() &&
         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
}

bool isStdGet(const clang::FunctionDecl *callee) {
  return callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "get";
}

Place assignObject(Lowering &l, const clang::CallExpr *call) {
  auto arguments = allArguments(call);
  Val value = lowerValue(l, arguments[1]);
  Place place = lowerPlace(l, arguments[0]);
  writePlace(l, place, std::move(value), call->getExprLoc(), nameOfPlace(arguments[0]));
  return place;
}

// `t = other;` for two std::tuples, element by element. References are assigned through; those to
// const are std::ignore.
Place assignTuple(Lowering &l, const clang::CallExpr *call) {
  const clang::SourceLocation loc = call->getExprLoc();
  const auto to = stdTupleElements(call->getArg(0)->getType());
  const auto from = stdTupleElements(call->getArg(1)->getType());
  Val value = lowerValue(l, call->getArg(1));
  Place place = lowerPlace(l, call->getArg(0));
  for (size_t i = 0; i < to->size() && i < value.fields.size(); ++i) {
    const clang::QualType type = (*to)[i].getNonReferenceType();
    if (type.isConstQualified()) continue;
    auto element = tupleElement(l, type, (*from)[i], std::move(value.fields[i]), loc);
    if (element && !hasOwnAssignment(type))
      writePlace(l, place.field(i), std::move(*element), loc);
    else
      l.reject(loc, "an assignment of objects in a std::tuple", "assign them one by one");
  }
  return place;
}

bool isTupleAssignment(const clang::CallExpr *call) {
  const auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  return assignment && assignment->getOperator() == clang::OO_Equal &&
         stdTupleElements(call->getArg(0)->getType()) &&
         stdTupleElements(call->getArg(1)->getType());
}

std::string qualifiedName(const clang::FunctionDecl *callee) {
  return callee->getQualifiedNameAsString();
}

// The value, or a reference to what the call returns by reference.
Val lowerResult(Lowering &l, const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(l, call);
  if (!callee) {
    l.reject(call->getExprLoc(), "a call through a pointer or reference to a function",
             "make the function a template argument or pass a lambda");
    return l.placeholder(call->getType());
  }
  if (isSample(callee) && l.samples && !l.samples->empty()) return lowerSample(l, call->getType());
  if (isTupleAssignment(call)) return Val::reference(assignTuple(l, call));
  if (isDefaultedAssignment(callee))
    return !callee->isTrivial() && hasOwnAssignment(allArguments(call)[0]->getType())
               ? inlineMethodOrFunction(l, call, callee)
               : Val::reference(assignObject(l, call));
  if (llvm::StringRef name = operationOf(callee); !name.empty()) {
    Operation operation{
        name, ir::OpKind::Constant, callee, allArguments(call), call->getType(), call->getExprLoc(),
        &l,   call->getCallee()};
    return runOperation(l, operation);
  }
  if (isKernel(callee)) {
    l.error(ir::DiagId::CallsKernel, call->getExprLoc(), {callee->getNameAsString()});
    return l.placeholder(call->getType());
  }
  if (isInlinable(l, callee)) return inlineMethodOrFunction(l, call, callee);
  if (isDeviceFunction(callee)) return lowerDeviceCall(l, call, callee);
  if (auto element = stdArrayCall(l, call, callee)) return *element;
  if (isStdCall(callee)) return lowerStdCall(l, call, callee);
  l.error(ir::DiagId::NotTileFunction, call->getExprLoc(), {qualifiedName(callee)});
  return l.placeholder(call->getType());
}

}  // namespace

Val lowerCall(Lowering &l, const clang::CallExpr *call) {
  Val result = lowerResult(l, call);
  if (result.kind != Val::Kind::Reference) return result;
  return readPlace(l, result.place, call->getExprLoc());
}

Val lowerSample(Lowering &l, clang::QualType type) {
  if (lowerType(type)) {
    ir::Value *next = l.samples->front();
    l.samples->erase(l.samples->begin());
    return next;
  }
  Val result = l.undefined(type);
  for (Val &field : result.fields) {
    if (l.samples->empty()) break;
    field = l.samples->front();
    l.samples->erase(l.samples->begin());
  }
  return result;
}

Place lowerCallPlace(Lowering &l, const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  bool passesOn = callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                  call->getNumArgs() == 1 &&
                  (callee->getName() == "move" || callee->getName() == "forward" ||
                   callee->getName() == "as_const");
  if (passesOn) return lowerPlace(l, call->getArg(0));
  if (callee && isStdGet(callee) && call->getArg(0)->isGLValue()) {
    if (auto path = stdElement(callee, call->getArg(0)->getType())) {
      Place element = lowerPlace(l, call->getArg(0));
      element.path.append(path->begin(), path->end());
      return element;
    }
  }
  Val result = lowerResult(l, call);
  if (result.kind == Val::Kind::Reference) return result.place;
  Place place = l.env.declare("", std::move(result));
  place.writable = false;
  place.isCopy = call->isGLValue();
  return place;
}

Val lowerOperation(Lowering &l, const clang::CXXConstructExpr *construct) {
  Operation operation;
  operation.name = operationOf(construct->getConstructor());
  operation.kind = ir::OpKind::Constant;
  operation.callee = construct->getConstructor();
  operation.arguments.append(construct->arg_begin(), construct->arg_end());
  operation.resultType = construct->getType();
  operation.loc = construct->getExprLoc();
  operation.lowering = &l;
  return runOperation(l, operation);
}

}  // namespace tile2cu::frontend
