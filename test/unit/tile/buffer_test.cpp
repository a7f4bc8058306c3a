// The host face of buffer.h, and one main for both worlds.
#define TILE2CU_CUDA_NAMES
#include <tile2cu/buffer.h>

#include <utility>

#include "tile_test.h"

namespace {

__tile_global__ void doubled(const float* in, float* out, int n) {
  const auto at = tl::grid(tl::cdiv(n, 4)) * 4 + tl::arange<4>();
  tl::store(out + at, tl::load(in + at, at < n) * 2.0, at < n);
}
constexpr auto doubled_4 = tl::instantiate(doubled);

TEST(Buffer, GoesToALauncherAndBack) {
  const tl::buffer<float> in(std::vector<float>{1, 2, 3, 4, 5});
  tl::buffer<float> out(in.size());
  const cudaStream_t stream = nullptr;
  const cudaError_t error = doubled_4(in.data(), out.data(), 5, stream);
  ASSERT_EQ(error, cudaSuccess);
  EXPECT_NE(error, cudaErrorInvalidValue);
  EXPECT_EQ(out.to_host(), (std::vector<float>{2, 4, 6, 8, 10}));
  tl::buffer<float> moved = std::move(out);
  EXPECT_EQ(moved.size(), 5u);
  moved = tl::buffer<float>(2);
  EXPECT_EQ(moved.to_host(), (std::vector<float>{0, 0}));
  EXPECT_EQ(tl::buffer<int>(0).data(), nullptr);
}

}  // namespace
