// cuda(text, reference, operands...): the body of a __device__ function as text, and a function of
// the language that computes the same.
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
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
  llvm::SmallVector<ir::Type, 4> types;
  std::string problem;  // why the text cannot have them
};

// `takesPointers`: pointers to such scalars, too.
Signature signatureOf(const clang::FunctionDecl *reference, bool takesPointers) {
  Signature signature;
  for (const clang::ParmVarDecl *parameter : reference->parameters()) {
    const clang::QualType of = parameter->getType();
    const auto type = lowerType(of.getNonReferenceType().getUnqualifiedType());
    const bool isPointer = takesPointers && type && type->isPointer() && !type->isTile();
    if (parameter->getName().empty())
      signature.problem = "has a parameter without a name, which the text cannot use";
    else if (of->isPointerType() && of->getPointeeType().isVolatileQualified())
      signature.problem = fmt::format(
          "has a parameter of type '{}'; drop volatile, and cast the pointer where the text needs "
          "it",
          of.getAsString());
    else if (!isDeviceScalar(isPointer ? ir::Type(type->pointee()) : type))
      signature.problem = fmt::format(
          "has a parameter of type '{}'; the text takes bool, integers, float16, bfloat16, float "
          "and double{}, by value",
          of.getAsString(), takesPointers ? ", and pointers to them" : "");
    if (!signature.problem.empty()) return signature;
    signature.names.push_back(parameter->getName().str());
    signature.types.push_back(*type);
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
    ir::Value *operand = convertElement(l, operands[i], signature.types[i].scalar());
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

// The text of a call, and the function that computes or does the same.
struct Text {
  std::string written;
  const clang::FunctionDecl *reference = nullptr;
  Place function;
  Signature signature;
};

// Reports an error and returns nothing if they do not fit each other.
static std::optional<Text> textOf(Lowering &l, const Operation &operation, bool hasEffect) {
  const clang::Expr *written = operation.arguments[0], *lambda = operation.arguments[1];
  const auto fail = [&](DiagId id, const clang::Expr *at, const std::string &why = "") {
    l.error(id, at->getExprLoc(), {why});
    return std::nullopt;
  };
  Text text;
  const auto constant = written->tryEvaluateString(l.context);
  if (!constant) return fail(DiagId::CudaTextConstant, written);
  text.written = *constant;
  text.function = lowerPlace(l, lambda);
  text.reference = referenceOf(l, operation, text.function);
  if (!text.reference)
    return fail(DiagId::CudaReference, lambda, "is not known; pass a lambda or a function");
  text.signature = signatureOf(text.reference, hasEffect);
  const Signature &signature = text.signature;
  if (!signature.problem.empty()) return fail(DiagId::CudaReference, lambda, signature.problem);
  if (operation.arguments.size() != 2 + signature.names.size() || text.reference->isVariadic())
    return fail(DiagId::CudaReference, lambda, "has parameters without operands; pass all of them");
  const bool returns = !operation.resultType->isVoidType();
  if (const auto problem =
          problemOf(text.written, signature.names, returns, l.context.getLangOpts());
      !problem.empty())
    return fail(DiagId::CudaText, written, problem);
  return text;
}

Val lowerCuda(Lowering &l, const Operation &operation) {
  const clang::Expr *lambda = operation.arguments[1];
  const auto fail = [&](const std::string &why) {
    l.error(DiagId::CudaReference, lambda->getExprLoc(), {why});
    return l.placeholder(operation.resultType);
  };
  const auto text = textOf(l, operation, false);
  if (!text) return l.placeholder(operation.resultType);
  const Signature &signature = text->signature;
  std::vector<ir::Value *> operands;
  for (unsigned i = 2; i < operation.arguments.size(); ++i)
    operands.push_back(argument(l, operation, i));
  const ir::Type result = resultOf(operation, operands);
  if (!isDeviceScalar(result.elementType()))
    return fail("returns '" + result.elementType().str() + "'");

  const CallSite site = makeCallSite(l, operands, signature, result);
  ir::Block &outside = l.builder.block();
  if (site.map) l.builder.setInsertionPoint(*site.map->region());
  ir::Op *call = l.builder.create(OpKind::DeviceCall, site.operands, {result.elementType()});
  call->setString(ir::Attr::callee, nameOf(lambda));
  call->setString(ir::Attr::text, rowsOf(text->written, l.context.getLangOpts()));
  call->setString(ir::Attr::parameters, llvm::join(signature.names, ", "));
  ir::Block *region = call->addRegion();
  for (unsigned i = 0; i < signature.types.size(); ++i)
    region->addArgument(signature.types[i], signature.names[i]);
  lowerFunction(l, operation, call, 1, text->function, {result.elementType()});
  if (site.map) {
    l.builder.yield({call->result()});
    l.builder.setInsertionPoint(outside);
  }
  if (const std::string value = foreignValue(*region); !value.empty())
    return fail("uses '" + value + "', which the text does not have; pass it as an operand");
  return site.map ? site.map->result() : call->result();
}

// ---- texts that access memory, or have no result

Val lowerTextPointer(Lowering &l, const Operation &operation) {
  return Val::aggregate({Val(argument(l, operation, 0))});
}

namespace {

// Whether the operand is reads(p) or writes(p), and which.
enum class Use : uint8_t { Value, Reads, Writes };
Use useOf(const clang::Expr *operand) {
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      operand->getType().getNonReferenceType()->getAsCXXRecordDecl());
  if (!record || record->getQualifiedNameAsString() != "tl::detail::TextPointer") return Use::Value;
  return record->getTemplateArgs()[1].getAsIntegral().getBoolValue() ? Use::Writes : Use::Reads;
}

// The text between the braces of the function's body; nullopt if the body is not here.
std::optional<std::string> bodyOf(Lowering &l, const clang::FunctionDecl *function) {
  const clang::Stmt *body = function->getBody();
  if (!body) return std::nullopt;
  const auto range = clang::CharSourceRange::getTokenRange(body->getSourceRange());
  llvm::StringRef text =
      clang::Lexer::getSourceText(range, l.context.getSourceManager(), l.context.getLangOpts());
  if (!text.consume_front("{") || !text.consume_back("}")) return std::nullopt;
  return text.str();
}

bool hasCaptures(const clang::FunctionDecl *reference) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(reference);
  return method && method->getParent()->isLambda() && method->getParent()->capture_size() > 0;
}

// The shape to which all of the operands broadcast.
ir::Shape commonShape(llvm::ArrayRef<ir::Value *> operands) {
  ir::Shape shape;
  for (const ir::Value *operand : operands) {
    ir::Shape longer = operand->type.shape(), other = shape;
    if (longer.size() < other.size()) std::swap(longer, other);
    for (size_t d = 0; d < other.size(); ++d) {
      ir::Dim &size = longer[longer.size() - other.size() + d];
      if (size == 1) size = other[d];
    }
    shape = longer;
  }
  return shape;
}

// The operands of a text, in the types and the shape that they have in the call.
struct TextOperands {
  std::vector<ir::Value *> values;
  ir::Ints writes;
};

// Why an operand cannot be that parameter; empty if it can.
std::string misuse(Use use, const ir::Type &parameter) {
  if (!parameter.isPointer())
    return use == Use::Value ? "" : "number, and the operand is a pointer";
  if (use == Use::Value) return "pointer; pass reads(p) or writes(p)";
  const bool isConst = parameter.element().pointeeConst;
  if (use == Use::Writes && isConst) return "pointer to const; pass reads(p)";
  return use == Use::Reads && !isConst
             ? "pointer to what it may change; make it a pointer to const, "
               "or pass writes(p)"
             : "";
}

TextOperands operandsOf(Lowering &l, const Operation &operation, const Signature &signature) {
  TextOperands all;
  for (unsigned i = 2; i < operation.arguments.size(); ++i) {
    const clang::Expr *written = operation.arguments[i];
    const Use use = useOf(written);
    const ir::Type &type = signature.types[i - 2];
    if (const std::string why = misuse(use, type); !why.empty()) {
      l.error(DiagId::CudaReference, operation.arguments[1]->getExprLoc(),
              {fmt::format("takes '{}' as a {}", signature.names[i - 2], why)});
    } else if (use == Use::Value) {
      all.values.push_back(convertElement(l, argument(l, operation, i), type.scalar()));
    } else {
      const Val value = lowerValue(l, written);
      const bool isValue =
          value.isAggregate() && value.fields.size() == 1 && value.fields[0].isValue();
      if (use == Use::Writes) all.writes.push_back(all.values.size());
      all.values.push_back(isValue ? value.fields[0].value : l.placeholderValue(type));
    }
  }
  const ir::Shape shape = commonShape(all.values);
  for (ir::Value *&value : all.values) value = stretch(l, value, shape);
  return all;
}

}  // namespace

