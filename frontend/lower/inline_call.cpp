#include "frontend/lower/inline_call.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"

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

// A variable that an argument names, where a reference is bound to a copy of what the argument
// refers to: std::max(a, b), or c ? a : b.
struct Source {
  const clang::Expr *argument;
  Place place;
  Val before;
};
using Sources = std::vector<Source>;

void addSources(Lowering &l, const clang::Expr *argument, const clang::Stmt *part,
                Sources &sources) {
  const Place *place = nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
    place = l.env.find(reference->getDecl());
  if (llvm::isa<clang::CXXThisExpr>(part) && l.frame->object) place = &*l.frame->object;
  if (place && l.env.resolve(*place).isVariable())
    sources.push_back({argument, *place, l.env.read(*place)});
  for (const clang::Stmt *child : part->children())
    if (child) addSources(l, argument, child, sources);
}

bool isSame(const Val &a, const Val &b) {
  return a.kind == b.kind && a.value == b.value && a.function == b.function &&
         a.place.isSame(b.place) &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), isSame);
}

void checkUnchanged(Lowering &l, const Sources &sources) {
  for (const Source &source : sources)
    if (!isSame(source.before, l.env.read(source.place)))
      l.reject(source.argument->getExprLoc(),
               "a reference to one of several variables that the call changes",
               "keep the value in a variable, and pass that");
}

Sources bindParameters(Lowering &l, const clang::FunctionDecl *function,
                       llvm::ArrayRef<const clang::Expr *> arguments, Frame &frame) {
  llvm::SmallVector<Place, 4> places;
  for (unsigned i = 0; i < function->getNumParams() && i < arguments.size(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    if (parameter->getType()->isReferenceType()) {
      Place place = lowerPlace(l, arguments[i]);
      places.push_back(std::move(place));
    } else {
      Val value = lowerValue(l, arguments[i]);
      if (auto type = lowerType(parameter->getType()); type && value.isValue())
        value = convert(l, value.value, *type);
      places.push_back(l.env.declare(parameter->getName(), std::move(value),
                                     neverChanges(parameter->getType())));
    }
  }
  // Names are assigned after all arguments are lowered, because they are hints at the inner depth.
  // The library's own parameter names, such as a and b, are not useful.
  const bool isOurs = l.source.inSystemHeader(function->getLocation());
  Frame *caller = l.frame;
  l.frame = &frame;
  for (unsigned i = 0; i < places.size(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    if (places[i].isVariable()) {
      Val value = l.env.read(places[i]);
      const bool says = !isOurs || parameter->getName().size() > 1;
      if (says && value.isValue() && value.value->name.empty())
        l.giveName(value, parameter->getName());
    }
    l.env.bind(parameter, places[i]);
  }
  l.frame = caller;
  Sources sources;
  for (unsigned i = 0; i < places.size(); ++i)
    if (places[i].isCopy) addSources(l, arguments[i], arguments[i], sources);
  return sources;
}

}  // namespace

bool isInlinable(Lowering &l, const clang::FunctionDecl *function) {
  if (isTileFunction(function)) return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method && method->getParent()->isLambda()) return true;
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
  if (isActive(l, definition)) {
    l.error(ir::DiagId::Recursion, call.loc, {function->getNameAsString()});
    return l.placeholder(resultType);
  }
  Frame frame;
  frame.function = definition;
  frame.caller = l.frame;
  frame.depth = l.frame->depth + 1;
  frame.object = call.object;
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

  const Sources sources = bindParameters(l, definition, call.arguments, frame);
  frame.resultType = resultType;
  if (resultType->isReferenceType()) frame.onlyReturn = onlyReturnOf(body);
  if (!resultType->isVoidType()) frame.result = l.env.declare("", l.undefined(resultType));
  CaptureScope captures(l, frame);
  ir::Location loc = l.builder.loc;
  Loop *loop = l.loop;
  l.loop = nullptr;
  l.frame = &frame;
  lowerSequence(l, body);
  l.frame = frame.caller;
  l.loop = loop;
  l.builder.loc = loc;
  checkUnchanged(l, sources);
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

// Lowers a constructor whose parameters `bind` binds.
static Val runConstructor(Lowering &l, const clang::CXXConstructorDecl *constructor,
                          clang::QualType type, clang::SourceLocation loc,
                          llvm::function_ref<Sources(const clang::FunctionDecl *, Frame &)> bind) {
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
  frame.object = l.env.declare("", l.undefined(type));
  const Sources sources = bind(definition, frame);
  Loop *loop = l.loop;
  l.loop = nullptr;
  l.frame = &frame;
  for (const clang::CXXCtorInitializer *initializer :
       llvm::cast<clang::CXXConstructorDecl>(definition)->inits()) {
    Val value = lowerMemberInit(l, initializer->getAnyMember(), initializer->getInit());
    l.env.write(initializedPart(*frame.object, initializer, constructor->getParent()),
                std::move(value));
  }
  lowerSequence(l, body);
  l.frame = frame.caller;
  l.loop = loop;
  checkUnchanged(l, sources);
  Val result = l.env.read(*frame.object);
  checkOwnReferences(l, result, *frame.object, loc);
  return result;
}

Val inlineConstructor(Lowering &l, const clang::CXXConstructExpr *construct) {
  const llvm::SmallVector<const clang::Expr *, 4> arguments(construct->arguments());
  return runConstructor(l, construct->getConstructor(), construct->getType(),
                        construct->getLocation(),
                        [&](const clang::FunctionDecl *definition, Frame &frame) {
                          return bindParameters(l, definition, arguments, frame);
                        });
}

Val inlineInherited(Lowering &l, const clang::CXXInheritedCtorInitExpr *inherited) {
  return runConstructor(l, inherited->getConstructor(), inherited->getType(),
                        inherited->getLocation(),
                        [&](const clang::FunctionDecl *definition, Frame &) {
                          const clang::FunctionDecl *heir = l.frame->function;
                          for (unsigned i = 0; i < definition->getNumParams(); ++i)
                            if (const Place *place = l.env.find(heir->getParamDecl(i)))
                              l.env.bind(definition->getParamDecl(i), Place(*place));
                          return Sources();
                        });
}

}  // namespace tile2cu::frontend
