#include "emit/device/helper_text.h"

#include "emit/cuda/format.h"
#include "emit/cuda/text_words.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

constexpr size_t kNone = llvm::StringRef::npos;

// Where the string, character or comment that begins at `at` ends; `at` if none begins there.
size_t skipped(llvm::StringRef code, size_t at) {
  if (code.substr(at).starts_with("//")) return std::min(code.find('\n', at), code.size());
  const char quote = code[at];
  // An apostrophe within a number separates digits.
  const bool isQuote =
      quote == '"' || (quote == '\'' && (at == 0 || !isWordCharacter(code[at - 1])));
  if (!isQuote) return at;
  for (++at; at < code.size() && code[at] != quote; ++at)
    if (code[at] == '\\') ++at;
  return std::min(at + 1, code.size());
}

// Calls visit(position, depth) for each character of the code that is in no string or comment.
// `depth` counts the parentheses, brackets and braces around it.
void scan(llvm::StringRef code, llvm::function_ref<bool(size_t, int)> visit) {
  int depth = 0;
  for (size_t at = 0; at < code.size();) {
    if (const size_t end = skipped(code, at); end > at) {
      at = end;
      continue;
    }
    if (llvm::StringRef(")]}").contains(code[at])) --depth;
    if (!visit(at, depth)) return;
    if (llvm::StringRef("([{").contains(code[at])) ++depth;
    ++at;
  }
}

// Where the list <...> that begins at `open` ends.
size_t endOfAngles(llvm::StringRef code, size_t open) {
  int angles = 0;
  size_t end = kNone;
  scan(code.substr(open), [&](size_t at, int depth) {
    if (depth > 0) return true;
    const char c = code[open + at];
    angles += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (angles == 0) end = open + at + 1;
    return end == kNone;
  });
  return end;
}

// The list of parameters without default arguments.
std::string withoutDefaults(llvm::StringRef list) {
  std::string result;
  int angles = list.starts_with("template <") ? -1 : 0;
  bool isDefault = false;
  size_t copied = 0;
  auto copyTo = [&](size_t end) {
    if (!isDefault) result += list.slice(copied, end).rtrim(' ').str();
    copied = end;
  };
  scan(list, [&](size_t at, int depth) {
    if (depth > 0) return true;
    const char c = list[at];
    if (angles == 0 && (c == '=' || c == ',' || c == '>')) {
      copyTo(at);
      isDefault = c == '=';
    }
    angles += c == '<' ? 1 : c == '>' ? -1 : 0;
    return true;
  });
  copyTo(list.size());
  return result;
}

// The parts of a function.
struct FunctionParts {
  llvm::StringRef numbers;     // template <...>; may be empty
  llvm::StringRef name;        // from the specifiers to the name
  llvm::StringRef parameters;  // between the parentheses
  llvm::StringRef body;        // from what follows them
};

std::optional<FunctionParts> partsOf(llvm::StringRef code) {
  FunctionParts parts;
  size_t start = 0;
  while (code.substr(start).ltrim().starts_with("template <")) {
    start = endOfAngles(code, code.find('<', start));
    if (start == kNone) return std::nullopt;
  }
  parts.numbers = code.take_front(start);
  size_t open = kNone, close = kNone, brace = kNone;
  scan(code.substr(start), [&](size_t at, int depth) {
    const char c = code[start + at];
    if (depth == 0 && c == '(' && open == kNone) open = start + at;
    if (depth == 0 && c == ')' && close == kNone) close = start + at;
    if (depth == 0 && (c == ';' || c == '=')) return false;
    if (depth == 0 && c == '{') brace = start + at;
    return brace == kNone;
  });
  if (open == kNone || close == kNone || brace == kNone || close > brace) return std::nullopt;
  // A function that returns a reference to an array, T (&f(int x))[4], is not split.
  if (code.substr(close + 1).ltrim().starts_with("[")) return std::nullopt;
  parts.name = code.slice(start, open);
  parts.parameters = code.slice(open + 1, close);
  parts.body = code.substr(close + 1);
  return parts;
}

}  // namespace

void forEachWord(llvm::StringRef code, llvm::function_ref<void(llvm::StringRef)> visit) {
  for (size_t at = 0; at < code.size();) {
    if (const size_t end = skipped(code, at); end > at) {
      at = end;
    } else if (const llvm::StringRef word = code.substr(at).take_while(isWordCharacter);
               !word.empty()) {
      visit(word);
      at += word.size();
    } else {
      ++at;
    }
  }
}

