// Rotates queries of several shapes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "rope.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "rope.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

struct Shape {
  int n_tokens, n_heads, head_dim;
};

int main() {
  example::Comparison comparison("rope", 2e-3);
  for (const auto& [n_tokens, n_heads, head_dim] :
       {Shape{5, 3, 6}, Shape{7, 32, 64}, Shape{3, 33, 80}, Shape{4, 17, 128}}) {
    const int half = head_dim / 2;
    const auto x = example::normal<half_type>(std::size_t(n_tokens) * n_heads * head_dim, 1);
    std::vector<float> cosines, sines;
    for (int token = 0; token < n_tokens; ++token) {
      for (int i = 0; i < half; ++i) {
        const double angle = token * std::pow(10000.0, -double(i) / half);
        cosines.push_back(static_cast<float>(std::cos(angle)));
        sines.push_back(static_cast<float>(std::sin(angle)));
      }
    }
    tl::buffer<half_type> x_buffer(x), out_buffer(x.size());
    tl::buffer<float> cosines_buffer(cosines), sines_buffer(sines);
    comparison.launched(rope_f16(x_buffer.data(), cosines_buffer.data(), sines_buffer.data(),
                                 out_buffer.data(), n_tokens, n_heads, head_dim));
    const std::vector<half_type> out = out_buffer.to_host();
    for (std::size_t head = 0; head < std::size_t(n_tokens) * n_heads; ++head) {
      for (int i = 0; i < half; ++i) {
        const std::size_t first = head * head_dim + i, second = first + half;
        const std::size_t angle = head / n_heads * half + i;
        const double x1 = static_cast<float>(x[first]), x2 = static_cast<float>(x[second]);
        const double c = cosines[angle], s = sines[angle];
        comparison.near(first, static_cast<float>(out[first]), x1 * c - x2 * s);
        comparison.near(second, static_cast<float>(out[second]), x2 * c + x1 * s);
      }
    }
  }
  return comparison.finish();
}
