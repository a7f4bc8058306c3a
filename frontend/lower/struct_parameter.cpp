#include "frontend/lower/struct_parameter.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "fmt/format.h"
#include "frontend/clang/lower_type.h"
#include "frontend/kernels/tile_function.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::frontend {
namespace {

// The header from which the emitted file gets the struct; empty: it defines the struct itself.
std::string headerOf(const Lowering &l, const clang::CXXRecordDecl *record) {
  return l.source.plainHeaderOf(record->getLocation());
}

// Whether the emitted file can write the arguments of a class template.
bool hasPlainArguments(const clang::ClassTemplateSpecializationDecl *record) {
  return llvm::all_of(
      record->getTemplateArgs().asArray(), [](const clang::TemplateArgument &argument) {
        if (argument.getKind() == clang::TemplateArgument::Integral) return true;
        if (argument.getKind() != clang::TemplateArgument::Type) return false;
        return argument.getAsType()->isBuiltinType() && lowerType(argument.getAsType());
      });
}

// Why a kernel cannot take the struct, whatever its members are; empty if it can.
std::string whyUnsupportedRecord(const Lowering &l, const clang::CXXRecordDecl *record) {
  if (l.source.inSystemHeader(record->getLocation()))
    return "a struct of a library; pass its members one by one";
  if (record->isUnion()) return "a union; pass a number and bitcast it";
  if (record->isLambda()) return "a lambda; make it a template argument";
  if (record->getNumBases() > 0) return "a struct with a base class; make the base a member";
  if (!record->isAggregate() || !record->hasTrivialDestructor())
    return "a class with constructors, private members or a destructor; pass a struct of public "
           "members";
  if (!record->getIdentifier() || !record->getDeclContext()->getRedeclContext()->isFileContext() ||
      record->isInAnonymousNamespace())
    return "a struct that the launcher's callers cannot name; define it in a namespace with a "
           "name, "
           "or in none";
  const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (instance && headerOf(l, record).empty())
    return "an instance of a class template; define the template in a header that does not include "
           "tile2cu/tile.h, or pass a struct";
  if (instance && !hasPlainArguments(instance))
    return "an instance of a class template whose arguments are not all numbers or types of C++";
  return "";
}

std::optional<std::string> writtenValue(const Lowering &l, const clang::Expr *e);

// {0.9f, 0.999f}, {nullptr, {2}}: the values of an array's elements or of a struct's members.
std::optional<std::string> writtenList(const Lowering &l, const clang::InitListExpr *list) {
  if (const auto *written = list->getSyntacticForm();
      (written ? written : list)->getNumInits() == 0)
    return "{}";
  llvm::SmallVector<std::string> values;
  for (const clang::Expr *each : list->inits()) {
    const auto value = writtenValue(l, each);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return "{" + llvm::join(values, ", ") + "}";
}

// The value with which a member of the emitted struct is initialized; nullopt if it cannot be
// written.
std::optional<std::string> writtenValue(const Lowering &l, const clang::Expr *e) {
  const clang::QualType type = e->getType();  // after conversions
  e = e->IgnoreImplicit();
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e);
      list && (!type->isScalarType() || list->getNumInits() == 0))
    return writtenList(l, list->isSemanticForm() ? list : list->getSemanticForm());
  clang::Expr::EvalResult result;
  if (!type->isScalarType() || !e->EvaluateAsRValue(result, l.context)) return std::nullopt;
  const clang::APValue &value = result.Val;
  if (type->isPointerType())
    return value.isLValue() && value.isNullPointer() ? std::optional("nullptr") : std::nullopt;
  if (value.isInt() && type->isBooleanType())
    return value.getInt().getBoolValue() ? "true" : "false";
  if (value.isInt()) {
    const llvm::APSInt &number = value.getInt();
    if (number.isSigned() && number.isMinSignedValue() && number.getBitWidth() >= 32)
      return "-" + llvm::toString(llvm::APSInt::getMaxValue(number.getBitWidth(), false), 10) +
             " - 1";
    return llvm::toString(number, 10) + (number.isUnsigned() ? "u" : "");
  }
  if (!value.isFloat() || !value.getFloat().isFinite()) return std::nullopt;
  llvm::SmallString<32> text;
  value.getFloat().toString(text);
  if (text.str().find_first_of(".eE") == llvm::StringRef::npos) text += ".0";
  return text.str().str() + (type->isSpecificBuiltinType(clang::BuiltinType::Float) ? "f" : "");
}

// The default value of a member; nullopt if it cannot be written.
std::optional<std::string> writtenInit(const Lowering &l, const clang::FieldDecl *field) {
  return writtenValue(l, field->getInClassInitializer());
}

std::string whyUnsupportedMember(const Lowering &l, const clang::FieldDecl *field, bool isPrinted) {
  if (field->isBitField()) return "a bit-field; use a whole number";
  const clang::QualType type(field->getType()->getBaseElementTypeUnsafe(), 0);
  if (field->getType()->isIncompleteArrayType()) return "an array without a size; give it one";
  if (field->getType().isVolatileQualified()) return "volatile; remove the word";
  const auto *enumeration = type->getAs<clang::EnumType>();
  if (enumeration && enumeration->getDecl()->isScoped() && !isPrinted)
    return "a scoped enumeration; make it an integer, or an enumeration without class";
  const bool isInner = asRecord(type) != nullptr;
  const std::string why = isInner ? whyUnsupportedStruct(l, type) : whyUnsupportedParameter(type);
  if (!why.empty()) return why;
  if (isPrinted && field->hasInClassInitializer() && !writtenInit(l, field))
    return "initialized with something other than a number or nullptr; set it where the object is "
           "made";
  return "";
}

