// Attends over sequences of several lengths, with and without a causal mask, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "flash_attention.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "flash_attention.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"
#include "../reference.h"

struct Shape {
  int heads, length, dim;
  bool causal;
  float spread = 1;  // of the scores: with a large one, the maximum of a row moves several times
};

int main() {
  example::Comparison comparison("flash_attention", 2e-3);
  for (const auto& [heads, length, dim, causal, spread] :
       {Shape{1, 1, 64, false}, Shape{2, 192, 64, false}, Shape{2, 203, 64, true},
        Shape{1, 150, 128, false}, Shape{2, 150, 128, true}, Shape{2, 330, 64, true, 16},
        Shape{1, 300, 128, false, 16}}) {
    const std::size_t size = std::size_t(heads) * length * dim;
    const float scale = spread / std::sqrt(static_cast<float>(dim));
    const auto q = example::normal<half_type>(size, 1);
    const auto k = example::normal<half_type>(size, 2);
    const auto v = example::normal<half_type>(size, 3);
    tl::buffer<half_type> q_buffer(q), k_buffer(k), v_buffer(v), out_buffer(size);
    comparison.launched(flash_attention_f16(q_buffer.data(), k_buffer.data(), v_buffer.data(),
                                            out_buffer.data(), heads, length, dim, scale, causal));
    const std::vector<half_type> out = out_buffer.to_host();
    for (int head = 0; head < heads; ++head) {
      const std::size_t base = std::size_t(head) * length * dim;
      for (int row = 0; row < length; ++row) {
        const std::size_t first = base + std::size_t(row) * dim;
        const auto expected =
            example::attend(&q[first], &k[base], &v[base], causal ? row + 1 : length, dim, scale);
        for (int d = 0; d < dim; ++d) {
          comparison.near(first + d, static_cast<float>(out[first + d]), expected[d]);
        }
      }
    }
  }
  return comparison.finish();
}
