// Lays out finished text: indentation, line breaks, one style, in process.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace tile2cu::emit {

// The longest line.
inline constexpr size_t kColumns = 100;

// CUDA text in Google style with 100 columns; blank lines at the start of blocks removed. With
// `columns` 0, no statement is broken into several lines. `places`, if it is not null, has offsets
// in `text`; each becomes the offset of the same token in the result.
std::string formatCuda(const std::string &text, size_t columns = kColumns,
                       std::vector<size_t> *places = nullptr);

}  // namespace tile2cu::emit
