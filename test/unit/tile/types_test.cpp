// The types of results: C++'s conversions, and the rules that language.md adds.
#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::same;
using u8 = std::uint8_t;
using i64 = std::int64_t;

template <class T>
using t4 = tile<T, 4>;
template <class A, class B>
using Sum = decltype(std::declval<A>() + std::declval<B>());
template <class A, class B>
using And = decltype(std::declval<A>() & std::declval<B>());
template <class A, class B>
using Shl = decltype(std::declval<A>() << std::declval<B>());
template <class A, class B>
using Where = decltype(where(std::declval<t4<bool>>(), std::declval<A>(), std::declval<B>()));

// The usual arithmetic conversions.
static_assert(same<Sum<t4<u8>, t4<u8>>, t4<int>>);
static_assert(same<Sum<t4<std::int16_t>, t4<std::uint16_t>>, t4<int>>);
static_assert(same<Sum<t4<int>, t4<unsigned>>, t4<unsigned>>);
static_assert(same<Sum<t4<int>, t4<i64>>, t4<i64>>);
static_assert(same<Sum<t4<unsigned>, i64>, t4<i64>>);
static_assert(same<Sum<t4<std::uint64_t>, int>, t4<std::uint64_t>>);
static_assert(same<Sum<t4<bool>, t4<bool>>, t4<int>>);
static_assert(same<Sum<t4<bool>, int>, t4<int>>);
static_assert(same<Sum<t4<int>, long long>, t4<i64>>);
static_assert(same<Sum<t4<char>, char>, t4<int>>);
static_assert(same<Sum<t4<int>, t4<float>>, t4<float>>);
static_assert(same<Sum<t4<i64>, t4<double>>, t4<double>>);

// 16-bit floats.
static_assert(same<Sum<t4<float16>, t4<float16>>, t4<float16>>);
static_assert(same<Sum<t4<bfloat16>, t4<bfloat16>>, t4<bfloat16>>);
static_assert(same<Sum<t4<float16>, t4<bfloat16>>, t4<float>>);
static_assert(same<Sum<t4<float16>, t4<float>>, t4<float>>);
static_assert(same<Sum<t4<bfloat16>, t4<double>>, t4<double>>);
static_assert(same<Sum<t4<float16>, t4<int>>, t4<float16>>);
static_assert(same<Sum<t4<float16>, i64>, t4<float16>>);
static_assert(same<Sum<t4<float16>, float16>, t4<float16>>);
static_assert(same<Sum<t4<float16>, bfloat16>, t4<float>>);
static_assert(same<Sum<t4<float>, float16>, t4<float>>);
static_assert(same<Sum<t4<int>, float16>, t4<float16>>);

// A double scalar does not widen a floating tile; a float scalar widens a 16-bit one.
static_assert(same<Sum<t4<float>, double>, t4<float>>);
static_assert(same<Sum<double, t4<float>>, t4<float>>);
static_assert(same<Sum<t4<float16>, double>, t4<float16>>);
static_assert(same<Sum<t4<double>, double>, t4<double>>);
static_assert(same<Sum<t4<float16>, float>, t4<float>>);
static_assert(same<Sum<t4<double>, float>, t4<double>>);
static_assert(same<Sum<t4<int>, double>, t4<float>>);
static_assert(same<Sum<t4<bool>, double>, t4<float>>);
static_assert(same<Sum<t4<int>, float>, t4<float>>);
static_assert(same<Sum<float16, double>, double>);  // two scalars: C++

// Bits, shifts, logic.
static_assert(same<And<t4<bool>, t4<bool>>, t4<bool>>);
static_assert(same<And<t4<bool>, bool>, t4<bool>>);
static_assert(same<And<t4<bool>, t4<int>>, t4<int>>);
static_assert(same<And<t4<u8>, u8>, t4<int>>);
static_assert(same<decltype(~t4<bool>()), t4<bool>>);
static_assert(same<decltype(~t4<u8>()), t4<int>>);
static_assert(same<decltype(!t4<float>()), t4<bool>>);
static_assert(same<decltype(t4<int>() && t4<float>()), t4<bool>>);
static_assert(same<decltype(t4<bool>() || true), t4<bool>>);
static_assert(same<Shl<t4<u8>, i64>, t4<int>>);
static_assert(same<Shl<t4<unsigned>, int>, t4<unsigned>>);
static_assert(same<Shl<int, t4<i64>>, t4<int>>);
static_assert(same<decltype(-t4<u8>()), t4<int>>);
static_assert(same<decltype(-t4<bool>()), t4<int>>);
static_assert(same<decltype(-t4<float16>()), t4<float16>>);
static_assert(same<decltype(t4<int>() < 3.5), t4<bool>>);
static_assert(same<decltype(t4<float16>() == t4<int>()), t4<bool>>);

