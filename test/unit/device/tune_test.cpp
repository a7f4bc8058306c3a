// The tuner of launchers: which candidate runs, when they are timed, what is remembered. Candidates
// are functions of the host that move the clock of the emulator's events.
#include "tile2cu/device/tune.cuh"

#include <cstdlib>
#include <thread>

#include "testing.h"

namespace device_tests {
namespace {

using Candidate = cudaError_t();

std::int64_t now = 0;
int runs[3] = {};  // of each candidate
int cost[3] = {};  // in milliseconds; negative: its launch fails
int contents[4] = {};

template <int I>
cudaError_t candidate() {
  if (cost[I] < 0) return cudaErrorInvalidValue;
  now += std::int64_t{cost[I]} * 1'000'000;
  ++runs[I];
  for (int& element : contents) element += 1;
  return cudaSuccess;
}

// The emulator's clock is ours, files go to a folder of the test.
class Tune : public testing::Test {
 public:
  using Tuner = tile2cu::tuner<3, 2>;
  using Key = Tuner::key_type;
  Candidate* all[3] = {candidate<0>, candidate<1>, candidate<2>};
  const std::string folder = testing::TempDir() + "tile2cu_tune_test";

  void SetUp() override {
    emulate::settings().clock = [] { return now; };
    std::filesystem::remove_all(folder);
    setenv("TILE2CU_CACHE", folder.c_str(), 1);
    unsetenv("TILE2CU_TUNE");
    costs(3, 1, 2);
  }
  void TearDown() override {
    emulate::settings() = before;
    std::filesystem::remove_all(folder);
  }

  static void costs(int a, int b, int c) {
    cost[0] = a, cost[1] = b, cost[2] = c;
    forget();
  }
  static void forget() {
    for (int& r : runs) r = 0;
    for (int& element : contents) element = 0;
  }
  static int total() { return runs[0] + runs[1] + runs[2]; }
  template <int N, int K>
  cudaError_t launch(tile2cu::tuner<N, K>& tuner, const Key& key,
                     std::initializer_list<tile2cu::memory_range> preserved = {}) {
    return tuner.launch(all, key, nullptr, [](Candidate* f) { return f(); }, preserved);
  }
  // The only candidate that a call runs, once; -1 if others run too.
  int choice(Tuner& tuner, const Key& key) {
    forget();
    EXPECT_EQ(launch(tuner, key), cudaSuccess);
    for (int i = 0; i < 3; ++i)
      if (runs[i] == 1 && total() == 1) return i;
    return -1;
  }
  std::string file() const {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream stream(entry.path());
      text.append(std::istreambuf_iterator<char>(stream), {});
    }
    return text;
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/add-7.txt") << text;
  }

