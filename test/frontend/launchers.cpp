// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// RUN: %tile2cu %s --emit=ir --passes=none --instantiate 'models::scale<512, tl::float16>' -o - | FileCheck %s --check-prefix=ASKED
// RUN: %tile2cu %s --emit=ir --passes=none --instantiate 'models::scale<512>' -Wno-unused-kernel -o - 2>&1 | FileCheck %s --check-prefix=QUIET
#include <tile2cu/tile.h>
using namespace tl;

namespace models {
// out = in * factor
// in blocks of BLOCK
template <int BLOCK, class T = float>
__tile_global__ void scale(const T* __restrict__ in, T* __restrict__ out, int64_t n, float factor) {
  require(n <= BLOCK);
  in = assume_aligned<16>(in);
  n = assume_divisible<4>(n);
  grid(1);
  auto i = arange<BLOCK>();
  store(out + i, load(in + i, i < n) * factor, i < n);
}
// The first that is long enough.
inline constexpr auto scale_any =
    select(candidate(scale<256>, {.num_warps = 2}), candidate(scale<1024>, {.num_warps = 8}));
inline constexpr auto scale_256 = instantiate(scale<256>, {.num_warps = 2});
inline constexpr auto scale_half =
    instantiate(scale<256, float16>, {.num_warps = 1, .programs_per_block = 4});
inline constexpr key by_length{"n"};
inline constexpr auto scale_tuned = tune(by_length, preserve("out", "n", 2), preserve("out", "n"),
                                         candidate(scale<256>, {.num_warps = 2}), candidate(scale<1024>));
inline constexpr auto scale_once = tune(key{}, candidate(scale<256>, {.num_warps = 2}));
}  // namespace models

// Needs no configuration.
__tile_global__ void plain(float* out, unsigned m) {
  auto i = program_id(0) * 2 + num_programs(1) + num_sms();
  out[i] = m;
}

// CHECK: kernel @scale<BLOCK = 256, T = "float">(%in: ptr<const f32> restrict aligned 16 {{.*}}%n: i64 divisible 4 {{.*}}) warps 2 namespace "models"
// CHECK: %[[OK:.*]] = le %n, %{{.*}} : bool
// CHECK: require %[[OK]]
// CHECK: kernel @scale<BLOCK = 1024, T = "float">{{.*}} warps 8
// CHECK: kernel @scale<BLOCK = 256, T = "float16">{{.*}} warps 1 programs_per_block 4
// CHECK: kernel @plain(%out: ptr<f32>{{.*}}, %m: u32 spelled "unsigned int")
// CHECK: program_id {axis = 0} : i64
// CHECK: num_programs {axis = 1} : i64
// CHECK: num_sms : i32
// CHECK: launcher @scale_any = select @scale#0, @scale#1 namespace "models"
// CHECK: launcher @scale_256 = select @scale#0
// CHECK: launcher @scale_half = select @scale#2
// CHECK: launcher @scale_tuned = tune key(n) preserve(out, n, 2) preserve(out, n) @scale#0, @scale#3 namespace "models"
// CHECK: launcher @scale_once = tune key() @scale#0 namespace "models"
// CHECK: launcher @plain = select @plain#4
// ASKED: launcher @scale_512_float16 = select @scale#5 namespace "models"
// QUIET-NOT: warning
