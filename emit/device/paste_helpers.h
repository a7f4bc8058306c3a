// Selects the device helpers that a file uses from runtime/include/tile2cu/device/*.cuh.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace tile2cu::emit {

struct PastedHelpers {
  std::string text;                   // sections, each after those that it needs
  std::vector<std::string> includes;  // <cuda_fp16.h>, ...
};

// Sections for every tile2cu::name in `text`, for the dotted names in `more`, and for their needs.
PastedHelpers pasteHelpers(const std::string &text, const std::set<std::string> &more);

// Only those that the emitter writes itself (wgmma_helpers.h), for a file that includes the device
// header, which has the others. Empty if `text` names none.
std::string pasteUnfiledHelpers(const std::string &text);

}  // namespace tile2cu::emit
