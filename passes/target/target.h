// The architectures to write kernels for (--arch).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::passes {

struct Target {
  int sm = 80;                  // 75, 80, 90, 100, ...
  bool archSpecific = false;    // sm_90a: wgmma, setmaxnreg
  bool familySpecific = false;  // sm_100f

  std::string name() const;                                   // "sm_90a"
  bool isHopper() const { return sm == 90 && archSpecific; }  // has wgmma
  bool operator==(const Target &) const = default;
};

// nvcc's and CMake's spellings: sm_90a, compute_80, 90a, 80-real. Nothing if there is no such
// architecture.
std::optional<Target> parseTarget(llvm::StringRef text);

// The bytes of shared memory that a block may have (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
int64_t sharedLimit(const Target &target);
// The same if `blocks` of them (0: one) share a multiprocessor, which reserves 1,024 bytes of each
// for itself.
int64_t sharedLimit(const Target &target, int blocks);

}  // namespace tile2cu::passes
