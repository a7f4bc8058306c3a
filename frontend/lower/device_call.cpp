#include "frontend/lower/device_call.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tile2cu::frontend {

using ir::Scalar;

bool isDeviceScalar(const std::optional<ir::Type> &type) {
  return type && !type->isPointer() && !type->isTile() && !ir::isFloat8(type->scalar());
}

namespace {

bool isPlain(clang::QualType type) { return isDeviceScalar(lowerType(type)); }

bool isHalf(clang::QualType type) {
  return isPlain(type) && ir::isFloat(lowerType(type)->scalar()) &&
         ir::bitWidth(lowerType(type)->scalar()) == 16;
}

bool isPlainParameter(clang::QualType type) {
  const clang::QualType object = type.getNonReferenceType();
  const bool isReadOnly = !type->isReferenceType() || object.isConstQualified();
  return isReadOnly && !object.isVolatileQualified() && isPlain(object.getUnqualifiedType());
}

// Template arguments are written out, and what is written has to mean the same in the emitted file.
bool isPlainArgument(const clang::TemplateArgument &argument) {
  switch (argument.getKind()) {
    case clang::TemplateArgument::Type:
      return isPlain(argument.getAsType());
    case clang::TemplateArgument::Integral:
      return isPlain(argument.getIntegralType());
    case clang::TemplateArgument::Pack:
      return llvm::all_of(argument.pack_elements(), isPlainArgument);
    default:
      return false;
  }
}

bool hasPlainArguments(const clang::TemplateArgumentList *arguments) {
  return !arguments || llvm::all_of(arguments->asArray(), isPlainArgument);
}

// Whether one is a 16-bit float, which would have to be written in the middle of a name.
bool hasHalf(const clang::TemplateArgumentList &arguments) {
  return llvm::any_of(arguments.asArray(), [](const clang::TemplateArgument &argument) {
    return argument.getKind() == clang::TemplateArgument::Type && isHalf(argument.getAsType());
  });
}

// Whether another function of this name has the same parameters but for two types of one
// representation, such as long and long long: the emitted call might choose that one.
bool hasTwin(const clang::FunctionDecl *callee) {
  const auto typeOf = [](const clang::ParmVarDecl *parameter) {
    return lowerType(parameter->getType().getNonReferenceType());
  };
  for (const clang::NamedDecl *each : callee->getDeclContext()->lookup(callee->getDeclName())) {
    const clang::FunctionDecl *other = each->getAsFunction();
    if (!other || other->getCanonicalDecl() == callee->getCanonicalDecl() || other->isTemplated() ||
        other->getNumParams() != callee->getNumParams())
      continue;
    if (std::equal(callee->param_begin(), callee->param_end(), other->param_begin(),
                   [&](const auto *a, const auto *b) { return typeOf(a) == typeOf(b); }))
      return !callee->isTemplateInstantiation();  // that one's template arguments are written
  }
  return false;
}

// Why the emitted file cannot call the function; empty if it can.
std::string obstacle(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && !method->isStatic()) return "is a member of an object";
  if (llvm::isa<clang::FunctionDecl>(callee->getDeclContext()) ||
      callee->getIdentifier() == nullptr)
    return "has no name to call it by";
  if (callee->isVariadic()) return "is variadic";
  if (callee->param_empty()) return "has no parameter";
  for (const clang::ParmVarDecl *parameter : callee->parameters())
    if (!isPlainParameter(parameter->getType()))
      return "has a parameter of type '" + parameter->getType().getAsString() + "'";
  if (!isPlain(callee->getReturnType()))
    return "returns '" + callee->getReturnType().getAsString() + "'";
  if (!hasPlainArguments(callee->getTemplateSpecializationArgs()))
    return "has a template argument that is neither a number nor a type of numbers";
  if (hasTwin(callee)) return "has an overload for another type of the same size and sign";
  for (const clang::DeclContext *around = callee->getDeclContext(); around;
       around = around->getParent())
    if (const auto *record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(around))
      if (!hasPlainArguments(&record->getTemplateArgs()) || hasHalf(record->getTemplateArgs()))
        return "is in a class whose template argument is neither a number nor a type of numbers";
  return "";
}

// As CUDA names the type or number.
void writeArgument(const clang::TemplateArgument &argument, const clang::PrintingPolicy &policy,
                   std::vector<std::string> &written) {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    for (const clang::TemplateArgument &each : argument.pack_elements())
      writeArgument(each, policy, written);
    return;
  }
  if (argument.getKind() == clang::TemplateArgument::Type && isHalf(argument.getAsType())) {
    const bool isBrain = lowerType(argument.getAsType())->scalar() == Scalar::BF16;
    written.push_back(isBrain ? "__nv_bfloat16" : "__half");
    return;
  }
  llvm::raw_string_ostream out(written.emplace_back());
  argument.print(policy, out, /*IncludeType=*/true);
}

// geo::area, geo::scaled<float, 4>
std::string writtenName(const clang::FunctionDecl *callee) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy(callee->getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.adjustForCPlusPlus();
  callee->printQualifiedName(out, policy);
  if (const auto *arguments = callee->getTemplateSpecializationArgs()) {
    std::vector<std::string> written;
    for (const clang::TemplateArgument &argument : arguments->asArray())
      writeArgument(argument, policy, written);
    out << '<' << llvm::join(written, ", ") << '>';
  }
  return name;
}

}  // namespace

Val lowerDeviceCall(Lowering &l, const clang::CallExpr *call, const clang::FunctionDecl *callee) {
  const clang::FunctionDecl *definition = callee->getDefinition();
  const clang::FunctionDecl *seen = definition ? definition : callee->getCanonicalDecl();
  const std::string header = l.source.headerOf(seen->getLocation());
  const std::string why = obstacle(callee), name = callee->getQualifiedNameAsString();
  if (header.empty())
    l.error(ir::DiagId::DeviceFunctionHere, call->getExprLoc(), {name});
  else if (!why.empty())
    l.error(ir::DiagId::DeviceFunctionType, call->getExprLoc(), {name, why});
  if (header.empty() || !why.empty()) return l.placeholder(call->getType());
  llvm::SmallVector<ir::Value *, 4> operands;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType().getNonReferenceType();
    operands.push_back(convertElement(l, lowerIr(l, call->getArg(i)), lowerType(type)->scalar()));
  }
  const ir::Type result = *lowerType(callee->getReturnType());
  ir::Op *op = l.builder.create(ir::OpKind::DeviceCall, operands, {result});
  op->setString(ir::Attr::callee, writtenName(callee));
  op->setString(ir::Attr::header, header);
  return op->result();
}

}  // namespace tile2cu::frontend