Val lowerCudaEffect(Lowering &l, const Operation &operation) {
  const clang::Expr *lambda = operation.arguments[1];
  const bool returns = !operation.resultType->isVoidType();
  const auto failed = [&] { return returns ? l.placeholder(operation.resultType) : Val(); };
  const auto fail = [&](const std::string &why) {
    l.error(DiagId::CudaReference, lambda->getExprLoc(), {why});
    return failed();
  };
  const auto text = textOf(l, operation, true);
  if (!text) return failed();
  if (l.regionDepth)
    return fail(
        "returns nothing or accesses memory, which a function that runs once for each element "
        "cannot; call cuda(...) with the tile");
  if (hasCaptures(text->reference))
    return fail("uses variables around it, which the text does not have; pass them as operands");
  const auto body = bodyOf(l, text->reference);
  if (!body) return fail("has no body here; pass a lambda, or a function that is defined above");
  const TextOperands operands = operandsOf(l, operation, text->signature);
  if (l.diagnostics.hasErrors()) return failed();

  std::vector<ir::Value *> all = operands.values;
  all.insert(all.begin() + ir::CudaEffectOp::mask_optIndex, nullptr);
  llvm::SmallVector<ir::Type, 1> results;
  if (returns) results.push_back(resultOf(operation, operands.values));
  if (returns && !isDeviceScalar(results[0].elementType()))
    return fail("returns '" + results[0].elementType().str() + "'");
  ir::Op *op = l.builder.create(OpKind::CudaEffect, all, results);
  if (!operands.writes.empty()) op->set(ir::Attr::writes, operands.writes);
  const clang::LangOptions &language = l.context.getLangOpts();
  op->setString(ir::Attr::callee, nameOf(lambda));
  op->setString(ir::Attr::text, rowsOf(text->written, language));
  op->setString(ir::Attr::reference, rowsOf(*body, language));
  op->setString(ir::Attr::parameters, llvm::join(text->signature.names, ", "));
  return returns ? Val(op->result()) : Val();
}

}  // namespace tile2cu::frontend
