#include "passes/target/mma_instructions.h"

#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"

namespace tile2cu::passes {
using ir::Scalar;

const MmaShape *mmaShape(Scalar a, Scalar b, Scalar d) {
  for (const MmaShape &shape : ir::mmaShapes())
    if (shape.a == a && shape.b == b && shape.d == d) return &shape;
  return nullptr;
}

std::string groupHelper(const MmaShape &shape, int64_t columns) {
  const std::string k = fmt::format("k{}_", shape.k);
  llvm::StringRef types = wordOf(shape.instruction);
  types = types.substr(types.find(k) + k.size());
  return fmt::format("wgmma_m64n{}{}{}", columns, k, types.str());
}

int64_t panelColumns(int64_t columns, int64_t bytes) {
  int64_t panel = 128 / bytes;
  while (columns % panel != 0) panel /= 2;
  return panel;
}

FragmentLoad fragmentLoad(const MmaShape &shape, bool alongK) {
  if (shape.registerBytes() == 4 && alongK) return FragmentLoad::Rows;
  return shape.elementBytes() == 2 ? FragmentLoad::Columns : FragmentLoad::Elements;
}

int64_t bankWavefronts(llvm::ArrayRef<int64_t> addresses, int64_t bytes) {
  constexpr int64_t kBanks = 32, kWord = 4;
  const size_t together = 32 * kWord / std::max(bytes, kWord);
  int64_t turns = 0;
  for (size_t first = 0; first < addresses.size(); first += together) {
    std::set<int64_t> words;
    for (int64_t address : addresses.slice(first, std::min(together, addresses.size() - first)))
      for (int64_t at = 0; at < bytes; at += kWord) words.insert((address + at) / kWord);
    int64_t ofBank[kBanks] = {};
    for (int64_t word : words) ++ofBank[word % kBanks];
    turns += *std::max_element(ofBank, ofBank + kBanks);
  }
  return turns;
}

// The wavefronts for one fragment register of a warp, or for the eight rows of an ldmatrix.
static int64_t turnsOf(const FragmentReader &reader, int64_t pitch) {
  llvm::SmallVector<int64_t, 32> addresses;
  if (fragmentLoad(*reader.shape, reader.alongK) != FragmentLoad::Elements) {
    for (int64_t row = 0; row < 8; ++row) addresses.push_back(row * pitch);
    return bankWavefronts(addresses, 16);
  }
  const int64_t bytes = reader.shape->elementBytes();
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t across = lane / 4, k = lane % 4 * reader.shape->perRegister();
    addresses.push_back(reader.alongK ? across * pitch + k * bytes : k * pitch + across * bytes);
  }
  return bankWavefronts(addresses, bytes);
}

int64_t rowPitch(int64_t bytes, llvm::ArrayRef<FragmentReader> readers) {
  constexpr int64_t kPiece = 16, kAllBanks = 128;
  const int64_t least = (bytes + kPiece - 1) / kPiece * kPiece;
  int64_t best = least, fewest = 0;
  for (int64_t pitch = least; pitch < least + kAllBanks; pitch += kPiece) {
    int64_t turns = 0;
    for (const FragmentReader &reader : readers) turns += turnsOf(reader, pitch);
    if (pitch != least && turns >= fewest) continue;
    best = pitch;
    fewest = turns;
  }
  return best;
}

}  // namespace tile2cu::passes