namespace {

// Whether the body of the function `name` names a helper. Its own name is CUDA's there: ::exp.
bool namesHelper(llvm::StringRef body, llvm::StringRef name, IsHelper isHelper) {
  bool names = false;
  forEachWord(body, [&](llvm::StringRef word) { names |= word != name && isHelper(word); });
  return names;
}

// exp of `__device__ float exp`.
llvm::StringRef ownName(llvm::StringRef head) {
  return head.take_back(head.size() - head.find_last_of(" *&") - 1);
}

void splitFunction(HelperItem &item, IsHelper isHelper) {
  const llvm::StringRef code(item.code);
  if (code.starts_with("#")) return;
  const std::optional<FunctionParts> parts = partsOf(code);
  if (!parts) return;
  item.name = ownName(parts->name).str();
  item.takesDoubles = mentions(parts->parameters.str(), "double");
  item.isMember = parts->name.contains(">::");
  if (item.isMember) return;
  for (const char *word : {"struct", "class", "union", "enum", "namespace", "using", "constexpr",
                           "auto", "__global__"})
    if (mentions(parts->name.str(), word)) return;
  item.callsHelpers = namesHelper(parts->body, ownName(parts->name), isHelper);
  if (!code.contains('\n') && !item.callsHelpers) return;
  item.declaration = code.drop_back(parts->body.size()).str() + ";";
  std::string head = parts->name.str();
  for (const llvm::StringRef word : {"__forceinline__ ", "inline "})
    if (const size_t at = head.find(word); at != std::string::npos) head.erase(at, word.size());
  item.head = fmt::format("{}{}({})", withoutDefaults(parts->numbers), head,
                          withoutDefaults(parts->parameters));
  item.body = parts->body.str();
}

// The head of a function whose parameters were aligned with a longer one.
std::string laidOut(const std::string &head) {
  const std::string body = " {\n  first;\n  second;\n}";
  if (!llvm::StringRef(head).substr(head.find('(')).contains('\n')) return head;
  return llvm::StringRef(formatCuda(head + body)).rtrim().drop_back(body.size()).str();
}

// The text of a comment's rows.
std::string joined(llvm::StringRef comment) {
  std::string text;
  for (const llvm::StringRef row : llvm::split(comment.rtrim('\n'), '\n')) {
    if (!text.empty()) text += ' ';
    text += row.drop_while([](char c) { return c == '/'; }).ltrim().str();
  }
  return text;
}

// Its first sentence.
std::string firstSentence(llvm::StringRef comment) {
  const std::string text = joined(comment);
  for (size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1))
    if (!llvm::isLower(text[at + 2])) return text.substr(0, at + 1);
  return text;
}

// The text as rows of a comment.
std::string commentRows(llvm::StringRef text) {
  std::string rows;
  while (!text.empty()) {
    const size_t room = kColumns - 3;
    size_t end = text.size() <= room ? text.size() : text.rfind(' ', room + 1);
    if (end == kNone) end = std::min(text.find(' '), text.size());
    rows += "// " + text.take_front(end).str() + "\n";
    text = text.drop_front(end).ltrim();
  }
  return rows;
}

bool isOneSentence(llvm::StringRef comment) { return firstSentence(comment) == joined(comment); }

}  // namespace

std::string HelperItem::legend() const {
  const std::string &text = isSplit() ? declaration : code;
  const bool isLine = isSplit() || (text.find('\n') == std::string::npos && isOneSentence(comment));
  if (!isLine) return whole();
  if (comment.empty()) return text + "\n";
  const std::string sentence = firstSentence(comment);
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string beside = "  // " + llvm::StringRef(sentence).rtrim('.').str();
  if (end + beside.size() <= kColumns)
    return text.substr(0, end) + beside + text.substr(end) + "\n";
  return commentRows(sentence) + text + "\n";
}

std::string HelperItem::later() const {
  if (!isSplit()) return whole();
  return (isOneSentence(comment) ? "" : comment) + laidOut(head) + body + "\n";
}

std::string withUsedEnumerators(llvm::StringRef code,
                                llvm::function_ref<bool(llvm::StringRef)> isUsed) {
  if (!code.starts_with("enum ") || !code.contains("{\n")) return code.str();
  std::string result, group;
  for (const llvm::StringRef row : llvm::split(code, '\n')) {
    const llvm::StringRef text = row.ltrim();
    if (row.starts_with("  //")) {
      group = row.str() + "\n";
    } else if (!row.starts_with("  ") || isUsed(text.take_while(isWordCharacter))) {
      if (row.starts_with("  ")) result += group;
      group.clear();
      result += row.str() + "\n";
    }
  }
  // Comments at the ends of rows are aligned again.
  if (llvm::StringRef(result).contains(",  ")) result = formatCuda(result);
  return llvm::StringRef(result).rtrim('\n').str();
}

std::vector<HelperItem> splitHelpers(llvm::StringRef text, IsHelper isHelper) {
  std::vector<HelperItem> items;
  HelperItem item;
  int depth = 0;  // of brackets around the next row
  auto isComplete = [&](llvm::StringRef row) {
    if (llvm::StringRef(item.code).starts_with("#")) return !row.ends_with("\\");
    const int before = depth;
    scan(row, [&](size_t at, int around) {
      depth = before + around + (llvm::StringRef("([{").contains(row[at]) ? 1 : 0);
      return true;
    });
    const llvm::StringRef code = row.split("//").first.rtrim();
    const bool isMacro = item.code == row && code.ends_with(")");
    return depth == 0 && (isMacro || code.ends_with(";") || code.ends_with("}"));
  };
  for (llvm::StringRef row : llvm::split(text, '\n')) {
    if (item.code.empty() && row.trim().empty()) {
      item.comment.clear();
    } else if (item.code.empty() && row.starts_with("//")) {
      item.comment += row.str() + "\n";
    } else {
      item.code += (item.code.empty() ? "" : "\n") + row.str();
      if (!isComplete(row)) continue;
      splitFunction(item, isHelper);
      items.push_back(std::move(item));
      item = {};
    }
  }
  return items;
}

}  // namespace tile2cu::emit
