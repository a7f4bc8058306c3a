// The state for lowering one kernel, shared by the lower_*.cpp files. Each of these handles one
// kind of AST node.
#pragma once
#include <functional>
#include <map>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "frontend/clang/source_text.h"
#include "frontend/lower/environment.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/limits.h"

namespace tile2cu::frontend {

// How control leaves a statement: it falls through to the next one, it returns from an inlined
// function (the result is stored), or it has ended the block with return, break or continue.
enum class Flow : uint8_t { Falls, Returned, Ended };

// The kernel, or a function that is being inlined.
struct Frame {
  const clang::FunctionDecl *function = nullptr;
  Frame *caller = nullptr;
  clang::SourceLocation call;               // the call of this function
  unsigned depth = 0;                       // 0: the kernel
  std::optional<Place> result;              // the place of an inlined function's result
  std::optional<Place> referent;            // what an inlined function's only `return` refers to
  const clang::Stmt *onlyReturn = nullptr;  // of a function that returns a reference
  clang::QualType resultType;               // the result type of an inlined function
  std::optional<Place> returned;            // whether a `return` in the enclosing loop was executed
  std::optional<Place> object;              // *this
  unsigned loopDepth = 0;                   // loops around the statement, within this function
  // Template arguments of an inlined function, by their index, where they have formulas.
  std::map<unsigned, ir::Dim> sizes;
  bool ownStatements = false;  // its statements count as the kernel's (the body of static_for)
};

// See reference_copies.h.
struct ReferenceCopy {
  int slot = -1;                                    // the variable that holds the copy
  clang::SourceLocation loc = {};                   // of the expression that was copied
  std::vector<std::pair<Place, Val>> sources = {};  // the variables in it, with their values then
  bool isFromMemory = false;
  unsigned writes = 0, loops = 0;  // writes to memory before it, and loops around it
  bool isReadInLoop = false;       // in one that does not contain the copy
};

class Lowering {
 public:
  Lowering(clang::ASTContext &astContext, SourceText &sourceText, ir::Kernel &target,
           ir::Diagnostics &messages)
      : context(astContext),
        source(sourceText),
        kernel(target),
        diagnostics(messages),
        builder(target.body) {}

  clang::ASTContext &context;
  SourceText &source;
  ir::Kernel &kernel;
  ir::Diagnostics &diagnostics;
  ir::Builder builder;
  Environment env;
  Frame *frame = nullptr;
  struct Loop *loop = nullptr;          // the innermost loop that `break` and `continue` may leave
  struct Unrolled *unrolled = nullptr;  // without a loop: the innermost unrolled loop
  bool mayHaveReturned = false;         // some programs of the kernel have ended
  bool checks = false;                  // promises are kept, with their text, for insert_checks
  bool inSwitch = false;                // without a loop, `break` belongs to a switch
  // Replace detail::sample() while a combine function is lowered.
  std::vector<ir::Value *> *samples = nullptr;
  std::vector<ReferenceCopy> copies = {};
  unsigned regionDepth = 0;  // > 0 inside combine and map functions

  // ---- messages, at the user's line even if the construct is in a header
  void error(ir::DiagId id, clang::SourceLocation loc, llvm::ArrayRef<std::string> arguments = {});
  void reject(clang::SourceLocation loc, llvm::StringRef what, llvm::StringRef instead);
  // Stops lowering the kernel, if it would take unlimited time and memory.
  struct GivenUp {};
  [[noreturn]] void giveUp(ir::DiagId id, clang::SourceLocation loc,
                           llvm::ArrayRef<std::string> arguments);
  unsigned statements = 0;  // lowered so far
  unsigned nesting = 0;     // the nesting depth of the code that is being lowered
  // The elements of an array; stops lowering if they add up to too many values.
  uint64_t elementsOf(const clang::ConstantArrayType *array, clang::SourceLocation loc = {});
  // A value of the right type with which lowering continues after an error.
  Val placeholder(clang::QualType type);
  ir::Value *placeholderValue(const ir::Type &type);
  // A variable of this type before its first assignment.
  Val undefined(clang::QualType type);

  // ---- places and statements
  ir::Location locate(clang::SourceLocation loc);
  bool atKernelLevel() const { return frame->depth == 0 || frame->ownStatements; }
  void enterStatement(const clang::Stmt *statement, clang::SourceRange text);

  // ---- names: a value keeps the first name that it gets at the lowest inlining depth
  void giveName(const Val &value, llvm::StringRef name);
  void forget(const ir::Value *value) { nameDepth_.erase(value); }

  // A constant that Clang has computed; structs are taken apart.
  Val constant(const clang::APValue &value, clang::QualType type);
  // The constant value of an expression as Clang computes it; null if it has none.
  ir::Value *foldConstant(const clang::Expr *expression);
  std::optional<int64_t> evaluateInt(const clang::Expr *expression);

  // Whether the builder is directly in the kernel's body (not in a loop or an `if`).
  bool inKernelBody() const { return &builder.block() == &kernel.body; }

 private:
  llvm::DenseMap<const ir::Value *, unsigned> nameDepth_;
  llvm::DenseMap<const clang::Stmt *, int> statements_;
  std::set<std::tuple<unsigned, unsigned, unsigned, std::string>> reported_;
};

// Guards code that calls itself recursively.
class NestingScope {
 public:
  NestingScope(Lowering &lowering, clang::SourceLocation loc) : lowering_(lowering) {
    if (++lowering.nesting > ir::kMostNesting)
      lowering.giveUp(ir::DiagId::TooDeep, loc, {std::to_string(ir::kMostNesting)});
  }
  ~NestingScope() { --lowering_.nesting; }
  NestingScope(const NestingScope &) = delete;

 private:
  Lowering &lowering_;
};

// Operations created in this scope get the location `loc`, unless it is in the language's header.
class LocationScope {
 public:
  LocationScope(Lowering &lowering, clang::SourceLocation loc)
      : lowering_(lowering), saved_(lowering.builder.loc) {
    if (!lowering.source.inSystemHeader(loc)) {
      int statement = saved_.statement;
      lowering.builder.loc = lowering.source.locate(loc);
      lowering.builder.loc.statement = statement;
    }
  }
  ~LocationScope() { lowering_.builder.loc = saved_; }
  LocationScope(const LocationScope &) = delete;

 private:
  Lowering &lowering_;
  ir::Location saved_;
};

}  // namespace tile2cu::frontend
