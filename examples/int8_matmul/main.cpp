// Multiplies matrices of bytes of several shapes and checks every element: sums are exact.
#ifdef TILE2CU_REFERENCE
#include "int8_matmul.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "int8_matmul.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../reference.h"

// `n` numbers over all 256 values.
static std::vector<std::int8_t> bytes(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::int8_t> numbers(n);
  for (auto& number : numbers) number = static_cast<std::int8_t>(generator() % 256);
  return numbers;
}

struct Shape {
  int M, N, K;
};

int main() {
  example::Comparison comparison("int8_matmul", 0);
  for (const auto& [M, N, K] :
       {Shape{1, 1, 1}, Shape{128, 256, 192}, Shape{70, 136, 80}, Shape{65, 33, 70}}) {
    const auto a = bytes(std::size_t(M) * K, 1);
    const auto b = bytes(std::size_t(N) * K, 2);
    tl::buffer<std::int8_t> a_buffer(a), b_buffer(b);
    tl::buffer<int> c_buffer(std::size_t(M) * N);
    comparison.launched(int8_matmul_i8(a_buffer.data(), b_buffer.data(), c_buffer.data(), M, N, K));
    const std::vector<int> c = c_buffer.to_host();
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        const std::size_t i = std::size_t(m) * N + n;
        comparison.near(i, c[i],
                        example::dot(&a[std::size_t(m) * K], &b[std::size_t(n) * K], K, 1));
      }
    }
  }
  return comparison.finish();
}
