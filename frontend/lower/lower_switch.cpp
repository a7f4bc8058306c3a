// switch on a scalar: a chain of `if`s, or a single case if the value is known.
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"

namespace tile2cu::frontend {
namespace {

// Labels that share one piece of code, which ends with `break`, `return` or the end of the switch.
struct Group {
  llvm::SmallVector<const clang::CaseStmt *, 2> cases;
  bool isDefault = false;
  llvm::SmallVector<const clang::Stmt *, 8> body;
  bool ends = false;
};

const clang::Stmt *withoutAttributes(const clang::Stmt *s) {
  while (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
    s = attributed->getSubStmt();
  return s;
}

const clang::Stmt *unlabel(const clang::Stmt *s, Group &group) {
  while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(withoutAttributes(s))) {
    if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
      group.cases.push_back(value);
    else
      group.isDefault = true;
    s = label->getSubStmt();
  }
  return s;
}

// Whether no path reaches the end of a statement.
bool alwaysLeaves(const clang::Stmt *s) {
  if (llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt>(s)) return true;
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !compound->body_empty() && alwaysLeaves(compound->body_back());
  const auto *branch = llvm::dyn_cast<clang::IfStmt>(s);
  return branch && branch->getElse() && alwaysLeaves(branch->getThen()) &&
         alwaysLeaves(branch->getElse());
}

// Appends a statement that can be reached, and splits a braced case (`case 1: { ...; break; }`).
void addStatement(Group &group, const clang::Stmt *s) {
  if (group.ends) return;
  const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(s);
  if (compound && !compound->body_empty() &&
      llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt>(compound->body_back())) {
    for (const clang::Stmt *inner : compound->body()) addStatement(group, inner);
    return;
  }
  group.ends = alwaysLeaves(s);
  if (!llvm::isa<clang::BreakStmt>(s)) group.body.push_back(s);
}

// A label of this switch within a statement.
const clang::SwitchCase *labelIn(const clang::Stmt *s) {
  if (!s || llvm::isa<clang::SwitchStmt>(s)) return nullptr;
  if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(s)) return label;
  for (const clang::Stmt *child : s->children())
    if (const clang::SwitchCase *label = labelIn(child)) return label;
  return nullptr;
}

std::optional<std::vector<Group>> groupsOf(Lowering &l,
                                           llvm::ArrayRef<const clang::Stmt *> statements) {
  std::vector<Group> groups;
  for (const clang::Stmt *s : statements) {
    const clang::Stmt *inner = s;
    if (llvm::isa<clang::SwitchCase>(withoutAttributes(s))) {
      if (!groups.empty() && !groups.back().ends) {
        l.error(ir::DiagId::SwitchFallthrough, s->getBeginLoc());
        return std::nullopt;
      }
      groups.emplace_back();
      inner = unlabel(s, groups.back());
    }
    if (const clang::SwitchCase *label = labelIn(inner)) {
      l.reject(label->getKeywordLoc(), "a case within another statement",
               "write all cases directly in the braces of the switch");
      return std::nullopt;
    }
    if (!groups.empty()) addStatement(groups.back(), inner);
  }
  return groups;
}

bool isTrivialDefault(const clang::CXXConstructorDecl *constructor) {
  return constructor->isDefaultConstructor() && constructor->isTrivial();
}

// The variables without an initial value that all cases share.
llvm::SmallVector<std::pair<const clang::VarDecl *, Place>, 2> declareShared(
    Lowering &l, llvm::ArrayRef<const clang::Stmt *> statements) {
  llvm::SmallVector<std::pair<const clang::VarDecl *, Place>, 2> shared;
  for (const clang::Stmt *s : statements) {
    Group unused;
    const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(unlabel(s, unused));
    if (!declaration) continue;
    for (const clang::Decl *part : declaration->decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(part);
      if (!variable || !variable->hasLocalStorage()) continue;
      const auto *construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable->getInit());
      if (variable->getInit() && !(construct && isTrivialDefault(construct->getConstructor())))
        continue;
      lowerDecl(l, variable);
      shared.emplace_back(variable, *l.env.find(variable));
    }
  }
  return shared;
}

ir::Value *matches(Lowering &l, ir::Value *value, const Group &group) {
  ir::Value *any = nullptr;
  for (const clang::CaseStmt *label : group.cases) {
    auto constant = [&](const clang::Expr *e) {
      return l.builder.constant(value->type.scalar(), l.evaluateInt(e).value_or(0));
    };
    ir::Value *match = nullptr;
    if (label->getRHS()) {  // the GNU case range 1 ... 5
      match = arithmetic(l, ir::OpKind::And,
                         arithmetic(l, ir::OpKind::Ge, value, constant(label->getLHS())),
                         arithmetic(l, ir::OpKind::Le, value, constant(label->getRHS())));
    } else {
      match = arithmetic(l, ir::OpKind::Eq, value, constant(label->getLHS()));
    }
    any = any ? arithmetic(l, ir::OpKind::Or, any, match) : match;
  }
  return any;
}

}  // namespace

Flow lowerSwitch(Lowering &l, const clang::SwitchStmt *statement, const Rest *rest) {
  if (statement->getInit()) lowerStmt(l, statement->getInit());
  if (statement->getConditionVariableDeclStmt())
    lowerStmt(l, statement->getConditionVariableDeclStmt());
  ir::Value *value = lowerIr(l, statement->getCond());
  llvm::SmallVector<const clang::Stmt *, 16> statements{statement->getBody()};
  if (const auto *braces = llvm::dyn_cast<clang::CompoundStmt>(statement->getBody()))
    statements.assign(braces->body_begin(), braces->body_end());
  auto groups = groupsOf(l, statements);
  if (!groups) return Flow::Falls;
  const auto shared = declareShared(l, statements);

  bool &inSwitch = inSwitchOf(l);
  const bool saved = inSwitch;
  auto run = [&](const Group *group) {
    inSwitch = true;
    for (const auto &[variable, place] : shared) l.env.bind(variable, place);
    static const llvm::SmallVector<const clang::Stmt *, 8> nothing;
    Flow flow =
        lowerSequence(l, group ? llvm::ArrayRef(group->body) : llvm::ArrayRef(nothing), rest);
    inSwitch = saved;
    return flow;
  };
  const Group *fallback = nullptr;
  std::vector<const Group *> tested;
  for (const Group &group : *groups) {
    if (group.isDefault)
      fallback = &group;  // its other labels need no comparison
    else
      tested.push_back(&group);
  }
  auto chain = [&](auto &self, size_t i) -> Flow {
    if (i == tested.size()) return run(fallback);
    ir::Value *match = matches(l, value, *tested[i]);
    return branch(l, match, [&] { return run(tested[i]); }, [&] { return self(self, i + 1); });
  };
  return chain(chain, 0);
}

}  // namespace tile2cu::frontend
