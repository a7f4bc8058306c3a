// The statements of a long function that may become functions of their own.
#pragma once
#include <string>
#include <vector>

#include "emit/transform/scopes.h"
#include "llvm/ADT/ArrayRef.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {

// A part with fewer rows is not worth a function with its parameters.
inline size_t fewestRowsOfPart() { return passes::tunables().outlined_rows; }
// The same if the function is too long after all larger parts have been moved out.
inline size_t fewestRowsAtLast() { return passes::tunables().outlined_rows_at_last; }

// Statements in a row that may become a function.
struct Candidate {
  Stmts *list;        // whose statements from `begin` to `end` the call replaces
  size_t begin, end;  // of the list
  size_t depth;       // how many blocks are around them
  std::string name;
  CommentText comment;                             // rows
  Stmts before = {};                               // declarations that stay in front of the call
  Stmts statements = {};                           // the function's
  std::vector<FunctionParameter> parameters = {};  // of a local function
  std::vector<Variable> outside = {};              // variables around it that it mentions
  bool isInKept = false;                           // inside a branch that could not be taken
  // The symbol of a local function, and the block in which it can be called, from this statement
  // on.
  Symbol function = {};
  Stmts *block = nullptr;
  size_t from = 0;
};

// The statements of candidates that could not be taken.
class Kept {
 public:
  bool contains(llvm::ArrayRef<Stmt> stmts) const;
  void insert(const Stmts &stmts) { all_.push_back(stmts); }

 private:
  std::vector<Stmts> all_;
};

// Looks for candidates, from the first statement of a function to the last.
class CandidateFinder {
 public:
  virtual ~CandidateFinder() = default;
  std::vector<Candidate> find(Stmts &body);

 protected:
  // Looks at statement `i` of a list, and returns the next one to look at. `enter` looks into it.
  virtual size_t visit(Stmts &list, size_t i) = 0;
  virtual void visitAll(Stmts &list);
  void enter(Stmt &stmt);
  // Goes on to statement `to` of the list: those before it are declared.
  void moveTo(const Stmts &list, size_t &i, size_t to);
  // The statements of the list from `begin` to `end`. `outside` is found from `statements`, in the
  // scopes that are open.
  Candidate &add(Candidate candidate);

  Scopes scopes_;
  std::vector<Candidate> found_;
  size_t depth_ = 1;
  // The nearest list that is not a section's, and the place in it.
  Stmts *block_ = nullptr;
  size_t inBlock_ = 0;
};

// All statements after the last loop that is not one over registers, as a function `epilogue`.
std::vector<Candidate> findTail(Stmts &body, const Kept &kept);
// Local functions: const auto copy_x_y = [&](int stage) { ... };
std::vector<Candidate> findLocalFunctions(Stmts &body, const Kept &kept);
// Sections other than those that start the first copies of a loop, and these sections.
std::vector<Candidate> findSections(Stmts &body, const Kept &kept);
std::vector<Candidate> findPrologues(Stmts &body, const Kept &kept);
// The statements of a branch, with the name of the first of the function's variables that it
// assigns: update_row_max. A branch inside such a branch is not a candidate, unless the outer one
// was kept.
std::vector<Candidate> findBranches(Stmts &body, const Kept &kept);
// Consecutive loops over registers, with the tiles that they compute and the comments about those.
std::vector<Candidate> findRuns(Stmts &body, const Kept &kept);
// The body of an innermost loop. This is the last resort: such a function takes most of the
// variables around it as parameters.
std::vector<Candidate> findSteps(Stmts &body, const Kept &kept);

}  // namespace tile2cu::emit
