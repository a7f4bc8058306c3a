// cuda(text, reference, operands...): the body of a __device__ function as text, and a function of
// the language that computes the same.
#include "clang/AST/ExprCXX.h"
#include "fmt/format.h"
#include "frontend/clang/cuda_text.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/device_call.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/ops/operations.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::frontend {

using ir::DiagId;
using ir::OpKind;

namespace {

// The function that is called with the operands; null if it is not known.
const clang::FunctionDecl *referenceOf(Lowering &l, const Operation &operation,
                                       const Place &function) {
  const clang::CallExpr *call = sampleCall(operation);
  if (!call) return nullptr;
  if (const clang::FunctionDecl *direct = call->getDirectCallee()) return direct;
  const Val value = l.env.read(function);
  return value.kind == Val::Kind::Function ? value.function : nullptr;
}

// The parameters of the reference, which are those of the text.
struct Signature {
  std::vector<std::string> names;
  llvm::SmallVector<ir::Scalar, 4> types;
  std::string problem;  // why the text cannot have them
};

Signature signatureOf(const clang::FunctionDecl *reference) {
  Signature signature;
  for (const clang::ParmVarDecl *parameter : reference->parameters()) {
    const clang::QualType of = parameter->getType();
    const auto type = lowerType(of.getNonReferenceType().getUnqualifiedType());
    if (parameter->getName().empty())
      signature.problem = "has a parameter without a name, which the text cannot use";
    else if (!isDeviceScalar(type))
      signature.problem = fmt::format(
          "has a parameter of type '{}'; the text takes bool, integers, float16, bfloat16, float "
          "and double, by value",
          of.getAsString());
    if (!signature.problem.empty()) return signature;
    signature.names.push_back(parameter->getName().str());
    signature.types.push_back(type->scalar());
  }
  return signature;
}

// The name that the user has for the reference, to call the text's function by: that of a function,
// or of the variable that holds a lambda. Empty: none.
std::string nameOf(const clang::Expr *reference) {
  reference = reference->IgnoreImplicit();
  if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(reference))
    if (copy->getNumArgs() == 1) reference = copy->getArg(0)->IgnoreParenImpCasts();
  reference = reference->IgnoreParenImpCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(reference))
    reference = address->getSubExpr()->IgnoreParenImpCasts();
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(reference);
  const bool hasName = name && name->getDecl()->getIdentifier();
  return hasName ? name->getDecl()->getName().str() : "";
}

// A value that the region uses besides its arguments and constants; empty if there is none. An
// access to memory is an error already.
std::string foreignValue(ir::Block &region) {
  std::string found;
  bool accesses = false;
  ir::walk(region, [&](ir::Op *op) {
    accesses |= op->is(ir::Reads) || op->is(ir::Writes);
    if (op->is(ir::Uniform)) found = op->mnemonic().str();
  });
  for (const ir::Value *value : ir::capturedBy(region))
    if (!ir::ConstantOp::of(value)) found = value->name;
  return accesses ? "" : found;
}

// Where the function of the text is called: for each element of the operands, or of scalars here.
struct CallSite {
  ir::Op *map = nullptr;
  llvm::SmallVector<ir::Value *, 4> operands;
};

CallSite makeCallSite(Lowering &l, llvm::ArrayRef<ir::Value *> operands, const Signature &signature,
                      const ir::Type &result) {
  CallSite site;
  for (unsigned i = 0; i < operands.size(); ++i) {
    ir::Value *operand = convertElement(l, operands[i], signature.types[i]);
    site.operands.push_back(result.isTile() ? stretch(l, operand, result.shape()) : operand);
  }
  if (!result.isTile()) return site;
  site.map = l.builder.create(OpKind::Map, site.operands, {result});
  ir::Block *region = site.map->addRegion();
  for (unsigned i = 0; i < operands.size(); ++i)
    site.operands[i] =
        region->addArgument(site.operands[i]->type.elementType(), signature.names[i]);
  return site;
}

}  // namespace

Val lowerCuda(Lowering &l, const Operation &operation) {
  const clang::Expr *written = operation.arguments[0], *lambda = operation.arguments[1];
  const auto fail = [&](DiagId id, const clang::Expr *at, const std::string &why = "") {
    l.error(id, at->getExprLoc(), {why});
    return l.placeholder(operation.resultType);
  };
  const auto text = written->tryEvaluateString(l.context);
  if (!text) return fail(DiagId::CudaTextConstant, written);
  const Place function = lowerPlace(l, lambda);
  const clang::FunctionDecl *reference = referenceOf(l, operation, function);
  if (!reference)
    return fail(DiagId::CudaReference, lambda, "is not known; pass a lambda or a function");
  const Signature signature = signatureOf(reference);
  if (!signature.problem.empty()) return fail(DiagId::CudaReference, lambda, signature.problem);
  if (operation.arguments.size() != 2 + signature.names.size() || reference->isVariadic())
    return fail(DiagId::CudaReference, lambda, "has parameters without operands; pass all of them");
  const clang::LangOptions &language = l.context.getLangOpts();
  if (const auto problem = problemOf(*text, signature.names, language); !problem.empty())
    return fail(DiagId::CudaText, written, problem);
  std::vector<ir::Value *> operands;
  for (unsigned i = 2; i < operation.arguments.size(); ++i)
    operands.push_back(argument(l, operation, i));
  const ir::Type result = resultOf(operation, operands);
  if (!isDeviceScalar(result.elementType()))
    return fail(DiagId::CudaReference, lambda, "returns '" + result.elementType().str() + "'");

  const CallSite site = makeCallSite(l, operands, signature, result);
  ir::Block &outside = l.builder.block();
  if (site.map) l.builder.setInsertionPoint(*site.map->region());
  ir::Op *call = l.builder.create(OpKind::DeviceCall, site.operands, {result.elementType()});
  call->setString(ir::Attr::callee, nameOf(lambda));
  call->setString(ir::Attr::text, rowsOf(*text, language));
  call->setString(ir::Attr::parameters, llvm::join(signature.names, ", "));
  ir::Block *region = call->addRegion();
  for (unsigned i = 0; i < signature.types.size(); ++i)
    region->addArgument(ir::Type(signature.types[i]), signature.names[i]);
  lowerFunction(l, operation, call, 1, function, {result.elementType()});
  if (site.map) {
    l.builder.yield({call->result()});
    l.builder.setInsertionPoint(outside);
  }
  if (const std::string value = foreignValue(*region); !value.empty())
    return fail(DiagId::CudaReference, lambda,
                "uses '" + value + "', which the text does not have; pass it as an operand");
  return site.map ? site.map->result() : call->result();
}

}  // namespace tile2cu::frontend
