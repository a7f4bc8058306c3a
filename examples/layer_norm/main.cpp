// Normalizes matrices of several shapes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "layer_norm.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "layer_norm.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

struct Shape {
  int n_rows, n_cols, stride;
};

int main() {
  constexpr float kEps = 1e-5f;
  example::Comparison comparison("layer_norm", 2e-3);
  for (const auto& [n_rows, n_cols, stride] :
       {Shape{1, 8, 8}, Shape{5, 1000, 1008}, Shape{3, 2047, 2050}, Shape{2, 5000, 5000}}) {
    const auto x = example::normal<half_type>(std::size_t(n_rows) * stride, 1);
    const auto weight = example::normal<half_type>(n_cols, 2);
    const auto bias = example::normal<half_type>(n_cols, 3);
    tl::buffer<half_type> x_buffer(x), weight_buffer(weight), bias_buffer(bias), y_buffer(x.size());
    comparison.launched(layer_norm_f16(x_buffer.data(), weight_buffer.data(), bias_buffer.data(),
                                       y_buffer.data(), n_rows, n_cols, stride, kEps));
    const std::vector<half_type> y = y_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      const std::size_t first = std::size_t(row) * stride;
      double sum = 0, squares = 0;
      for (int col = 0; col < n_cols; ++col) sum += static_cast<float>(x[first + col]);
      const double mean = sum / n_cols;
      for (int col = 0; col < n_cols; ++col) {
        squares += std::pow(static_cast<float>(x[first + col]) - mean, 2);
      }
      const double rstd = 1 / std::sqrt(squares / n_cols + kEps);
      for (int col = 0; col < n_cols; ++col) {
        const double v = (static_cast<float>(x[first + col]) - mean) * rstd;
        const double expected = v * static_cast<float>(weight[col]) + static_cast<float>(bias[col]);
        comparison.near(first + col, static_cast<float>(y[first + col]), expected);
      }
    }
  }
  return comparison.finish();
}
