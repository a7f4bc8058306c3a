#include "emit/cuda/text_lines.h"

#include <algorithm>

#include "emit/cuda/expr.h"

namespace tile2cu::emit {

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joinLines(llvm::ArrayRef<std::string> lines) {
  std::string result;
  for (const std::string &line : lines) result += line + "\n";
  return result;
}

// Behind the parenthesis, bracket or brace that `text` begins with, or the quotes.
static llvm::StringRef behindGroup(llvm::StringRef text) {
  const char quote = text[0] == '"' ? text[0] : 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote && c == '\\') {
      ++i;
    } else if (quote) {
      if (i > 0 && c == quote) return text.substr(i + 1);
    } else if (c == '"') {
      i = text.size() - behindGroup(text.substr(i)).size() - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) return text.substr(i + 1);
    }
  }
  return "";
}

// What stands before the sign of an assignment; empty if the line is none.
static llvm::StringRef assignedPart(llvm::StringRef line) {
  for (llvm::StringRef rest = line; !rest.empty();) {
    const char c = rest[0];
    if (c == ';' || rest.starts_with("//")) break;
    if (c == '(' || c == '[' || c == '{' || c == '"') {
      rest = behindGroup(rest);
      continue;
    }
    const llvm::StringRef before = line.drop_back(rest.size());
    if (c == '=' && before.ends_with(" ") && rest.starts_with("= ")) return before.rtrim();
    if (c == '=' && rest.starts_with("= ") && !before.empty() &&
        llvm::StringRef("+-*/%&|^").contains(before.back()))
      return before.drop_back().rtrim();
    if ((rest.starts_with("<<= ") || rest.starts_with(">>= ")) && before.ends_with(" "))
      return before.rtrim();
    rest = rest.drop_front();
  }
  return "";
}

llvm::StringRef assignedName(llvm::StringRef line) {
  if (line.starts_with("//") || line.starts_with("#") || line.starts_with("for (")) return "";
  if (!line.contains("= ")) return "";
  while (line.starts_with("if (")) line = behindGroup(line.drop_front(3)).ltrim();
  llvm::StringRef target = assignedPart(line);
  if (const auto [before, address] = target.split("(&"); !address.empty())
    return address.take_while(isWordCharacter);
  target = target.take_until([](char c) { return c == '[' || c == '.'; });
  size_t begin = target.size();
  while (begin > 0 && isWordCharacter(target[begin - 1])) --begin;
  return target.take_front(begin).ends_with("*") ? "" : target.drop_front(begin);
}

}  // namespace tile2cu::emit
