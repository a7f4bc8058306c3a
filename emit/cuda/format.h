// Lays out finished text: indentation, line breaks, one style, in process.
#pragma once
#include <string>

namespace tile2cu::emit {

// CUDA text in Google style with 100 columns; blank lines at the start of blocks removed.
std::string formatCuda(const std::string &text);

// A lower bound of the number of lines that formatCuda makes of `text`: its statements, which never
// share a line. `text` is as the emitter writes it, a statement a line.
size_t fewestFormattedLines(const std::string &text);

// Of text as the emitter writes it, without the braces that formatCuda leaves out.
std::string withoutBraces(const std::string &text);

}  // namespace tile2cu::emit
