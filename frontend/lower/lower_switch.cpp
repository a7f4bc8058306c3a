// switch on a scalar: a chain of `if`s, or a single case if the value is known.
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

const clang::Stmt *unlabel(const clang::Stmt *s, Group &group) {
  while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(s)) {
    if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
      group.cases.push_back(value);
    else
      group.isDefault = true;
    s = label->getSubStmt();
  }
  return s;
}

// Also splits a braced case (`case 1: { ...; break; }`) into its statements.
void addStatement(Group &group, const clang::Stmt *s) {
  const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(s);
  if (compound && !compound->body_empty() &&
      llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt>(compound->body_back())) {
    for (const clang::Stmt *inner : compound->body()) addStatement(group, inner);
    return;
  }
  if (llvm::isa<clang::BreakStmt>(s)) {
    group.ends = true;
    return;
  }
  if (llvm::isa<clang::ReturnStmt, clang::ContinueStmt>(s)) group.ends = true;
  group.body.push_back(s);
}

std::optional<std::vector<Group>> groupsOf(Lowering &l, const clang::SwitchStmt *statement) {
  std::vector<Group> groups;
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(statement->getBody());
  if (!body) return std::nullopt;
  for (const clang::Stmt *s : body->body()) {
    if (llvm::isa<clang::SwitchCase>(s)) {
      if (!groups.empty() && !groups.back().ends) {
        l.error(ir::DiagId::SwitchFallthrough, s->getBeginLoc());
        return std::nullopt;
      }
      Group group;
      const clang::Stmt *first = unlabel(s, group);
      groups.push_back(std::move(group));
      addStatement(groups.back(), first);
    } else if (!groups.empty() && !groups.back().ends) {
      addStatement(groups.back(), s);
    }
  }
  return groups;
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
  auto groups = groupsOf(l, statement);
  if (!groups) return Flow::Falls;

  bool &inSwitch = l.loop ? l.loop->inSwitch : l.inSwitch;
  const bool saved = inSwitch;
  auto run = [&](const Group *group) {
    inSwitch = true;
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
