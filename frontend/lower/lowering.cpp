#include "frontend/lower/lowering.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/size_formula.h"

namespace tile2cu::frontend {

// The location in the user's code: `loc` itself, or the call of the header's function that was
// inlined.
ir::Location Lowering::locate(clang::SourceLocation loc) {
  if (source.inSystemHeader(loc)) return builder.loc;
  ir::Location result = source.locate(loc);
  result.statement = builder.loc.statement;
  return result;
}

static std::string nameOf(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda() ? "lambda" : function->getNameAsString();
}

void Lowering::error(ir::DiagId id, clang::SourceLocation loc,
                     llvm::ArrayRef<std::string> arguments) {
  ir::Location where = locate(loc);
  // Unrolled loops and several instantiations reach the same location more than once.
  std::string key = ir::idName(id).str();
  for (const std::string &argument : arguments) key += "\n" + argument;
  if (!reported_.emplace(where.file, where.line, where.column, key).second) return;
  for (const ir::Diagnostic &earlier : diagnostics.all)
    if (earlier.id == id && earlier.loc.file == where.file && earlier.loc.line == where.line &&
        earlier.loc.column == where.column)
      return;
  ir::Diagnostic &diagnostic = diagnostics.report(id, where, arguments);
  // Inside a helper: the chain of calls that leads to it.
  for (const Frame *inner = frame; inner && inner->caller; inner = inner->caller)
    if (!source.inSystemHeader(inner->call) &&
        !source.inSystemHeader(inner->function->getLocation()))
      diagnostic.notes.emplace_back(source.locate(inner->call),
                                    "inlined into '" + nameOf(inner->caller->function) + "' here");
}

void Lowering::giveUp(ir::DiagId id, clang::SourceLocation loc,
                      llvm::ArrayRef<std::string> arguments) {
  if (loc.isValid())
    error(id, loc, arguments);
  else
    diagnostics.report(id, builder.loc, arguments);
  throw GivenUp();
}

// The number of values that an object is split into, up to a limit that is too large anyway.
static uint64_t countValues(const clang::ASTContext &context, clang::QualType type) {
  constexpr uint64_t kEnough = uint64_t{1} << 31;
  type = type.getNonReferenceType();
  if (const auto *array = context.getAsConstantArrayType(type))
    return std::min(
        array->getSize().getLimitedValue(kEnough) * countValues(context, array->getElementType()),
        kEnough);
  const clang::CXXRecordDecl *record = lowerType(type) ? nullptr : asRecord(type);
  if (!record || !record->hasDefinition()) return 1;
  uint64_t count = 0;
  for (const clang::FieldDecl *field : record->fields())
    count += countValues(context, field->getType());
  return std::clamp<uint64_t>(count, 1, kEnough);
}

uint64_t Lowering::elementsOf(const clang::ConstantArrayType *array, clang::SourceLocation loc) {
  const uint64_t values = countValues(context, clang::QualType(array, 0));
  if (values > ir::kMostArrayValues)
    giveUp(
        ir::DiagId::ArrayTooLong, loc,
        {std::to_string(array->getSize().getLimitedValue()), std::to_string(ir::kMostArrayValues)});
  return array->getSize().getZExtValue();
}

void Lowering::reject(clang::SourceLocation loc, llvm::StringRef what, llvm::StringRef instead) {
  error(ir::DiagId::UnsupportedConstruct, loc, {what.str(), instead.str()});
}

ir::Value *Lowering::placeholderValue(const ir::Type &type) {
  ir::Type element(type.isPointer() ? ir::Type(ir::Scalar::I64) : type.elementType());
  ir::Value *value = builder.constant(element.scalar(), 0);
  value->type = type.elementType();
  return builder.splat(value, type.shape());
}

Val Lowering::placeholder(clang::QualType type) {
  if (type.isNull() || type->isVoidType()) return {};
  if (auto lowered = lowerType(type)) return placeholderValue(*lowered);
  return undefined(type);
}

Val Lowering::undefined(clang::QualType type) {
  const clang::CXXRecordDecl *record = asRecord(type);
  std::vector<Val> fields;
  const auto add = [&](clang::QualType field) {
    fields.push_back(field->isReferenceType() ? Val::undefined() : undefined(field));
  };
  if (auto elements = stdTupleElements(type)) {
    for (clang::QualType element : *elements) add(element);
  } else if (record) {
    for (const clang::CXXBaseSpecifier &base : record->bases()) add(base.getType());
    for (const clang::FieldDecl *field : record->fields()) add(field->getType());
  } else if (const auto *array = context.getAsConstantArrayType(type.getNonReferenceType())) {
    fields.resize(elementsOf(array), undefined(array->getElementType()));
  } else {
    return Val::undefined();
  }
  return Val::aggregate(std::move(fields));
}

void Lowering::enterStatement(const clang::Stmt *statement, clang::SourceRange text) {
  if (!atKernelLevel() || source.inSystemHeader(text.getBegin())) return;
  auto [it, isNew] = statements_.try_emplace(statement, static_cast<int>(kernel.statements.size()));
  builder.loc = source.locate(text.getBegin());
  builder.loc.statement = it->second;
  if (!isNew) return;
  ir::Statement entry;
  entry.loc = builder.loc;
  entry.text = source.oneLine(text);
  entry.comment = source.commentAbove(text.getBegin());
  if (entry.comment.empty()) entry.comment = source.commentBeside(text.getEnd());
  kernel.statements.push_back(std::move(entry));
}

void Lowering::giveName(const Val &value, llvm::StringRef name) {
  if (!value.isValue() || name.empty()) return;
  auto [it, isNew] = nameDepth_.try_emplace(value.value, frame ? frame->depth : 0);
  if (!isNew) {
    if (it->second <= frame->depth) return;
    it->second = frame->depth;
  }
  value.value->name = name.str();
}

static ir::Value *constantOf(ir::Builder &builder, ir::Scalar scalar, const clang::APValue &value) {
  if (value.isInt() && !ir::isFloat(scalar))
    return builder.constant(scalar, value.getInt().isSigned()
                                        ? value.getInt().getSExtValue()
                                        : static_cast<int64_t>(value.getInt().getZExtValue()));
  if (value.isFloat() && ir::isFloat(scalar)) {
    llvm::APFloat number = value.getFloat();
    bool losesInfo = false;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return builder.constantFloat(scalar, number.convertToDouble());
  }
  return nullptr;
}

Val Lowering::constant(const clang::APValue &value, clang::QualType type) {
  if (auto lowered = lowerType(type)) {
    if (lowered->isPointer() && value.isLValue() && value.isNullPointer())
      return builder.nullPointer(*lowered);
    ir::Value *scalar = lowered->isTile() ? nullptr : constantOf(builder, lowered->scalar(), value);
    return scalar ? Val(scalar) : placeholder(type);
  }
  std::vector<Val> fields;
  if (const auto *array = context.getAsConstantArrayType(type); array && value.isArray()) {
    const unsigned initialized = value.getArrayInitializedElts();
    for (unsigned i = 0; i < elementsOf(array); ++i)
      fields.push_back(
          constant(i < initialized ? value.getArrayInitializedElt(i) : value.getArrayFiller(),
                   array->getElementType()));
    return Val::aggregate(std::move(fields));
  }
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record || !value.isStruct()) return undefined(type);
  for (const clang::CXXBaseSpecifier &base : record->bases())
    fields.push_back(constant(value.getStructBase(fields.size()), base.getType()));
  for (const clang::FieldDecl *field : record->fields())
    fields.push_back(constant(value.getStructField(field->getFieldIndex()), field->getType()));
  return Val::aggregate(std::move(fields));
}

