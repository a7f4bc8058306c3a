#include "emit/outline.h"

#include <algorithm>
#include <optional>
#include <set>

#include "emit/expr.h"
#include "emit/lines.h"
#include "emit/names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;
using Lines = std::vector<std::string>;

constexpr const char *kBegin = "//@part ", *kEnd = "//@end";
// A part with fewer lines is not worth a function with its parameters.
constexpr size_t kLeast = 8;

bool isComment(StringRef line) { return line.starts_with("//"); }
bool isMark(StringRef line) { return line.starts_with("//@"); }

StringRef withoutComment(StringRef line) { return line.substr(0, line.find("//")).rtrim(); }

// What stands between the braces of a line that opens a block or closes one.
bool opens(StringRef line) { return withoutComment(line).ends_with("{"); }
bool closes(StringRef line) { return line.starts_with("}"); }

// Where the block ends that line `at` opens: the line of its closing brace, which may open that of an `else`.
size_t endOfBlock(const Lines &lines, size_t at) {
  int depth = 1;
  for (size_t i = at + 1; i < lines.size(); ++i) {
    if (closes(lines[i]) && --depth == 0) return i;
    if (opens(lines[i])) ++depth;
  }
  return lines.size() - 1;
}

// The same word as a variable: no member of something, and nothing of a namespace.
bool mentionsVariable(const std::string &code, const std::string &name) {
  for (size_t at = findWord(code, name); at != std::string::npos;
       at = findWord(code, name, at + 1)) {
    const StringRef before = StringRef(code).substr(0, at);
    if (!before.ends_with(".") && !before.ends_with("::")) return true;
  }
  return false;
}

// Whether a statement assigns the variable, an element of it, or counts it: name = ..., name[i][j] += ..., ++name.
bool isAssigned(const std::string &code, const std::string &name) {
  for (size_t at = findWord(code, name); at != std::string::npos;
       at = findWord(code, name, at + 1)) {
    const StringRef before = StringRef(code).substr(0, at);
    StringRef behind = StringRef(code).substr(at + name.size());
    if (before.ends_with(".") || before.ends_with("::")) continue;
    if (before.ends_with("++") || before.ends_with("--")) return true;
    while (behind.consume_front("[")) {
      size_t depth = 1, end = 0;
      for (; end < behind.size() && depth; ++end)
        depth += behind[end] == '[' ? 1 : behind[end] == ']' ? -1 : 0;
      behind = behind.substr(end);
    }
    if (!behind.consume_front(" ")) continue;
    for (const char *sign :
         {"= ", "+= ", "-= ", "*= ", "/= ", "%= ", "^= ", "|= ", "&= ", "<<= ", ">>= "})
      if (behind.starts_with(sign)) return true;
  }
  return false;
}

struct Declaration {
  std::string type, name, extents;
  bool isUsable = false;  // the type is one that a parameter can have
};

