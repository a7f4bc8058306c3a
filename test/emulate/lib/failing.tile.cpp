// Kernels for checks.py. Called with n = 0, every check of --checks holds. Called with n = 1, the one
// in the line below the comment fails; the comment is the start of its text. y[i] is i; y is aligned
// to 16 bytes for n = 0, and one element off for n = 1.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void assume_first(int* y, int n) {
  // fails: assume(n < 1)
  assume(n < 1);
  grid(1);
  store(y + arange<4>(), n);
}
inline constexpr auto assume_first_w4 = instantiate(assume_first);

__tile_global__ void assume_constant(int* y, int n) {
  auto part = grid(2);
  // fails: assume(n == 0)
  assume(n == 0);
  store(y + part * 4 + arange<4>() + n, n);
}
inline constexpr auto assume_constant_w4 = instantiate(assume_constant);

__tile_global__ void assume_in_branch(int* y, int n) {
  auto part = grid(4);
  for (int i = 0; i < 3; ++i) {
    if (part == 2 && i > 0) {
      // fails: assume(n + i < 3)
      assume(n + i < 3);
      store(y + i, n);
    }
  }
}
inline constexpr auto assume_in_branch_w1 = instantiate(assume_in_branch, {.num_warps = 1});

// The product is computed in 32 bits only if the promise holds.
__tile_global__ void assume_no_overflow(int* y, int n) {
  grid(1);
  long long a = n * 100000;
  // fails: assume(a * a < 2147483648)
  assume(a * a < 2147483648);
  store(y + a * a * 0, n);
}
inline constexpr auto assume_no_overflow_w4 = instantiate(assume_no_overflow);

__tile__ void helper(int n) {
  // fails: assume(n <= 0)
  assume(n <= 0);
}
__tile_global__ void assume_in_helper(int* y, int n) {
  grid(1);
  helper(n);
  store(y, n);
}
inline constexpr auto assume_in_helper_w4 = instantiate(assume_in_helper);

__tile_global__ void persistent(int* y, int n) {
  auto part = grid(9);
  // fails: assume(part + n < 9)
  assume(part + n < 9);
  store(y + part, n);
}
inline constexpr auto persistent_w4 = instantiate(persistent, {.persistent = true});

__tile_global__ void aligned_parameter(int* y, int n) {
  grid(1);
  // fails: assume_aligned<16>(y)
  y = assume_aligned<16>(y);
  store(y + arange<64>(), n);
}
inline constexpr auto aligned_parameter_w1 = instantiate(aligned_parameter, {.num_warps = 1});

__tile_global__ void aligned_pointer(int* y, int n) {
  auto part = grid(3);
  // fails: assume_aligned<8>(y + part * 2)
  int* p = assume_aligned<8>(y + part * 2);
  store(p + arange<2>(), n);
}
inline constexpr auto aligned_pointer_w4 = instantiate(aligned_pointer);

__tile_global__ void divisible_parameter(int* y, int n) {
  // fails: assume_divisible<12>(n)
  auto m = assume_divisible<12>(n);
  grid(m + 1);
  store(y + m, n);
}
inline constexpr auto divisible_parameter_w4 = instantiate(divisible_parameter);

__tile_global__ void divisible_scalar(int* y, int n) {
  auto part = grid(3);
  // fails: multiple_of<4>(part * 4 - n)
  auto m = multiple_of<4>(part * 4 - n);
  store(y + m + n, n);
}
inline constexpr auto divisible_scalar_w4 = instantiate(divisible_scalar);

// Each run of arange starts at a multiple.
__tile_global__ void multiple_of_run(int* y, int n) {
  grid(1);
  // fails: multiple_of<8>(arange<24>() + n * 12)
  auto i = multiple_of<8>(arange<24>() + n * 12);
  store(y + i, n);
}
inline constexpr auto multiple_of_run_w1 = instantiate(multiple_of_run, {.num_warps = 1});

// Runs of 4 are promised for what is loaded: 0 1 2 3 | 4 5 6 7 | ..., or 1 2 3 4 | 5 6 7 8 | ...
__tile_global__ void multiple_of_loaded(int* y, int n) {
  grid(1);
  // fails: multiple_of<4>(load(y + arange<20>()))
  auto v = multiple_of<4>(load(y + arange<20>()));
  auto at = max_contiguous<4>(v);
  store(y + at, 1);
}
inline constexpr auto multiple_of_loaded_w2 = instantiate(multiple_of_loaded, {.num_warps = 2});