ir::Value *Lowering::foldConstant(const clang::Expr *expression) {
  if (expression->isTypeDependent() || expression->isValueDependent()) return nullptr;
  auto type = lowerType(expression->getType());
  if (!type || type->isTile() || type->isPointer() || expression->getType()->isRecordType())
    return nullptr;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, context) || result.HasSideEffects) return nullptr;
  ir::Value *value = nullptr;
  const auto size = ir::isInteger(type->scalar()) ? constantSize(*this, expression) : std::nullopt;
  if (size && size->formula() && result.Val.isInt())
    value = builder.constant(type->scalar(), *size);
  else
    value = constantOf(builder, type->scalar(), result.Val);
  if (!value) return nullptr;
  // A constant keeps its name in the source, such as BLOCK.
  const clang::Expr *plain = expression;
  for (;;) {
    if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(plain))
      plain = paren->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(plain))
      plain = cast->getSubExpr();
    else
      break;
  }
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(plain))
    value->name = parameter->getParameter()->getNameAsString();
  else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(plain))
    if (!source.inSystemHeader(reference->getDecl()->getLocation()))
      value->name = reference->getDecl()->getNameAsString();
  return value;
}

std::optional<int64_t> Lowering::evaluateInt(const clang::Expr *expression) {
  if (expression->isValueDependent() || !expression->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return std::nullopt;
  return result.Val.getInt().tryExtValue();
}

}  // namespace tile2cu::frontend
