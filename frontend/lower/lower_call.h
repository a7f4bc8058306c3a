// Calls. A call of an annotated function is an operation: a handler in the table of operations.def
// creates its IR.
#pragma once
#include "frontend/lower/lowering.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class CXXConstructExpr;
}

namespace tile2cu::frontend {

Val lowerCall(Lowering &lowering, const clang::CallExpr *call);
// A call that returns a reference: assignments of tiles, and functions that only pass a reference
// on.
Place lowerCallPlace(Lowering &lowering, const clang::CallExpr *call);
// A constructor that is an operation: tile(), float16(x).
Val lowerOperation(Lowering &lowering, const clang::CXXConstructExpr *construct);

// detail::sample<T>() in the header's body of reduce, scan or map: the next one of the region's
// arguments.
Val lowerSample(Lowering &lowering, clang::QualType type);

// One call of an operation, as its handler sees it.
struct Operation {
  llvm::StringRef name;
  ir::OpKind kind;  // from the row of the table
  const clang::FunctionDecl *callee = nullptr;
  // The object of a member operation comes first.
  llvm::SmallVector<const clang::Expr *, 4> arguments;
  clang::QualType resultType;
  clang::SourceLocation loc;
  Lowering *lowering = nullptr;             // reports results that have no IR type
  const clang::Expr *calleeExpr = nullptr;  // the callee as the call names it; null: a constructor
};
using Handler = Val (*)(Lowering &, const Operation &);
struct OperationRow {
  Handler handler;
  ir::OpKind kind;
};
// Null for a name that this version does not know.
const OperationRow *findOperation(llvm::StringRef name);

// ---- shared by the handlers
// The result as an IR type. Its sizes have the formulas of the operands, which are broadcast to it.
ir::Type resultOf(const Operation &operation, llvm::ArrayRef<ir::Value *> operands = {});
// The same for an operation whose last template arguments are the shape.
ir::Type statedResultOf(const Operation &operation);
ir::Value *argument(Lowering &lowering, const Operation &operation, unsigned index);
// The integers among the callee's template arguments, packs included, up to the first type.
llvm::SmallVector<int64_t, 3> integerTemplateArguments(const clang::FunctionDecl *callee);
// An axis, counted from the front also if the user counts from the end.
inline int64_t normalAxis(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }
// Whether an argument's type is `tl::name`: an option tag or enumeration.
bool isOption(const clang::Expr *argument, llvm::StringRef name);
// The value of such an argument; reports an error if it is not a constant.
std::optional<int64_t> optionValue(Lowering &lowering, const clang::Expr *argument);
// Sets op attributes from the option arguments: cache, evict, memory_order, scope.
void setOptions(Lowering &lowering, const Operation &operation, ir::Op *op);

// ---- std_call.cpp: functions of <cmath>, <algorithm>, <array>, <compare>, <tuple> and <utility>
bool isStdCall(const clang::FunctionDecl *callee);
// The fields that lead to the element that std::get<I> returns, of a std::tuple, pair or array.
std::optional<llvm::SmallVector<unsigned, 2>> stdElement(const clang::FunctionDecl *get,
                                                         clang::QualType type);
Val lowerStdCall(Lowering &lowering, const clang::CallExpr *call,
                 const clang::FunctionDecl *callee);
// The array in a std::array; null for other types.
const clang::ConstantArrayType *stdArrayType(Lowering &lowering, clang::QualType type);
// The element that a[i], a.at(i), a.front() or a.back() refers to, or the pointer a.data();
// nullopt for other calls.
std::optional<Val> stdArrayCall(Lowering &lowering, const clang::CallExpr *call,
                                const clang::FunctionDecl *callee);

// ---- ops_program.cpp
// The index of this program along an axis of the kernel's grid, and the number of programs.
ir::Value *programId(Lowering &lowering, unsigned axis);
ir::Value *numPrograms(Lowering &lowering, unsigned axis);
ir::Value *makeGrid(Lowering &lowering, llvm::ArrayRef<ir::Value *> sizes,
                    clang::SourceLocation loc);

}  // namespace tile2cu::frontend
