// Knowledge of the work of the blocks of a launch: for each block, up to which epoch and which
// ticks of its threads a thread knows of it.
//
// Knowledge is joined at each fence and at each atomic that orders blocks, and most joins add
// little. So it is a tree whose nodes are shared: a join visits only the parts that differ, and
// returns one of its operands where that one includes the other.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace emulate {

// The work of one block up to some time: all of it before `epoch`, and in that epoch what the
// clocks of its threads say (0: nothing).
struct Done {
  std::uint32_t epoch = 0;
  std::vector<std::uint16_t> clocks;
};

class Knowledge {
 public:
  Knowledge() = default;
  // Knowledge of one block, by its number in the launch.
  Knowledge(unsigned block, Done done);

  bool isEmpty() const { return root_ == nullptr; }
  void join(const Knowledge& other);
  // The known work of a block, or null for none.
  const Done* of(unsigned block) const;

 private:
  static constexpr unsigned BITS = 4, LEVELS = 7;
  struct Node;
  using NodeRef = std::shared_ptr<const Node>;
  struct Node {
    std::array<NodeRef, 1 << BITS> children;
    Done done;  // of the last level
  };
  static unsigned digit(unsigned block, unsigned level) {
    return block >> BITS * level & ((1 << BITS) - 1);
  }
  static NodeRef joined(const NodeRef& a, const NodeRef& b, unsigned level);
  NodeRef root_;
};

}  // namespace emulate
