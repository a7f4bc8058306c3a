// The device helpers that a file uses, cut out of runtime/include/tile2cu/device/*.cuh.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace tile2cu::emit {

struct PastedHelpers {
  std::string text;                   // sections in the order of their needs
  std::vector<std::string> includes;  // <cuda_fp16.h>, ...
};

// Sections for every tile2cu::name in `text`, for the dotted names in `more`, and for what those need.
PastedHelpers pasteHelpers(const std::string &text, const std::set<std::string> &more);

}  // namespace tile2cu::emit
