// An input file: read into a module, and shown in messages.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/diagnostics/message_list.h"
#include "passes/ir/module.h"
#include "transpiler/options.h"

namespace tile2cu::transpiler {

class Source {
 public:
  virtual ~Source() = default;
  // Fills the empty `module`; false after an error, which is in `diagnostics` or already printed.
  virtual bool read(ir::Module &module, ir::Diagnostics &diagnostics) = 0;
  // Prints what has not been printed yet, on standard error.
  virtual void print(const ir::Diagnostics &diagnostics) = 0;
  // Whether errors were printed, including warnings that -Werror turns into errors.
  virtual bool hasErrors() const = 0;
  // "2 errors generated.", as Clang ends; nothing if nothing was printed.
  virtual void printSummary() {}
  // The name of reading in --time-passes.
  virtual std::string readStep() const { return "read"; }
  // Every file that was read, the input first.
  virtual std::vector<std::string> files() const = 0;
  // The text of the input.
  virtual llvm::StringRef inputText() const = 0;
  // The macros that the command line, or that of the build (-p), defines.
  virtual std::vector<std::string> macros() const { return {}; }
};

// The file (or standard input) that `options` names: C++, or textual Tile IR. Null, with `problem`
// set, if it cannot be read or its flags cannot be found. `messages`, if it is not null, gets the
// messages instead of standard error.
std::unique_ptr<Source> openSource(const Options &options, ir::MessageList *messages,
                                   std::string &problem);

}  // namespace tile2cu::transpiler
