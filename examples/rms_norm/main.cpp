// Normalizes matrices of several shapes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "rms_norm.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "rms_norm.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

struct Shape {
  int n_rows, n_cols, stride;
};

int main() {
  constexpr float kEps = 1e-5f;
  example::Comparison comparison("rms_norm", 2e-3);
  for (const auto& [n_rows, n_cols, stride] :
       {Shape{1, 1, 1}, Shape{5, 1000, 1008}, Shape{3, 2047, 2050}, Shape{2, 5000, 5000}}) {
    const auto x = example::normal<half_type>(std::size_t(n_rows) * stride, 1);
    const auto weight = example::normal<half_type>(n_cols, 2);
    tl::buffer<half_type> x_buffer(x), weight_buffer(weight), y_buffer(x.size());
    comparison.launched(rms_norm_f16(x_buffer.data(), weight_buffer.data(), y_buffer.data(), n_rows,
                                     n_cols, stride, kEps));
    const std::vector<half_type> y = y_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      const std::size_t first = std::size_t(row) * stride;
      double squares = 0;
      for (int col = 0; col < n_cols; ++col) {
        squares += std::pow(static_cast<float>(x[first + col]), 2);
      }
      const double scale = 1 / std::sqrt(squares / n_cols + kEps);
      for (int col = 0; col < n_cols; ++col) {
        const double v = static_cast<float>(x[first + col]);
        const double w = static_cast<float>(weight[col]);
        comparison.near(first + col, static_cast<float>(y[first + col]), v * scale * w);
      }
    }
  }
  return comparison.finish();
}
