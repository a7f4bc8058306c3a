// Computes the softmax of long rows and checks every element.
#ifdef TILE2CU_REFERENCE
#include "softmax_online.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "softmax_online.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"

// One row in double precision.
static std::vector<double> expected_row(const float* in, int n_cols) {
  const double row_max = *std::max_element(in, in + n_cols);
  std::vector<double> row;
  double sum = 0;
  for (int col = 0; col < n_cols; ++col) {
    row.push_back(std::exp(in[col] - row_max));
    sum += row.back();
  }
  for (double& element : row) element /= sum;
  return row;
}

struct Shape {
  int n_rows, n_cols, stride;
};

int main() {
  example::Comparison comparison("softmax_online", 1e-5);
  for (const auto& [n_rows, n_cols, stride] :
       {Shape{1, 1, 1}, Shape{3, 1000, 1003}, Shape{2, 16384, 16384}, Shape{2, 40001, 40002}}) {
    const std::vector<float> in = example::normal(std::size_t(n_rows) * stride, n_cols);
    tl::buffer<float> in_buffer(in), out_buffer(in.size());
    comparison.launched(
        softmax_online_f32(in_buffer.data(), out_buffer.data(), n_rows, n_cols, stride));
    const std::vector<float> out = out_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      const auto expected = expected_row(&in[std::size_t(row) * stride], n_cols);
      for (int col = 0; col < n_cols; ++col) {
        const std::size_t i = std::size_t(row) * stride + col;
        comparison.near(i, out[i] * n_cols, expected[col] * n_cols);  // the mean is 1
      }
    }
  }
  return comparison.finish();
}
