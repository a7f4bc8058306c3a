#include "passes/layout/describe_layout.h"

#include "passes/analysis/layout/vector_axis.h"

namespace tile2cu::passes {
using namespace ir;

std::string layoutInWords(const Layout &layout) {
  const int64_t elements = layout.elementsPerThread();
  std::string text = std::to_string(elements) + (elements == 1 ? " element" : " elements");
  text += " a thread";
  if (auto axis = vectorAxis(layout); axis && axis->extent > 1) {
    text +=
        axis->extent < elements ? " in vectors of " + std::to_string(axis->extent) : ", one vector";
    if (layout.rank() > 1) text += " along dimension " + std::to_string(axis->dim);
  }
  int64_t copies = 1;
  for (Unit unit : {Unit::Lane, Unit::Warp})
    for (const Digit &digit : layout.replicas(unit)) copies *= digit.extent;
  if (copies > 1) text += ", each held by " + std::to_string(copies) + " threads";
  for (const LayoutDim &dim : layout.dims())
    if (dim.isPadded())
      text += ", " + std::to_string(dim.size) + " padded to " + std::to_string(dim.padded());
  return text;
}

}  // namespace tile2cu::passes
