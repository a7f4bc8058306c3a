// Makes a `while` that counts a `for`, also a `for` statement that declares no variable.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"

namespace tile2cu::frontend {
namespace {

using Visit = llvm::function_ref<void(const clang::DeclRefExpr *)>;

void forEachReference(const clang::Stmt *statement, Visit visit) {
  if (!statement) return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) visit(reference);
  for (const clang::Stmt *child : statement->children()) forEachReference(child, visit);
}

// Whether code after the loop names the variable, or may find its value in another way.
bool isNamedAfter(const clang::VarDecl *variable, const clang::Stmt *loop) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  if (!function || variable->getType()->isReferenceType()) return true;
  const clang::SourceManager &sources = variable->getASTContext().getSourceManager();
  bool found = false;
  forEachReference(function->getBody(), [&](const clang::DeclRefExpr *reference) {
    found |= reference->getDecl() == variable &&
             sources.isBeforeInTranslationUnit(loop->getEndLoc(), reference->getLocation());
  });
  return found;
}

bool hasDot(const ir::Op &loop) {
  bool found = false;
  for (const auto &region : loop.regions)
    ir::walk(*region, [&](const ir::Op *op) { found |= op->kind == ir::OpKind::Dot; });
  return found;
}

bool isInteger(const ir::Value *value) {
  return !value->type.isTile() && !value->type.isPointer() && ir::isInteger(value->type.scalar());
}

bool hasBreak(const Loop &loop) {
  return llvm::any_of(loop.exits,
                      [](auto &exit) { return exit.second->kind == ir::OpKind::Break; });
}

}  // namespace

// A variable that is read after the loop has two values in the IR, that of the `for` and the one
// that the loop leaves, and so two names in the text. That is worth it where it allows the loop to
// be pipelined.
LastTest countWhile(Lowering &l, Loop &loop, const clang::Stmt *statement,
                    const clang::Expr *condition) {
  llvm::SmallVector<const clang::VarDecl *, 2> variables;
  forEachReference(condition, [&](const clang::DeclRefExpr *reference) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      variables.push_back(variable);
  });
  for (const clang::VarDecl *variable : variables) {
    const Place *place = l.env.find(variable);
    if (!place || !place->isVariable() || !place->path.empty()) continue;
    const unsigned slot = place->slot;
    const auto carried = llvm::find_if(loop.carried, [&](auto &each) { return each.slot == slot; });
    if (carried == loop.carried.end() || !l.env.isWhole(slot) || !isInteger(carried->initial))
      continue;
    const bool isOfOuterLoop = l.loop && slot < l.loop->scope;
    if ((isOfOuterLoop || isNamedAfter(variable, statement)) && !hasDot(*loop.op)) continue;
    std::string why;
    const auto counted = countedLoop(loop, slot, false, l.env.name(slot), why);
    if (!counted || (counted->addsInCondition && hasBreak(loop))) continue;
    const auto counting = countingOf(*counted);
    if (!counting) continue;
    ir::Value *step = makeCounted(l, loop, *counted, *counting, true);
    return counted->addsInCondition ? LastTest{slot, step, counted->isFalling} : LastTest{};
  }
  return {};
}

void addLastStep(Lowering &l, const LastTest &test) {
  if (!test.step) return;
  Place place;
  place.slot = test.slot;
  const ir::OpKind kind = test.isFalling ? ir::OpKind::Sub : ir::OpKind::Add;
  l.env.write(place, arithmetic(l, kind, l.env.read(place).value, test.step));
}

}  // namespace tile2cu::frontend
