#include "frontend/lower/reference_copies.h"

#include "clang/AST/ExprCXX.h"
#include "frontend/lower/lower_expr.h"
#include "passes/ir/walk.h"

namespace tile2cu::frontend {
namespace {

// Adds a variable, and what references in it refer to.
void addSource(Lowering &l, const Place &unresolved, ReferenceCopy &copy) {
  const Place place = l.env.resolve(unresolved);
  const bool isKnown =
      llvm::any_of(copy.sources, [&](auto &source) { return source.first.isSame(place); });
  if (!place.isVariable() || isKnown) return;
  std::vector<Val> value = {l.env.read(place)};
  copy.sources.emplace_back(place, value[0]);
  forEachLeaf(value, 1, [&](unsigned, Val &leaf) {
    if (leaf.kind == Val::Kind::Reference) addSource(l, leaf.place, copy);
  });
}

// Adds the variables that an expression names.
void addSources(Lowering &l, const clang::Stmt *part, ReferenceCopy &copy) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const Place *place = l.env.find(reference->getDecl())) addSource(l, *place, copy);
  if (llvm::isa<clang::CXXThisExpr>(part) && l.frame->object) addSource(l, *l.frame->object, copy);
  for (const clang::Stmt *child : part->children())
    if (child) addSources(l, child, copy);
}

enum class Change : uint8_t { None, Carried, Some };

// How a variable has changed. While a loop is lowered, it carries all variables; whether one
// changes is known at its end.
Change changeOf(const Val &before, const Val &now) {
  if (before.kind != now.kind || before.function != now.function ||
      !before.place.isSame(now.place) || before.fields.size() != now.fields.size())
    return Change::Some;
  Change change = Change::None;
  if (before.value != now.value) {
    const ir::Op *around = now.value->isArgument() ? now.value->owner->parent : nullptr;
    change = around && ir::isLoop(around) ? Change::Carried : Change::Some;
  }
  for (size_t i = 0; i < before.fields.size(); ++i)
    change = std::max(change, changeOf(before.fields[i], now.fields[i]));
  return change;
}

Change changeOf(const Lowering &l, const ReferenceCopy &copy) {
  Change change = Change::None;
  for (const auto &[place, before] : copy.sources)
    change = std::max(change, changeOf(before, l.env.read(place)));
  return change;
}

bool reads(const ir::Op &op) {
  return op.is(ir::Reads) || llvm::any_of(op.regions, [](auto &region) {
           return llvm::any_of(region->ops, [](auto &inner) { return reads(*inner); });
         });
}

// The writes of the kernel so far.
unsigned countWrites(const Lowering &l) {
  unsigned writes = 0;
  ir::walk(l.kernel.body, [&](const ir::Op *op) { writes += op->is(ir::Writes); });
  return writes;
}

// The loops around the builder's insertion point.
unsigned countLoops(const Lowering &l) {
  unsigned loops = 0;
  for (const ir::Op *op = l.builder.block().parent; op; op = op->parentOp())
    loops += ir::isLoop(op);
  return loops;
}

void reject(Lowering &l, const ReferenceCopy &copy) {
  l.reject(copy.loc, "a reference to one of several objects that change before it is read",
           "keep the value in a variable, and pass that");
}

}  // namespace

Place ReferenceCopies::bind(const clang::Expr *referent) {
  Lowering &l = lowering_;
  const ir::Block &block = l.builder.block();
  const ir::Op *last = block.back();
  Place place = lowerPlace(l, referent);
  if (!place.isCopy || !place.isVariable()) return place;
  ReferenceCopy copy{place.slot, referent->getExprLoc()};
  addSources(l, referent, copy);
  for (const auto &op : llvm::reverse(block.ops)) {
    if (op.get() == last) break;
    copy.isFromMemory |= reads(*op);
  }
  if (copy.isFromMemory) copy.writes = countWrites(l);
  copy.loops = countLoops(l);
  l.copies.push_back(std::move(copy));
  return place;
}

void checkCopy(Lowering &l, const Place &read) {
  for (ReferenceCopy &copy : l.copies) {
    if (copy.slot != read.slot) continue;
    const Change change = changeOf(l, copy);
    if (change == Change::Some || (copy.isFromMemory && countWrites(l) != copy.writes))
      reject(l, copy);
    copy.isReadInLoop |= countLoops(l) > copy.loops;
  }
}

void ReferenceCopies::end() {
  Lowering &l = lowering_;
  for (const ReferenceCopy &copy : llvm::drop_begin(l.copies, first_)) {
    // A change may precede a read of the next iteration.
    const bool isWritten = copy.isFromMemory && countWrites(l) != copy.writes;
    if (copy.isReadInLoop && (isWritten || changeOf(l, copy) != Change::None)) reject(l, copy);
  }
  l.copies.resize(first_);
}

}  // namespace tile2cu::frontend
