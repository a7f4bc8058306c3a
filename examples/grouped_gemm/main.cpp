// Multiplies groups of several heights, empty ones among them, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "grouped_gemm.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "grouped_gemm.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

struct Shape {
  std::vector<int> starts;
  int N, K;
};

int main() {
  example::Comparison comparison("grouped_gemm", 2e-3);
  const std::vector<Shape> shapes = {{{0, 1}, 1, 1},
                                     {{0, 128, 128, 130, 258}, 264, 64},
                                     {{0, 0, 5, 70}, 40, 136},
                                     {{0, 3, 9}, 33, 70}};
  for (const auto& [starts, N, K] : shapes) {
    const int groups = int(starts.size()) - 1, rows = starts.back();
    const std::size_t b_size = std::size_t(K) * N;
    const auto a = example::normal<half_type>(std::size_t(rows) * K, 1);
    const auto b = example::normal<half_type>(groups * b_size, 2);
    tl::buffer<half_type> a_buffer(a), b_buffer(b), c_buffer(std::size_t(rows) * N);
    tl::buffer<int> starts_buffer(starts);
    comparison.launched(grouped_gemm_f16(a_buffer.data(), b_buffer.data(), c_buffer.data(),
                                         starts_buffer.data(), rows, groups, N, K));
    const std::vector<half_type> c = c_buffer.to_host();
    int group = 0;
    for (int row = 0; row < rows; ++row) {
      while (row >= starts[group + 1]) ++group;
      for (int n = 0; n < N; ++n) {
        const std::size_t i = std::size_t(row) * N + n;
        comparison.near(i, static_cast<float>(c[i]),
                        example::dot(&a[std::size_t(row) * K], &b[group * b_size + n], K, N));
      }
    }
  }
  return comparison.finish();
}