__tile_global__ void contiguous(int* y, int n) {
  grid(1);
  auto v = load(y + (arange<12>() * (n + 1)));
  // fails: max_contiguous<2>(v)
  auto at = max_contiguous<2>(v);
  store(y + at, 1);
}
inline constexpr auto contiguous_w4 = instantiate(contiguous);

// Along the second axis alone.
__tile_global__ void contiguous_rows(int* y, int n) {
  grid(1);
  auto row = arange<3>()[all, none];
  auto column = arange<8>()[none, all];
  auto v = load(y + row * 8 + (column ^ n));
  // fails: max_contiguous<1, 8>(v)
  auto at = max_contiguous<1, 8>(v);
  store(y + at, 1);
}
inline constexpr auto contiguous_rows_w4 = instantiate(contiguous_rows);

// ---- 32 bits

__tile_global__ void product(int* y, int n) {
  grid(1);
  // fails: the product does not fit int: auto start = n * 65536 * 65536: 4294967296
  auto start = n * 65536 * 65536;
  store(y + start, n);
}
inline constexpr auto product_w4 = instantiate(product);

__tile_global__ void sum_of_tile(int* y, int n) {
  grid(1);
  // fails: the sum does not fit int: auto i = arange<8>() + n * 2147483641: 2147483648
  auto i = arange<8>() + n * 2147483641;
  store(y + (i & 7), n);
}
inline constexpr auto sum_of_tile_w1 = instantiate(sum_of_tile, {.num_warps = 1});

__tile_global__ void difference_in_mask(int* y, int n) {
  grid(1);
  // fails: the difference does not fit int: auto i = arange<100>() - 2 - n * 2147483647: -21474
  auto i = arange<100>() - 2 - n * 2147483647;
  store(y + arange<100>(), n, i < 50);
}
inline constexpr auto difference_in_mask_w4 = instantiate(difference_in_mask);

__tile_global__ void conversion(int* y, int n) {
  auto part = grid(2);
  // fails: the conversion does not fit int: int row = part + n * 4294967296: 429496729
  int row = part + n * 4294967296;
  store(y + row, n);
}
inline constexpr auto conversion_w4 = instantiate(conversion);

__tile_global__ void negation(int* y, int n) {
  grid(1);
  int least = n * (-2147483647 - 1);
  // fails: the negation does not fit int: auto k = -least: 2147483648
  auto k = -least;
  store(y + (k & 1), n);
}
inline constexpr auto negation_w4 = instantiate(negation);

__tile__ int offset_of(int row, int stride) {
  // fails: the product does not fit int: 2500000000
  return row * stride;
}
__tile_global__ void in_helper(int* y, int n) {
  grid(1);
  store(y + offset_of(n * 50000, n * 50000), n);
}
inline constexpr auto in_helper_w4 = instantiate(in_helper);

__tile_global__ void in_loop(int* y, int n) {
  auto part = grid(3);
  int at = 0;
  for (int k = 0; k < 3 && k <= part; ++k) {
    // fails: the sum does not fit int: at += n * 1000000000: 3000000000
    at += n * 1000000000;
  }
  if (part == 2) store(y + at, n);
}
inline constexpr auto in_loop_w4 = instantiate(in_loop);

__tile_global__ void of_loaded(int* y, int n) {
  grid(1);
  auto row = load(y + arange<4>()[all, none]);
  // fails: the product does not fit int: auto at = row * (8 + n * 2147483639) + arange<8>()[non
  auto at = row * (8 + n * 2147483639) + arange<8>()[none, all];
  store(y + at, n);
}
inline constexpr auto of_loaded_w4 = instantiate(of_loaded);

// ---- indices

__tile_global__ void gather_past(int* y, int n) {
  grid(1);
  auto x = load(y + arange<5>());
  // fails: the index is outside of 0 to 4: auto v = gather(x, arange<5>() + n): 5
  auto v = gather(x, arange<5>() + n);
  store(y + arange<5>(), v);
}
inline constexpr auto gather_past_w4 = instantiate(gather_past);

