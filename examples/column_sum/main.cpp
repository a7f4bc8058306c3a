// Sums the columns of matrices of several shapes and checks each sum.
#ifdef TILE2CU_REFERENCE
#include "column_sum.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "column_sum.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"

struct Shape {
  int n_rows, n_cols;
};

int main() {
  example::Comparison comparison("column_sum", 1e-4);
  for (const auto& [n_rows, n_cols] :
       {Shape{1, 1}, Shape{127, 100}, Shape{300, 131}, Shape{1000, 512}}) {
    const std::vector<float> x = example::normal(std::size_t(n_rows) * n_cols, 1);
    tl::buffer<float> x_buffer(x), out_buffer(n_cols);  // zeros: the kernel adds to them
    comparison.launched(column_sum_f32(x_buffer.data(), out_buffer.data(), n_rows, n_cols));
    const std::vector<float> out = out_buffer.to_host();
    for (int col = 0; col < n_cols; ++col) {
      double sum = 0;
      for (int row = 0; row < n_rows; ++row) sum += x[std::size_t(row) * n_cols + col];
      comparison.near(col, out[col], sum);
    }
  }
  return comparison.finish();
}
