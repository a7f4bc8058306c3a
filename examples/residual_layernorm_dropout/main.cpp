// Runs the fused tail of a transformer block and checks every element, the dropped ones exactly.
#ifdef TILE2CU_REFERENCE
#include "residual_layernorm_dropout.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "residual_layernorm_dropout.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

// rand(seed, offset) as the language defines it: word offset % 4 of Philox-4x32-10 at counter
// offset / 4, its upper 24 bits as a fraction.
static double uniform(std::uint64_t seed, std::uint64_t offset) {
  std::uint32_t c[4] = {std::uint32_t(offset / 4), std::uint32_t(offset / 4 >> 32), 0, 0};
  std::uint32_t key0 = std::uint32_t(seed), key1 = std::uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round, key0 += 0x9e3779b9u, key1 += 0xbb67ae85u) {
    const std::uint64_t a = std::uint64_t{0xd2511f53u} * c[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57u} * c[2];
    c[0] = std::uint32_t(b >> 32) ^ c[1] ^ key0;
    c[2] = std::uint32_t(a >> 32) ^ c[3] ^ key1;
    c[1] = std::uint32_t(b);
    c[3] = std::uint32_t(a);
  }
  return (c[offset % 4] >> 8) * 0x1p-24;
}

struct Shape {
  int n_rows, n_cols;
};

int main() {
  constexpr float kEps = 1e-5f, kP = 0.25f;
  constexpr std::uint64_t kSeed = 0x123456789abcdef;
  example::Comparison comparison("residual_layernorm_dropout", 4e-3);
  for (const auto& [n_rows, n_cols] :
       {Shape{3, 8}, Shape{5, 1000}, Shape{3, 1001}, Shape{2, 5000}}) {
    const std::size_t size = std::size_t(n_rows) * n_cols;
    const auto x = example::normal<half_type>(size, 1),
               residual = example::normal<half_type>(size, 2);
    const auto weight = example::normal<half_type>(n_cols, 3),
               bias = example::normal<half_type>(n_cols, 4);
    tl::buffer<half_type> x_buffer(x), residual_buffer(residual), weight_buffer(weight);
    tl::buffer<half_type> bias_buffer(bias), y_buffer(size);
    comparison.launched(residual_layernorm_dropout_f16(
        x_buffer.data(), residual_buffer.data(), weight_buffer.data(), bias_buffer.data(),
        y_buffer.data(), n_rows, n_cols, kEps, kP, kSeed));
    const std::vector<half_type> y = y_buffer.to_host();
    for (int row = 0; row < n_rows; ++row) {
      const std::size_t first = std::size_t(row) * n_cols;
      std::vector<double> v(n_cols);
      double sum = 0, squares = 0;
      for (int col = 0; col < n_cols; ++col) {
        v[col] = static_cast<float>(x[first + col]) + static_cast<float>(residual[first + col]);
        sum += v[col];
      }
      for (double& element : v) squares += std::pow(element -= sum / n_cols, 2);
      const double rstd = 1 / std::sqrt(squares / n_cols + kEps);
      for (int col = 0; col < n_cols; ++col) {
        const bool keep = uniform(kSeed, first + col) > kP;
        const double normed =
            v[col] * rstd * static_cast<float>(weight[col]) + static_cast<float>(bias[col]);
        comparison.near(first + col, static_cast<float>(y[first + col]),
                        keep ? normed / (1 - kP) : 0);
      }
    }
  }
  return comparison.finish();
}
