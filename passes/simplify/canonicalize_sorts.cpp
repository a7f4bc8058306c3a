// Sorts of which only the first elements of each row are read keep these alone:
//
//  %v, %i = sort %x {axis = 0} : tile<128xf32>, tile<128xi32>
//  %a = slice %v {offsets = [0]} : tile<8xf32>
//    ==>
//  %a, %i = sort %x {axis = 0} : tile<8xf32>, tile<8xi32>
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/sort_layout.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

// Whether `user` reads the first elements along the axis, and all along the others.
static bool readsFirst(const Op &user, const Type &sorted, unsigned axis) {
  if (user.kind != OpKind::Slice || llvm::any_of(user.getInts(Attr::offsets), std::identity()))
    return false;
  const auto shape = user.result()->type.shape();
  for (unsigned d = 0; d < shape.size(); ++d)
    if (d != axis && shape[d] != sorted.shape()[d]) return false;
  return true;
}

Outcome simplifySort(Op &op) {
  if (op.kind != OpKind::Sort) return Outcome::Same;
  const unsigned axis = op.getInt(Attr::axis);
  const Type &source = op.operand(0)->type;
  std::optional<Dim> kept;  // the most that a user reads
  for (auto &result : op.results)
    for (const Op *user : result->users) {
      if (!readsFirst(*user, result->type, axis)) return Outcome::Same;
      const Dim &read = user->result()->type.shape()[axis];
      if (!kept || int64_t(read) > int64_t(*kept)) kept = read;
    }
  const Dim &size = op.result(0)->type.shape()[axis];
  if (!kept || int64_t(*kept) == int64_t(size) || !canKeepFirst(source.shape()[axis], *kept))
    return Outcome::Same;

  Shape shape = source.shape();
  shape[axis] = *kept;
  Builder builder = Builder::before(&op);
  Op *made =
      builder.create(OpKind::Sort, {op.operand(0)},
                     {op.result(0)->type.withShape(shape), op.result(1)->type.withShape(shape)});
  made->attributes = op.attributes;
  for (unsigned i : {0u, 1u}) {
    Value *whole = made->result(i);
    const std::vector<Op *> users = op.result(i)->users;
    for (Op *user : users) {
      Value *part = user->result();
      if (whole->name.empty()) whole->name = part->name;
      if (part->type.shape()[axis] == *kept) {
        part->replaceAllUsesWith(whole);
        user->erase();
      } else {
        user->setOperand(0, whole);
      }
    }
  }
  op.erase();
  return Outcome::Erased;
}

}  // namespace tile2cu::passes
