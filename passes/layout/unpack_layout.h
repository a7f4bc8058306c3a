// Packed integers (words) that are unpacked: each into a few parts, which a reshape puts in order.
//
//     reshape<K, N>((words[all, none, all] >> shifts[none, all, none]) & 15)
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/ir/layout.h"
#include "passes/layout/layout_groups.h"

namespace tile2cu::passes {

// The layout of the result of such a broadcast if its words have this layout: the parts stay in the
// thread of their word. Null if `broadcast` is not such a broadcast, or if `isFree` says that the
// tiles that a reshape makes of the parts already have their layouts.
ir::LayoutRef unpackedLayout(LayoutGroups &groups, const ir::Op *broadcast, const ir::Layout &words,
                             llvm::function_ref<bool(ir::Value *)> isFree);

// How many elements have the layout of a group; a word counts as its parts.
int64_t elementsDistributedWith(LayoutGroups &groups, const LayoutGroup &group);

}  // namespace tile2cu::passes
