// Expressions -> values and places.
#pragma once
#include "frontend/lower/lowering.h"

namespace clang {
class CXXConstructExpr;
class LambdaExpr;
class MemberExpr;
}  // namespace clang

namespace tile2cu::frontend {

// The value of any expression; an lvalue is read.
Val lowerValue(Lowering &lowering, const clang::Expr *expression);
// The same where one IR value (a scalar, a pointer or a tile) is needed.
ir::Value *lowerIr(Lowering &lowering, const clang::Expr *expression);
// Lowers an expression for its side effects only.
void lowerDiscarded(Lowering &lowering, const clang::Expr *expression);
// A scalar condition as bool.
ir::Value *lowerCondition(Lowering &lowering, const clang::Expr *expression);

// ---- lower_place.cpp
Place lowerPlace(Lowering &lowering, const clang::Expr *expression);
// The base that a cast from a derived class to a base class leads to.
Place lowerBase(Lowering &lowering, const clang::CastExpr *cast);
// The object that a pointer points to, of `this`, `&object`, and both as a pointer to a base.
std::optional<Place> pointedObject(Lowering &lowering, const clang::Expr *pointer);
Val readPlace(Lowering &lowering, const Place &place, clang::SourceLocation loc,
              llvm::StringRef name = "");
void writePlace(Lowering &lowering, const Place &place, Val value, clang::SourceLocation loc,
                llvm::StringRef name = "");
// The name that an assignment to this lvalue gives to the value: that of a variable or a member.
std::string nameOfPlace(const clang::Expr *expression);
// Refuses members that are not values of their own.
void checkMember(Lowering &lowering, const clang::FieldDecl *field, clang::SourceLocation loc);
// The side effects of f() in f().member for a static member.
void lowerUnusedObject(Lowering &lowering, const clang::MemberExpr *e);
// The index of a field among the fields of its record's value (bases come first).
unsigned fieldIndex(const clang::FieldDecl *field);

// ---- lower_operator.cpp: the language's own operators on scalars and pointers
Val lowerBinaryOperator(Lowering &lowering, const clang::BinaryOperator *op);
Val lowerUnaryOperator(Lowering &lowering, const clang::UnaryOperator *op);
Val lowerConditional(Lowering &lowering, const clang::AbstractConditionalOperator *op);
// Performs an assignment, and returns the place on the left.
Place lowerAssignment(Lowering &lowering, const clang::BinaryOperator *op);
// Performs ++ or --.
struct Incremented {
  Place place;
  Val before;  // the value of the place before
};
Incremented lowerIncrement(Lowering &lowering, const clang::UnaryOperator *op);

// ---- lower_cast.cpp
Val lowerCast(Lowering &lowering, const clang::CastExpr *cast);

// ---- lower_construct.cpp: constructors, initializer lists, lambdas
Val lowerConstruct(Lowering &lowering, const clang::CXXConstructExpr *construct);
Val lowerInitList(Lowering &lowering, clang::QualType type, llvm::ArrayRef<clang::Expr *> inits,
                  const clang::Expr *filler, clang::SourceLocation loc);
// The initial value of a member: a reference for a member that is one.
Val lowerMemberInit(Lowering &lowering, const clang::FieldDecl *member, const clang::Expr *initial);
// Refuses an object with references to itself: it is constructed at one place and then kept at
// another.
void checkOwnReferences(Lowering &lowering, const Val &object, const Place &constructed,
                        clang::SourceLocation loc);
// The place to which a reference is bound that `initial` initializes.
Place lowerReferent(Lowering &lowering, const clang::Expr *initial);
// The element of a std::tuple that is converted from that of another one, `value` of type `from`;
// nullopt if that runs a constructor.
std::optional<Val> tupleElement(Lowering &lowering, clang::QualType type, clang::QualType from,
                                Val value, clang::SourceLocation loc);
// T{}: zeros in every field.
Val zeroInit(Lowering &lowering, clang::QualType type, clang::SourceLocation loc);
Val lowerLambda(Lowering &lowering, const clang::LambdaExpr *lambda);

}  // namespace tile2cu::frontend
