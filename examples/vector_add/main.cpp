// Adds vectors of several lengths and checks every sum.
#ifdef TILE2CU_REFERENCE
#include "vector_add.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "vector_add.h"  // the launcher that tile2cu wrote
#endif
#include "../example.h"

int main() {
  example::Comparison comparison("vector_add", 0);
  for (const std::int64_t n : {0, 1, 1000, 1024, 5003}) {
    const std::vector<float> a = example::normal(n, 1);
    const std::vector<float> b = example::normal(n, 2);
    tl::buffer<float> a_buffer(a), b_buffer(b), c_buffer(n);
    comparison.launched(vector_add_f32(a_buffer.data(), b_buffer.data(), c_buffer.data(), n));
    const std::vector<float> c = c_buffer.to_host();
    for (std::int64_t i = 0; i < n; ++i) comparison.near(i, c[i], a[i] + b[i]);
  }
  return comparison.finish();
}
