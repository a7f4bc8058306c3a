#include "emit/cuda/text_words.h"

#include <cctype>

namespace tile2cu::emit {

bool isWordCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

size_t findWord(const std::string &text, const std::string &name, size_t from) {
  for (size_t at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    bool begins = at == 0 || !isWordCharacter(text[at - 1]);
    if (begins && (end == text.size() || !isWordCharacter(text[end]))) return at;
  }
  return std::string::npos;
}

bool mentions(const std::string &text, const std::string &name) {
  return findWord(text, name) != std::string::npos;
}

void replaceWord(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = findWord(text, from); at != std::string::npos;
       at = findWord(text, from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string withoutNumber(const std::string &name) {
  const size_t last = name.find_last_not_of("0123456789");
  const bool isNumbered =
      last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == '_';
  return isNumbered ? name.substr(0, last) : name;
}

}  // namespace tile2cu::emit
