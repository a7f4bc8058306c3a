// Launchers with parameters of each kind, for the operators that --torch writes.
#include <tile2cu/tile.h>
using namespace tl;

// Adds `value` to n elements.
template <class T, class S>
__tile_global__ void add(T* x, S value, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  store(x + i, cast<T>(load(x + i, i < n) + value), i < n);
}
inline constexpr auto add_i8 = instantiate(add<char, signed char>);
inline constexpr auto add_u8 = instantiate(add<unsigned char, unsigned char>);
inline constexpr auto add_i16 = instantiate(add<short, short>);
inline constexpr auto add_u16 = instantiate(add<unsigned short, unsigned short>);
inline constexpr auto add_i32 = instantiate(add<int, int>);
inline constexpr auto add_u32 = instantiate(add<unsigned, unsigned>);
inline constexpr auto add_i64 = instantiate(add<long long, long long>);
inline constexpr auto add_u64 = instantiate(add<unsigned long long, unsigned long>);
inline constexpr auto add_f16 = instantiate(add<float16, float16>);
inline constexpr auto add_bf16 = instantiate(add<bfloat16, bfloat16>);
inline constexpr auto add_f32 = instantiate(add<float, float>);
inline constexpr auto add_f64 = instantiate(add<double, double>);

// out = in, as floats; a name of Python, and a null pointer.
template <class T>
__tile_global__ void widen(const T* __restrict__ in, float* __restrict__ out, bool* seen,
                           bool twice, int n) {
  auto i = grid(cdiv(n, 32)) * 32 + arange<32>();
  auto x = cast<float>(load(in + i, i < n));
  store(out + i, where(twice, 2 * x, x), i < n);
  if (seen != nullptr) store(seen + i, x != 0, i < n);
}
inline constexpr auto widen_e4m3 = instantiate(widen<float8_e4m3>);
inline constexpr auto widen_e5m2 = instantiate(widen<float8_e5m2>);
inline constexpr auto widen_bool = instantiate(widen<bool>);

struct Range {
  int first;
  float16 step;
};
struct Line {
  float* out;
  Range range;
  int sizes[2];
};

// The members of a struct are arguments of their own.
__tile_global__ void fill_line(Line line) {
  auto i = grid(line.sizes[0] * line.sizes[1]);
  line.out[i] = line.range.first + i * cast<float>(line.range.step);
}
inline constexpr auto fill_line_all = instantiate(fill_line);

// No grid: the caller gives it.
__tile_global__ void number(int* pointer) {
  pointer[program_id(0) + program_id(1) * num_programs(0)] = program_id(0) + 10 * program_id(1);
}
inline constexpr auto number_all = instantiate(number);

// One name in two namespaces.
namespace first {
__tile_global__ void set(int* x) { x[grid(1)] = 1; }
inline constexpr auto set_one = instantiate(set);
}  // namespace first
namespace second {
__tile_global__ void set(int* x) { x[grid(1)] = 2; }
inline constexpr auto set_one = instantiate(set);
}  // namespace second

// Tables of addresses.
__tile_global__ void add_rows(const float* const* __restrict__ rows, float* __restrict__ out,
                              int n_rows, int n) {
  auto i = grid(cdiv(n, 32)) * 32 + arange<32>();
  auto total = zeros<float, 32>();
  for (int row = 0; row < n_rows; ++row) total += load(rows[row] + i, i < n);
  store(out + i, total, i < n);
}
inline constexpr auto add_rows_f32 = instantiate(add_rows);
