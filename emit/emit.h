// Tile IR -> CUDA text. The module has been through all passes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "emit/device/architecture_guard.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// Where the device helpers in use are defined.
enum class Helpers {
  End,      // at the end of the file
  Header,   // in a header of their own
  Include,  // in tile2cu/device.cuh
};

struct EmitOptions {
  std::string sourceName;  // as it appears in comments: the input's name without folders
  std::vector<std::string> fileNames;  // the same for each of Module::files
  std::optional<unsigned> mainFile;    // which of these is the input; none: it is not known
  std::string headerName;              // what --header writes, for the file to include; empty: none
  bool emulator = false;               // launches as emulate::launch(...), for the CPU emulator
  bool externC = false;                // launchers with C names
  Helpers helpers = Helpers::End;
  Architecture written;             // what every GPU has that the file is written for
  std::string helperHeader;         // the name of the header of Helpers::Header
  bool preciseMath = false;         // --math=precise
  std::vector<std::string> macros;  // that the command line defines
  bool lineDirectives = false;      // #line, for the lines of the tile source
  bool rowSources = false;          // CudaText::sources is asked for
  std::string outputName;           // the emitted file, as #line names it

  // The file of a location, for comments.
  const std::string &fileOf(const ir::Location &loc) const {
    return loc.file < fileNames.size() ? fileNames[loc.file] : sourceName;
  }
  // Whether it is a file that the input includes.
  bool isIncluded(const ir::Location &loc) const {
    return mainFile && loc.line > 0 && loc.file != *mainFile;
  }
};

// The statement or comment that begins at this row of the emitted file, counted from 0, comes from
// this line of Module::files[file], counted from 1.
struct RowSource {
  size_t row;
  unsigned file, line;
};

struct CudaText {
  std::string file;                // the .cu file
  std::string helpers;             // the header of Helpers::Header
  std::vector<RowSource> sources;  // of the rows of `file`, ascending; with rowSources
};

// Nothing, with the errors in `diagnostics`, if a kernel cannot be written.
std::optional<CudaText> emitCuda(const ir::Module &module, const EmitOptions &options,
                                 ir::Diagnostics &diagnostics);

// The .h file that declares the launchers.
std::optional<std::string> emitHeader(const ir::Module &module, const EmitOptions &options,
                                      ir::Diagnostics &diagnostics);

// The file with the operators of PyTorch that call the launchers (host/torch_operators.h).
std::string emitTorch(const ir::Module &module, const EmitOptions &options);

}  // namespace tile2cu::emit
