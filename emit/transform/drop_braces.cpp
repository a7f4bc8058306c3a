// Removes the braces around short statements.
#include "emit/transform/drop_braces.h"

#include "emit/cuda/format.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

// The contents of a block.
struct Contents {
  size_t statements = 0;  // with comments
  bool isShort = true;    // each fits on a line
  bool isUnrolled = false;

  bool isShortStatement() const { return statements == 1 && isShort && !isUnrolled; }
  bool isLoopOverRegisters() const { return statements == 1 && isUnrolled; }
};

Contents contentsOf(Stmts &stmts, size_t depth);

void add(Contents &block, Stmt &stmt, size_t depth);

// A loop or branch with one body.
template <class T>
void addBlock(Contents &block, T &owner, Stmts &body, bool hasNote, bool isUnrolled, size_t depth) {
  const Contents inside = contentsOf(body, depth + 1);
  owner.withoutBraces =
      !hasNote && (inside.isShortStatement() || (isUnrolled && inside.isLoopOverRegisters()));
  block.isShort &= owner.withoutBraces;
}

void add(Contents &block, Stmt &stmt, size_t depth) {
  const bool hasNote = !stmt.note.empty();
  if (Section *section = stmt.as<Section>()) {
    for (Stmt &each : section->body) add(block, each, depth);
    return;
  }
  ++block.statements;
  If *branch = stmt.as<If>();
  if (branch && !branch->isShort && branch->otherwise.empty())
    return addBlock(block, *branch, branch->then, hasNote, false, depth);
  if (While *loop = stmt.as<While>())
    return addBlock(block, *loop, loop->body, hasNote, false, depth);
  if (For *loop = stmt.as<For>()) {
    addBlock(block, *loop, loop->body, hasNote, loop->isUnrolled(), depth);
    block.isUnrolled |= loop->isUnrolled();
    if (!loop->isUnrolled() && !loop->unroll.empty()) ++block.statements;  // its #pragma
    return;
  }
  bool hasBodies = false;
  if (!branch || !branch->isShort)
    forEachBody(stmt, [&](Stmts &body) {
      contentsOf(body, depth + 1);
      hasBodies = true;
    });
  const bool isOne = !hasBodies && !hasNote && !stmt.as<Comment>() && !stmt.as<Blank>();
  block.isShort &= isOne && 2 * depth + widthOf(stmt) <= kColumns;
}

Contents contentsOf(Stmts &stmts, size_t depth) {
  Contents block;
  for (Stmt &stmt : stmts) add(block, stmt, depth);
  return block;
}

}  // namespace

void dropBraces(Stmts &stmts, size_t depth) { contentsOf(stmts, depth); }

}  // namespace tile2cu::emit
