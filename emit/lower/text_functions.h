// The functions of a file whose bodies are the user's text: those of cuda(...).
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// Calls in the module that have the same text, parameters and types call one function. All are in
// the global namespace, under names that nothing else in the file has, and that no text has.
class TextFunctions {
 public:
  // For the emulator, a function has what the user wrote for the CPU, and there are only those of
  // effects: the other calls run the region of their operation.
  TextFunctions(const ir::Module &module, bool forEmulator, ir::Diagnostics &diagnostics);

  // ::exp2_approx_cuda, from the global namespace on, so that no name of a kernel hides it.
  std::string calleeOf(const ir::Op *call) const;
  const std::vector<TextFunction> &all() const { return functions_; }

 private:
  // `texts`: all of them.
  void add(const ir::Op *call, const ir::Module &module, llvm::ArrayRef<std::string> texts);
  const std::string &textOf(const ir::Op *call) const;

  bool forEmulator_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;  // of functions, by keyOf
  std::vector<TextFunction> functions_;
};

// Whether the emitted file runs the operation's text: it is not in the region of another one.
bool runsText(const ir::Op *op);

}  // namespace tile2cu::emit
