#include "frontend/lower/clang_nodes.h"

#include "clang/AST/DeclBase.h"
#include "clang/AST/Stmt.h"
#include "frontend/clang/clang_compat.h"
#include "frontend/clang/lower_type.h"

namespace tile2cu::frontend {
namespace {

// ---- completeness: an enumerator for each row, and a use of each class of Clang

enum class Statements {
#define STMT_SUPPORTED(Class) Class,
#define STMT_REJECTED(Class, what, instead) Class,
#define STMT_NEVER(Class) Class,
#include "frontend/lower/clang_nodes.def"
};
enum class Declarations {
#define DECL_SUPPORTED(Class) Class,
#define DECL_REJECTED(Class, what, instead) Class,
#define DECL_NEVER(Class) Class,
#include "frontend/lower/clang_nodes.def"
};
enum class Types {
#define TYPE_SUPPORTED(Class) Class,
#define TYPE_REJECTED(Class, what, instead) Class,
#define TYPE_NEVER(Class) Class,
#include "frontend/lower/clang_nodes.def"
};

[[maybe_unused]] constexpr Statements kAllStatements[] = {
#define ABSTRACT_STMT(Class)
#define STMT(Class, Base) Statements::Class,
#include "clang/AST/StmtNodes.inc"
};
[[maybe_unused]] constexpr Declarations kAllDeclarations[] = {
#define ABSTRACT_DECL(Class)
#define DECL(Class, Base) Declarations::Class,
#include "clang/AST/DeclNodes.inc"
};
[[maybe_unused]] constexpr Types kAllTypes[] = {
#define ABSTRACT_TYPE(Class, Base)
#define TYPE(Class, Base) Types::Class,
#include "clang/AST/TypeNodes.inc"
};

// ---- messages

struct Message {
  llvm::StringRef what, instead;
};

Message messageOf(clang::Stmt::StmtClass node) {
  switch (node) {
#define STMT_REJECTED(Node, what, instead) \
  case clang::Stmt::Node##Class:           \
    return {what, instead};
#include "frontend/lower/clang_nodes.def"
    default:
      return {"this construct", "write it with the operations of the tile language"};
  }
}

std::optional<Message> messageOf(clang::Decl::Kind kind) {
  switch (kind) {
#define DECL_SUPPORTED(Class) \
  case clang::Decl::Class:    \
    return std::nullopt;
#define DECL_REJECTED(Class, what, instead) \
  case clang::Decl::Class:                  \
    return Message{what, instead};
#include "frontend/lower/clang_nodes.def"
    default:
      return Message{"this declaration", "declare it outside"};
  }
}

Message messageOf(clang::Type::TypeClass type) {
  switch (type) {
#define TYPE_REJECTED(Class, what, instead) \
  case clang::Type::Class:                  \
    return {what, instead};
#include "frontend/lower/clang_nodes.def"
    default:
      return {"a variable of this type",
              "use numbers, pointers to numbers, tiles and structs of them"};
  }
}

}  // namespace

void rejectNode(Lowering &l, const clang::Stmt *node) {
  Message message = messageOf(node->getStmtClass());
  const auto *expression = llvm::dyn_cast<clang::Expr>(node);
  l.reject(expression ? expression->getExprLoc() : node->getBeginLoc(), message.what,
           message.instead);
}

void checkDecl(Lowering &l, const clang::Decl *declaration) {
  if (auto message = messageOf(declaration->getKind()))
    l.reject(declaration->getLocation(), message->what, message->instead);
}

// Records whose members are not values of their own.
static bool overlaps(const clang::CXXRecordDecl *record) {
  return record->isUnion() || llvm::any_of(record->fields(), [](const clang::FieldDecl *field) {
           const clang::CXXRecordDecl *inner = asRecord(field->getType());
           return field->isBitField() || (inner && overlaps(inner));
         });
}

void checkVariableType(Lowering &l, const clang::VarDecl *variable) {
  clang::QualType type = variable->getType().getNonReferenceType();
  if (const clang::CXXRecordDecl *record = asRecord(type); record && overlaps(record)) {
    l.reject(variable->getLocation(), "a union or a bit-field",
             "use shifts and masks, or bitcast<T>(x)");
    return;
  }
  if (lowerType(type) || asRecord(type)) return;
  if (type->isPointerType() && type->getPointeeType()->isFunctionType())
    return;  // an alias of a function
  if (type->isFunctionType() && variable->getType()->isReferenceType()) return;
  if (const auto *array = type->getAsArrayTypeUnsafe(); array && array->isConstantArrayType())
    return;
  Message message = messageOf(type.getCanonicalType()->getTypeClass());
  l.reject(variable->getLocation(), message.what, message.instead);
}

}  // namespace tile2cu::frontend
