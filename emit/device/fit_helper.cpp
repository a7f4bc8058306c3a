#include "emit/device/fit_helper.h"

#include "emit/cuda/format.h"
#include "emit/cuda/text_words.h"
#include "emit/device/helper_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

constexpr size_t kNone = llvm::StringRef::npos;

// The parts of a list between its commas; those in brackets or strings divide nothing.
std::vector<std::string> listParts(llvm::StringRef list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool inString = false;
  for (const char c : list) {
    if (c == '"') inString = !inString;
    if (!inString)
      depth += llvm::StringRef("(<[{").contains(c) - llvm::StringRef(")>]}").contains(c);
    if (c == ',' && depth == 0 && !inString)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string &part : parts) part = llvm::StringRef(part).trim().str();
  return parts;
}

// Where the bracket at `open` is closed.
size_t closing(llvm::StringRef code, size_t open, char opens, char closes) {
  int depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    depth += (code[at] == opens) - (code[at] == closes);
    if (depth == 0) return at;
  }
  T2C_UNREACHABLE("a bracket of a device helper is not closed");
}

// Whether a width fulfils `BYTES == 4` or `BYTES >= 4`; nothing for another condition.
std::optional<bool> holds(llvm::StringRef condition, int width) {
  llvm::SmallVector<llvm::StringRef, 3> words;
  condition.trim().split(words, ' ');
  int number = 0;
  if (words.size() != 3 || words[0] != "BYTES" || words[2].getAsInteger(10, number)) return {};
  if (words[1] == "==") return width == number;
  if (words[1] == ">=") return width >= number;
  return {};
}

// The same for all widths: true if all fulfil it, false if none does.
std::optional<bool> holdsForAll(llvm::StringRef condition, const Widths &widths) {
  std::optional<bool> all;
  for (const int width : widths) {
    const std::optional<bool> one = holds(condition, width);
    if (!one || (all && *all != *one)) return {};
    all = one;
  }
  return all;
}

// Where the statement that starts at `at` ends: a block, or up to its semicolon.
size_t endOfStatement(llvm::StringRef code, size_t at) {
  at = code.find_first_not_of(" \n", at);
  if (code[at] == '{') return closing(code, at, '{', '}') + 1;
  for (int depth = 0; at < code.size(); ++at) {
    depth += (code[at] == '(') - (code[at] == ')');
    if (code[at] == ';' && depth == 0) break;
  }
  return at + 1;
}

// The statements of a branch.
llvm::StringRef insideOf(llvm::StringRef branch) {
  branch = branch.trim();
  return branch.consume_front("{") ? branch.drop_back().trim() : branch;
}

// Replaces one `if constexpr` that all widths decide alike. Says whether there was one.
bool foldBranch(std::string &text, const Widths &widths) {
  const llvm::StringRef code(text), head = "if constexpr (";
  for (size_t at = code.find(head); at != kNone; at = code.find(head, at + 1)) {
    const size_t open = at + head.size() - 1, close = closing(code, open, '(', ')');
    const std::optional<bool> isTaken = holdsForAll(code.slice(open + 1, close), widths);
    if (!isTaken) continue;
    const size_t end = endOfStatement(code, close + 1);
    const llvm::StringRef first = code.slice(close + 1, end);
    llvm::StringRef rest = code.substr(end), second;
    if (rest.ltrim().starts_with("else")) {
      const size_t start = code.find("else", end) + 4, last = endOfStatement(code, start);
      second = code.slice(start, last);
      rest = code.substr(last);
    }
    text = (code.take_front(at) + insideOf(*isTaken ? first : second) + rest).str();
    return true;
  }
  return false;
}

// The same for a std::conditional_t.
bool foldType(std::string &text, const Widths &widths) {
  const llvm::StringRef code(text), head = "std::conditional_t<";
  for (size_t at = code.find(head); at != kNone; at = code.find(head, at + 1)) {
    const size_t open = at + head.size() - 1, close = closing(code, open, '<', '>');
    const std::vector<std::string> parts = listParts(code.slice(open + 1, close));
    const std::optional<bool> isFirst = holdsForAll(parts[0], widths);
    if (!isFirst) continue;
    text = (code.take_front(at) + parts[*isFirst ? 1 : 2] + code.substr(close + 1)).str();
    return true;
  }
  return false;
}

// Leaves the widths of a static_assert that are in use.
void foldAssert(std::string &text, const Widths &widths) {
  const llvm::StringRef code(text), head = "static_assert(BYTES == ";
  const size_t at = code.find(head);
  if (at == kNone) return;
  const size_t open = at + head.size() - llvm::StringRef("BYTES == ").size(),
               end = code.find(',', open);
  llvm::SmallVector<llvm::StringRef, 4> all, used;
  code.slice(open, end).split(all, " || ");
  for (const llvm::StringRef one : all)
    if (llvm::any_of(widths, [&](int width) { return holds(one, width).value_or(true); }))
      used.push_back(one);
  text = (code.take_front(open) + llvm::join(used, " || ") + code.substr(end)).str();
}

