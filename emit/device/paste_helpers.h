// Selects the device helpers that a file uses from runtime/include/tile2cu/device/*.cuh.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace tile2cu::emit {

struct PastedHelpers {
  // Declarations of the functions that kernels and launchers name, and whole types.
  std::string declarations;
  // Definitions of these functions, and all that only helpers use, each after what it needs.
  std::string definitions;
  std::vector<std::string> includes;  // <cuda_fp16.h>, ...
};

// Sections for every tile2cu::name among the words, for the dotted names in `more`, and for their
// needs. If they are not split, all are definitions.
PastedHelpers pasteHelpers(const std::set<std::string> &words, const std::set<std::string> &more,
                           bool isSplit = true);

// Only those that the emitter writes itself (wgmma_helpers.h), for a file that includes the device
// header, which has the others. Empty if none is among the words.
std::string pasteUnfiledHelpers(const std::set<std::string> &words);

}  // namespace tile2cu::emit
