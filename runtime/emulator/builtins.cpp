// The built-in variables. A thread's own never change while it runs, so that kernels see them as
// constants (emulator/cuda.h, which therefore cannot be included here).
#include "builtins.h"

emulate::index3 threadIdx, blockIdx, blockDim, gridDim;

// 32 KiB of margin, then 256 KiB of dynamic_smem.
asm(R"(
  .pushsection .bss
  .balign 1024
  .zero 32768
  .globl dynamic_smem
  .type dynamic_smem, %object
  .size dynamic_smem, 262144
dynamic_smem:
  .zero 262144
  .popsection
)");
extern unsigned char dynamic_smem[];

namespace emulate {

static_assert(SMEM_MARGIN == 32768 && SMEM_ROOM == 262144);

index3 &thread_index = threadIdx, &block_index = blockIdx, &block_size = blockDim,
       &grid_size = gridDim;
unsigned char* const shared_begin = dynamic_smem;

void setBlockIndex(std::uint64_t linear) {
  block_index = {unsigned(linear % grid_size.x), unsigned(linear / grid_size.x % grid_size.y),
                 unsigned(linear / grid_size.x / grid_size.y)};
}

}  // namespace emulate
