#include "passes/analysis/layout/lane_transpose.h"

#include "passes/analysis/layout/vector_axis.h"

namespace tile2cu::passes {
using namespace ir;

std::optional<LaneExchange> laneExchange(const Op *op) {
  if (op->kind != OpKind::Convert) return std::nullopt;
  const Layout &from = *op->operand(0)->type.layout(), &to = *op->result()->type.layout();
  const auto narrow = vectorAxis(from), wide = vectorAxis(to);
  if (!narrow || !wide || narrow->extent < 2 || wide->extent != 2 * narrow->extent ||
      from.isReplicated() || to.isReplicated())
    return std::nullopt;
  const int64_t half = narrow->extent;
  const unsigned vector = wide->axis;
  const std::optional<WarpMove> move = warpMove(op);
  if (!move || move->candidates != 2 || move->lane.base != 0) return std::nullopt;

  // The upper half of a vector comes from the lane with one bit more ...
  LaneExchange exchange;
  for (const MovedPart &part : move->lane.parts) {
    if (part.of == Digit{Unit::Register, vector, half, 2} && !part.reversed && !exchange.laneBit)
      exchange.laneBit = part.stride;
    else if (part.of.unit != Unit::Lane || part.of.stride != part.stride || part.reversed)
      return std::nullopt;
  }
  // ... and lanes with that bit keep the elements that they do not send in other registers. Vectors
  // stay vectors.
  for (unsigned axis = 0; axis < move->registers.size(); ++axis) {
    const SourceIndex &index = move->registers[axis];
    if (index.base != 0) return std::nullopt;
    for (const MovedPart &part : index.parts) {
      const bool isOfVector = part.of.unit == Unit::Register && part.of.axis == vector;
      if (part.reversed || isOfVector != (axis == narrow->axis) ||
          (isOfVector && part.of != Digit{Unit::Register, vector, 1, half}) ||
          (part.of.unit == Unit::Lane &&
           (part.of.stride != exchange.laneBit || part.of.extent != 2)) ||
          part.of.unit == Unit::Warp)
        return std::nullopt;
    }
  }
  exchange.registers = move->registers;
  return exchange;
}

LayoutRef exchangedLayout(const Layout &layout, unsigned dim) {
  llvm::SmallVector<int64_t, 4> axes(layout.registerAxes().begin(), layout.registerAxes().end());
  llvm::SmallVector<LayoutDim, 4> dims(layout.dims().begin(), layout.dims().end());
  auto &digits = dims[dim].digits;
  const auto vector = vectorAxis(layout);
  if (!vector || vector->dim != dim || vector->extent < 2 || digits.size() < 3 ||
      digits[1].unit != Unit::Lane || digits[1].extent % 2 != 0 || dims[dim].isPadded() ||
      layout.isReplicated())
    return nullptr;
  unsigned given = 2;
  while (given < digits.size() &&
         (digits[given].unit != Unit::Register || digits[given].extent % 2 != 0))
    ++given;
  if (given == digits.size()) return nullptr;
  const Digit lane{Unit::Lane, 0, digits[1].stride, 2};
  axes[digits[0].axis] *= 2;
  digits[0].extent *= 2;
  digits[1].stride *= 2;
  digits[1].extent /= 2;
  axes[digits[given].axis] /= 2;
  digits[given].extent /= 2;
  digits.insert(digits.begin() + given, lane);
  llvm::erase_if(digits, [](const Digit &digit) { return digit.extent == 1; });
  return std::make_shared<const Layout>(layout.numWarps(), axes, dims);
}

}  // namespace tile2cu::passes
