// --annotate: how much the comments of an emitted file say. The code is the same, byte by byte.
#pragma once
#include <string>

#include "emit/emit.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::transpiler {

// The file with what was decided, and why, above the rows that come from its line of the source:
// each decision once in a function, and what it means once in the file.
std::string withDecisions(const emit::CudaText &cuda, const ir::Module &module,
                          llvm::ArrayRef<ir::Decision> decisions);

// A C++ text without comments, but for its first row.
std::string withoutComments(llvm::StringRef text);

}  // namespace tile2cu::transpiler
