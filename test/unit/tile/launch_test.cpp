// Grids, requirements, selection, persistent loops, errors of launches.
#include <atomic>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::same;

__tile_global__ void mark1(int* hits, int n) {
  const auto i = grid(n);
  atomic_add(hits + i, 1);
}

__tile_global__ void mark3(int* hits, int x, int y, int z) {
  const auto [i, j, k] = grid(x, y, z);
  atomic_add(hits + (k * y + j) * x + i, 1);
}

TEST(Grid, RunsEveryProgramOnce) {
  std::vector<int> hits(100);
  EXPECT_EQ(launch(mark1, hits.data(), 100), success);
  EXPECT_EQ(hits, std::vector<int>(100, 1));
  std::vector<int> cube(2 * 3 * 5);
  EXPECT_EQ(launch(mark3, cube.data(), 2, 3, 5), success);
  EXPECT_EQ(cube, std::vector<int>(30, 1));
}

TEST(Grid, ZeroProgramsSucceedNegativeFail) {
  int* nothing = nullptr;
  EXPECT_EQ(launch(mark1, nothing, 0), success);
  EXPECT_EQ(launch(mark3, nothing, 5, 0, 1 << 30), success);
  EXPECT_EQ(launch(mark1, nothing, -1), invalid_value);
}

// Ids are 64-bit: row * stride does not overflow.
__tile_global__ void rowStart(std::int64_t* out, int rows, int stride) {
  const auto row = grid(rows);
  store(out + row, row * stride);
}

TEST(Grid, IdsAre64Bit) {
  std::vector<std::int64_t> out(3);
  EXPECT_EQ(launch(rowStart, out.data(), 3, 2000000000), success);
  EXPECT_EQ(out[2], 4000000000);
}

template <int LIMIT>
__tile_global__ void withLimit(int* out, int n) {
  constexpr int kFactor = 10;
  assume(n >= 0);
  require(n <= LIMIT);
  grid(1);
  store(out, n + LIMIT * kFactor);
}

constexpr auto with_limit_8 = instantiate(withLimit<8>, {.num_warps = 2, .num_stages = 1});
constexpr auto by_length = select(
    candidate(withLimit<4>), candidate(withLimit<16>, {.num_warps = 8}), candidate(withLimit<32>));
static_assert(with_limit_8.config.num_warps == 2 && with_limit_8.config.min_blocks == 0);
static_assert(by_length.candidates[1].config.num_warps == 8 &&
              by_length.candidates[0].config.num_warps == 4);

TEST(Require, FailsTheLaunch) {
  int out = 0;
  EXPECT_EQ(with_limit_8(&out, 8), success);
  EXPECT_EQ(out, 88);
  EXPECT_EQ(with_limit_8(&out, 9), invalid_value);
  EXPECT_EQ(with_limit_8(&out, 7, nullptr), success);  // with a stream
  if (with_limit_8(&out, 5) != tl::success) FAIL();
}

template <int LIMIT>
__tile_global__ void limitAfterGrid(int* out, int n) {
  grid(3);
  require(n <= LIMIT);
  atomic_add(out, 1);
}
constexpr auto by_late_limit = select(candidate(limitAfterGrid<4>), candidate(limitAfterGrid<16>));

TEST(Require, AfterTheGridFailsTheLaunch) {
  int out = 0;
  EXPECT_EQ(by_late_limit(&out, 4), success);
  EXPECT_EQ(by_late_limit(&out, 5), success);
  EXPECT_EQ(out, 6);
  EXPECT_EQ(by_late_limit(&out, 17), invalid_value);
  EXPECT_EQ(out, 6);
}

__tile_global__ void huge(int* out, int64_t x, int64_t y) {
  grid(x, y);
  atomic_add(out, 1);
}
constexpr auto huge_grid = instantiate(huge);

TEST(Grid, HasNoProgramsIfOneSizeIsZero) {
  int out = 0;
  EXPECT_EQ(huge_grid(&out, 0, -2), success);
  EXPECT_EQ(huge_grid(&out, -2, 0), success);
  EXPECT_EQ(huge_grid(&out, -2, 1), invalid_value);
  EXPECT_EQ(huge_grid(&out, -2, -2), invalid_value);
  EXPECT_EQ(out, 0);
}

TEST(Grid, DoesNotFit) {
  int out = 0;
  EXPECT_EQ(huge_grid(&out, int64_t(1) << 40, 1), invalid_value);
  EXPECT_EQ(huge_grid(&out, 1 << 16, 1 << 16), invalid_value);
  EXPECT_EQ(huge_grid(&out, int64_t(1) << 40, 0), success);
  EXPECT_EQ(out, 0);
}