bool isIdentifier(StringRef word) {
  return !word.empty() && !llvm::isDigit(word[0]) &&
         llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// The commas of declarators: not those between template arguments.
std::vector<StringRef> declarators(StringRef text) {
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

// const float* const p = ...; tile2cu::vec<float, PAIR> acc[ROWS][COLUMNS] = {}; for (int k = 0; ...
std::vector<Declaration> declarationsIn(StringRef line) {
  if (isComment(line)) return {};
  line = withoutComment(line);
  if (!line.consume_front("for (") && !line.ends_with(";") && !line.ends_with("{")) return {};
  StringRef head = line.substr(0, std::min({line.find(" = "), line.find(';'), line.find('{')}));
  if (head.contains('(')) return {};
  for (const char *word : {"return", "else", "case", "goto", "using", "constexpr", "static"})
    if (head == word || head.starts_with(std::string(word) + " ")) return {};
  std::vector<Declaration> all;
  for (StringRef declarator : declarators(head)) {
    const auto [variable, rest] = declarator.split('[');
    const size_t space = variable.rfind(' ');
    const StringRef name = variable.substr(space + 1);
    StringRef type = space == StringRef::npos ? "" : variable.substr(0, space).trim();
    if (all.empty() && (type.empty() || !(llvm::isAlpha(type[0]) || type[0] == '_'))) return {};
    if (!isIdentifier(name)) return {};
    all.push_back({all.empty() ? type.str() : all.front().type, name.str(),
                   rest.empty() ? "" : "[" + rest.str(), true});
  }
  // Lambdas, references and what the compiler finds the type of have no parameter that says the same, nor several at once;
  // extents that are not one word cannot be deduced.
  for (Declaration &each : all)
    each.isUsable = all.size() == 1 && each.type.find("auto") == std::string::npos &&
                    (each.type + each.extents).find_first_of("&+-/%") == std::string::npos &&
                    each.extents.find('*') == std::string::npos;
  return all;
}

// The parameter that stands for a variable of the function around: numbers and pointers by value unless the part assigns them.
std::string parameterFor(const Declaration &of, bool isAssigned) {
  StringRef type = of.type;
  if (!of.extents.empty()) return of.type + " (&" + of.name + ")" + of.extents;
  type.consume_back(" const");
  if (type.contains("tile2cu::") && !type.contains("*")) return type.str() + "& " + of.name;
  if (isAssigned) return type.str() + "& " + of.name;
  if (!type.contains("*")) type.consume_front("const ");
  return type.str() + " " + of.name;
}

// What is declared in the lines before `at` and can be seen there.
std::vector<Declaration> visibleAt(const Lines &lines, size_t at) {
  std::vector<std::vector<Declaration>> scopes(1);
  for (size_t i = 0; i < at; ++i) {
    if (closes(lines[i]) && scopes.size() > 1) scopes.pop_back();
    const bool opensBlock = opens(lines[i]);
    const bool isFor = StringRef(lines[i]).starts_with("for (");
    if (opensBlock && isFor) scopes.emplace_back();
    llvm::append_range(scopes.back(), declarationsIn(lines[i]));
    if (opensBlock && !isFor) scopes.emplace_back();
  }
  std::vector<Declaration> all;
  for (auto &scope : scopes) llvm::append_range(all, scope);
  return all;
}

struct Range {
  size_t begin, end;  // lines
};

// The variables of the function around that these lines mention; nothing if one of them cannot be handed on.
std::optional<std::vector<Local>> localsOf(const Lines &lines, Range range) {
  std::string code;
  for (size_t i = range.begin; i < range.end; ++i) code += withoutComment(lines[i]).str() + "\n";
  std::vector<Local> locals;
  for (const Declaration &each : visibleAt(lines, range.begin)) {
    if (!mentionsVariable(code, each.name)) continue;
    if (!each.isUsable) return std::nullopt;
    locals.push_back({each.name, parameterFor(each, isAssigned(code, each.name))});
  }
  return locals;
}

struct Candidate {
  Range range;       // that the call replaces
  Range statements;  // that become the function's
  std::string name, comment, parameters;
  bool isLambda = false;
};

llvm::ArrayRef<std::string> slice(const Lines &lines, Range range) {
  return llvm::ArrayRef(lines).slice(range.begin, range.end - range.begin);
}

// What stands behind the last loop of the function's own.
std::vector<Candidate> tailOf(const Lines &lines) {
  size_t behind = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!opens(lines[i])) continue;
    const StringRef line = lines[i];
    const bool isLoop = line.starts_with("for (") || line.starts_with("while (");
    const bool overRegisters = i > 0 && lines[i - 1] == "#pragma unroll";
    do i = endOfBlock(lines, i);
    while (opens(lines[i]));
    if (isLoop && !overRegisters) behind = i + 1;
  }
  if (behind == 0) return {};
  Range statements{behind, lines.size()};
  while (statements.begin < statements.end && lines[statements.begin].empty()) ++statements.begin;
  return {{{behind, lines.size()},
           statements,
           "epilogue",
           "// What becomes of the loop's results.\n",
           "",
           false}};
}

// const auto copy_x_y = [&](int stage) { ... };
std::vector<Candidate> lambdasOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef head = lines[i];
    if (!head.consume_front("const auto ") || !head.consume_back(") {")) continue;
    const auto [name, parameters] = head.split(" = [&](");
    if (!isIdentifier(name) || name.size() == head.size()) continue;
    const size_t end = endOfBlock(lines, i);
    size_t begin = i;
    while (begin > 0 && isComment(lines[begin - 1]) && !isMark(lines[begin - 1])) --begin;
    found.push_back({{begin, end + 1},
                     {i + 1, end},
                     name.str(),
                     joinLines(slice(lines, {begin, i})),
                     parameters.str(),
                     true});
    i = end;
  }
  return found;
}

// What the emitter marked.
std::vector<Candidate> markedOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!StringRef(lines[i]).starts_with(kBegin)) continue;
    size_t end = i, first = i + 1;
    while (lines[end] != kEnd) ++end;
    while (isComment(lines[first])) ++first;
    found.push_back({{i, end + 1},
                     {first, end},
                     lines[i].substr(StringRef(kBegin).size()),
                     joinLines(slice(lines, {i + 1, first})),
                     "",
                     false});
  }
  return found;
}

