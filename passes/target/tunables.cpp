#include "passes/target/tunables.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
namespace {

Tunables &inUse() {
  static Tunables values;
  return values;
}

}  // namespace

const Tunables &tunables() { return inUse(); }

llvm::ArrayRef<TunableRow> tunableRows() {
  static constexpr TunableRow kRows[] = {
#define TUNABLE(name, value, meaning, measured) {#name, value, meaning, measured},
#include "passes/target/tunables.def"
  };
  return kRows;
}

bool setTunable(llvm::StringRef name, int64_t value) {
  static constexpr int64_t Tunables::*kFields[] = {
#define TUNABLE(name, value, meaning, measured) &Tunables::name,
#include "passes/target/tunables.def"
  };
  const auto rows = tunableRows();
  const auto row = llvm::find_if(rows, [&](const TunableRow &each) { return each.name == name; });
  if (row == rows.end()) return false;
  inUse().*kFields[row - rows.begin()] = value;
  return true;
}

}  // namespace tile2cu::passes
