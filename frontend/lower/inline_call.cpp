#include "frontend/lower/inline_call.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"
#include "frontend/lower/reference_copies.h"
#include "frontend/lower/size_formula.h"

namespace tile2cu::frontend {
namespace {

// While the body of a lambda is lowered, the captured variables and `this` stand for its captures.
class CaptureScope {
 public:
  CaptureScope(Lowering &lowering, Frame &frame) : lowering_(lowering) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(frame.function);
    if (!method || !method->getParent()->isLambda() || !frame.object) return;
    const Place closure = *frame.object;
    unsigned index = 0;
    for (const clang::LambdaCapture &capture : method->getParent()->captures()) {
      if (capture.capturesVariable()) bind(capture.getCapturedVar(), closure, index);
      if (capture.capturesThis()) frame.object = lowering.env.resolve(closure.field(index));
      ++index;
    }
  }
  ~CaptureScope() {
    for (auto &[variable, place] : saved_) {
      if (place)
        lowering_.env.bind(variable, *place);
      else
        lowering_.env.unbind(variable);
    }
  }
  CaptureScope(const CaptureScope &) = delete;

 private:
  void bind(const clang::ValueDecl *variable, const Place &object, unsigned index) {
    const Place *outer = lowering_.env.find(variable);
    saved_.emplace_back(variable, outer ? std::optional(*outer) : std::nullopt);
    Val closure = lowering_.env.read(object);
    bool byReference =
        index < closure.fields.size() && closure.fields[index].kind == Val::Kind::Reference;
    lowering_.env.bind(variable, byReference ? closure.fields[index].place : object.field(index));
  }

  Lowering &lowering_;
  std::vector<std::pair<const clang::ValueDecl *, std::optional<Place>>> saved_;
};

bool isActive(const Lowering &l, const clang::FunctionDecl *function) {
  for (const Frame *frame = l.frame; frame; frame = frame->caller)
    if (frame->function && frame->function->getCanonicalDecl() == function->getCanonicalDecl())
      return true;
  return false;
}

// *this of a call. nullopt, and an error, if it is not known to what a pointer points.
std::optional<Place> lowerObject(Lowering &l, const clang::Expr *object, ReferenceCopies &copies) {
  if (!object->getType()->isPointerType()) return copies.bind(object);
  std::optional<Place> pointed = pointedObject(l, object);
  if (!pointed)
    l.reject(object->getExprLoc(), "a pointer to a struct",
             "use the object itself, or a reference to it");
  return pointed;
}

Place lowerArgument(Lowering &l, const clang::ParmVarDecl *parameter, const clang::Expr *argument,
                    ReferenceCopies &copies) {
  if (parameter->getType()->isReferenceType()) return copies.bind(argument);
  Val value = lowerValue(l, argument);
  if (auto type = lowerType(parameter->getType()); type && value.isValue())
    value = convert(l, value.value, *type);
  return l.env.declare(parameter->getName(), std::move(value), neverChanges(parameter->getType()));
}

// The parameters that have arguments: a C function may take more.
unsigned countPassed(const clang::FunctionDecl *function,
                     llvm::ArrayRef<const clang::Expr *> arguments) {
  return std::min<size_t>(function->getNumParams(), arguments.size());
}

void bindParameters(Lowering &l, const clang::FunctionDecl *function, llvm::ArrayRef<Place> places,
                    Frame &frame) {
  // Names are assigned after all arguments are lowered, because they are hints at the inner depth.
  // The library's own parameter names, such as a and b, are not useful.
  const bool isOurs = l.source.inSystemHeader(function->getLocation());
  Frame *caller = l.frame;
  l.frame = &frame;
  for (unsigned i = 0; i < places.size(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    if (places[i].isVariable()) {
      Val value = l.env.read(places[i]);
      if (value.isValue()) bindDeducedFormulas(frame, i, value.value->type);
      const bool says = !isOurs || parameter->getName().size() > 1;
      if (says && value.isValue() && value.value->name.empty())
        l.giveName(value, parameter->getName());
    }
    l.env.bind(parameter, places[i]);
  }
  l.frame = caller;
}

// Lowers the object and the arguments of a call, in the order of C++, and binds the parameters.
// False, and an error, if there is no object.
bool passArguments(Lowering &l, const clang::FunctionDecl *function, const Inlined &call,
                   Frame &frame, ReferenceCopies &copies) {
  const unsigned count = countPassed(function, call.arguments);
  llvm::SmallVector<Place, 4> places(count);
  if (call.object && !call.isAssignment) frame.object = lowerObject(l, call.object, copies);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = call.isAssignment ? count - 1 - i : i;
    places[at] = lowerArgument(l, function->getParamDecl(at), call.arguments[at], copies);
  }
  if (call.object && call.isAssignment) frame.object = lowerObject(l, call.object, copies);
  bindParameters(l, function, places, frame);
  return !call.object || frame.object;
}

// Whether this is a comparison by default whose body, Clang's, compares the elements of an array in
// a loop.
bool comparesArrays(const clang::FunctionDecl *function) {
  if (!function->isDefaulted() || !function->isOverloadedOperator() || function->param_empty())
    return false;
  const clang::QualType type = function->getParamDecl(0)->getType().getNonReferenceType();
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && llvm::any_of(record->fields(), [](const clang::FieldDecl *field) {
           return field->getType()->isArrayType();
         });
}

}  // namespace

