#include "frontend/kernels/launcher_values.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tile2cu::frontend {

namespace {

const clang::CXXRecordDecl *recordOf(clang::QualType type) {
  return type.getNonReferenceType()->getAsCXXRecordDecl();
}

bool isOneOf(const clang::CXXRecordDecl *record, llvm::ArrayRef<llvm::StringRef> names) {
  return llvm::any_of(names, [&](llvm::StringRef name) { return isLanguageName(record, name); });
}

bool holds(clang::QualType type, llvm::SmallPtrSetImpl<const clang::CXXRecordDecl *> &seen) {
  while (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  if (isLauncherType(type)) return true;
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !seen.insert(record).second) return false;
  record = record->getDefinition();
  if (const auto *special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
    for (const clang::TemplateArgument &argument : special->getTemplateArgs().asArray())
      if (argument.getKind() == clang::TemplateArgument::Type &&
          isLauncherType(argument.getAsType()))
        return true;
  return llvm::any_of(record->bases(), [&](auto &base) { return holds(base.getType(), seen); }) ||
         llvm::any_of(record->fields(), [&](auto *field) { return holds(field->getType(), seen); });
}

// The call inside the wrapper nodes that an initialization adds.
const clang::CallExpr *callIn(const clang::Expr *e) {
  while (e) {
    e = e->IgnoreParenImpCasts();
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return call;
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
      e = bound->getSubExpr();
    else if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(e);
             copy && copy->getNumArgs() == 1)
      e = copy->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

// The source locations of the parts of a launcher, where its initializer shows them. Parts that
// other functions return have the location of the call.
struct Places {
  struct Candidate {
    clang::SourceLocation loc;
    const clang::Expr *options = nullptr;
  };
  clang::SourceLocation loc;  // of everything that the initializer does not show
  clang::SourceLocation keyLoc;
  std::vector<Candidate> candidates;
  std::vector<clang::SourceLocation> preserved;

  explicit Places(const clang::VarDecl *variable) : loc(variable->getLocation()) {
    const clang::CallExpr *call = callIn(variable->getInit());
    const llvm::StringRef name = call ? operationOf(call->getDirectCallee()) : "";
    if (name == "instantiate") addCandidate(call);
    if (name != "select" && name != "tune") return;
    for (const clang::Expr *argument : call->arguments()) {
      const clang::CXXRecordDecl *type = recordOf(argument->getType());
      if (isOneOf(type, {"configuration", "instance"})) {
        const clang::CallExpr *candidate = callIn(argument);
        const llvm::StringRef what = candidate ? operationOf(candidate->getDirectCallee()) : "";
        if (what == "candidate" || what == "instantiate")
          addCandidate(candidate);
        else
          candidates.push_back({argument->getExprLoc()});
      } else if (isLanguageName(type, "key")) {
        keyLoc = argument->getExprLoc();
      } else {
        preserved.push_back(argument->getExprLoc());
      }
    }
  }

  void addCandidate(const clang::CallExpr *call) {
    const bool hasOptions =
        call->getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(1));
    candidates.push_back({call->getArg(0)->getExprLoc(), hasOptions ? call->getArg(1) : nullptr});
  }
};

// tl::configuration: { kernel, config }.
CandidateValue candidateOf(const clang::APValue &value, const clang::CXXRecordDecl *type) {
  CandidateValue result;
  const clang::APValue &kernel = value.getStructField(0);
  if (kernel.isLValue() && !kernel.isNullPointer())
    result.kernel = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        kernel.getLValueBase().dyn_cast<const clang::ValueDecl *>());
  result.options = value.getStructField(1);
  const auto fields = llvm::to_vector(type->fields());
  result.optionsType = fields[1]->getType()->getAsCXXRecordDecl();
  return result;
}

const clang::CXXRecordDecl *firstBase(const clang::CXXRecordDecl *record) {
  return record->bases_begin()->getType()->getAsCXXRecordDecl();
}

// Decomposes the value of a launch type, whose layout is that of tile/launch.h.
LauncherValue takeApart(const clang::APValue *value, const clang::CXXRecordDecl *type) {
  LauncherValue result;
  for (; isLanguageName(type, "preserving"); type = firstBase(type)) {
    result.preserved.push_back({value->getStructField(0), {}});
    value = &value->getStructBase(0);
  }
  if (isLanguageName(type, "tuned")) {
    result.key = value->getStructField(0);
    value = &value->getStructBase(0);
    type = firstBase(type);
  }
  if (isLanguageName(type, "instance")) {
    result.candidates.push_back(candidateOf(value->getStructBase(0), firstBase(type)));
    return result;
  }
  T2C_ASSERT(isLanguageName(type, "selection"));
  const clang::FieldDecl *candidates = *type->field_begin();
  const auto *element = candidates->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  const clang::APValue &array = value->getStructField(0);
  for (unsigned i = 0; i < array.getArraySize(); ++i)
    result.candidates.push_back(candidateOf(elementOf(array, i), element));
  return result;
}

// One step of a path within a constant: into an element, a member or a base.
const clang::APValue *stepInto(const clang::APValue *value, clang::QualType &type,
                               clang::APValue::LValuePathEntry entry) {
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe()) {
    if (!value->isArray() || entry.getAsArrayIndex() >= value->getArraySize()) return nullptr;
    type = array->getElementType();
    return &elementOf(*value, entry.getAsArrayIndex());
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !value->isStruct()) return nullptr;
  const clang::Decl *part = entry.getAsBaseOrMember().getPointer();
  if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(part)) {
    type = field->getType();
    return &value->getStructField(field->getFieldIndex());
  }
  unsigned i = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const clang::CXXRecordDecl *which = base.getType()->getAsCXXRecordDecl();
    if (which && which->getCanonicalDecl() == part->getCanonicalDecl()) {
      type = base.getType();
      return &value->getStructBase(i);
    }
    ++i;
  }
  return nullptr;
}

