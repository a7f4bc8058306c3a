// The width of accesses with the layouts of their tiles, and which of the launcher's assumptions
// they need for it.
#pragma once
#include "passes/analysis/analyses.h"
#include "passes/analysis/memory/global_access.h"

namespace tile2cu::passes {

// The number of elements that one instruction moves, and how its mask is tested; Element: one by
// one.
struct AccessPlan {
  int64_t vector = 1;
  MaskForm form = MaskForm::Element;
  std::optional<PrefixMask> prefix;  // if there is a mask
};
AccessPlan planOf(const ir::Op *access, const AxisAnalysis &analysis);

// Whether a mask is the same for all elements of each vector of its layout.
bool isUniformMask(const ir::Op *op, const AxisAnalysis &analysis);

// Drops those assumptions of the kernels that change no access, so that no launcher checks them.
// Layouts are chosen for all accesses together, so not every access uses the vectors that it could.
void dropUnusedAssumptions(ir::Module &module, Analyses &analyses);

// "'s1' and 't1' are 1": parameters, by their indices. Empty for none.
std::string describeOnes(const ir::Kernel &kernel, const std::set<unsigned> &ones);
// "'in' and 'out' are multiples of 16 bytes and 'stride' of 4"
std::string describeAssumptions(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
