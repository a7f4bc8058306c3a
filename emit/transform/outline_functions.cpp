// Outlines parts of a long function: its epilogue, its dots, its copies.
#include "emit/transform/outline_functions.h"

#include <map>
#include <optional>

#include "emit/cuda/builder.h"
#include "emit/cuda/free_names.h"
#include "emit/transform/count_rows.h"
#include "emit/transform/outline_candidates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tile2cu::emit {
namespace {

// The functions that were made of parts, each with the variables that it takes by reference because
// it changes them.
using Functions = llvm::StringMap<std::vector<Symbol>>;

// The word that a call or an instance of a template names.
llvm::StringRef calledWord(const Expr &called) {
  if (called.is(ExprKind::Template)) return calledWord(called.operand(0));
  return called.is(ExprKind::Word) ? llvm::StringRef(called.spelling()) : "";
}

// The variables that the statements assign, and those that the functions they call change.
// Arguments and parameters have the same names.
SymbolSet changedBy(const Stmts &stmts, const Functions &functions) {
  SymbolSet changed = changedSymbols(stmts, Elements::DoNotCount);
  forEachExpr(stmts, [&](const Expr &e) {
    walk(e, [&](const Expr &node) {
      if (!node.is(ExprKind::Call)) return;
      if (const auto called = functions.find(calledWord(node.operand(0)));
          called != functions.end())
        changed.insert(called->second.begin(), called->second.end());
    });
  });
  return changed;
}

// The parameter that stands for a variable of the function around. Numbers and pointers are passed
// by value. Arrays, instances of class templates (vec, pipeline_state), and variables that the part
// changes are passed by reference; the declaration of such a variable then allows it. Writing an
// element through a pointer does not assign the pointer.
FunctionParameter parameterFor(const Variable &variable, bool isChanged) {
  FunctionParameter parameter{variable.type, variable.name, variable.extents};
  if (!variable.extents.empty() || variable.type.is(ExprKind::Template)) {
    parameter.isConst = variable.isConst;
    parameter.isReference = variable.extents.empty();
  } else {
    parameter.isReference = isChanged && !variable.isConst;
  }
  return parameter;
}

// The variables of the function around that the candidate's statements mention; nothing if one of
// them cannot be an argument.
std::optional<std::vector<FunctionParameter>> localsOf(const Candidate &candidate,
                                                       const Functions &functions) {
  const SymbolSet mentioned = symbolsIn(candidate.statements);
  const SymbolSet changed = changedBy(candidate.statements, functions);
  std::vector<Variable> visible = candidate.outside;
  for (const Stmt &stmt : candidate.before)
    if (const Declare *declare = stmt.as<Declare>())
      llvm::append_range(visible, variablesOf(*declare));
  std::vector<FunctionParameter> locals;
  for (const Variable &each : visible) {
    if (!mentioned.contains(each.name)) continue;
    if (!each.isUsable) return std::nullopt;
    locals.push_back(parameterFor(each, changed.contains(each.name)));
  }
  return locals;
}

// The variables that a function with these parameters changes, apart from arrays and structs, which
// are passed by reference anyway.
std::vector<Symbol> changedBy(llvm::ArrayRef<FunctionParameter> locals) {
  std::vector<Symbol> changed;
  for (const FunctionParameter &local : locals)
    if (local.isReference && !local.isConst) changed.push_back(local.name);
  return changed;
}

// Calls of the local function as calls of the function that it became, whose first arguments are in
// `call`.
Expr withCalls(const Expr &e, const Symbol &function, const Expr &call) {
  if (!e) return e;
  std::vector<Expr> operands;
  bool isChanged = false;
  for (const Expr &operand : e.operands()) {
    operands.push_back(withCalls(operand, function, call));
    isChanged |= !operands.back().isSameNode(operand);
  }
  if (e.is(ExprKind::Call) && e.operand(0).isName(function)) {
    std::vector<Expr> arguments(call.operands().begin() + 1, call.operands().end());
    arguments.insert(arguments.end(), operands.begin() + 1, operands.end());
    return emit::call(call.operand(0), arguments);
  }
  if (!isChanged) return e;
  return Expr({e.kind(), e.prec(), e.spelling(), {operands.begin(), operands.end()}});
}

void replaceCalls(llvm::MutableArrayRef<Stmt> stmts, const Symbol &function, const Expr &call) {
  for (Stmt &stmt : stmts) {
    if (Eval *eval = stmt.as<Eval>()) eval->value = withCalls(eval->value, function, call);
    forEachBody(stmt, [&](Stmts &body) { replaceCalls(body, function, call); });
  }
}

// The statements of sections in their place.
Stmts withoutSections(Stmts stmts) {
  Stmts result;
  for (Stmt &stmt : stmts) {
    if (Section *section = stmt.as<Section>()) {
      Stmts inside = withoutSections(std::move(section->body));
      result.insert(result.end(), std::make_move_iterator(inside.begin()),
                    std::make_move_iterator(inside.end()));
      continue;
    }
    forEachBody(stmt, [](Stmts &body) { body = withoutSections(std::move(body)); });
    result.push_back(std::move(stmt));
  }
  return result;
}

class Outliner {
 public:
  Outliner(Stmts statements, size_t most, llvm::function_ref<Expr(Part)> define)
      : body(std::move(statements)), most_(most), define_(define) {}

