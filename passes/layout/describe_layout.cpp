#include "passes/layout/describe_layout.h"

#include "fmt/format.h"
#include "passes/analysis/layout/vector_axis.h"

namespace tile2cu::passes {
using namespace ir;

std::string layoutInWords(const Layout &layout) {
  const int64_t elements = layout.elementsPerThread();
  std::string text = fmt::format("{} element{} a thread", elements, elements == 1 ? "" : "s");
  if (auto axis = vectorAxis(layout); axis && axis->extent > 1) {
    text +=
        axis->extent < elements ? fmt::format(" in vectors of {}", axis->extent) : ", one vector";
    if (layout.rank() > 1) text += fmt::format(" along dimension {}", axis->dim);
  }
  int64_t copies = 1;
  for (Unit unit : {Unit::Lane, Unit::Warp})
    for (const Digit &digit : layout.replicas(unit)) copies *= digit.extent;
  if (copies > 1) text += fmt::format(", each held by {} threads", copies);
  for (const LayoutDim &dim : layout.dims())
    if (dim.isPadded()) text += fmt::format(", {} padded to {}", dim.size, dim.padded());
  return text;
}

}  // namespace tile2cu::passes
