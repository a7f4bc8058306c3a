#include "knowledge.h"

#include <algorithm>
#include <utility>

namespace emulate {

Knowledge::Knowledge(unsigned block, Done done) {
  auto leaf = std::make_shared<Node>();
  leaf->done = std::move(done);
  root_ = std::move(leaf);
  for (unsigned level = 0; level < LEVELS; ++level) {
    auto node = std::make_shared<Node>();
    node->children[digit(block, level)] = std::move(root_);
    root_ = std::move(node);
  }
}

// Whether `a` includes `b`, of the same block. A later epoch includes an earlier one; in the same
// epoch the clocks decide.
static bool holds(const Done& a, const Done& b) {
  if (a.epoch != b.epoch) return a.epoch > b.epoch;
  return std::equal(a.clocks.begin(), a.clocks.end(), b.clocks.begin(), b.clocks.end(),
                    [](std::uint16_t x, std::uint16_t y) { return x >= y; });
}

Knowledge::NodeRef Knowledge::joined(const NodeRef& a, const NodeRef& b, unsigned level) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (level == 0) {
    if (holds(a->done, b->done)) return a;
    if (holds(b->done, a->done)) return b;
    auto both = std::make_shared<Node>(*a);
    for (std::size_t t = 0; t < both->done.clocks.size(); ++t)
      both->done.clocks[t] = std::max(both->done.clocks[t], b->done.clocks[t]);
    return both;
  }
  Node both;
  bool is_a = true, is_b = true;
  for (std::size_t i = 0; i < both.children.size(); ++i) {
    both.children[i] = joined(a->children[i], b->children[i], level - 1);
    is_a &= both.children[i] == a->children[i];
    is_b &= both.children[i] == b->children[i];
  }
  return is_a ? a : is_b ? b : std::make_shared<const Node>(std::move(both));
}

void Knowledge::join(const Knowledge& other) { root_ = joined(root_, other.root_, LEVELS); }

const Done* Knowledge::of(unsigned block) const {
  const Node* node = root_.get();
  for (unsigned level = LEVELS; node != nullptr && level-- > 0;)
    node = node->children[digit(block, level)].get();
  return node != nullptr ? &node->done : nullptr;
}

}  // namespace emulate
