// Computes the losses of rows of logits, some of them ignored, and checks each.
#ifdef TILE2CU_REFERENCE
#include "cross_entropy.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "cross_entropy.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"

struct Shape {
  int n_rows, n_cols, stride;
};

int main() {
  constexpr std::int64_t kIgnore = -100;
  example::Comparison comparison("cross_entropy", 1e-5);
  for (const auto& [n_rows, n_cols, stride] :
       {Shape{1, 1, 1}, Shape{5, 1000, 1004}, Shape{4, 8193, 8193}, Shape{3, 20000, 20000}}) {
    const std::vector<float> logits = example::normal(std::size_t(n_rows) * stride, 1);
    std::vector<std::int64_t> targets;
    for (int row = 0; row < n_rows; ++row) {
      targets.push_back(row == 2 ? kIgnore : row * 12345 % n_cols);
    }
    tl::buffer<float> logits_buffer(logits), loss_buffer(n_rows);
    tl::buffer<std::int64_t> targets_buffer(targets);
    comparison.launched(cross_entropy_f32(logits_buffer.data(), targets_buffer.data(),
                                          loss_buffer.data(), n_rows, n_cols, stride, kIgnore));
    const std::vector<float> loss = loss_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      const float* x = &logits[std::size_t(row) * stride];
      double sum = 0;
      for (int col = 0; col < n_cols; ++col) sum += std::exp(double(x[col]));
      const bool ignored = targets[row] == kIgnore;
      comparison.near(row, loss[row], ignored ? 0 : std::log(sum) - x[targets[row]]);
    }
  }
  return comparison.finish();
}