constexpr auto tuned = tune(key{"n"}, preserve("out", "n", 2), candidate(withLimit<4>),
                            candidate(withLimit<16>, {.num_warps = 8}));
static_assert(tuned.candidates[1].config.num_warps == 8);
constexpr auto tuned_alone = tune(key{}, candidate(withLimit<4>));

TEST(Tune, TakesTheFirstThatHolds) {
  int out = 0;
  EXPECT_EQ(tuned(&out, 4), success);
  EXPECT_EQ(out, 44);
  EXPECT_EQ(tuned(&out, 5, nullptr), success);
  EXPECT_EQ(out, 165);
  EXPECT_EQ(tuned(&out, 17), invalid_value);
  EXPECT_EQ(tuned_alone(&out, 1), success);
}

TEST(Select, TakesTheFirstThatHolds) {
  int out = 0;
  EXPECT_EQ(by_length(&out, 4), success);
  EXPECT_EQ(out, 44);
  EXPECT_EQ(by_length(&out, 5), success);
  EXPECT_EQ(out, 165);
  EXPECT_EQ(by_length(&out, 32), success);
  EXPECT_EQ(out, 352);
  EXPECT_EQ(by_length(&out, 33), invalid_value);
}

__tile_global__ void explicitGrid(int* out) {
  const auto i =
      program_id(0) + num_programs(0) * (program_id(1) + num_programs(1) * program_id(2));
  atomic_add(out + i, 1);
}

TEST(LaunchGrid, UsesProgramIds) {
  std::vector<int> hits(24);
  EXPECT_EQ(launch_grid(explicitGrid, 2, 3, 4, hits.data()), success);
  EXPECT_EQ(hits, std::vector<int>(24, 1));
  EXPECT_EQ(launch_grid(explicitGrid, 0, 3, 4, hits.data()), success);
}

__tile_global__ void persistent(int* hits, int* programs, int n) {
  for (const auto i : persistent_range(n)) atomic_add(hits + i, 1);
  atomic_add(programs, 1);
}
__tile_global__ void dynamic(int* hits, int n) {
  for (const auto i : dynamic_range(n)) atomic_add(hits + i, 1);
}
__tile_global__ void residentGrid(int* hits, int n) {
  grid(num_sms());
  for (const auto i : persistent_range(n)) atomic_add(hits + i, 1);
}

TEST(Persistent, VisitsEveryItemOnce) {
  for (const int n : {0, 1, 3, 4, 5, 101}) {
    std::vector<int> hits(static_cast<std::size_t>(n));
    int programs = 0;
    EXPECT_EQ(launch(persistent, hits.data(), &programs, n), success);
    EXPECT_EQ(hits, std::vector<int>(hits.size(), 1));
    EXPECT_EQ(programs, n < 4 ? n : 4);
    EXPECT_EQ(launch(dynamic, hits.data(), n), success);
    EXPECT_EQ(launch(residentGrid, hits.data(), n), success);
    EXPECT_EQ(hits, std::vector<int>(hits.size(), 3));
  }
}

// As the launcher does, which refuses the grid.
TEST(Persistent, RefusesANegativeNumberOfItems) {
  int programs = 0;
  EXPECT_EQ(launch(persistent, &programs, &programs, -1), invalid_value);
  EXPECT_EQ(launch(dynamic, &programs, -1), invalid_value);
  EXPECT_EQ(launch(residentGrid, &programs, -1), success);
}

__tile_global__ void throwing(int n) {
  if (grid(n) == 7) throw std::runtime_error("program 7");
}

TEST(Launch, AnExceptionOfAProgramReachesTheCaller) {
  EXPECT_THROW(static_cast<void>(launch(throwing, 100)), std::runtime_error);
  int out = 0;
  EXPECT_EQ(with_limit_8(&out, 1), success);  // the next launch is not disturbed
}

// Every program writes last[0], every element of a store last[1], the combine keeps the left one, and
// every element of a block with the stride 0 is last[3].
__tile_global__ void lastOfAll(int* last, int n) {
  const auto program = grid(n);
  const auto i = arange<4>();
  store(last, static_cast<int>(program));
  store(last + 1 + i * 0, i);
  store(last + 2, reduce<0>(i, [](auto a, auto) { return a; }));
  make_tensor_descriptor<4>(last + 3, {4}, {0}).store({0}, i);
}

__tile_global__ void scans(float* sums, int* lasts, std::int64_t) {
  grid(1);
  const auto i = arange<4>();
  // 2^24 + 1 is not a float, 2^24 + 2 is.
  store(sums + i, cumsum(where(i == 0, 16777216.0f, 1.0f)));
  store(sums + 4 + i, cumsum(where(i == 3, 16777216.0f, 1.0f), reverse));
  const auto [value, at] =
      associative_scan<0>(std::tuple(i * 10, i), [](auto, auto b) { return b; });
  store(lasts + i, value + at);
}

