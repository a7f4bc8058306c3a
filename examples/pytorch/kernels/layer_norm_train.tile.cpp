// LayerNorm for training: the forward keeps the mean and 1 / sqrt(variance + eps) of each row, and the
// backward has a kernel for the rows and one for the columns.
#include <tile2cu/tile.h>
using namespace tl;

// y = (x - mean) * rstd * weight + bias, row by row
// x, y: T [n_rows, n_cols], without gaps; weight, bias: T [n_cols]; mean, rstd: f32 [n_rows]
template <class T, int BLOCK>
__tile_global__ void forward(const T* __restrict__ x, const T* __restrict__ weight,
                             const T* __restrict__ bias, T* __restrict__ y,
                             float* __restrict__ mean, float* __restrict__ rstd, int n_rows,
                             int n_cols, float eps) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto v = cast<float>(load(x + row * n_cols + cols, mask));
  auto row_mean = sum(v) / n_cols;
  auto centered = where(mask, v - row_mean, 0);
  auto row_rstd = rsqrt(sum(centered * centered) / n_cols + eps);
  auto w = cast<float>(load(weight + cols, mask));
  auto b = cast<float>(load(bias + cols, mask));
  store(y + row * n_cols + cols, cast<T>(centered * row_rstd * w + b), mask);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
}

// dx = (g - mean(g) - x_hat * mean(g * x_hat)) * rstd, with g = dy * weight and
// x_hat = (x - mean) * rstd
template <class T, int BLOCK>
__tile_global__ void backward_rows(const T* __restrict__ dy, const T* __restrict__ x,
                                   const T* __restrict__ weight, const float* __restrict__ mean,
                                   const float* __restrict__ rstd, T* __restrict__ dx, int n_rows,
                                   int n_cols) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto row_rstd = rstd[row];
  auto x_hat =
      where(mask, (cast<float>(load(x + row * n_cols + cols, mask)) - mean[row]) * row_rstd, 0);
  auto g =
      cast<float>(load(dy + row * n_cols + cols, mask)) * cast<float>(load(weight + cols, mask));
  auto g_mean = sum(g) / n_cols;
  auto g_x_mean = sum(g * x_hat) / n_cols;
  store(dx + row * n_cols + cols, cast<T>((g - g_mean - x_hat * g_x_mean) * row_rstd), mask);
}

// dweight = the sum of dy * x_hat over the rows, dbias = the sum of dy
template <class T, int ROWS, int COLUMNS>
__tile_global__ void backward_columns(const T* __restrict__ dy, const T* __restrict__ x,
                                      const float* __restrict__ mean,
                                      const float* __restrict__ rstd, T* __restrict__ dweight,
                                      T* __restrict__ dbias, int n_rows, int n_cols) {
  auto cols = grid(cdiv(n_cols, COLUMNS)) * COLUMNS + arange<COLUMNS>();
  auto w = zeros<float, ROWS, COLUMNS>();
  auto b = zeros<float, ROWS, COLUMNS>();
  for (int64_t first = 0; first < n_rows; first += ROWS) {
    auto rows = first + arange<ROWS>();
    auto mask = (rows < n_rows)[all, none] & (cols < n_cols)[none, all];
    auto at = rows[all, none] * n_cols + cols[none, all];
    auto g = cast<float>(load(dy + at, mask));
    auto row_mean = load(mean + rows, rows < n_rows)[all, none];
    auto row_rstd = load(rstd + rows, rows < n_rows)[all, none];
    w += g * (cast<float>(load(x + at, mask)) - row_mean) * row_rstd;
    b += g;
  }
  store(dweight + cols, cast<T>(sum<0>(w)), cols < n_cols);
  store(dbias + cols, cast<T>(sum<0>(b)), cols < n_cols);
}

template <class T>
constexpr auto forward_of() {
  return select(candidate(forward<T, 1024>, {.num_warps = 2}),
                candidate(forward<T, 4096>, {.num_warps = 4}),
                candidate(forward<T, 16384>, {.num_warps = 16}));
}
template <class T>
constexpr auto backward_rows_of() {
  return select(candidate(backward_rows<T, 1024>, {.num_warps = 2}),
                candidate(backward_rows<T, 4096>, {.num_warps = 4}),
                candidate(backward_rows<T, 16384>, {.num_warps = 16}));
}

inline constexpr auto forward_f32 = forward_of<float>();
inline constexpr auto forward_f16 = forward_of<float16>();
inline constexpr auto backward_rows_f32 = backward_rows_of<float>();
inline constexpr auto backward_rows_f16 = backward_rows_of<float16>();
inline constexpr auto backward_columns_f32 = instantiate(backward_columns<float, 32, 32>);
inline constexpr auto backward_columns_f16 = instantiate(backward_columns<float16, 32, 32>);
