// Runs layers of several sizes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "matmul_bias_gelu.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "matmul_bias_gelu.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

static double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

struct Shape {
  int M, N, K;
};

int main() {
  example::Comparison comparison("matmul_bias_gelu", 2e-3);
  for (const auto& [M, N, K] :
       {Shape{1, 1, 1}, Shape{128, 256, 128}, Shape{70, 136, 72}, Shape{65, 33, 70}}) {
    const auto x = example::normal<half_type>(std::size_t(M) * K, 1);
    const auto w = example::normal<half_type>(std::size_t(K) * N, 2);
    const auto bias = example::normal<half_type>(N, 3);
    tl::buffer<half_type> x_buffer(x), w_buffer(w), bias_buffer(bias),
        out_buffer(std::size_t(M) * N);
    comparison.launched(matmul_bias_gelu_f16(x_buffer.data(), w_buffer.data(), bias_buffer.data(),
                                             out_buffer.data(), M, N, K));
    const std::vector<half_type> out = out_buffer.to_host();
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        const std::size_t i = std::size_t(m) * N + n;
        const double sum =
            example::dot(&x[std::size_t(m) * K], &w[n], K, N) + static_cast<float>(bias[n]);
        comparison.near(i, static_cast<float>(out[i]), gelu(sum));
      }
    }
  }
  return comparison.finish();
}
