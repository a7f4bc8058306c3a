// How long the text of statements is.
#include "emit/transform/count_lines.h"

#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

constexpr size_t kColumns = 94;  // a broken line holds less than 100

// Counts the lines of statements.
struct LineCounter {
  bool isUpperBound;
  size_t count = 0;
  bool wasBlank = true;

  void line(size_t width, size_t depth) {
    count += 1 + (2 * depth + width) / kColumns;
    wasBlank = false;
  }

  template <class T>
  void block(const T &owner, const Stmts &body, size_t depth) {
    const bool hasBraces = isUpperBound || !owner.withoutBraces;
    line(headOf(owner).size() + (hasBraces ? 2 : 0), depth);
    all(body, depth + hasBraces);
    if (hasBraces) line(1, depth);
  }

  void one(const Stmt &stmt, size_t depth) {
    if (stmt.as<Blank>()) {
      count += isUpperBound || !wasBlank;
      wasBlank = true;
    } else if (const Section *section = stmt.as<Section>()) {
      all(section->body, depth);
    } else if (const For *counted = stmt.as<For>()) {
      if (!counted->unroll.empty()) line(counted->unroll.size(), depth);
      block(*counted, counted->body, depth);
    } else if (const While *loop = stmt.as<While>()) {
      block(*loop, loop->body, depth);
    } else if (const If *branch = stmt.as<If>(); branch && !branch->isShort) {
      block(*branch, branch->then, depth);
      if (branch->otherwise.empty()) return;
      all(branch->otherwise, depth + 1);
      line(1, depth);
    } else if (const LocalFunction *function = stmt.as<LocalFunction>()) {
      line(headOf(*function).size() + 2, depth);
      all(function->body, depth + 1);
      line(2, depth);
    } else if (const Comment *comment = stmt.as<Comment>()) {
      llvm::SmallVector<llvm::StringRef, 4> rows;
      llvm::StringRef(comment->text).split(rows, '\n');
      for (const llvm::StringRef row : rows) line(row.size() + 3, depth);
    } else {
      line(widthOf(stmt), depth);
    }
  }

  void all(llvm::ArrayRef<Stmt> stmts, size_t depth) {
    for (const Stmt &stmt : stmts) one(stmt, depth);
  }
};

}  // namespace

size_t countLines(llvm::ArrayRef<Stmt> stmts) {
  LineCounter counter{false};
  counter.all(stmts, 1);
  return counter.count;
}

size_t mostLines(llvm::ArrayRef<Stmt> stmts, size_t depth) {
  LineCounter counter{true};
  counter.all(stmts, depth);
  return counter.count;
}

size_t fewestLines(llvm::ArrayRef<Stmt> stmts) {
  size_t count = 0;
  for (const Stmt &stmt : stmts) {
    const If *branch = stmt.as<If>();
    bool hasBodies = false;
    if (!branch || !branch->isShort)
      forEachBody(stmt, [&](const Stmts &body) {
        count += fewestLines(body);
        hasBodies = true;
      });
    count += !hasBodies && !stmt.as<Comment>() && !stmt.as<Blank>();
  }
  return count;
}

}  // namespace tile2cu::emit