// A scan adds one element after the other, or partial sums.
TEST(Launch, ScansInOtherOrders) {
  std::vector<float> sums(8);
  std::vector<int> lasts(4);
  EXPECT_EQ(launch(scans, sums.data(), lasts.data(), 1), success);
  EXPECT_EQ(sums[3], 16777216.0f);
  EXPECT_EQ(sums[4], 16777216.0f);
  setenv("TILE2CU_ORDER", "reversed", 1);
  EXPECT_EQ(launch(scans, sums.data(), lasts.data(), 1), success);
  unsetenv("TILE2CU_ORDER");
  EXPECT_EQ(sums[3], 16777218.0f);
  EXPECT_EQ(sums[4], 16777218.0f);
  EXPECT_EQ(lasts, (std::vector<int>{0, 11, 22, 33}));
}

// TILE2CU_ORDER shows what depends on the order.
TEST(Launch, RunsInOtherOrders) {
  setenv("TILE2CU_THREADS", "1", 1);
  std::vector<int> last(4);
  EXPECT_EQ(launch(lastOfAll, last.data(), 5), success);
  EXPECT_EQ(last, (std::vector<int>{4, 3, 0, 3}));
  setenv("TILE2CU_ORDER", "reversed", 1);
  EXPECT_EQ(launch(lastOfAll, last.data(), 5), success);
  EXPECT_EQ(last, (std::vector<int>{0, 0, 3, 0}));
  setenv("TILE2CU_ORDER", "shuffled", 1);
  EXPECT_EQ(launch(lastOfAll, last.data(), 5), success);
  EXPECT_EQ(last, (std::vector<int>{4, 3, 0, 3}));
  unsetenv("TILE2CU_ORDER");
  unsetenv("TILE2CU_THREADS");
}

__tile_global__ void storeRows(int* out, int stride, int n) {
  const auto columns = arange<4>()[none, all];
  grid(1);
  store(out + arange<4>()[all, none] * stride + columns, columns, columns < n);
}

// TILE2CU_CHECK=addresses stops a store with two elements at one address. Elements that are not
// stored do not count.
TEST(LaunchDeathTest, FindsRowsThatOverlap) {
  std::vector<int> out(16);
  EXPECT_EQ(launch(storeRows, out.data(), 3, 4), success);
  setenv("TILE2CU_CHECK", "addresses", 1);
  EXPECT_EQ(launch(storeRows, out.data(), 4, 4), success);
  EXPECT_EQ(launch(storeRows, out.data(), 3, 3), success);
  EXPECT_DEATH(launch(storeRows, out.data(), 3, 4), "two elements of a store have one address");
  unsetenv("TILE2CU_CHECK");
}

// Elements 0 and 2 write to out[0], 1 and 3 to out[1].
__tile_global__ void storeTwice(float* out, const float* values, int n) {
  grid(1);
  const auto i = arange<4>();
  store(out + i % 2, load(values + i), i < n);
}
__tile_global__ void storeBlock(int* out, int first, int count, int stride) {
  grid(1);
  auto rows = make_tensor_descriptor<2, 4>(out, {count, 4}, {stride, 1});
  rows.store({0, 0}, arange<2>()[all, none] * first + arange<4>()[none, all]);
}

// TILE2CU_CHECK=values stops a store with different values at one address.
TEST(LaunchDeathTest, FindsDifferentValuesAtOneAddress) {
  const char* const message = "two elements of a store have one address and different values";
  std::vector<float> out(2);
  std::vector<int> rows(8);
  const std::vector<float> same_values = {1, 2, 1, 2}, different = {1, 2, 1, 3},
                           zeros = {0, 0, -0.0f, 0};
  EXPECT_EQ(launch(storeTwice, out.data(), different.data(), 4), success);
  setenv("TILE2CU_CHECK", "values", 1);
  EXPECT_EQ(launch(storeTwice, out.data(), same_values.data(), 4), success);
  EXPECT_EQ(launch(storeTwice, out.data(), different.data(), 3), success);
  EXPECT_DEATH(static_cast<void>(launch(storeTwice, out.data(), different.data(), 4)), message);
  EXPECT_DEATH(static_cast<void>(launch(storeTwice, out.data(), zeros.data(), 4)), message);
  EXPECT_EQ(launch(storeBlock, rows.data(), 1, 2, 4), success);
  EXPECT_EQ(launch(storeBlock, rows.data(), 0, 2, 0), success);
  EXPECT_EQ(launch(storeBlock, rows.data(), 1, 1, 0), success);  // only one row is inside
  EXPECT_DEATH(static_cast<void>(launch(storeBlock, rows.data(), 1, 2, 0)), message);
  setenv("TILE2CU_CHECK", "addresses", 1);
  EXPECT_EQ(launch(storeBlock, rows.data(), 0, 2, 4), success);
  EXPECT_DEATH(static_cast<void>(launch(storeBlock, rows.data(), 0, 2, 0)),
               "two elements of a store have one address \\(");
  unsetenv("TILE2CU_CHECK");
}

