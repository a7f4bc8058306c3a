// The knowledge of blocks about each other, compared with plain lists of everything that was joined.
#include "runtime/emulator/knowledge.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace {

using emulate::Done;
using emulate::Knowledge;

using Facts = std::vector<std::pair<unsigned, Done>>;

// Whether one entry says that thread `thread` of `block` had reached this tick of this epoch.
bool says(const Facts& facts, unsigned block, std::uint32_t epoch, unsigned thread,
          std::uint16_t tick) {
  for (const auto& [of, done] : facts)
    if (of == block && (epoch < done.epoch || (epoch == done.epoch && tick <= done.clocks[thread])))
      return true;
  return false;
}
bool says(const Knowledge& known, unsigned block, std::uint32_t epoch, unsigned thread,
          std::uint16_t tick) {
  const Done* done = known.of(block);
  return done && (epoch < done->epoch || (epoch == done->epoch && tick <= done->clocks[thread]));
}

TEST(Knowledge, HoldsWhatWasJoinedAndNoMore) {
  constexpr unsigned kThreads = 3, kEpochs = 4, kTicks = 4;
  const unsigned blocks[] = {0, 1, 15, 16, 17, 255, 256, 70000};
  std::mt19937 random(1);
  std::vector<std::pair<Knowledge, Facts>> all(4);
  for (int step = 0; step < 400; ++step) {
    auto& [known, facts] = all[random() % all.size()];
    if (random() % 2) {
      const auto [other, theirs] = all[random() % all.size()];
      known.join(other);
      facts.insert(facts.end(), theirs.begin(), theirs.end());
      if (facts.size() > 2000) {
        known = {};
        facts.clear();
      }
    } else {
      Done done{std::uint32_t(random() % kEpochs), {}};
      for (unsigned t = 0; t < kThreads; ++t) done.clocks.push_back(random() % kTicks);
      const unsigned block = blocks[random() % std::size(blocks)];
      known.join({block, done});
      facts.emplace_back(block, done);
    }
    for (unsigned block : blocks)
      for (unsigned thread = 0; thread < kThreads; ++thread)
        for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch)
          for (std::uint16_t tick = 0; tick < kTicks; ++tick)
            ASSERT_EQ(says(known, block, epoch, thread, tick),
                      says(facts, block, epoch, thread, tick))
                << "block " << block << ", step " << step;
  }
}

}  // namespace
