// Computes running sums along the rows of matrices and checks every element.
#ifdef TILE2CU_REFERENCE
#include "cumsum.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "cumsum.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"

struct Shape {
  int n_rows, n_cols;
};

int main() {
  example::Comparison comparison("cumsum", 1e-4);
  for (const auto& [n_rows, n_cols] :
       {Shape{1, 1}, Shape{5, 100}, Shape{3, 1000}, Shape{3, 1001}, Shape{2, 5000}}) {
    const std::vector<float> in = example::normal(std::size_t(n_rows) * n_cols, 1);
    tl::buffer<float> in_buffer(in), out_buffer(in.size());
    comparison.launched(row_cumsum_f32(in_buffer.data(), out_buffer.data(), n_rows, n_cols));
    const std::vector<float> out = out_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      double sum = 0;
      for (int col = 0; col < n_cols; ++col) {
        const std::size_t i = std::size_t(row) * n_cols + col;
        sum += in[i];
        comparison.near(i, out[i], sum);
      }
    }
  }
  return comparison.finish();
}
