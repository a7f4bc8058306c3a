// What the mains of the examples of attention share.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include "example.h"
#include "half.h"
#include "reference.h"

namespace example {

// Calls launch(q, k, v, out, heads, length, head_dim, scale, causal) for several lengths, with and
// without a causal mask, and checks every element; returns what main returns.
template <class Launch>
int check_attention(const char* name, Launch launch) {
  struct Shape {
    int heads, length, dim;
    bool causal;
    float spread = 1;  // of the scores: with a large one, the maximum of a row moves several times
  };
  Comparison comparison(name, 2e-3);
  for (const auto& [heads, length, dim, causal, spread] :
       {Shape{1, 1, 64, false}, Shape{2, 192, 64, false}, Shape{2, 203, 64, true},
        Shape{1, 150, 128, false}, Shape{2, 150, 128, true}, Shape{2, 330, 64, true, 16},
        Shape{1, 300, 128, false, 16}}) {
    const std::size_t size = std::size_t(heads) * length * dim;
    const float scale = spread / std::sqrt(static_cast<float>(dim));
    const auto q = normal<half_type>(size, 1);
    const auto k = normal<half_type>(size, 2);
    const auto v = normal<half_type>(size, 3);
    tl::buffer<half_type> q_buffer(q), k_buffer(k), v_buffer(v), out_buffer(size);
    comparison.launched(launch(q_buffer.data(), k_buffer.data(), v_buffer.data(), out_buffer.data(),
                               heads, length, dim, scale, causal));
    const std::vector<half_type> out = out_buffer.to_host();
    for (int head = 0; head < heads; ++head) {
      const std::size_t base = std::size_t(head) * length * dim;
      for (int row = 0; row < length; ++row) {
        const std::size_t first = base + std::size_t(row) * dim;
        const auto expected =
            attend(&q[first], &k[base], &v[base], causal ? row + 1 : length, dim, scale);
        for (int d = 0; d < dim; ++d) {
          comparison.near(first + d, static_cast<float>(out[first + d]), expected[d]);
        }
      }
    }
  }
  return comparison.finish();
}

}  // namespace example