 private:
  emulate::options before = emulate::settings();
};

TEST_F(Tune, TakesTheFastestAndRemembersIt) {
  Tuner tuner("add", 7);
  EXPECT_EQ(launch(tuner, {1, 2}), cudaSuccess);
  for (const int r : runs) EXPECT_GE(r, 4);
  EXPECT_EQ(runs[1], runs[0] + 1);  // the call itself
  EXPECT_EQ(choice(tuner, {1, 2}), 1);
  EXPECT_EQ(choice(tuner, {1, 2}), 1);
}

TEST_F(Tune, TimesEachKey) {
  Tuner tuner("add", 7);
  launch(tuner, {1, 2});
  costs(1, 3, 2);
  launch(tuner, {1, 3});
  EXPECT_EQ(choice(tuner, {1, 2}), 1);
  EXPECT_EQ(choice(tuner, {1, 3}), 0);
  tile2cu::tuner<3, 0> without_key("none", 7);
  costs(2, 2, 1);
  const auto run = [](Candidate* f) { return f(); };
  EXPECT_EQ(without_key.launch(all, {}, nullptr, run), cudaSuccess);
  forget();
  EXPECT_EQ(without_key.launch(all, {}, nullptr, run), cudaSuccess);
  EXPECT_EQ(runs[2], 1);
  EXPECT_EQ(total(), 1);
}

TEST_F(Tune, ManyKeys) {
  Tuner tuner("add", 7);
  for (std::int64_t i = 0; i < 300; ++i) {
    costs(i % 3 == 0 ? 1 : 2, i % 3 == 1 ? 1 : 2, i % 3 == 2 ? 1 : 2);
    launch(tuner, {i, -i});
  }
  for (std::int64_t i = 0; i < 300; ++i) EXPECT_EQ(choice(tuner, {i, -i}), i % 3);
  Tuner later("add", 7);
  for (std::int64_t i = 0; i < 300; ++i) EXPECT_EQ(choice(later, {i, -i}), i % 3);
}

TEST_F(Tune, DropsWhatIsFarSlower) {
  costs(1, 50, 2);
  Tuner tuner("add", 7);
  launch(tuner, {1, 2});
  EXPECT_EQ(runs[1], 2);
  EXPECT_EQ(choice(tuner, {1, 2}), 0);
}

TEST_F(Tune, AnotherProcessReadsTheFile) {
  Tuner first("add", 7);
  launch(first, {1, 2});
  EXPECT_EQ(file(), "emulated device, sm_90, 8 multiprocessors, driver 13000: 1 2 -> 1\n");
  Tuner second("add", 7);
  EXPECT_EQ(choice(second, {1, 2}), 1);
  // Another text, another device: timed again, and added to the file.
  Tuner changed("add", 8);
  EXPECT_EQ(choice(changed, {1, 2}), -1);
  emulate::settings().compute_capability = 80;
  Tuner moved("add", 7);
  EXPECT_EQ(choice(moved, {1, 2}), -1);
  EXPECT_NE(file().find("sm_80"), std::string::npos);
  emulate::settings().compute_capability = 90;
  Tuner back("add", 7);
  EXPECT_EQ(choice(back, {1, 2}), 1);
}

TEST_F(Tune, GarbageInTheFileIsNothing) {
  const std::string device = "emulated device, sm_90, 8 multiprocessors, driver 13000:";
  for (const std::string& text :
       {std::string("\0\xff\n\n-> ->", 8), device, device + "\n", device + " 1 2 ->",
        device + " 1 2 -> 3\n", device + " 1 2 -> -1\n", device + " 1 2 -> 1 1\n",
        device + " 1 -> 1\n", device + " 1 x -> 1\n", device + " 1 2 3 -> 1\n",
        device + " 1 99999999999999999999 -> 1\n"}) {
    write(text);
    Tuner tuner("add", 7);
    EXPECT_EQ(choice(tuner, {1, 2}), -1) << text;
    EXPECT_NE(file().find(device + " 1 2 -> 1\n"), std::string::npos);
    Tuner next("add", 7);
    EXPECT_EQ(choice(next, {1, 2}), 1) << text;
  }
  write("rubbish\n" + device + " 5 6 -> 2\n");
  Tuner tuner("add", 7);
  EXPECT_EQ(choice(tuner, {5, 6}), 2);
}

TEST_F(Tune, NoFile) {
  for (const std::string& where : {std::string(), std::string("/proc/no/such"), folder + "/f/g"}) {
    write("");
    std::ofstream(folder + "/f") << "a file where a folder should be";
    setenv("TILE2CU_CACHE", where.c_str(), 1);
    Tuner tuner("add", 7);
    EXPECT_EQ(choice(tuner, {1, 2}), -1);
    EXPECT_EQ(choice(tuner, {1, 2}), 1);
    Tuner next("add", 7);
    EXPECT_EQ(choice(next, {1, 2}), -1);
  }
}

TEST_F(Tune, FoldersByDefault) {
  unsetenv("TILE2CU_CACHE");
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(tile2cu::tuning_folder(), "/xdg/tile2cu");
  setenv("XDG_CACHE_HOME", "", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(tile2cu::tuning_folder(), "/home/me/.cache/tile2cu");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(tile2cu::tuning_folder(), "");
}

TEST_F(Tune, SkipsWhatCannotRun) {
  costs(3, -1, 2);
  Tuner tuner("add", 7);
  launch(tuner, {1, 2});
  EXPECT_EQ(choice(tuner, {1, 2}), 2);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  all[2] = nullptr;  // does not fit other arguments of the same key
  EXPECT_EQ(choice(tuner, {1, 2}), 0);
  Tuner single("single", 7);  // nothing to compare: not timed
  all[1] = nullptr;
  EXPECT_EQ(choice(single, {1, 2}), 0);
  costs(-1, -1, -1);
  all[1] = candidate<1>;
  EXPECT_EQ(launch(single, {1, 2}), cudaErrorInvalidValue);
  all[0] = all[1] = nullptr;
  EXPECT_EQ(launch(single, {1, 2}), cudaErrorInvalidValue);
}

TEST_F(Tune, PreservedMemoryIsAsAfterOneRun) {
  Tuner tuner("add", 7);
  contents[0] = contents[1] = contents[2] = contents[3] = 40;
  EXPECT_EQ(launch(tuner, {1, 2}, {tile2cu::preserve(contents, 1, 3)}), cudaSuccess);
  EXPECT_GE(total(), 10);
  EXPECT_EQ(contents[0], 41);
  EXPECT_EQ(contents[2], 41);
  EXPECT_EQ(contents[3], 40 + total());  // not named
  EXPECT_EQ(tile2cu::preserve(contents, 3, -1).bytes, 0u);
  EXPECT_EQ(tile2cu::preserve(static_cast<int*>(nullptr), 3).bytes, 0u);
  EXPECT_EQ(tile2cu::preserve(contents, std::int64_t{2}, 0u).bytes, 0u);
  EXPECT_EQ(tile2cu::preserve(contents, short{2}, 2).bytes, sizeof(contents));
}

TEST_F(Tune, CaptureDoesNotTime) {
  Tuner tuner("add", 7);
  emulate::settings().capturing = true;
  EXPECT_EQ(choice(tuner, {1, 2}), 0);
  EXPECT_EQ(choice(tuner, {1, 2}), 0);
  emulate::settings().capturing = false;
  launch(tuner, {1, 2});
  emulate::settings().capturing = true;
  EXPECT_EQ(choice(tuner, {1, 2}), 1);  // what is known
  Tuner from_file("add", 7);
  EXPECT_EQ(choice(from_file, {1, 2}), 1);
}

TEST_F(Tune, EnvironmentAndPins) {
  Tuner tuner("add", 7);
  setenv("TILE2CU_TUNE", "off", 1);
  EXPECT_EQ(choice(tuner, {1, 2}), 0);
  setenv("TILE2CU_TUNE", "on", 1);
  EXPECT_EQ(choice(tuner, {1, 2}), -1);
  setenv("TILE2CU_TUNE", "off", 1);
  Tuner known("add", 7);
  EXPECT_EQ(choice(known, {1, 2}), 1);
  setenv("TILE2CU_TUNE", "first", 1);
  Tuner first("add", 7);
  EXPECT_EQ(choice(first, {1, 2}), 0);

  EXPECT_EQ(first.pin(2), cudaSuccess);
  EXPECT_EQ(choice(first, {1, 2}), 2);
  EXPECT_EQ(first.pin(3), cudaErrorInvalidValue);
  EXPECT_EQ(first.pin(-2), cudaErrorInvalidValue);
  EXPECT_EQ(choice(first, {1, 2}), 2);
  all[2] = nullptr;  // pinned, but does not fit
  EXPECT_EQ(choice(first, {1, 2}), 0);
  EXPECT_EQ(first.pin(-1), cudaSuccess);
  EXPECT_EQ(choice(first, {1, 2}), 0);
}

TEST_F(Tune, Untimed) {
  Tuner tuner("add", 7);
  const auto run = [](Candidate* f) { return f(); };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(tuner.launch_untimed(all, {1, 2}, run), cudaSuccess);
  EXPECT_EQ(runs[0], 3);
  tuner.pin(2);
  EXPECT_EQ(tuner.launch_untimed(all, {1, 2}, run), cudaSuccess);
  EXPECT_EQ(runs[2], 1);
  EXPECT_EQ(total(), 4);
}

// An error of an earlier call is not taken for one of the launch, which then would run twice.
TEST_F(Tune, EarlierErrors) {
  all[0] = [] {
    candidate<0>();
    return cudaGetLastError();
  };
  Tuner tuner("add", 7);
  setenv("TILE2CU_TUNE", "first", 1);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(launch(tuner, {1, 2}), cudaErrorInvalidDevice);
  EXPECT_EQ(total(), 1);
}

TEST_F(Tune, Threads) {
  emulate::settings().clock = nullptr;
  static std::atomic<int> count;
  static thread_local int mine;
  count = 0;
  Candidate* const counted[2] = {[] {
                                   ++count, ++mine;
                                   return cudaSuccess;
                                 },
                                 [] {
                                   ++count, ++mine;
                                   return cudaSuccess;
                                 }};
  tile2cu::tuner<2, 1> tuner("threads", 7);
  std::atomic<int> timed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        mine = 0;
        tuner.launch(counted, {(i + t) % 20}, nullptr, [](Candidate* f) { return f(); });
        if (mine > 1) ++timed;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(timed, 20);  // each key once
}

}  // namespace
}  // namespace device_tests
