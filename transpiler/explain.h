// --explain, --explain-id and --generate=remarks: decisions and their reasons, from
// passes/ir/diagnostics/explanations.def.
#pragma once
#include <optional>
#include <string>

#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::transpiler {

// For each line of the source: what was decided, what limited it, and what to write.
std::string explainText(const ir::Module &module, llvm::ArrayRef<ir::Decision> decisions);

// The meaning of the remark of this name (T2C102); nothing if there is no such remark.
std::optional<std::string> explainPage(llvm::StringRef name);

// The tables of runtime/doc/remarks.md.
std::string remarkTables();

}  // namespace tile2cu::transpiler
