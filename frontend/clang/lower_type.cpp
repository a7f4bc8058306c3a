#include "frontend/clang/lower_type.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/annotations.h"

namespace tile2cu::frontend {

using ir::Scalar;

static std::optional<Scalar> lowerBuiltin(const clang::BuiltinType *type) {
  using B = clang::BuiltinType;
  switch (type->getKind()) {
    case B::Bool:
      return Scalar::Bool;
    case B::Char_S:
    case B::SChar:
      return Scalar::I8;
    case B::Char_U:
    case B::UChar:
    case B::Char8:
      return Scalar::U8;
    case B::Short:
      return Scalar::I16;
    case B::UShort:
    case B::Char16:
      return Scalar::U16;
    case B::Int:
    case B::WChar_S:
      return Scalar::I32;
    case B::UInt:
    case B::Char32:
    case B::WChar_U:
      return Scalar::U32;
    case B::Long:
    case B::LongLong:
      return Scalar::I64;
    case B::ULong:
    case B::ULongLong:
      return Scalar::U64;
    case B::Half:
    case B::Float16:
      return Scalar::F16;
    case B::BFloat16:
      return Scalar::BF16;
    case B::Float:
      return Scalar::F32;
    case B::Double:
      return Scalar::F64;
    default:
      return std::nullopt;
  }
}

static std::optional<Scalar> lowerScalar(clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto *builtin = type->getAs<clang::BuiltinType>()) return lowerBuiltin(builtin);
  if (const auto *enumeration = type->getAs<clang::EnumType>())
    return lowerScalar(enumeration->getDecl()->getIntegerType());
  if (const clang::RecordDecl *record = type->getAsRecordDecl()) {
    if (isLanguageName(record, "float16")) return Scalar::F16;
    if (isLanguageName(record, "bfloat16")) return Scalar::BF16;
    if (isLanguageName(record, "float8_e4m3")) return Scalar::F8E4M3;
    if (isLanguageName(record, "float8_e5m2")) return Scalar::F8E5M2;
  }
  return std::nullopt;
}

static std::optional<ir::Type> lowerElement(clang::QualType type) {
  if (auto scalar = lowerScalar(type)) return ir::Type(*scalar);
  const auto *pointer = type->getAs<clang::PointerType>();
  if (!pointer) return std::nullopt;
  const clang::QualType pointee = pointer->getPointeeType();
  const bool isConst = pointee.isConstQualified();
  if (auto to = lowerScalar(pointee)) return ir::Type::pointer(*to, isConst);
  // A pointer to pointers.
  const auto *inner = pointee->getAs<clang::PointerType>();
  const auto to = inner ? lowerScalar(inner->getPointeeType()) : std::nullopt;
  if (!to) return std::nullopt;
  const bool isTargetConst = inner->getPointeeType().isConstQualified();
  return ir::Type(ir::Element{Scalar::U64, true, isConst, *to, isTargetConst});
}

std::optional<ir::Type> lowerType(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (auto element = lowerElement(type)) return element;
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !isLanguageName(record, "tile")) return std::nullopt;
  const clang::TemplateArgumentList &arguments = record->getTemplateArgs();
  auto element = lowerElement(arguments[0].getAsType());
  if (!element) return std::nullopt;
  ir::Shape shape;
  for (const clang::TemplateArgument &dimension : arguments[1].getPackAsArray())
    shape.push_back(dimension.getAsIntegral().getExtValue());
  return ir::Type(element->element(), shape);
}

const clang::CXXRecordDecl *asRecord(clang::QualType type) {
  type = type.getNonReferenceType();
  if (lowerType(type)) return nullptr;
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() ? record->getDefinition() : nullptr;
}

bool neverChanges(clang::QualType type) {
  if (!type.isConstQualified()) return false;
  const clang::CXXRecordDecl *record =
      asRecord(clang::QualType(type->getBaseElementTypeUnsafe(), 0));
  return !record || !record->hasMutableFields();
}

std::optional<llvm::SmallVector<clang::QualType, 4>> stdTupleElements(clang::QualType type) {
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!record || !record->isInStdNamespace() || record->getName() != "tuple") return std::nullopt;
  llvm::SmallVector<clang::QualType, 4> elements;
  for (const clang::TemplateArgument &element : record->getTemplateArgs()[0].getPackAsArray())
    elements.push_back(element.getAsType());
  return elements;
}

