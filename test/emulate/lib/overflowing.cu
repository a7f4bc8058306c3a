// A program of its own for emulator_test.py: a sum overflows in a kernel if the argument is `kernel`,
// and on the host if it is `host`.
#include <climits>
#include <cstdio>
#include <cstring>

#include "tile2cu/device.cuh"

namespace {

__global__ void sums(int* out, int most) {
  out[threadIdx.x] = int(unsigned(INT_MAX) + threadIdx.x);  // unsigned numbers wrap around
  if (threadIdx.x == 3) out[0] = most + int(threadIdx.x);   // the kernel's sum
}

}  // namespace

int main(int argc, char** argv) {
  const auto most = [&](const char* where) {
    return argc > 1 && std::strcmp(argv[1], where) == 0 ? INT_MAX : INT_MAX - 3;
  };
  int out[32];
  const cudaError_t error = emulate::launch(sums, 1, 32, 0, nullptr, out, most("kernel"));
  std::printf("%s\n", cudaGetErrorString(error));
  std::fflush(stdout);
  std::printf("%d\n", most("host") + argc);  // the host's sum
}
