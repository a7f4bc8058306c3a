// Computes GELU of vectors of several lengths and checks every element.
#ifdef TILE2CU_REFERENCE
#include "gelu.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "gelu.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

int main() {
  example::Comparison comparison("gelu", 1e-3);
  for (const std::int64_t n : {0, 1, 4095, 4096, 9001}) {
    const auto in = example::normal<half_type>(n, 1);
    tl::buffer<half_type> in_buffer(in), out_buffer(n);
    comparison.launched(gelu_f16(in_buffer.data(), out_buffer.data(), n));
    const std::vector<half_type> out = out_buffer.to_host();
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = static_cast<float>(in[i]);
      const double u = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
      comparison.near(i, static_cast<float>(out[i]), x / 2 * (1 + std::tanh(u)));
    }
  }
  return comparison.finish();
}
