// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s
// No launcher is dropped silently: if it is not a variable of a namespace, it is rejected, wherever it is stored.
#include <tile2cu/tile.h>

#include <array>
#include <tuple>
#include <utility>
using namespace tl;

template <int BLOCK>
__tile_global__ void fill(float* out) {
  store(out + grid(1) * BLOCK + arange<BLOCK>(), 0.0f);
}
void plain(float*) {}

template <int... BLOCK>
constexpr auto too_wide() {
  return select(candidate(fill<BLOCK>, {.num_warps = BLOCK})...);
}
// CHECK-DAG: :[[@LINE+1]]:23: error: num_warps is 17; use 1 to 16
inline constexpr auto of_pack = too_wide<16, 17>();
constexpr auto wide(int warps) { return candidate(fill<32>, {.num_warps = warps}); }
// CHECK-DAG: :[[@LINE+1]]:51: error: num_warps is 18; use 1 to 16
inline constexpr auto of_helper = select(wide(1), wide(18));
// CHECK-DAG: :[[@LINE+1]]:74: error: this is not a kernel; mark the function with __tile_global__
inline constexpr auto not_kernel = select(candidate(fill<32>), candidate(plain));
constexpr auto plain_one() { return instantiate(plain); }
// CHECK-DAG: :[[@LINE+1]]:23: error: this is not a kernel
inline constexpr auto not_kernel_inside = plain_one();
// CHECK-DAG: :[[@LINE+1]]:35: error: this is not a kernel; mark
inline constexpr instance<float*> empty{};

int count = 3;
// CHECK-DAG: :[[@LINE+2]]:13: error: launcher 'changing' is not a constant; initialize it with instantiate, select or tune of constants, or with a constexpr function that returns one of these
// CHECK-DAG: :[[@LINE+1]]:60: note: read of non-const variable 'count' is not allowed in a constant expression
inline auto changing = instantiate(fill<32>, {.num_warps = count});
auto at_start() { return instantiate(fill<32>); }
// CHECK-DAG: :[[@LINE+2]]:12: error: launcher 'from_function' is not a constant
// CHECK-DAG: :[[@LINE+1]]:28: note: non-constexpr function 'at_start' cannot be used in a constant expression
const auto from_function = at_start();
// CHECK-DAG: :[[@LINE+1]]:31: error: launcher 'elsewhere' is not a constant
extern const instance<float*> elsewhere;

// CHECK-DAG: :[[@LINE+1]]:28: error: a launcher is stored in an array, where callers of the generated file cannot find it; make each launcher a variable of a namespace, and write lists as candidate(...)
constexpr instance<float*> array[] = {instantiate(fill<32>)};
// CHECK-DAG: :[[@LINE+1]]:22: error: a launcher is stored in an object of another type
constexpr std::array standard{instantiate(fill<32>), instantiate(fill<64>)};
// CHECK-DAG: :[[@LINE+1]]:22: error: a launcher is stored in an object of another type
constexpr std::tuple several{1, instantiate(fill<32>)};
struct Both {
  selection<1, float*> first;
  int second;
};
// CHECK-DAG: :[[@LINE+1]]:16: error: a launcher is stored in an object of another type
constexpr Both both{select(candidate(fill<32>)), 2};
struct Derived : instance<float*> {};
// CHECK-DAG: :[[@LINE+1]]:19: error: a launcher is stored in an object of another type
constexpr Derived derived{instantiate(fill<32>)};
// CHECK-DAG: :[[@LINE+1]]:19: error: a launcher is stored in structured bindings
static const auto [one, two] = std::pair{instantiate(fill<32>), 2};

struct Members {
  // CHECK-DAG: :[[@LINE+1]]:25: error: launcher 'launch' is a member of a class
  static constexpr auto launch = too_wide<1, 2>();
  // CHECK-DAG: :[[@LINE+1]]:31: error: a launcher is stored inside a member of a class
  static constexpr std::tuple launches{instantiate(fill<32>)};
  struct Inner {
    // CHECK-DAG: :[[@LINE+1]]:27: error: launcher 'launch' is a member of a class
    static constexpr auto launch = too_wide<2>();
  };
  // CHECK-DAG: :[[@LINE+2]]:31: warning: kernel template 'Members::set' is not instantiated; write inline constexpr auto name = instantiate(Members::set<...>) after it
  template <int BLOCK>
  static __tile_global__ void set(float* out) { store(out + grid(BLOCK), 1.0f); }
};
template <int BLOCK>
struct Of {
  // CHECK-DAG: :[[@LINE+1]]:25: error: launcher 'launch' is a member of a class
  static constexpr auto launch = instantiate(fill<BLOCK>);
};
template struct Of<32>;
template <int BLOCK>
// CHECK-DAG: :[[@LINE+1]]:28: error: a launcher is stored as the value of a variable template
constexpr instance<float*> fill_by = instantiate(fill<BLOCK>);
template constexpr instance<float*> fill_by<32>;
template <>
// CHECK-DAG: :[[@LINE+1]]:35: error: a launcher is stored as the value of a variable template
inline constexpr instance<float*> fill_by<64> = instantiate(fill<64>, {.num_warps = 2});
