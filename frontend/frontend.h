// Clang AST -> Tile IR: the only header that the driver includes. It includes no Clang header.
//
//   frontend::Session session(options);
//   ir::Module module;
//   ir::Diagnostics diagnostics;
//   bool ok = frontend::lowerToIr(session, module, diagnostics);
//   session.print(diagnostics);          // prints new diagnostics, with Clang's caret and colours
//   if (!ok) return 1;
//   ... passes report into `diagnostics` ...
//   session.print(diagnostics);
//   if (session.hasErrors()) return 1;     // errors, and warnings that -Werror made errors
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/diagnostics/message_list.h"
#include "passes/ir/module.h"

namespace tile2cu::frontend {

struct FrontendOptions {
  std::string input;  // a path; "-" (or any name) with the text in `buffer` when useBuffer is set
  bool useBuffer = false;
  std::string buffer;
  // -I -D -U -std= -W... -R... -include, for Clang; our -W groups are handled here.
  std::vector<std::string> clangArgs;
  std::string resourceDir;               // Clang's; empty: where this build found it
  std::string runtimeInclude;            // the folder of tile2cu/tile.h; empty: this source tree's
  std::string precompiledHeader;         // a file written by precompileHeader, used if possible
  std::vector<std::string> instantiate;  // "softmax<1024>": launchers asked for on the command line
  bool checks = false;                   // promises keep their text, for insert_checks
  ir::Options instantiateOptions;        // for those, and for kernels that are not templates
  bool colors = false;                   // coloured diagnostics
  int errorLimit = 20;                   // 0: no limit
  ir::MessageList *messages = nullptr;   // gets the messages, which are not printed then
};

// Keeps Clang alive after parsing, for the source lines in messages and the list of files that were
// read.
class Session {
 public:
  explicit Session(FrontendOptions options);
  ~Session();
  Session(const Session &) = delete;

  // Prints the diagnostics that no earlier call has printed, to stderr, in Clang's form. Respects
  // -w, -Werror, -W<group>, -Wno-<group>, -Werror=<group> and -R<group>.
  void print(const ir::Diagnostics &diagnostics);
  // Errors so far: Clang's own, ours, and warnings turned into errors.
  bool hasErrors() const;
  // "2 warnings and 1 error generated.", as Clang ends; nothing if there were none.
  void printSummary();
  // Every file that was read, the input first, for the depfile (without system headers).
  std::vector<std::string> includedFiles() const;

  // Whether FrontendOptions::precompiledHeader was read instead of the header.
  bool usesPrecompiledHeader() const;

  struct Impl;
  Impl &impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Parses the input, checks that it stays within the subset, and lowers every requested kernel.
// Clang's own errors are printed at once; ours are added to `diagnostics`. Returns false if there
// were errors of either kind.
bool lowerToIr(Session &session, ir::Module &module, ir::Diagnostics &diagnostics);

// Parses tile2cu/tile.h and writes the result to `path`, for FrontendOptions::precompiledHeader.
bool precompileHeader(FrontendOptions options, const std::string &path);

}  // namespace tile2cu::frontend
