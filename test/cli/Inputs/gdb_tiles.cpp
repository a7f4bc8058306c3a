// A kernel to stop in, at the line with the mark.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void kernel(const float16* x, float* out, int n) {
  grid(1);
  auto i = arange<8>();
  auto v = reshape<2, 4>(i * 1.5f);
  auto h = load(x + arange<4>());
  auto cube = reshape<2, 2, 2>(i > 3);
  auto p = out + i;
  auto one = bfloat16(1.0f);
  auto half = bitcast<float16>(cast<uint16_t>(arange<65536>()));
  auto half_numbers = cast<float>(half);
  auto brain = bitcast<bfloat16>(cast<uint16_t>(arange<65536>()));
  auto brain_numbers = cast<float>(brain);
  auto e4m3 = bitcast<float8_e4m3>(cast<uint8_t>(arange<256>()));
  auto e4m3_numbers = cast<float>(e4m3);
  auto e5m2 = bitcast<float8_e5m2>(cast<uint8_t>(arange<256>()));
  auto e5m2_numbers = cast<float>(e5m2);
  store(p, reshape<8>(v) + float(one));  // stop here
}
inline constexpr auto kernel_1 = instantiate(kernel);

int main() {
  float16 x[4] = {float16(1.0f), float16(-0.5f), float16(65504.0f), float16(0.0f)};
  float out[8];
  return kernel_1(x, out, 8) != success;
}
