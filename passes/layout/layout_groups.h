// Groups of values that must have one layout, found by union-find: element-wise operands and
// results, an access's pointer, mask and value, and carried values of loops and branches.
#pragma once
#include <map>
#include <vector>

#include "passes/ir/op.h"

namespace tile2cu::passes {

struct LayoutGroup {
  ir::Value *representative = nullptr;
  ir::Shape shape;
  ir::Location loc;
  std::vector<ir::Op *> accesses;    // loads, stores, atomics through pointers of this group
  std::vector<ir::Op *> copies;      // TMA loads whose elements each thread reads itself
  std::vector<ir::Op *> scans;       // scans of values of this group
  std::vector<ir::Op *> dots;        // dots whose accumulator is in this group
  std::vector<ir::Op *> neighbours;  // views and reductions with an operand or result in this group
  int64_t numElements() const;
  // Whether an operation of the group determines its layout.
  bool hasAnchor() const { return !accesses.empty() || !copies.empty() || !scans.empty(); }
};

class LayoutGroups {
 public:
  explicit LayoutGroups(ir::Block &body);
  ir::Value *representative(ir::Value *value);
  const LayoutGroup &of(ir::Value *value) { return groups_[index_.at(representative(value))]; }
  // In program order of their first value.
  const std::vector<LayoutGroup> &all() const { return groups_; }

 private:
  void join(ir::Value *a, ir::Value *b);
  void joinControl(ir::Op *op);
  void joinOp(ir::Op *op);
  std::map<ir::Value *, ir::Value *> parent_;
  std::map<ir::Value *, size_t> index_;
  std::vector<LayoutGroup> groups_;
};

}  // namespace tile2cu::passes
