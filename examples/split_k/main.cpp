// Multiplies matrices with a long k, in one part and in several, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "split_k.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "split_k.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

struct Shape {
  int M, N, K, splits;
};

int main() {
  example::Comparison comparison("split_k", 1e-4);
  for (const auto& [M, N, K, splits] :
       {Shape{1, 1, 1, 1}, Shape{64, 128, 512, 4}, Shape{40, 72, 328, 3}, Shape{9, 33, 77, 5}}) {
    const auto a = example::normal<half_type>(std::size_t(M) * K, 1);
    const auto b = example::normal<half_type>(std::size_t(K) * N, 2);
    const std::vector<float> zeros(std::size_t(M) * N);
    tl::buffer<half_type> a_buffer(a), b_buffer(b);
    tl::buffer<float> c_buffer(zeros);
    comparison.launched(
        split_k_f16(a_buffer.data(), b_buffer.data(), c_buffer.data(), M, N, K, splits));
    const std::vector<float> c = c_buffer.to_host();
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        const std::size_t i = std::size_t(m) * N + n;
        comparison.near(i, c[i], example::dot(&a[std::size_t(m) * K], &b[n], K, N));
      }
    }
  }
  return comparison.finish();
}
