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

std::string Parameter::identifier() const {
  std::string word = name;
  llvm::erase(word, ']');
  for (char &c : word)
    if (c == '.' || c == '[') c = '_';
  return word;
}

llvm::StringRef Parameter::object() const {
  return llvm::StringRef(name).take_until([](char c) { return c == '.' || c == '['; });
}

// The alignment of a struct of these, in bytes.
static int alignmentOf(llvm::ArrayRef<Scalar> members) {
  int widest = 1;
  for (Scalar member : members) widest = std::max<int>(widest, byteWidth(member));
  return widest;
}

int64_t SharedBuffer::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int64_t SharedBuffer::bytes() const {
  int64_t element = 0;
  for (Scalar member : members)
    element = llvm::alignTo(element, byteWidth(member)) + byteWidth(member);
  return llvm::alignTo(element, alignmentOf(members)) * numElements() * stages;
}

int SharedBuffer::leastAlignment() const { return std::max(alignment, alignmentOf(members)); }

int64_t SharedBuffer::placeBytes() const { return llvm::alignTo(bytes(), std::max(alignment, 16)); }

Op *Kernel::grid() const {
  for (const auto &op : body.ops)
    if (op->kind == OpKind::Grid) return op.get();
  return nullptr;
}

}  // namespace tile2cu::ir
