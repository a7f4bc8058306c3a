// Helpers of the pass tests: text -> module -> text.
#pragma once
#include <gtest/gtest.h>

#include <stdexcept>

#include "passes/ir/text/parse.h"
#include "passes/ir/text/print.h"

namespace tile2cu::test {

inline void parseOrFail(llvm::StringRef text, ir::Module &module) {
  ir::Diagnostics diagnostics;
  bool ok = succeeded(ir::parse(text, "test.t2ir", module, diagnostics));
  for (const ir::Diagnostic &d : diagnostics.all)
    ADD_FAILURE() << "test.t2ir:" << d.loc.line << ":" << d.loc.column << ": " << d.message;
  if (!ok) throw std::runtime_error("no module");
}

// The kernel `@k` with these parameters and this body (two spaces of indentation), as text.
inline std::string kernelText(llvm::StringRef parameters, llvm::StringRef body) {
  return "kernel @k(" + parameters.str() + ") warps 4 {\n" + body.str() + "}\n";
}

// The first value called `name`.
inline ir::Value *find(ir::Module &module, llvm::StringRef name) {
  ir::Value *found = nullptr;
  auto look = [&](auto &values) {
    for (auto &value : values)
      if (!found && value->name == name) found = value.get();
  };
  for (ir::Kernel &kernel : module.kernels) {
    look(kernel.body.arguments);
    ir::walk(kernel.body, [&](ir::Op *op) {
      look(op->results);
      for (auto &region : op->regions) look(region->arguments);
    });
  }
  if (!found) throw std::runtime_error("there is no value " + name.str());
  return found;
}

}  // namespace tile2cu::test
