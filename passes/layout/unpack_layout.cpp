#include "passes/layout/unpack_layout.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool isReshapeOf(LayoutGroups &groups, const LayoutGroup &parts, const Op *view) {
  return view->kind == OpKind::Reshape &&
         groups.representative(view->operand(0)) == parts.representative;
}

bool unpacks(LayoutGroups &groups, const Op *broadcast) {
  if (broadcast->kind != OpKind::Broadcast) return false;
  const LayoutGroup &parts = groups.of(broadcast->result());
  return !parts.hasAnchor() && parts.dots.empty() &&
         parts.numElements() <=
             tunables().unpacked_parts * broadcast->operand(0)->type.numElements() &&
         llvm::any_of(parts.neighbours,
                      [&](const Op *view) { return isReshapeOf(groups, parts, view); });
}

}  // namespace

LayoutRef unpackedLayout(LayoutGroups &groups, const Op *broadcast, const Layout &words,
                         llvm::function_ref<bool(Value *)> isFree) {
  if (!unpacks(groups, broadcast) || words.isReplicated()) return nullptr;
  const LayoutRef layout = copiedLayout(broadcast, words);
  if (!layout || layout->elementsPerThread() > tunables().unpacked_elements) return nullptr;
  const LayoutGroup &parts = groups.of(broadcast->result());
  const bool isLinedUp = llvm::any_of(parts.neighbours, [&](const Op *view) {
    return isReshapeOf(groups, parts, view) && isFree(view->result()) &&
           resultLayout(view, *layout);
  });
  return isLinedUp ? layout : nullptr;
}

int64_t elementsDistributedWith(LayoutGroups &groups, const LayoutGroup &group) {
  int64_t most = group.numElements();
  for (const Op *op : group.neighbours) {
    if (groups.representative(op->operand(0)) != group.representative) continue;
    if (op->kind == OpKind::ExpandDims)
      most = std::max(most, elementsDistributedWith(groups, groups.of(op->result())));
    else if (unpacks(groups, op))
      most = std::max(most, groups.of(op->result()).numElements());
  }
  return most;
}

}  // namespace tile2cu::passes
