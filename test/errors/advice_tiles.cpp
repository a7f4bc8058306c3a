// RUN: not %tile2cu %s -o - -- -ferror-limit=0 -Wno-unused-value 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// Habits of CUDA, Triton and torch with tiles, launches and atomics: what to write instead.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void habits(const float* __restrict__ x, float* out, int* count, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto p = x + i;
  // CHECK: :[[@LINE+1]]:18: error: indirection requires pointer operand ('tile<const float *, 64>' invalid); write load(p), or store(p, x)
  store(out + i, *p);
  auto v = load(p);
  // CHECK: :[[@LINE+1]]:16: error: no member named 'sum' in 'tl::tile<float, 64>'; write sum(x) or sum<axis>(x), with keep_dims at the end
  store(out, v.sum());
  // CHECK: :[[@LINE+1]]:13: error: no member named 'shape' in 'tl::tile<float, 64>'; x.dim(axis) is the size along an axis, and x.rank the number of dimensions
  int m = v.shape[0];
  // CHECK: :[[@LINE+1]]:20: error: no member named 'T' in 'tl::tile<float, 64>'; write trans(x)
  store(out + i, v.T);
  // CHECK: :[[@LINE+1]]:5: error: no member named 'fill' in 'tl::tile<float, 64>'; the operations of tiles are functions, as sum(x)
  v.fill(1.0f);
  float total = 0;
  auto v2 = load(p);
  // CHECK: :[[@LINE+1]]:17: error: assigning to 'float' from incompatible type 'tl::tile<float, 64>'; a variable keeps its type; begin with a tile, as zeros<float, 64>()
  total = total + v;
  // CHECK: :[[@LINE+1]]:9: error: invalid operands to binary expression ('float' and {{.*}}); a variable keeps its type; begin with a tile, as zeros<float, 64>()
  total += v;
  // CHECK: :[[@LINE+1]]:54: error: no member named 'cta' in 'tl::scope'; the scopes are scope::block, scope::gpu and scope::system
  atomic_add(count, 1, memory_order::relaxed, scope::cta);
  // CHECK: :[[@LINE+1]]:38: error: no member named 'seq_cst' in 'tl::memory_order'; the orders are relaxed, acquire, release and acq_rel
  atomic_add(count, 1, memory_order::seq_cst);
  // CHECK: :[[@LINE+1]]:3: error: use of undeclared identifier 'atomicAdd_system'; write atomic_add(p, x, memory_order::relaxed, scope::system)
  atomicAdd_system(count, 1);
  // CHECK: :[[@LINE+1]]:16: error: use of undeclared identifier '__popc'; write cuda("return __popc(v);", reference, x), whose reference counts on the CPU
  store(count, __popc(n));
  static_for<4>([&](auto k) {
    // CHECK: :[[@LINE+1]]:17: error: 'break' statement not in loop or switch statement; the body of static_for is a function, which return ends; break ends a loop over static_range<N>()
    if (k == 2) break;
  });
  // CHECK: :[[@LINE+1]]:19: error: no viable conversion from 'float' to 'tile<float, 64>'; a number is not a tile; write full<T, D...>(value)
  tile<float, 64> acc = 0.0f;
  // CHECK: :[[@LINE+1]]:21: error: 'operator[]' is unavailable: a tile is subscripted with all, none and slice<A, B>
  float element = v2[3];
}

void host(float* x) {
  // CHECK: :[[@LINE+2]]:11: error: expected expression; a kernel is launched by a launcher: constexpr auto run = instantiate(kernel); run(arguments..., stream)
  // CHECK: :[[@LINE+1]]:20: error: expected expression{{$}}
  habits<<<1, 128>>>(x, x, nullptr, 3);
}
