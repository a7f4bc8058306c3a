// Words of texts that were not made from nodes: statements of the user, device helpers.
#pragma once
#include <string>

namespace tile2cu::emit {

// Stands in the name of a symbol (symbols.h).
inline constexpr char kSymbolMark = '\x1f';
// A letter, digit or underscore, a byte of a letter beyond ASCII, or the mark of a symbol.
bool isWordCharacter(char c);
// Where the identifier `name` next occurs in `text`; npos if nowhere.
size_t findWord(const std::string &text, const std::string &name, size_t from = 0);
// Whether it occurs.
bool mentions(const std::string &text, const std::string &name);

}  // namespace tile2cu::emit
