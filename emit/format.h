// Lays out finished text: indentation, line breaks, one style, in process.
#pragma once
#include <string>

namespace tile2cu::emit {

// CUDA text in Google style with 100 columns; blank lines at the start of blocks removed.
std::string formatCuda(const std::string &text);

}  // namespace tile2cu::emit
