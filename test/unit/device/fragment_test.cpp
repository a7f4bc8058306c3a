// Fragments on the emulator: elements that are gathered, against the maps of the PTX ISA; floats as two tf32; sums as mma
// takes them; shared tiles of zeros.
#include <cmath>
#include <cstring>

#include "fragments.h"
#include "testing.h"

namespace device_tests {
namespace {

using namespace fragments;

// A tile of T with rows of k or, if not `ALONG_K`, of m: element (row, k) is 8 * row + k.
template <class Map, class T, int K, bool ALONG_K, class R, int A, int B>
void checkGathered() {
  constexpr int PITCH = 48;  // elements
  onBlock(32, [&] {
    T* const tile = reinterpret_cast<T*>(dynamic_smem);
    const int lane = threadIdx.x, across = ALONG_K ? PITCH : 1, along = ALONG_K ? 1 : PITCH;
    for (int at = lane; at < 16 * K; at += 32)
      tile[at / K * across + at % K * along] = T(at / K * 8 + at % K);
    __syncwarp();
    constexpr int IN_REGISTER = sizeof(R) / sizeof(T);
    R a[A], b[B];
    const T* const first = tile + lane / 4 * across + lane % 4 * IN_REGISTER * along;
    tile2cu::gather_fragment(a, first, across, along);
    tile2cu::gather_fragment(b, first, across, along);
    R same[A];
    tile2cu::gather_fragment_at(
        same, [&](int rows, int steps) { return first + rows * across + steps * along; });
    for (int i = 0; i < A; ++i) EXPECT_EQ(std::memcmp(&same[i], &a[i], sizeof(R)), 0);
    for (int i = 0; i < A * IN_REGISTER; ++i) {
      const Place at = Map::a(lane, i);
      EXPECT_EQ(reinterpret_cast<const T*>(a)[i], T(at.row * 8 + at.column)) << lane << " " << i;
    }
    for (int i = 0; i < B * IN_REGISTER; ++i) {
      const Place at = Map::b(lane, i);  // rows are k
      EXPECT_EQ(reinterpret_cast<const T*>(b)[i], T(at.column * 8 + at.row)) << lane << " " << i;
    }
  });
}

TEST(Fragment, Gathered) {
  checkGathered<Bits8, int8_t, 32, true, uint32_t, 4, 2>();
  checkGathered<Bits8, int8_t, 32, false, uint32_t, 4, 2>();
  checkGathered<Bits16, uint16_t, 16, false, uint32_t, 4, 2>();
  checkGathered<Bits32, float, 8, true, uint32_t, 4, 2>();
  checkGathered<Bits32, float, 8, false, uint32_t, 4, 2>();
  checkGathered<Bits64, double, 4, true, double, 1, 1>();
  checkGathered<Bits64, double, 4, false, double, 1, 1>();
}

TEST(Fragment, SplitTf32) {
  const auto bits = [](float x) { return tile2cu::bit_cast<uint32_t>(x); };
  for (const float x : {0.0f, 1.0f, -1.0f, 3.14159274f, -0.1f, 1e30f, 16777215.0f, 1.99999988f}) {
    uint32_t big[1] = {bits(x)}, small[1];
    tile2cu::split_tf32(big, small);
    EXPECT_EQ(big[0] & 0x1fff, 0u) << x;
    EXPECT_EQ(small[0] & 0x1fff, 0u) << x;
    const double sum =
        double(tile2cu::bit_cast<float>(big[0])) + double(tile2cu::bit_cast<float>(small[0]));
    EXPECT_LE(std::fabs(sum - x), std::fabs(double(x)) * 0x1p-21) << x;
  }
}

TEST(Fragment, Sums) {
  tile2cu::vec<uint16_t, 2> rows[2] = {{1, 2}, {3, 4}};
  EXPECT_EQ(tile2cu::packed_fragment(rows)[1], 3u | 4u << 16);
}

TEST(Fragment, ZeroShared) {
  onBlock(64, [&] {
    struct Smem {
      alignas(16) short tile[3][40];
      int after;
    };
    Smem& smem = *reinterpret_cast<Smem*>(dynamic_smem);
    if (threadIdx.x == 0) smem.after = 7;
    tile2cu::zero_shared<64>(smem.tile, int(threadIdx.x));
    __syncthreads();
    for (const auto& row : smem.tile)
      for (short x : row) EXPECT_EQ(x, 0);
    EXPECT_EQ(smem.after, 7);
  });
}

}  // namespace
}  // namespace device_tests
