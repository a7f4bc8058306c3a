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

}  // namespace tile2cu::emit
