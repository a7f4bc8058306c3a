// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Kernels, options and whole launchers that come from constexpr functions, packs and variables: only
// the value of the variable counts.
#include <tile2cu/tile.h>

#include <array>
#include <tuple>
#include <utility>
using namespace tl;

template <int BLOCK>
__tile_global__ void scale(float* __restrict__ out, const float* __restrict__ x, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(out + i, load(x + i, i < n) * 2, i < n);
}
static __tile_global__ void fill(float* out) { store(out + grid(1), 1.0f); }
template <int BLOCK>
static __tile_global__ inline void clear(float* out) {
  store(out + grid(1) * BLOCK + arange<BLOCK>(), 0.0f);
}

// CHECK: kernel @scale<BLOCK = 256>({{.*}} warps 1 {
// CHECK: kernel @scale<BLOCK = 512>({{.*}} warps 2 {
// CHECK: kernel @scale<BLOCK = 1024>({{.*}} warps 4 {
// CHECK: kernel @scale<BLOCK = 128>({{.*}} warps 2 stages 5
// CHECK: kernel @clear<BLOCK = 32>(

// A pack inside a function.
template <int... BLOCK>
constexpr auto tuned_for() {
  return tune(key{"n"}, preserve("out", "n"), candidate(scale<BLOCK>, {.num_warps = BLOCK / 256})...);
}
// CHECK: launcher @of_pack = tune key(n) preserve(out, n) @scale#0, @scale#1, @scale#2
inline constexpr auto of_pack = tuned_for<256, 512, 1024>();

// One candidate from a function.
template <int BLOCK>
consteval auto candidate_of(int warps) {
  return candidate(scale<BLOCK>, {.num_warps = warps});
}
// CHECK: launcher @of_helper = select @scale#0, @scale#1
inline constexpr auto of_helper = select(candidate_of<256>(1), candidate_of<512>(2));

// Options from a function and from a variable.
constexpr auto two_warps(int stages) {
  options result{.num_stages = stages};
  result.num_warps = 2;
  return result;
}
// CHECK: launcher @of_options = select @scale#3
inline constexpr auto of_options = instantiate(scale<128>, two_warps(5));

// A macro.
#define SCALE(block, warps) candidate(scale<block>, {.num_warps = warps})
// CHECK: launcher @of_macro = tune key(n) @scale#0, @scale#1
inline constexpr auto of_macro = tune(key{"n"}, SCALE(256, 1), SCALE(512, 2));

// Lists of candidates in variables, arrays and tuples.
constexpr auto small = candidate(scale<256>, {.num_warps = 1});
constexpr std::array list{small, candidate(scale<512>, {.num_warps = 2})};
constexpr std::tuple pair{list[1], small};
// CHECK: launcher @of_array = select @scale#0, @scale#1
inline constexpr auto of_array = std::apply([](auto... each) { return select(each...); }, list);
// CHECK: launcher @of_tuple = tune key() @scale#1, @scale#0
inline constexpr auto of_tuple =
    std::apply([](auto... each) { return tune(key{}, each...); }, pair);
// CHECK: launcher @of_sequence = select @scale#0, @scale#1, @scale#2
inline constexpr auto of_sequence = []<int... I>(std::integer_sequence<int, I...>) {
  return select(candidate(scale<(256 << I)>, {.num_warps = 1 << I})...);
}(std::make_integer_sequence<int, 3>());

// Names from arrays and constants.
constexpr char length[] = "n";
constexpr const char* by = length;
// CHECK: launcher @of_names = tune key(n) preserve(out, n, 2) @scale#0
inline constexpr auto of_names = tune(key{by}, preserve(&"_out"[1], length, 2), small);

// Copies, references, other ways to declare a constant, instances of variable and class templates.
// CHECK: launcher @copied = select @scale#0, @scale#1
inline constexpr auto copied = of_helper;
// CHECK: launcher @alias = tune key(n) preserve(out, n) @scale#0, @scale#1, @scale#2
inline constexpr auto& alias = of_pack;
// CHECK: launcher @temporary = select @scale#0
inline constexpr const auto& temporary = select(small);
// CHECK: launcher @plain_const = select @scale#0
const auto plain_const = select(small);
// CHECK: launcher @initialized = select @scale#0
constinit auto initialized = select(small);
// CHECK: launcher @local_to_file = select @scale#0
static constexpr auto local_to_file = select(small);
// CHECK: launcher @changeable = select @scale#0
selection changeable{select(small)};
template <int BLOCK>
constexpr auto scale_by = instantiate(scale<BLOCK>, {.num_warps = BLOCK / 256});
template <int BLOCK>
struct Scale {
  static constexpr auto launch = scale_by<BLOCK>;
};
// CHECK: launcher @of_template = select @scale#1
inline constexpr auto of_template = scale_by<512>;
// CHECK: launcher @of_class = select @scale#2
inline constexpr auto of_class = Scale<1024>::launch;
// An instance among candidates.
// CHECK: launcher @mixed = select @scale#1, @scale#0
inline constexpr auto mixed = select(of_template, small);

// Kernels with other specifiers before the marker.
// CHECK: launcher @clear_32 = select @clear#4
inline constexpr auto clear_32 = instantiate(clear<32>);
// CHECK: launcher @filled = select @fill#5
inline constexpr auto filled = instantiate(&fill);

namespace {
// CHECK: launcher @hidden = select @scale#0
constexpr auto hidden = select(small);
}  // namespace
// CHECK-NOT: launcher
