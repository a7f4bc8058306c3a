// Addresses that kernels must not access: the surroundings of each buffer of cudaMalloc, and what
// emulate::forbid names.
#pragma once
#include <cstdint>

namespace emulate {

// Whether [address, address + bytes) touches forbidden bytes.
bool forbidden(std::uintptr_t address, std::uint32_t bytes);

}  // namespace emulate
