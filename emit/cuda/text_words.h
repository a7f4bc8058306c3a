// Words of texts that were not made from nodes: statements of the user, device helpers.
#pragma once
#include <string>

namespace tile2cu::emit {

// A letter, digit or underscore, or a byte of a letter beyond ASCII.
bool isWordCharacter(char c);
// Where the identifier `name` next occurs in `text`; npos if nowhere.
size_t findWord(const std::string &text, const std::string &name, size_t from = 0);
// Whether it occurs.
bool mentions(const std::string &text, const std::string &name);

}  // namespace tile2cu::emit
