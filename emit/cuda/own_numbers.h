// The names that the text of a kernel gives to numbers itself. In such a kernel, no parameter,
// template argument or shared member gets one of these names.
#pragma once
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit::own_number {

// A kernel has one of each.
inline constexpr llvm::StringLiteral kSingle[] = {
    "NUM_WARPS", "NUM_THREADS", "VEC", "VECS", "PROGRAMS_PER_BLOCK", "RESIDENT_THREADS", "CLUSTER"};
// A kernel may have several: STEPS, STEPS_2.
inline constexpr llvm::StringLiteral kStages = "STAGES", kSteps = "STEPS", kRowSteps = "ROW_STEPS",
                                     kColumnSteps = "COLUMN_STEPS", kMmaRows = "M_TILES",
                                     kMmaColumns = "N_TILES", kRowThreads = "THREADS_PER_ROW",
                                     kRows = "ROWS_PER_STEP", kWarpsN = "WARPS_N";

inline bool isOne(llvm::StringRef name) {
  const llvm::StringRef base = name.rtrim("0123456789").rtrim('_');
  return llvm::is_contained(kSingle, base) ||
         llvm::is_contained({kStages, kSteps, kRowSteps, kColumnSteps, kMmaRows, kMmaColumns,
                             kRowThreads, kRows, kWarpsN},
                            base);
}

}  // namespace tile2cu::emit::own_number