// Removes `constexpr int BYTES = ...;` where no branch reads it any more.
void dropUnusedBytes(std::string &text) {
  const size_t at = text.find("constexpr int BYTES = ");
  if (at == kNone || findWord(text, "BYTES", text.find('=', at)) != kNone) return;
  text.erase(at, text.find_first_not_of(" \n", text.find(';', at) + 1) - at);
}

// The bytes of a function's last parameter, if that is a word.
std::optional<int> wordWidth(llvm::StringRef code) {
  const size_t open = code.find('(');
  if (open == kNone || code.starts_with("#")) return {};
  const size_t close = closing(code, open, '(', ')');
  const std::string last = listParts(code.slice(open + 1, close)).back();
  llvm::StringRef type(last);
  type.consume_front("const ");
  const int width = llvm::StringSwitch<int>(type.split('&').first)
                        .Case("uint8_t", 1)
                        .Case("uint16_t", 2)
                        .Case("uint32_t", 4)
                        .Case("vec<uint32_t, 2>", 8)
                        .Case("vec<uint32_t, 4>", 16)
                        .Default(0);
  if (!width || !type.contains('&')) return {};
  return width;
}

std::string replaced(llvm::StringRef code, const std::string &from, llvm::StringRef to) {
  std::string result;
  size_t at = 0;
  const std::string text = code.str();
  for (size_t next = 0; (next = findWord(text, from, at)) != kNone; at = next + from.size())
    result += text.substr(at, next - at) + to.str();
  return result + text.substr(at);
}

// Removes `what`, or `what` followed by a word and `tail`, wherever it stands; leaves `instead`.
void remove(std::string &text, llvm::StringRef what, std::optional<llvm::StringRef> tail = {},
            llvm::StringRef instead = "") {
  for (size_t at = text.find(what); at != kNone; at = text.find(what, at)) {
    size_t end = at + what.size();
    if (tail) {
      while (end < text.size() && isWordCharacter(text[end])) ++end;
      if (!llvm::StringRef(text).substr(end).starts_with(*tail)) {
        at = end;
        continue;
      }
      end += tail->size();
    }
    text.replace(at, end - at, instead);
  }
}

}  // namespace

std::optional<HelperMacro> helperMacro(llvm::StringRef text) {
  const size_t at = text.find("#define ");
  if (at == kNone) return {};
  HelperMacro macro;
  macro.comment = text.take_front(at).str();
  const llvm::StringRef code = text.substr(at + 8);
  const size_t open = code.find('('), close = code.find(')');
  macro.name = code.take_front(open).str();
  macro.parameters = listParts(code.slice(open + 1, close));
  const llvm::StringRef rows = code.substr(code.find('\n', close) + 1);
  for (const llvm::StringRef row : llvm::split(rows, '\n'))
    macro.body += row.rtrim(" \\").str() + "\n";
  return macro;
}

std::string expanded(const HelperMacro &macro, llvm::StringRef call) {
  std::vector<std::string> arguments =
      listParts(call.trim().drop_front(macro.name.size() + 1).drop_back());
  arguments.resize(macro.parameters.size());
  std::string text = macro.body;
  for (const auto &[parameter, argument] : llvm::zip(macro.parameters, arguments))
    text = replaced(text, parameter == "..." ? "__VA_ARGS__" : parameter, argument);
  // Two strings that are one.
  for (size_t at = text.find('"'); at != kNone; at = text.find('"', at)) {
    const size_t next = text.find_first_not_of(" \n", at + 1);
    if (next > at + 1 && next != kNone && text[next] == '"')
      text.erase(at, next + 1 - at);
    else
      ++at;
  }
  return text;
}

std::string withWidths(llvm::StringRef text, const Widths &widths) {
  if (widths.empty()) return text.str();
  std::string result;
  for (HelperItem &item : splitHelpers(text, [](llvm::StringRef) { return false; })) {
    const std::optional<int> width = wordWidth(item.code);
    if (width && !widths.count(*width)) {
      if (result.empty()) result = item.comment;  // it is about all of them
      continue;
    }
    const std::string before = item.code;
    while (foldBranch(item.code, widths) || foldType(item.code, widths)) {
    }
    foldAssert(item.code, widths);
    dropUnusedBytes(item.code);
    if (item.code != before) item.code = llvm::StringRef(formatCuda(item.code)).rtrim().str();
    result += item.whole();
  }
  return result;
}

std::string withoutPolicies(std::string text) {
  const llvm::StringRef code(text);
  if (!code.contains("cache C") && !code.contains("policy<cache::")) return text;
  remove(text, "policy<C>(), ");
  remove(text, "policy<cache::", ">, ");
  remove(text, " = cache::", "");
  remove(text, ", cache C");
  remove(text, "cache C, ");
  remove(text, ", C>", std::nullopt, ">");
  return text;
}

}  // namespace tile2cu::emit
