// Multiplies batches of matrices of several shapes and checks every element of the products.
#ifdef TILE2CU_REFERENCE
#include "batched_matmul.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "batched_matmul.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

struct Shape {
  int batch, M, N, K;
};

int main() {
  example::Comparison comparison("batched_matmul", 2e-3);
  for (const auto& [batch, M, N, K] :
       {Shape{1, 1, 1, 1}, Shape{3, 64, 128, 64}, Shape{2, 100, 72, 136}, Shape{2, 65, 33, 70}}) {
    const std::size_t a_size = std::size_t(M) * K, b_size = std::size_t(K) * N;
    const auto a = example::normal<half_type>(batch * a_size, 1);
    const auto b = example::normal<half_type>(batch * b_size, 2);
    tl::buffer<half_type> a_buffer(a), b_buffer(b), c_buffer(std::size_t(batch) * M * N);
    comparison.launched(
        batched_matmul_f16(a_buffer.data(), b_buffer.data(), c_buffer.data(), batch, M, N, K));
    const std::vector<half_type> c = c_buffer.to_host();
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::size_t entry = i / N / M, m = i / N % M, n = i % N;
      comparison.near(i, static_cast<float>(c[i]),
                      example::dot(&a[entry * a_size + m * K], &b[entry * b_size + n], K, N));
    }
  }
  return comparison.finish();
}
