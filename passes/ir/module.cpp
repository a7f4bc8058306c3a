#include "passes/ir/module.h"

#include "llvm/Support/MathExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {

llvm::StringRef name(Level level) {
  switch (level) {
    case Level::Tile:
      return "tile";
    case Level::Placed:
      return "placed";
    case Level::Thread:
      return "thread";
  }
  T2C_UNREACHABLE("no such level");
}

int64_t SharedBuffer::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int64_t SharedBuffer::bytes() const {
  int64_t element = 0, widest = 1;
  for (Scalar member : members) {
    int64_t width = byteWidth(member);
    element = (element + width - 1) / width * width + width;
    widest = std::max(widest, width);
  }
  return (element + widest - 1) / widest * widest * numElements() * stages;
}

int64_t SharedBuffer::placeBytes() const { return llvm::alignTo(bytes(), std::max(alignment, 16)); }

Op *Kernel::grid() const {
  for (const auto &op : body.ops)
    if (op->kind == OpKind::Grid) return op.get();
  return nullptr;
}

}  // namespace tile2cu::ir
