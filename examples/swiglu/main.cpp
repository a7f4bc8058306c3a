// Computes SwiGLU of vectors of several lengths and checks every element.
#ifdef TILE2CU_REFERENCE
#include "swiglu.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "swiglu.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"
#include "../half.h"

int main() {
  example::Comparison comparison("swiglu", 1e-3);
  for (const std::int64_t n : {0, 1, 4095, 4096, 9001}) {
    const auto gate = example::normal<half_type>(n, 1);
    const auto up = example::normal<half_type>(n, 2);
    tl::buffer<half_type> gate_buffer(gate), up_buffer(up), out_buffer(n);
    comparison.launched(swiglu_f16(gate_buffer.data(), up_buffer.data(), out_buffer.data(), n));
    const std::vector<half_type> out = out_buffer.to_host();
    for (std::int64_t i = 0; i < n; ++i) {
      const double g = static_cast<float>(gate[i]);
      const double u = static_cast<float>(up[i]);
      comparison.near(i, static_cast<float>(out[i]), g / (1 + std::exp(-g)) * u);
    }
  }
  return comparison.finish();
}
