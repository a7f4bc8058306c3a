// Selects the device helpers that a file uses from runtime/include/tile2cu/device/*.cuh.
#pragma once
#include <set>
#include <string>

#include "emit/device/architecture_guard.h"

namespace tile2cu::emit {

struct PastedHelpers {
  // Declarations of the functions that kernels name, and whole types.
  std::string declarations;
  // The same of what only launchers name.
  std::string launcherDeclarations;
  // Definitions of these functions, and all that only helpers use, each after what it needs.
  std::string definitions;
  std::set<std::string> includes;          // of the kernels' helpers: <cuda_fp16.h>, ...
  std::set<std::string> launcherIncludes;  // of the others, besides
  Architecture needed;                     // by what they do without a guard
};

// Sections for every tile2cu::name among the words of kernels and of launchers, for the dotted
// names in `more`, and for their needs. `written`: what the file is written for.
PastedHelpers pasteHelpers(const std::set<std::string> &words, const std::set<std::string> &more,
                           const std::set<std::string> &launcherWords = {},
                           const Architecture &written = {});
// All of them as they stand, for a header: no function is declared before it is defined.
PastedHelpers pasteWholeHelpers(const std::set<std::string> &words,
                                const std::set<std::string> &more,
                                const Architecture &written = {});

// Only those that the emitter writes itself (wgmma_helpers.h), for a file that includes the device
// header, which has the others. Empty if none is among the words.
std::string pasteUnfiledHelpers(const std::set<std::string> &words);

}  // namespace tile2cu::emit
