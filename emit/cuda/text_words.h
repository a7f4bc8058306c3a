// Words of texts: statements of the user, and lines that the transforms still read.
#pragma once
#include <string>

namespace tile2cu::emit {

// A letter, digit or underscore, or a byte of a letter beyond ASCII.
bool isWordCharacter(char c);
// Where the identifier `name` next occurs in `text`; npos if nowhere.
size_t findWord(const std::string &text, const std::string &name, size_t from = 0);
// Whether it occurs.
bool mentions(const std::string &text, const std::string &name);
// Writes `to` wherever it occurs.
void replaceWord(std::string &text, const std::string &from, const std::string &to);
// VECS of VECS_2; others as they are.
std::string withoutNumber(const std::string &name);

}  // namespace tile2cu::emit