// What a branch does. Its name is that of nameOfBranch.
std::vector<Candidate> branchesOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!StringRef(lines[i]).starts_with("if (") || !opens(lines[i])) continue;
    const Range inside{i + 1, endOfBlock(lines, i)};
    const std::string code = joinLines(slice(lines, inside));
    if (lines[inside.end] != "}" || countLines(code) < kLeast || mentions(code, "break") ||
        mentions(code, "continue") || mentions(code, "return"))
      continue;
    found.push_back({inside, inside, "",
                     "// What is done if " + lines[i].substr(4, lines[i].size() - 7) + ".\n", "",
                     false});
  }
  return found;
}

// update_row_max, if that is the first of the function's variables that the branch assigns; empty if there is none.
std::string nameOfBranch(const Lines &lines, Range inside) {
  const std::string code = joinLines(slice(lines, inside));
  for (const Declaration &each : visibleAt(lines, inside.begin))
    if (isAssigned(code, each.name)) return "update_" + each.name;
  return "";
}

// The line with a call of the lambda as a call of the function, whose own arguments are in `call`.
std::string withCall(const std::string &line, const std::string &lambda, const std::string &call) {
  const size_t at = findWord(line, lambda);
  if (at == std::string::npos || line[at + lambda.size()] != '(') return line;
  const std::string arguments = line.substr(at + lambda.size() + 1);
  const bool comma = arguments[0] != ')' && call.back() != '(';
  return line.substr(0, at) + call + (comma ? ", " : "") + arguments;
}

// Makes one candidate a function called `name`, with a number if there is one; whether it could be.
bool take(Lines &lines, const Candidate &candidate, Names &names, const std::string &name,
          llvm::function_ref<std::string(const Part &)> define) {
  auto locals = localsOf(lines, candidate.statements);
  if (!locals) return false;
  Lines statements = slice(lines, candidate.statements);
  llvm::erase_if(statements, isMark);
  const std::string call = define({names.take(name), candidate.comment, candidate.parameters,
                                   joinLines(statements), std::move(*locals)});
  Lines result = slice(lines, {0, candidate.range.begin});
  if (candidate.name == "epilogue") result.emplace_back();
  if (!candidate.isLambda) result.push_back(call + ");");
  // A lambda can be called until its block ends.
  int depth = 0;
  for (const std::string &line : slice(lines, {candidate.range.end, lines.size()})) {
    if (closes(line)) --depth;
    const bool isCalled = candidate.isLambda && depth >= 0;
    result.push_back(isCalled ? withCall(line, candidate.name, call) : line);
    if (opens(line) && depth >= 0) ++depth;
  }
  lines = std::move(result);
  return true;
}

}  // namespace

std::string partBegin(const std::string &name) { return kBegin + name + "\n"; }
std::string partEnd() { return std::string(kEnd) + "\n"; }

size_t countLines(const std::string &text) {
  constexpr size_t kColumns = 90;  // a broken line holds less than 100
  size_t count = 0, depth = 1;
  for (const std::string &line : splitLines(text)) {
    const StringRef code = withoutComment(line);
    if (closes(line) && depth > 1) --depth;
    if (!code.empty() && code != "}" && !code.starts_with("#"))
      count += 1 + (2 * depth + code.size() - 1) / kColumns;
    if (opens(line)) ++depth;
  }
  return count;
}

std::string outline(const std::string &body, size_t above, size_t limit,
                    llvm::function_ref<std::string(const Part &)> define) {
  Lines lines = splitLines(body);
  auto isLong = [&] { return above + countLines(joinLines(lines)) > limit; };
  auto sizeOf = [&](const Candidate &candidate) {
    return countLines(joinLines(slice(lines, candidate.statements)));
  };
  std::set<std::string> kept;  // could not be taken: names and comments
  Names names;
  auto takeLargest = [&](llvm::function_ref<std::vector<Candidate>()> find) {
    while (isLong()) {
      std::vector<Candidate> found = find();
      std::erase_if(found, [&](const Candidate &each) {
        return sizeOf(each) < kLeast || kept.count(each.name + each.comment);
      });
      if (found.empty()) return;
      const Candidate largest = *std::max_element(
          found.begin(), found.end(),
          [&](const Candidate &a, const Candidate &b) { return sizeOf(a) < sizeOf(b); });
      std::string name = largest.name;
      if (name.empty()) name = nameOfBranch(lines, largest.statements);
      if (name.empty() || !take(lines, largest, names, name, define))
        kept.insert(largest.name + largest.comment);
    }
  };
  takeLargest([&] { return tailOf(lines); });
  takeLargest([&] { return markedOf(lines); });
  takeLargest([&] { return lambdasOf(lines); });
  takeLargest([&] { return branchesOf(lines); });
  llvm::erase_if(lines, isMark);
  return joinLines(lines);
}

}  // namespace tile2cu::emit