// The name without its namespaces: Params, or Params<float>.
std::string writtenName(const Lowering &l, const clang::CXXRecordDecl *record) {
  std::string name = record->getNameAsString();
  const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!instance) return name;
  std::vector<std::string> arguments;
  for (const clang::TemplateArgument &argument : instance->getTemplateArgs().asArray()) {
    llvm::raw_string_ostream out(arguments.emplace_back());
    argument.print(l.context.getPrintingPolicy(), out, /*IncludeType=*/true);
  }
  return name + "<" + llvm::join(arguments, ", ") + ">";
}

std::string oneRow(const std::string &comment) {
  return llvm::StringRef(comment).contains('\n') ? "" : comment;
}

// Adds the struct, after those in it, and returns its name with namespaces.
std::string addRecord(Lowering &l, const clang::CXXRecordDecl *declaration,
                      std::vector<ir::Record> &records) {
  ir::Record record;
  record.name = writtenName(l, declaration);
  record.nameSpace = namespaceOf(declaration);
  const std::string name = record.qualifiedName();
  if (llvm::any_of(records, [&](const ir::Record &known) { return known.qualifiedName() == name; }))
    return name;
  record.header = headerOf(l, declaration);
  record.loc = l.source.locate(declaration->getLocation());
  record.comment = l.source.commentAbove(declaration->getBeginLoc());
  const bool isPrinted = record.header.empty();
  for (const clang::FieldDecl *field : declaration->fields()) {
    if (!isPrinted) break;  // the header says the rest
    ir::Record::Member &member = record.members.emplace_back();
    member.name = field->getNameAsString();
    member.comment = oneRow(l.source.commentBeside(field->getEndLoc()));
    if (member.comment.empty())
      member.comment = oneRow(l.source.commentAbove(field->getBeginLoc()));
    clang::QualType type = field->getType();
    while (const auto *array = l.context.getAsConstantArrayType(type)) {
      member.extents.push_back(array->getSize().getZExtValue());
      type = array->getElementType();
    }
    if (const clang::CXXRecordDecl *inner = asRecord(type))
      member.record = addRecord(l, inner, records);
    else
      member.type = *lowerType(type);
    if (field->hasInClassInitializer()) member.init = *writtenInit(l, field);
  }
  records.push_back(std::move(record));
  return name;
}

// The members of the parameter that are at `path` in it.
struct MemberAdder {
  Lowering &l;
  const std::string &record;

  Val add(clang::QualType type, const std::string &path, llvm::StringRef name) {
    std::vector<Val> fields;
    if (const auto *array = l.context.getAsConstantArrayType(type)) {
      for (uint64_t i = 0; i < l.elementsOf(array, {}); ++i)
        fields.push_back(add(array->getElementType(), fmt::format("{}[{}]", path, i),
                             fmt::format("{}_{}", name.str(), i)));
      return Val::aggregate(std::move(fields));
    }
    if (const clang::CXXRecordDecl *inner = asRecord(type)) {
      for (const clang::FieldDecl *field : inner->fields())
        fields.push_back(
            add(field->getType(), path + "." + field->getNameAsString(), field->getNameAsString()));
      return Val::aggregate(std::move(fields));
    }
    return addParameter(l, type, path, record, name);
  }
};

}  // namespace

Val addParameter(Lowering &l, clang::QualType type, const std::string &path,
                 const std::string &record, llvm::StringRef valueName) {
  ir::Parameter parameter;
  parameter.name = path;
  parameter.record = record;
  parameter.type = *lowerType(type);
  parameter.isRestrict = type.isRestrictQualified();
  parameter.spelling = spellType(type.getUnqualifiedType(), l.context);
  Val value = l.kernel.body.addArgument(parameter.type, valueName.str());
  l.giveName(value, valueName);
  l.kernel.parameters.push_back(std::move(parameter));
  return value;
}

std::string whyUnsupportedStruct(const Lowering &l, clang::QualType type) {
  const clang::CXXRecordDecl *record = asRecord(type);
  if (std::string why = whyUnsupportedRecord(l, record); !why.empty()) return why;
  const bool isPrinted = headerOf(l, record).empty();
  for (const clang::FieldDecl *field : record->fields())
    if (!field->getIdentifier())
      return "a struct with a member that has no name; give it one";
    else if (const std::string why = whyUnsupportedMember(l, field, isPrinted); !why.empty())
      return fmt::format("a struct whose member '{}' is {}", field->getNameAsString(), why);
  return record->field_empty() ? "a struct without members; remove it" : "";
}

Val addStructParameter(Lowering &l, const clang::ParmVarDecl *parameter,
                       std::vector<ir::Record> &records) {
  const clang::QualType type = parameter->getType();
  const std::string record = addRecord(l, asRecord(type), records);
  return MemberAdder{l, record}.add(type, parameter->getNameAsString(), "");
}

}  // namespace tile2cu::frontend