bool isInlinable(Lowering &l, const clang::FunctionDecl *function) {
  if (isTileFunction(function)) return true;
  const clang::FunctionDecl *definition = function->getDefinition();
  if (isDeviceFunction(function) && definition && l.source.inMainFile(definition->getLocation()))
    return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method && method->getParent()->isLambda()) return true;
  // A comparison that is defaulted has no text of its own.
  if (function->isDefaulted() && function->isOverloadedOperator() &&
      function->getOverloadedOperator() != clang::OO_Equal)
    return true;
  if (method && method->isDefaulted()) return false;
  const auto *space =
      llvm::dyn_cast<clang::NamespaceDecl>(function->getEnclosingNamespaceContext());
  while (space && space->getParent()->isNamespace())
    space = llvm::cast<clang::NamespaceDecl>(space->getParent());
  return space && space->getName() == "tl" && l.source.inSystemHeader(function->getLocation());
}

Val inlineCall(Lowering &l, const Inlined &call) {
  const clang::FunctionDecl *function = call.function;
  clang::QualType resultType = function->getReturnType();
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = function->getBody(definition);
  if (!body) {
    l.error(ir::DiagId::NoBody, call.loc, {function->getNameAsString()});
    return l.placeholder(resultType);
  }
  if (comparesArrays(definition)) {
    l.error(ir::DiagId::UnsupportedConstruct, call.loc,
            {"a defaulted comparison of a class with an array",
             "write an operator== that compares its elements"});
    return l.placeholder(resultType);
  }
  if (isActive(l, definition)) {
    l.error(ir::DiagId::Recursion, call.loc, {function->getNameAsString()});
    return l.placeholder(resultType);
  }
  Frame frame;
  frame.function = definition;
  frame.caller = l.frame;
  frame.depth = l.frame->depth + 1;
  frame.call = call.loc;
  // The body of static_for counts as text of the calling function.
  if (!l.source.inSystemHeader(definition->getLocation()))
    for (const Frame *outer = l.frame; outer && outer->caller; outer = outer->caller) {
      if (operationOf(outer->function) == "static_for") {
        frame.depth = outer->caller->depth;
        frame.ownStatements = outer->caller->depth == 0 || outer->caller->ownStatements;
        break;
      }
      if (!l.source.inSystemHeader(outer->function->getLocation())) break;
    }

  ReferenceCopies copies(l);
  if (call.callee) bindExplicitFormulas(l, frame, call.callee);
  if (!passArguments(l, definition, call, frame, copies)) return l.placeholder(resultType);
  frame.resultType = resultType;
  if (resultType->isReferenceType()) frame.onlyReturn = onlyReturnOf(l.context, body);
  if (!resultType->isVoidType()) frame.result = l.env.declare("", l.undefined(resultType));
  CaptureScope captures(l, frame);
  ir::Location loc = l.builder.loc;
  l.frame = &frame;
  {
    const OutsideLoops scope(l);
    lowerSequence(l, body);
  }
  l.frame = frame.caller;
  l.builder.loc = loc;
  copies.end();
  if (frame.referent) return Val::reference(*frame.referent);
  if (!frame.result) return {};
  Val result = l.env.read(*frame.result);
  if (!result.isUndefined()) {
    if (auto type = lowerType(resultType); type && result.isValue())
      result = convert(l, result.value, *type);
    return result;
  }
  if (!l.diagnostics.hasErrors())
    l.error(ir::DiagId::MissingReturn, call.loc, {function->getNameAsString()});
  return l.placeholder(resultType);
}

