// What accesses do in the layouts that their tiles have, and which of the facts that the launcher checks they need for it.
#pragma once
#include "passes/analysis/memory/global_access.h"

namespace tile2cu::passes {

// How many elements one instruction moves, and how its mask is tested; Element: one by one.
struct AccessPlan {
  int64_t vector = 1;
  MaskForm form = MaskForm::Element;
  std::optional<PrefixMask> prefix;  // where there is a mask
};
AccessPlan planOf(const ir::Op *access, const AxisAnalysis &analysis);

// Whether a mask is the same for all elements of each vector of its layout.
bool isUniformMask(const ir::Op *op, const AxisAnalysis &analysis);

// Drops the facts of kernels without which all accesses would be what they are, so that no launcher checks them: layouts are chosen
// for all accesses together, and not each moves the vectors that it could.
void dropIdleFacts(ir::Module &module);

// "'in' and 'out' are multiples of 16 bytes and 'stride' of 4"
std::string factsInWords(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