// where, minimum, maximum: equal types stay.
static_assert(same<Where<t4<u8>, t4<u8>>, t4<u8>>);
static_assert(same<Where<t4<u8>, int>, t4<int>>);
static_assert(same<Where<t4<float16>, double>, t4<float16>>);
static_assert(same<Where<t4<float16>, float>, t4<float>>);
static_assert(same<Where<t4<bool>, bool>, t4<bool>>);
static_assert(same<Where<int, float>, t4<float>>);
static_assert(same<Where<t4<float*>, t4<float*>>, t4<float*>>);
static_assert(same<decltype(minimum(t4<u8>(), t4<u8>())), t4<u8>>);
static_assert(same<decltype(maximum(t4<float>(), 0)), t4<float>>);
static_assert(same<decltype(clamp(t4<u8>(), 0, 9)), t4<int>>);
static_assert(same<decltype(max(1, 2.5f)), float>);

// Pointers and shapes.
static_assert(same<Sum<float*, t4<u8>>, t4<float*>>);
static_assert(same<Sum<t4<i64>, const float*>, t4<const float*>>);
static_assert(same<Sum<tile<float*, 4, 1>, tile<int, 3>>, tile<float*, 4, 3>>);
static_assert(same<Sum<t4<float*>, int>, t4<float*>>);
static_assert(same<Sum<tile<int, 5, 1>, tile<float, 3>>, tile<float, 5, 3>>);
static_assert(same<Sum<tile<int, 2, 1, 4>, tile<int, 3, 1>>, tile<int, 2, 3, 4>>);

// Reductions and scans.
static_assert(same<decltype(sum(t4<float16>())), float>);
static_assert(same<decltype(sum(t4<bool>())), int>);
static_assert(same<decltype(sum(t4<std::int8_t>())), int>);
static_assert(same<decltype(sum(t4<u8>())), unsigned>);
static_assert(same<decltype(sum(t4<i64>())), i64>);
static_assert(same<decltype(max(t4<float16>())), float16>);
static_assert(same<decltype(argmax(t4<float>())), int>);
static_assert(same<decltype(any(t4<int>())), bool>);
static_assert(same<decltype(sum<1>(tile<u8, 2, 3>())), tile<unsigned, 2>>);
static_assert(same<decltype(max<-2>(tile<u8, 2, 3>(), keep_dims)), tile<u8, 1, 3>>);
static_assert(same<decltype(sum(tile<int, 2, 3>(), keep_dims)), tile<int, 1, 1>>);
static_assert(same<decltype(cumsum(t4<float16>())), t4<float>>);
static_assert(same<decltype(cumprod<1>(tile<u8, 2, 3>())), tile<unsigned, 2, 3>>);
static_assert(same<decltype(grid(1)), i64>);
static_assert(same<decltype(inf), const float>);

TEST(Types, ComputeInThePromotedType) {
  EXPECT_TILE(t4<int>, (full<u8, 4>(200)) + (full<u8, 4>(100)), 300, 300, 300, 300);
  EXPECT_TILE(t4<unsigned>, (full<int, 4>(-1)) + (full<unsigned, 4>(0)), ~0u, ~0u, ~0u, ~0u);
  EXPECT_TILE(t4<bool>, (full<int, 4>(-1)) < (full<unsigned, 4>(1)), false, false, false, false);
  EXPECT_TILE(t4<float>, (full<int, 4>(3)) * 0.5, 1.5f, 1.5f, 1.5f, 1.5f);
  EXPECT_TILE(t4<int>, (full<int, 4>(-7)) / 2, -3, -3, -3, -3);
  EXPECT_TILE(t4<int>, (full<int, 4>(-7)) % 2, -1, -1, -1, -1);
  EXPECT_TILE(t4<i64>, (full<int, 4>(1 << 30)) * i64{8}, i64{1} << 33, i64{1} << 33, i64{1} << 33,
              i64{1} << 33);
}

}  // namespace
