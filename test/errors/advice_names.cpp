// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// Names of CUDA, Triton, Python and the standard library: one error each, which says what to write.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void names(const float* __restrict__ x, float* out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto v = load(x + i, i < n);
  // CHECK: :[[@LINE+1]]:14: error: use of undeclared identifier 'threadIdx'; there are no threads in a tile function; arange<N>() holds the indices of a tile
  int lane = threadIdx.x;
  // CHECK: :[[@LINE+1]]:3: error: use of undeclared identifier '__syncthreads'; there are no threads in a tile function; what it stores, its next load sees
  __syncthreads();
  // CHECK: :[[@LINE+1]]:3: error: unknown type name '__shared__'; tile2cu places tiles in shared memory itself; make it a tile
  __shared__ float staged[64];
  // CHECK: :[[@LINE+1]]:3: error: use of undeclared identifier 'atomicAdd'; write atomic_add(p, x)
  atomicAdd(out, 1.0f);
  // Clang goes on with a name that is spelled alike, and shows it.
  // CHECK: :[[@LINE+4]]:7: error: use of undeclared identifier 'atomicCAS'; write atomic_cas(p, expected, x)
  // CHECK-NEXT: if (atomicCAS
  // CHECK-NEXT: | ^{{ *$}}
  // CHECK-NOT: {{^ *\| *atomic_}}
  if (atomicCAS(out, 0, 1) == 0) n = 1;
  // CHECK: :[[@LINE+1]]:3: error: use of undeclared identifier '__syncwarp'; there are no threads in a tile function
  __syncwarp();
  // CHECK: :[[@LINE+1]]:18: error: use of undeclared identifier 'expf'; write exp(x)
  store(out + i, expf(v));
  // CHECK: :[[@LINE+1]]:3: error: use of undeclared identifier 'printf'; write device_print("x", x)
  printf("%d", n);
  // CHECK: :[[@LINE+1]]:28: error: no member named 'malloc' in the global namespace; a tile function has no heap; a tile or an array holds values of a program
  float* heap = (float*)(::malloc(4));
  // CHECK: :[[@LINE+1]]:12: error: use of undeclared identifier 'make_block_ptr'; write make_tensor_descriptor<M, N>(p, {sizes}, {strides}), then A.load({i, j})
  auto b = make_block_ptr(x, n);
  // CHECK: :[[@LINE+1]]:18: error: use of undeclared identifier 'transpose'; write trans(x), or permute<axes...>(x)
  store(out + i, transpose(v));
  // CHECK: :[[@LINE+1]]:22: error: no member named 'matmul' in namespace 'tl'; write dot(a, b, acc)
  store(out + i, tl::matmul(v, 8));
  // CHECK: :[[@LINE+1]]:20: error: no member named 'to' in 'tl::tile<float, 64>'; Triton's to is cast<T>(x)
  store(out + i, v.to(1));
  // CHECK: :[[@LINE+1]]:29: error: use of undeclared identifier 'f32'; the type is float
  store(out + i, zeros_like(f32));
  // A named argument of Python, and a variable of that name.
  // CHECK: :[[@LINE+1]]:25: error: use of undeclared identifier 'axis'; the axis is a template argument, as in sum<1>(x)
  store(out, sum(v + i, axis = 0));
  // CHECK: :[[@LINE+1]]:30: error: use of undeclared identifier 'mask'; the mask follows the pointers in load(p, mask), and the value in store(p, x, mask)
  store(out + i, load(x + i, mask = i < n));
  // CHECK: :[[@LINE+1]]:30: error: use of undeclared identifier 'mask'{{$}}
  store(out + i, load(x + i, mask == 1));
  // CHECK: :[[@LINE+1]]:18: error: no member named 'max' in namespace 'std'{{.*}}; write maximum(a, b)
  store(out + i, std::max(v, v));
  // CHECK: :[[@LINE+1]]:18: error: use of undeclared identifier 'splat'{{.*}}; write full<T, D...>(value)
  store(out + i, splat<64>(1));
  // The uses of `list` and `name`, whose types do not exist, are no errors of their own.
  // CHECK: :[[@LINE+1]]:8: error: no member named 'vector' in namespace 'std'; a tile function has no heap; use a tile, or a std::array
  std::vector<float> list(3);
  list.push_back(1);
  // CHECK: :[[@LINE+1]]:8: error: no member named 'string' in namespace 'std'; a tile function has no strings
  std::string name = "x";
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: no template named 'tuple' in namespace 'std'; include <tuple>; tl::tuple needs no header
  std::tuple<int, int> both(1, list[0] + name.size());
}
// CHECK: :[[@LINE+1]]:1: error: unknown type name '__global__'; a kernel is marked __tile_global__
__global__ void kernel(float* x) { *x = 1; }