TEST(Launch, EachOrderIsAPermutation) {
  for (const auto order : {cpu::Order::kForward, cpu::Order::kReversed, cpu::Order::kShuffled}) {
    for (const int size : {1, 2, 3, 4, 5, 32, 48, 62, 100, 124}) {
      std::set<std::int64_t> seen;
      for (int k = 0; k < size; ++k) seen.insert(cpu::inOrder(order, k, size));
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(size)) << size;
      EXPECT_GE(*seen.begin(), 0);
      EXPECT_LT(*seen.rbegin(), size);
    }
  }
}

// An order of its own: for three or more items it is neither forward nor reversed.
TEST(Launch, ShufflesItems) {
  for (const int size : {3, 4, 5, 32, 62}) {
    std::vector<std::int64_t> shuffled, forward, reversed;
    for (int k = 0; k < size; ++k) {
      shuffled.push_back(cpu::inOrder(cpu::Order::kShuffled, k, size));
      forward.push_back(k);
      reversed.push_back(size - 1 - k);
    }
    EXPECT_NE(shuffled, forward) << size;
    EXPECT_NE(shuffled, reversed) << size;
  }
}

__tile_global__ void noGrid(int* out) { store(out, 1); }
__tile_global__ void nested(int* out) {
  grid(1);
  with_limit_8(out, 1);
}
__tile_global__ void falseAssumption(int n) {
  grid(1);
  assume_divisible<16>(n);
}
__tile_global__ void asserting(int n) {
  grid(1);
  device_assert(arange<4>() < n, "below n");
}

TEST(LaunchDeathTest, SaysWhatIsWrong) {
  int out = 0;
  EXPECT_DEATH(grid(1), "outside a launch: call the object that instantiate");
  EXPECT_DEATH(static_cast<void>(launch(noGrid, &out)), "grid\\(...\\) must come first");
  EXPECT_DEATH(static_cast<void>(launch(explicitGrid, &out)), "tl::launch_grid\\(kernel, x, y, z");
  EXPECT_DEATH(static_cast<void>(launch(nested, &out)), "launches another");
  EXPECT_DEATH(static_cast<void>(launch(falseAssumption, 8)),
               "program \\(0, 0, 0\\): a false assumption");
  EXPECT_DEATH(static_cast<void>(launch(asserting, 2)), "assertion failed: below n");
  EXPECT_EQ(launch(asserting, 4), success);
  alignas(32) char bytes[32] = {};
  EXPECT_EQ(assume_aligned<16>(bytes + 16), bytes + 16);
  EXPECT_DEATH(assume_aligned<16>(bytes + 8), "assume_aligned");
  EXPECT_DEATH(assume(false), "assume");
}

TEST(Hints, ReturnTheirArgument) {
  EXPECT_EQ(assume_divisible<8>(24), 24);
  EXPECT_EQ(multiple_of<4>(8), 8);
  using t3 = tile<int, 3>;
  const auto x = arange<3>();
  EXPECT_TILE(t3, max_contiguous<3>(multiple_of<3>(x)), 0, 1, 2);
  device_assert(x >= 0, "never");
  device_assert(x > 0, "masked", x > 0);
  device_assert(true);
  static_print("x", x);
  debug_barrier();
}

__tile_global__ void printing(const float* x, int n) {
  auto [p, q] = grid(n, 1);
  device_print("x", load(x + arange<2>()[none, all]));
  device_print("two", p, q == 0);
  device_print("half", float16(0.5f));
  device_print("bits", load(x + 1), q, int8_t(-1), hex);
}

TEST(DevicePrint, EachElementIsALine) {
  const float x[2] = {1.5f, -3};
  testing::internal::CaptureStdout();
  ASSERT_EQ(launch(printing, x, 1), success);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "pid (0, 0, 0) idx (0, 0) x: 1.5\n"
            "pid (0, 0, 0) idx (0, 1) x: -3\n"
            "pid (0, 0, 0) idx () two (operand 0): 0\n"
            "pid (0, 0, 0) idx () two (operand 1): 1\n"
            "pid (0, 0, 0) idx () half: 0.5\n"
            "pid (0, 0, 0) idx () bits (operand 0): 0xc0400000\n"
            "pid (0, 0, 0) idx () bits (operand 1): 0x0000000000000000\n"
            "pid (0, 0, 0) idx () bits (operand 2): 0xff\n");
}

}  // namespace