// The place in `object` that an initializer of a constructor initializes.
static Place initializedPart(const Place &object, const clang::CXXCtorInitializer *initializer,
                             const clang::CXXRecordDecl *record) {
  if (const clang::FieldDecl *member = initializer->getMember())
    return object.field(fieldIndex(member));
  if (const clang::IndirectFieldDecl *member = initializer->getIndirectMember()) {
    Place part = object;  // in structs without names
    for (const clang::NamedDecl *step : member->chain())
      part = part.field(fieldIndex(llvm::cast<clang::FieldDecl>(step)));
    return part;
  }
  if (!initializer->isBaseInitializer()) return object;  // a delegating constructor
  unsigned index = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    if (base.getType().getCanonicalType() ==
        initializer->getBaseClass()->getCanonicalTypeInternal())
      break;
    ++index;
  }
  return object.field(index);
}

// Keeps the parts of an object that a constructor does not set, because it constructs in place.
static void keepUnset(Val &part, const Val &before) {
  if (part.isUndefined()) part = before;
  for (size_t i = 0; i < part.fields.size() && i < before.fields.size(); ++i)
    keepUnset(part.fields[i], before.fields[i]);
}

// Lowers a constructor whose parameters `bind` binds. `T()` has made all members zero before.
static Val runConstructor(Lowering &l, const clang::CXXConstructorDecl *constructor,
                          clang::QualType type, bool isZeroed, clang::SourceLocation loc,
                          llvm::function_ref<void(const clang::FunctionDecl *, Frame &)> bind) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = constructor->getBody(definition);
  if (!body || constructor->getParent()->getNumVBases()) {
    l.reject(loc, "a constructor without a visible body",
             "use an aggregate: a struct without constructors");
    return l.undefined(type);
  }
  Frame frame;
  frame.function = definition;
  frame.caller = l.frame;
  frame.depth = l.frame->depth + 1;
  frame.call = loc;
  frame.object = l.env.declare("", isZeroed ? zeroInit(l, type, loc) : l.undefined(type));
  bind(definition, frame);
  const OutsideLoops scope(l);
  l.frame = &frame;
  for (const clang::CXXCtorInitializer *initializer :
       llvm::cast<clang::CXXConstructorDecl>(definition)->inits()) {
    Val value = lowerMemberInit(l, initializer->getAnyMember(), initializer->getInit());
    const Place part = initializedPart(*frame.object, initializer, constructor->getParent());
    if (isZeroed) keepUnset(value, l.env.read(part));
    l.env.write(part, std::move(value));
  }
  lowerSequence(l, body);
  l.frame = frame.caller;
  Val result = l.env.read(*frame.object);
  checkOwnReferences(l, result, *frame.object, loc);
  return result;
}

Val inlineConstructor(Lowering &l, const clang::CXXConstructExpr *construct) {
  const llvm::SmallVector<const clang::Expr *, 4> arguments(construct->arguments());
  Inlined call;
  call.arguments = arguments;
  ReferenceCopies copies(l);
  Val object = runConstructor(l, construct->getConstructor(), construct->getType(),
                              construct->requiresZeroInitialization(), construct->getLocation(),
                              [&](const clang::FunctionDecl *definition, Frame &frame) {
                                passArguments(l, definition, call, frame, copies);
                              });
  copies.end();
  return object;
}

Val inlineInherited(Lowering &l, const clang::CXXInheritedCtorInitExpr *inherited) {
  return runConstructor(l, inherited->getConstructor(), inherited->getType(), false,
                        inherited->getLocation(),
                        [&](const clang::FunctionDecl *definition, Frame &) {
                          const clang::FunctionDecl *heir = l.frame->function;
                          for (unsigned i = 0; i < definition->getNumParams(); ++i)
                            if (const Place *place = l.env.find(heir->getParamDecl(i)))
                              l.env.bind(definition->getParamDecl(i), Place(*place));
                        });
}

}  // namespace tile2cu::frontend
