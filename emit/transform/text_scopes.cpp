#include "emit/transform/text_scopes.h"

#include <algorithm>
#include <set>

#include "emit/cuda/text_words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
using llvm::StringRef;

bool isComment(StringRef line) { return line.starts_with("//"); }
StringRef withoutComment(StringRef line) { return line.substr(0, line.find("//")).rtrim(); }

bool opens(StringRef line) { return withoutComment(line).ends_with("{"); }
bool closes(StringRef line) { return line.starts_with("}"); }

size_t endOfBlock(const Lines &lines, size_t at) {
  int depth = 1;
  for (size_t i = at + 1; i < lines.size(); ++i) {
    if (closes(lines[i]) && --depth == 0) return i;
    if (opens(lines[i])) ++depth;
  }
  return lines.size() - 1;
}

std::vector<size_t> endsOfBlocks(const Lines &lines) {
  std::vector<size_t> ends(lines.size(), lines.size() - 1), open;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (closes(lines[i]) && !open.empty()) {
      ends[open.back()] = i;
      open.pop_back();
    }
    if (opens(lines[i])) open.push_back(i);
  }
  return ends;
}

void forEachWord(StringRef text, llvm::function_ref<void(StringRef)> use) {
  while (!text.empty()) {
    text = text.drop_until(isWordCharacter);
    const StringRef word = text.take_while(isWordCharacter);
    if (!word.empty()) use(word);
    text = text.drop_front(word.size());
  }
}

bool isIdentifier(StringRef word) {
  return !word.empty() && !llvm::isDigit(word[0]) && llvm::all_of(word, isWordCharacter);
}

// The commas of declarators: not those between template arguments.
static std::vector<StringRef> declarators(StringRef text) {
  std::vector<StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<Declaration> declarationsIn(StringRef line) {
  if (isComment(line)) return {};
  line = withoutComment(line);
  if (!line.consume_front("for (") && !line.ends_with(";") && !line.ends_with("{")) return {};
  StringRef head = line.substr(0, std::min({line.find(" = "), line.find(';'), line.find('{')}));
  if (head.contains('(')) return {};
  for (const char *sign : {"+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "<<=", ">>="})
    if (head.contains(sign)) return {};
  for (const char *word : {"return", "else", "case", "goto", "using", "constexpr", "static"})
    if (head == word || head.starts_with(std::string(word) + " ")) return {};
  std::vector<Declaration> all;
  for (StringRef declarator : declarators(head)) {
    const auto [variable, rest] = declarator.split('[');
    const size_t space = variable.rfind(' ');
    const StringRef name = variable.substr(space + 1);
    StringRef type = space == StringRef::npos ? "" : variable.substr(0, space).trim();
    if (all.empty() && !isIdentifier(type.substr(0, 1))) return {};
    if (!isIdentifier(name)) return {};
    all.push_back({all.empty() ? type.str() : all.front().type, name.str(),
                   rest.empty() ? "" : "[" + rest.str(), true});
  }
  // Lambdas, references and what the compiler finds the type of have no parameter that says the same, nor pointers beside others;
  // extents that are not one word cannot be deduced.
  for (Declaration &each : all)
    each.isUsable = (all.size() == 1 || each.type.find('*') == std::string::npos) &&
                    each.type.find("auto") == std::string::npos &&
                    (each.type + each.extents).find_first_of("&+-/%") == std::string::npos &&
                    each.extents.find('*') == std::string::npos;
  return all;
}

// The parameters of a lambda that begins at the line: const auto copy_x = [&](int stage, const float* x_ptrs) { ...
static std::vector<Declaration> parametersIn(StringRef line) {
  const auto [name, behind] = line.split(" = [&](");
  StringRef list = behind;
  if (!list.consume_back(") {")) return {};
  std::vector<Declaration> all;
  for (StringRef parameter : declarators(list)) {
    const auto [type, variable] = parameter.trim().rsplit(' ');
    if (!variable.empty()) all.push_back({type.str(), variable.str(), "", true});
  }
  return all;
}

bool mentionsVariable(const std::string &code, const std::string &name) {
  for (size_t at = findWord(code, name); at != std::string::npos;
       at = findWord(code, name, at + 1)) {
    const StringRef before = StringRef(code).substr(0, at);
    if (!before.ends_with(".") && !before.ends_with("::")) return true;
  }
  return false;
}

bool isAssigned(const std::string &code, const std::string &name, Changes changes) {
  const bool withElements = changes == Changes::VariableOrElements;
  for (size_t at = findWord(code, name); at != std::string::npos;
       at = findWord(code, name, at + 1)) {
    const StringRef before = StringRef(code).substr(0, at);
    StringRef behind = StringRef(code).substr(at + name.size());
    if (before.ends_with(".") || before.ends_with("::")) continue;
    if (before.ends_with("++") || before.ends_with("--")) return true;
    const bool isDereferenced = before.ends_with("*");
    if (!withElements && (isDereferenced || behind.starts_with("["))) continue;
    while (behind.consume_front("[")) {
      size_t depth = 1, end = 0;
      for (; end < behind.size() && depth; ++end)
        depth += behind[end] == '[' ? 1 : behind[end] == ']' ? -1 : 0;
      behind = behind.substr(end);
    }
    if (behind.consume_front(".")) behind = behind.drop_while(isWordCharacter);
    if (!behind.consume_front(" ")) continue;
    for (const char *sign :
         {"= ", "+= ", "-= ", "*= ", "/= ", "%= ", "^= ", "|= ", "&= ", "<<= ", ">>= "})
      if (behind.starts_with(sign)) return true;
  }
  return false;
}
bool assignsElements(const std::string &code, const std::string &name) {
  return isAssigned(code, name, Changes::VariableOrElements);
}

void Scopes::declare(const std::vector<Declaration> &all) {
  for (const Declaration &each : all) {
    positions_[each.name].push_back(visible_.size());
    visible_.push_back(each);
  }
}

void Scopes::close() {
  for (; visible_.size() > begins_.back(); visible_.pop_back())
    positions_[visible_.back().name].pop_back();
  begins_.pop_back();
}

void Scopes::moveTo(size_t at) {
  for (; next_ < at; ++next_) {
    const StringRef line = lines_[next_];
    if (closes(line) && begins_.size() > 1) close();
    const bool opensBlock = opens(line), isFor = line.starts_with("for (");
    if (opensBlock && isFor) begins_.push_back(visible_.size());
    declare(declarationsIn(line));
    if (!opensBlock || isFor) continue;
    begins_.push_back(visible_.size());
    declare(parametersIn(line));
  }
}

bool Scopes::contains(StringRef name) const {
  const auto found = positions_.find(name);
  return found != positions_.end() && !found->second.empty();
}

std::vector<Declaration> Scopes::mentionedIn(StringRef code) const {
  std::set<size_t> found;
  forEachWord(code, [&](StringRef word) {
    if (const auto at = positions_.find(word); at != positions_.end())
      found.insert(at->second.begin(), at->second.end());
  });
  std::vector<Declaration> mentioned;
  for (const size_t at : found) mentioned.push_back(visible_[at]);
  return mentioned;
}

}  // namespace tile2cu::emit
