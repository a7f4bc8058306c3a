// The thresholds of tunables.def.
#pragma once
#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::passes {

struct Tunables {
#define TUNABLE(name, value, meaning, measured) int64_t name = value;
#include "passes/target/tunables.def"
};

// The values in use. They change only by setTunable.
const Tunables &tunables();

// A row of tunables.def.
struct TunableRow {
  llvm::StringRef name;
  int64_t value;
  llvm::StringRef meaning, measured;
};
llvm::ArrayRef<TunableRow> tunableRows();

// Changes a value for an experiment, before the first pass. False if no tunable has this name.
bool setTunable(llvm::StringRef name, int64_t value);

}  // namespace tile2cu::passes