// Whether `test` holds for the record, or for one that is a part of it.
static bool anyRecordIn(clang::QualType type,
                        llvm::function_ref<bool(const clang::CXXRecordDecl *)> test) {
  if (type->isReferenceType()) return false;
  type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
  const auto testPart = [&](clang::QualType part) { return anyRecordIn(part, test); };
  if (auto elements = stdTupleElements(type)) return llvm::any_of(*elements, testPart);
  const clang::CXXRecordDecl *record = asRecord(type);
  if (!record) return false;
  return test(record) ||
         llvm::any_of(record->bases(), [&](auto &base) { return testPart(base.getType()); }) ||
         llvm::any_of(record->fields(), [&](auto *field) { return testPart(field->getType()); });
}

// Whether it is code of the program, not a library's or a default.
static bool isOwn(const clang::CXXMethodDecl *method) {
  return method->isUserProvided() &&
         !method->getASTContext().getSourceManager().isInSystemHeader(method->getLocation());
}

bool hasOwnCopy(clang::QualType type) {
  return anyRecordIn(type, [](const clang::CXXRecordDecl *record) {
    return llvm::any_of(record->ctors(), [](const clang::CXXConstructorDecl *constructor) {
      return constructor->isCopyOrMoveConstructor() && isOwn(constructor);
    });
  });
}

bool hasOwnAssignment(clang::QualType type) {
  return anyRecordIn(type, [](const clang::CXXRecordDecl *record) {
    return llvm::any_of(record->methods(), [](const clang::CXXMethodDecl *method) {
      return (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
             isOwn(method);
    });
  });
}

static std::string spellScalar(clang::QualType type) {
  // Standard names are kept, but the user's aliases may not be visible where the launcher is
  // declared.
  for (clang::QualType t = type; const auto *alias = t->getAs<clang::TypedefType>();
       t = alias->desugar()) {
    llvm::StringRef name = alias->getDecl()->getName();
    for (llvm::StringRef known :
         {"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
          "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"})
      if (name == known) return name.str();
  }
  type = type.getCanonicalType().getUnqualifiedType();
  if (const clang::RecordDecl *record = type->getAsRecordDecl()) return record->getNameAsString();
  if (const auto *enumeration = type->getAs<clang::EnumType>())
    type = enumeration->getDecl()->getIntegerType();
  clang::LangOptions language;
  language.CPlusPlus = language.Bool = true;
  return type.getCanonicalType().getUnqualifiedType().getAsString(clang::PrintingPolicy(language));
}

std::string spellType(clang::QualType type, const clang::ASTContext &context) {
  const auto *pointer = type->getAs<clang::PointerType>();
  if (!pointer) return spellScalar(type);
  clang::QualType to = pointer->getPointeeType();
  if (to->isPointerType())
    return spellType(to, context) + (to.isConstQualified() ? " const*" : "*");
  return (to.isConstQualified() ? "const " : "") + spellScalar(to.getUnqualifiedType()) + "*";
}

std::string whyUnsupportedParameter(clang::QualType type) {
  if (type->isReferenceType()) return "a reference; pass the value, or a pointer to global memory";
  auto lowered = lowerType(type);
  if (lowered && lowered->isTile()) return "a tile; pass a pointer and load it";
  if (lowered) {
    bool isVolatile = false;
    for (; type->isPointerType(); type = type->getPointeeType())
      isVolatile |= type->getPointeeType().isVolatileQualified();
    if (!isVolatile) return "";
    return "a pointer to volatile; remove volatile and use atomic operations or cache options";
  }
  if (const auto *pointer = type->getAs<clang::PointerType>()) {
    if (pointer->getPointeeType()->isPointerType())
      return "a pointer to pointers, but these do not point to numbers; pass numbers, and offsets "
             "between them";
    if (pointer->getPointeeType()->isFunctionType())
      return "a function pointer; make the function a template argument";
    return pointer->getPointeeType()->isRecordType()
               ? "a pointer to a struct; pass the struct itself, or one pointer for each member"
               : "a pointer to something other than numbers; pass a pointer to numbers";
  }
  if (type->isMemberPointerType()) return "a pointer to a member; pass the value itself";
  if (type->isArrayType()) return "an array; pass a pointer to global memory";
  return "of an unsupported type; kernels take numbers, bool, enumerations and pointers to them";
}

}  // namespace tile2cu::frontend