// The whole object that a pointer points into.
const clang::APValue *baseOf(const clang::APValue &place, clang::QualType &type) {
  const clang::APValue::LValueBase base = place.getLValueBase();
  if (const auto *declaration = base.dyn_cast<const clang::ValueDecl *>()) {
    type = declaration->getType();
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      const clang::VarDecl *definition = nullptr;
      const clang::Expr *init = variable->getAnyInitializer(definition);
      return init && !init->isValueDependent() ? definition->evaluateValue() : nullptr;
    }
    if (const auto *object = llvm::dyn_cast<clang::TemplateParamObjectDecl>(declaration))
      return &object->getValue();
    return nullptr;
  }
  const auto *e = base.dyn_cast<const clang::Expr *>();
  if (const auto *temporary = llvm::dyn_cast_or_null<clang::MaterializeTemporaryExpr>(e)) {
    type = temporary->getType();
    const clang::LifetimeExtendedTemporaryDecl *extended =
        temporary->getLifetimeExtendedTemporaryDecl();
    return extended ? extended->getValue() : nullptr;
  }
  return nullptr;
}

}  // namespace

bool isLauncherType(clang::QualType type) {
  return isOneOf(recordOf(type), {"instance", "selection", "tuned", "preserving"});
}

bool holdsLaunchers(clang::QualType type) {
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 16> seen;
  return holds(type.getNonReferenceType(), seen);
}

const clang::APValue &elementOf(const clang::APValue &array, unsigned i) {
  return i < array.getArrayInitializedElts() ? array.getArrayInitializedElt(i)
                                             : array.getArrayFiller();
}

const clang::APValue *referredTo(const clang::APValue &place, clang::QualType *type) {
  if (!place.isLValue() || place.isNullPointer() || !place.hasLValuePath() ||
      place.isLValueOnePastTheEnd())
    return nullptr;
  clang::QualType now;
  const clang::APValue *value = baseOf(place, now);
  for (clang::APValue::LValuePathEntry entry : place.getLValuePath())
    if (value) value = stepInto(value, now, entry);
  if (type) *type = now;
  return value;
}

std::optional<std::string> textAt(const clang::APValue &pointer) {
  if (!pointer.isLValue() || pointer.isNullPointer() || !pointer.hasLValuePath())
    return std::nullopt;
  llvm::ArrayRef<clang::APValue::LValuePathEntry> path = pointer.getLValuePath();
  if (const auto *text = llvm::dyn_cast_or_null<clang::StringLiteral>(
          pointer.getLValueBase().dyn_cast<const clang::Expr *>())) {
    const uint64_t first = path.empty() ? 0 : path.back().getAsArrayIndex();
    if (text->getCharByteWidth() != 1 || first > text->getLength()) return std::nullopt;
    return text->getString().drop_front(first).split('\0').first.str();
  }
  if (path.empty()) return std::nullopt;
  clang::APValue array(pointer.getLValueBase(), pointer.getLValueOffset(), path.drop_back(),
                       /*OnePastTheEnd=*/false);
  const clang::APValue *value = referredTo(array);
  if (!value || !value->isArray()) return std::nullopt;
  std::string text;
  for (uint64_t i = path.back().getAsArrayIndex(); i < value->getArraySize(); ++i) {
    const clang::APValue &c = elementOf(*value, i);
    if (!c.isInt()) return std::nullopt;
    if (c.getInt() == 0) return text;
    text += static_cast<char>(c.getInt().getExtValue());
  }
  return std::nullopt;
}

std::optional<LauncherValue> launcherValue(
    clang::ASTContext &context, const clang::VarDecl *variable,
    llvm::SmallVectorImpl<clang::PartialDiagnosticAt> &notes) {
  const clang::Expr *init = variable->getInit();
  if (!init || init->isValueDependent()) return std::nullopt;
  const clang::APValue *value = variable->evaluateValue();
  clang::QualType type = variable->getType();
  if (!value) {
    clang::APValue result;
    init->EvaluateAsInitializer(result, context, variable, notes, /*IsConstantInitializer=*/true);
    return std::nullopt;
  }
  if (type->isReferenceType()) value = referredTo(*value, &type);
  if (!value || !value->isStruct()) return std::nullopt;

  LauncherValue result = takeApart(value, recordOf(type));
  const Places places(variable);
  const bool areShown = places.candidates.size() == result.candidates.size();
  for (size_t i = 0; i < result.candidates.size(); ++i) {
    result.candidates[i].loc = areShown ? places.candidates[i].loc : places.loc;
    if (areShown) result.candidates[i].optionsText = places.candidates[i].options;
  }
  result.keyLoc = places.keyLoc.isValid() ? places.keyLoc : places.loc;
  for (size_t i = 0; i < result.preserved.size(); ++i)
    result.preserved[i].loc = i < places.preserved.size() ? places.preserved[i] : places.loc;
  return result;
}

}  // namespace tile2cu::frontend
