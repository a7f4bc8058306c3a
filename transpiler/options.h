// The command line. `options.def` lists the flags; `parseCommandLine` reads them.
#pragma once
#include <string>
#include <vector>

namespace tile2cu::transpiler {

using List = std::vector<std::string>;
struct ForClang {};  // a flag that is kept in Options::clangFlags only

struct Options {
#define OPTION(Type, field, names, fallback, group, meta, help) Type field = fallback;
#include "transpiler/options.def"
  List inputs;        // files, or "-"
  std::string input;  // the one of a run
  List clangFlags;    // flags for Clang in order, then the arguments after `--`
};

// Whether the output is Tile IR.
bool writesIr(const Options &options);
// Whether -o names a folder: DIR/
bool writesIntoFolder(const Options &options);

// The result of parsing a command line: continue with `options`, or stop with `exitCode` after
// printing `message` (to standard error if it is a usage error).
struct CommandLine {
  Options options;
  bool stop = false;
  int exitCode = 0;
  std::string message;
};

CommandLine parseCommandLine(int argc, const char *const *argv);

// The text of --help.
std::string helpText();

}  // namespace tile2cu::transpiler
