// The statements of a long function that may become functions of their own.
#include "emit/transform/outline_candidates.h"

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"
#include "emit/transform/count_rows.h"
#include "emit/transform/outline_functions.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

bool Kept::contains(llvm::ArrayRef<Stmt> stmts) const {
  return llvm::any_of(all_, [&](const Stmts &each) { return llvm::ArrayRef(each) == stmts; });
}

std::vector<Candidate> CandidateFinder::find(Stmts &body) {
  scopes_.open();
  block_ = &body;
  visitAll(body);
  return std::move(found_);
}

void CandidateFinder::moveTo(const Stmts &list, size_t &i, size_t to) {
  for (; i < to; ++i) scopes_.declare(list[i]);
}

void CandidateFinder::visitAll(Stmts &list) {
  for (size_t i = 0; i < list.size();) {
    if (block_ == &list) inBlock_ = i;
    moveTo(list, i, visit(list, i));
  }
}

void CandidateFinder::enter(Stmt &stmt) {
  const bool isBlock = !stmt.as<Section>();
  Stmts *const block = block_;
  const size_t inBlock = inBlock_;
  forEachBody(stmt, [&](Stmts &body) {
    scopes_.open();
    if (const For *loop = stmt.as<For>())
      for (Variable &each : variablesOf(loop->start)) scopes_.declare(std::move(each));
    if (const LocalFunction *function = stmt.as<LocalFunction>())
      for (const FunctionParameter &each : function->parameters)
        scopes_.declare({each.type, each.name});
    if (isBlock) block_ = &body;
    depth_ += isBlock;
    visitAll(body);
    depth_ -= isBlock;
    scopes_.close();
  });
  block_ = block;
  inBlock_ = inBlock;
}

Candidate &CandidateFinder::add(Candidate candidate) {
  candidate.outside = scopes_.mentionedIn(candidate.statements);
  found_.push_back(std::move(candidate));
  return found_.back();
}

namespace {

Stmts copied(const Stmts &list, size_t begin, size_t end) {
  return {list.begin() + begin, list.begin() + end};
}

// A loop that does not run over the registers of a thread.
bool isLoop(const Stmt &stmt) {
  const For *loop = stmt.as<For>();
  return stmt.as<While>() || (loop && !loop->isUnrolled());
}

// Such a loop, or a section that has one at its top level.
bool isOrHasLoop(const Stmt &stmt) {
  const Section *section = stmt.as<Section>();
  return isLoop(stmt) || (section && llvm::any_of(section->body, isOrHasLoop));
}

class TailFinder : public CandidateFinder {
  void visitAll(Stmts &list) override {
    size_t after = list.size(), i = 0;
    while (after > 0 && !isOrHasLoop(list[after - 1])) --after;
    if (after == 0) return;
    size_t begin = after;
    while (begin < list.size() && list[begin].as<Blank>()) ++begin;
    moveTo(list, i, after);
    add({&list,
         after,
         list.size(),
         depth_,
         "epilogue",
         "Epilogue: uses the loop's results.",
         {{Blank{}}},
         copied(list, begin, list.size())});
  }
  size_t visit(Stmts &, size_t i) override { return i + 1; }
};

void addRows(const Comment &comment, CommentText &rows) {
  if (!rows.empty()) rows += "\n";
  rows += comment.text;
}

class LocalFunctionFinder : public CandidateFinder {
  size_t visit(Stmts &list, size_t i) override {
    const LocalFunction *function = list[i].as<LocalFunction>();
    if (!function) {
      enter(list[i]);
      return i + 1;
    }
    Candidate found{&list, i, i + 1, depth_, function->name.wanted().str(), ""};
    found.function = function->name;
    // The comments that stand above it.
    while (found.begin > 0 && list[found.begin - 1].as<Comment>()) --found.begin;
    for (size_t at = found.begin; at < i; ++at) addRows(*list[at].as<Comment>(), found.comment);
    found.statements = function->body;
    found.parameters = function->parameters;
    found.block = block_;
    found.from = block_ == &list ? found.begin : inBlock_;
    add(std::move(found));
    return i + 1;
  }
};

class SectionFinder : public CandidateFinder {
 public:
  explicit SectionFinder(bool isPrologue) : isPrologue_(isPrologue) {}

