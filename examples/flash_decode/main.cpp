// Attends to caches of several lengths, in one split and in several, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "flash_decode.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "flash_decode.h"  // the launchers that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

struct Shape {
  int heads, group, length, dim, splits;
};

int main() {
  example::Comparison comparison("flash_decode", 1e-3);
  for (const auto& [heads, group, length, dim, splits] :
       {Shape{1, 1, 1, 64, 1}, Shape{2, 1, 1000, 64, 3}, Shape{3, 4, 300, 128, 1},
        Shape{2, 16, 500, 128, 9}, Shape{1, 5, 40, 64, 30}}) {
    const int queries = heads * group;
    const std::size_t cache_size = std::size_t(heads) * length * dim;
    const float scale = 1 / std::sqrt(static_cast<float>(dim));
    const auto q = example::normal<half_type>(std::size_t(queries) * dim, 1);
    const auto k = example::normal<half_type>(cache_size, 2);
    const auto v = example::normal<half_type>(cache_size, 3);
    tl::buffer<half_type> q_buffer(q), k_buffer(k), v_buffer(v), out_buffer(q.size());
    const std::size_t parts = std::size_t(queries) * splits;
    tl::buffer<float> parts_buffer(parts * dim), maxima_buffer(parts), sums_buffer(parts);
    comparison.launched(flash_decode_f16(
        q_buffer.data(), k_buffer.data(), v_buffer.data(), parts_buffer.data(),
        maxima_buffer.data(), sums_buffer.data(), heads, group, length, dim, splits, scale));
    comparison.launched(flash_decode_combine_f16(parts_buffer.data(), maxima_buffer.data(),
                                                 sums_buffer.data(), out_buffer.data(), queries,
                                                 dim, splits));
    const std::vector<half_type> out = out_buffer.to_host();
    for (int query = 0; query < queries; ++query) {
      const std::size_t first = std::size_t(query) * dim;
      const std::size_t cache = std::size_t(query / group) * length * dim;
      const auto expected = example::attend(&q[first], &k[cache], &v[cache], length, dim, scale);
      for (int d = 0; d < dim; ++d) {
        comparison.near(first + d, static_cast<float>(out[first + d]), expected[d]);
      }
    }
  }
  return comparison.finish();
}