__tile_global__ void gather_before(int* y, int n) {
  grid(1);
  auto x = load(y + arange<32>()[all, none] * 4 + arange<4>()[none, all]);
  auto index = cast<int8_t>(full<int, 3, 4>(0) - 7 * n);
  // fails: the index is outside of 0 to 31: auto v = gather<0>(x, index): -7
  auto v = gather<0>(x, index);
  store(y + arange<3>()[all, none] * 4 + arange<4>()[none, all], v);
}
inline constexpr auto gather_before_w2 = instantiate(gather_before, {.num_warps = 2});

__tile_global__ void gather_unsigned(int* y, int n) {
  grid(1);
  auto index = cast<uint64_t>(arange<8>()) - uint64_t(n);
  // fails: the index is outside of 0 to 7:
  auto v = gather(arange<8>(), where(arange<8>() == 0, index, uint64_t(7)));
  store(y + arange<8>(), v);
}
inline constexpr auto gather_unsigned_w1 = instantiate(gather_unsigned, {.num_warps = 1});

__tile_global__ void scatter_masked(int* y, int n) {
  grid(1);
  auto index = arange<16>() * 2;
  // fails: the index is outside of 0 to 15: auto v = scatter(zeros<int, 16>(), index, arange<16
  auto v = scatter(zeros<int, 16>(), index, arange<16>(), index < 16 + n);
  store(y + arange<16>(), v);
}
inline constexpr auto scatter_masked_w1 = instantiate(scatter_masked, {.num_warps = 1});

__tile_global__ void extract_past(int* y, int n) {
  grid(1);
  auto x = load(y + arange<5>());
  // fails: the index is outside of 0 to 4: auto v = extract(x, 4 + n): 5
  auto v = extract(x, 4 + n);
  store(y, v);
}
inline constexpr auto extract_past_w4 = instantiate(extract_past);

__tile_global__ void extract_part(int* y, int n) {
  grid(1);
  auto x = load(y + arange<8>()[all, none] * 4 + arange<4>()[none, all]);
  // fails: the index is outside of 0 to 2: auto v = extract<2, 2>(x, 3, 3 * n): 3
  auto v = extract<2, 2>(x, 3, 3 * n);
  store(y + arange<2>()[all, none] * 2 + arange<2>()[none, all], v);
}
inline constexpr auto extract_part_w2 = instantiate(extract_part, {.num_warps = 2});

__tile_global__ void insert_before(int* y, int n) {
  grid(1);
  // fails: the index is outside of 0 to 7: auto v = insert(arange<8>(), 7, -n): -1
  auto v = insert(arange<8>(), 7, -n);
  store(y + arange<8>(), v);
}
inline constexpr auto insert_before_w4 = instantiate(insert_before);

__tile_global__ void insert_part(int* y, int n) {
  grid(1);
  auto part = load(y + arange<3>());
  // fails: the index is outside of 0 to 5: auto v = insert(arange<8>(), part, 5 + n): 6
  auto v = insert(arange<8>(), part, 5 + n);
  store(y + arange<8>(), v);
}
inline constexpr auto insert_part_w1 = instantiate(insert_part, {.num_warps = 1});

constexpr int kSquares[4] = {0, 1, 4, 9};
constexpr int kRows[2][3] = {{1, 2, 3}, {4, 5, 6}};

__tile_global__ void table_scalar(int* y, int n) {
  auto part = grid(4);
  // fails: the index of kSquares is outside of 0 to 3: store(y + part, kSquares[part + n]): 4
  store(y + part, kSquares[part + n]);
}
inline constexpr auto table_scalar_w4 = instantiate(table_scalar);

__tile_global__ void table_tile(int* y, int n) {
  grid(1);
  auto i = arange<10>()[all, none];
  // fails: the index of kSquares is outside of 0 to 3: auto v = load(kSquares + i - n, i < 4):
  auto v = load(kSquares + i - n, i < 4);
  store(y + i * 2 + arange<2>()[none, all], v);
}
inline constexpr auto table_tile_w4 = instantiate(table_tile);

__tile_global__ void table_rows(int* y, int n) {
  auto part = grid(3);
  // fails: the index of kRows is outside of 0 to 5: store(y + part, kRows[1 + n][part]):
  store(y + part, kRows[1 + n][part]);
}
inline constexpr auto table_rows_w4 = instantiate(table_rows);