 private:
  size_t visit(Stmts &list, size_t i) override {
    const Section *section = list[i].as<Section>();
    if (!section || (section->role == kPrologue) != isPrologue_) {
      enter(list[i]);
      return i + 1;
    }
    const Stmts &body = section->body;
    size_t first = 0;
    Candidate found{&list, i, i + 1, depth_, section->role, ""};
    for (; first < body.size() && body[first].as<Comment>(); ++first)
      addRows(*body[first].as<Comment>(), found.comment);
    found.statements = copied(body, first, body.size());
    add(std::move(found));
    return i + 1;
  }

  bool isPrologue_;
};

// A jump, or a loop that must not be unrolled, which is the main loop of a kernel.
bool leavesOrSteps(const Stmt &stmt) {
  const For *loop = stmt.as<For>();
  return stmt.as<Jump>() || (loop && loop->unroll == "unroll 1");
}

CommentText runsIf(const Expr &condition) {
  CommentText text = "Runs if ";
  print(condition, text);
  return text + ".";
}

class BranchFinder : public CandidateFinder {
 public:
  explicit BranchFinder(const Kept &kept) : kept_(kept) {}

 private:
  size_t visit(Stmts &list, size_t i) override {
    If *branch = list[i].as<If>();
    if (!branch || branch->isShort || !branch->otherwise.empty() || !list[i].note.empty() ||
        anyOf(branch->then, leavesOrSteps)) {
      enter(list[i]);
      return i + 1;
    }
    Stmts &inside = branch->then;
    if (countRows(inside) < fewestRowsAtLast()) return i + 1;
    const std::vector<Variable> outside = scopes_.mentionedIn(inside);
    const SymbolSet changed = changedSymbols(inside, Elements::Count);
    const auto first =
        llvm::find_if(outside, [&](const Variable &each) { return changed.contains(each.name); });
    const bool isKept = first != outside.end() && kept_.contains(inside);
    if (first == outside.end() || isKept) {
      inKept_ += isKept;
      enter(list[i]);
      inKept_ -= isKept;
      return i + 1;
    }
    Candidate found{&inside,
                    0,
                    inside.size(),
                    depth_ + 1,
                    "update_" + first->name.wanted().str(),
                    runsIf(branch->condition),
                    {},
                    inside};
    found.isInKept = inKept_ > 0;
    add(std::move(found));
    return i + 1;
  }

  const Kept &kept_;
  int inKept_ = 0;
};

class StepFinder : public CandidateFinder {
  size_t visit(Stmts &list, size_t i) override {
    For *loop = list[i].as<For>();
    const auto isFor = [](const Stmt &stmt) { return stmt.as<For>() && isLoop(stmt); };
    if (!loop || loop->isUnrolled() || anyOf(loop->body, isFor)) {
      enter(list[i]);
      return i + 1;
    }
    const std::vector<Variable> counted = variablesOf(loop->start);
    if (counted.empty() || anyOf(loop->body, [](const Stmt &stmt) { return stmt.as<Jump>(); }))
      return i + 1;
    scopes_.open();
    for (const Variable &each : counted) scopes_.declare(each);
    add({&loop->body,
         0,
         loop->body.size(),
         depth_ + 1,
         "step",
         CommentText("One iteration of the loop over ") + counted.front().name + ".",
         {},
         loop->body});
    scopes_.close();
    return i + 1;
  }
};

}  // namespace

std::vector<Candidate> findTail(Stmts &body, const Kept &) { return TailFinder().find(body); }
std::vector<Candidate> findLocalFunctions(Stmts &body, const Kept &) {
  return LocalFunctionFinder().find(body);
}
std::vector<Candidate> findSections(Stmts &body, const Kept &) {
  return SectionFinder(false).find(body);
}
std::vector<Candidate> findPrologues(Stmts &body, const Kept &) {
  return SectionFinder(true).find(body);
}
std::vector<Candidate> findBranches(Stmts &body, const Kept &kept) {
  return BranchFinder(kept).find(body);
}
std::vector<Candidate> findSteps(Stmts &body, const Kept &) { return StepFinder().find(body); }

}  // namespace tile2cu::emit
