// Words that are unpacked: each into a few parts, which a reshape lines up.
//
//     reshape<K, N>((words[all, none, all] >> shifts[none, all, none]) & 15)
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/ir/layout.h"
#include "passes/layout/layout_groups.h"

namespace tile2cu::passes {

// How the result of such a broadcast is spread where its words are spread so: the parts stay in the thread of their word. Null if
// it is none, or `isFree` says of all that a reshape makes of the parts that they are spread already.
ir::LayoutRef unpackedLayout(LayoutGroups &groups, const ir::Op *broadcast, const ir::Layout &words,
                             llvm::function_ref<bool(ir::Value *)> isFree);

// How many elements are spread with a group: of words, their parts.
int64_t elementsSpreadWith(LayoutGroups &groups, const LayoutGroup &group);

}  // namespace tile2cu::passes