  Stmts body;
  bool isLong() const { return countRows(body) > most_; }

  // Takes the largest candidate that is left, until the function is short enough. One search finds
  // many candidates, so that the time does not grow with functions times rows.
  void takeLargest(llvm::function_ref<std::vector<Candidate>(Stmts &, const Kept &)> find,
                   size_t least = fewestRowsOfPart()) {
    while (isLong()) {
      std::vector<Found> found;
      for (Candidate &each : find(body, kept_)) {
        const size_t size = countRows(each.statements);
        if (size < least || kept_.contains(each.statements)) continue;
        found.push_back({size, found.size(), std::move(each)});
      }
      if (found.empty()) return;
      llvm::sort(found, [](const Found &a, const Found &b) {
        return std::pair(b.size, a.order) < std::pair(a.size, b.order);
      });
      takeEach(found);
    }
  }

 private:
  struct Found {
    size_t size, order;  // the first in the text is 0
    Candidate candidate;
  };

  // Takes candidates in this order while the function is too long. It stops after a step that may
  // have changed the other candidates. None is inside another.
  void takeEach(std::vector<Found> &found) {
    std::map<size_t, std::pair<Candidate *, Expr>, std::greater<>> taken;  // the last one first
    size_t rows = countRows(body);
    for (Found &each : found) {
      Candidate &candidate = each.candidate;
      if (rows <= most_) break;
      if (kept_.contains(candidate.statements)) continue;
      const auto call = functionOf(candidate);
      if (!call) {
        kept_.insert(candidate.statements);
        if (hasBranch(candidate.statements)) break;  // there may be others in it
        continue;
      }
      taken[each.order] = {&candidate, *call};
      const auto replaced =
          llvm::ArrayRef(*candidate.list).slice(candidate.begin, candidate.end - candidate.begin);
      rows -= std::min(rows, countRows(replaced));
      if (candidate.block || candidate.isInKept) break;
    }
    if (taken.empty()) return;
    // From the last to the first, so that the positions of the others stay valid.
    for (auto &[order, made] : taken) replace(*made.first, made.second);
  }

  static bool hasBranch(llvm::ArrayRef<Stmt> stmts) {
    return llvm::any_of(stmts, [](const Stmt &stmt) {
      bool found = stmt.as<If>() != nullptr;
      forEachBody(stmt, [&](const Stmts &inside) { found |= hasBranch(inside); });
      return found;
    });
  }

  static void replace(Candidate &candidate, const Expr &call) {
    Stmts &list = *candidate.list;
    const auto first = list.begin() + candidate.begin;
    const SourceLine source = first->source;
    Stmts by = std::move(candidate.before);
    if (!candidate.block) {
      by.push_back(evaluate(call));
      by.back().source = source;
    }
    const auto at = list.erase(first, list.begin() + candidate.end);
    list.insert(at, std::make_move_iterator(by.begin()), std::make_move_iterator(by.end()));
    if (candidate.block)
      replaceCalls(llvm::MutableArrayRef(*candidate.block).drop_front(candidate.from),
                   candidate.function, call);
  }

  // Whether a call is shorter than the candidate. A call of many arguments may not be, and would be
  // a candidate again.
  static bool shortens(const Candidate &candidate, llvm::ArrayRef<FunctionParameter> locals) {
    if (candidate.block) return true;
    std::vector<Expr> arguments;
    for (const FunctionParameter &local : locals) arguments.push_back(named(local.name));
    Stmts by = candidate.before;
    by.push_back(evaluate(call(candidate.name, arguments)));
    return countRows(by) < countRows(candidate.statements);
  }

  // Makes the candidate a function, whose name gets a number if another one has it, and returns the
  // call; nothing if it cannot be a function.
  std::optional<Expr> functionOf(const Candidate &candidate) {
    auto locals = localsOf(candidate, functions_);
    if (!locals || !shortens(candidate, *locals)) return std::nullopt;
    std::vector<Symbol> changed = changedBy(*locals);
    const Expr call = define_({names_.take(candidate.name), candidate.comment, candidate.parameters,
                               withoutSections(candidate.statements), std::move(*locals)});
    functions_[calledWord(call.operand(0))] = std::move(changed);
    return call;
  }

  const size_t most_;
  llvm::function_ref<Expr(Part)> define_;
  Kept kept_;
  FreeNames names_;
  Functions functions_;
};

}  // namespace

Stmts outline(Stmts body, size_t most, size_t mostWithSteps,
              llvm::function_ref<Expr(Part)> define) {
  Outliner outliner(std::move(body), most, define);
  for (auto *find : {findTail, findSections, findLocalFunctions, findBranches, findRuns})
    outliner.takeLargest(find);
  for (auto *find : {findBranches, findRuns, findPrologues})
    outliner.takeLargest(find, fewestRowsAtLast());
  if (countRows(outliner.body) > mostWithSteps) outliner.takeLargest(findSteps);
  return withoutSections(std::move(outliner.body));
}

}  // namespace tile2cu::emit
