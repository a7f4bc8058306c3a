#include "emit/transform/outline_functions.h"

#include <algorithm>
#include <optional>
#include <set>

#include "emit/cuda/expr.h"
#include "emit/cuda/format.h"
#include "emit/cuda/symbols.h"
#include "emit/cuda/text_lines.h"
#include "emit/transform/merge_kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/ir/text/prose.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;
using Lines = std::vector<std::string>;

constexpr const char *kBegin = "//@part ", *kEnd = "//@end";
// A part with fewer lines is not worth a function with its parameters; the second number holds where larger ones did not do.
constexpr size_t kLeast = 8, kLeastOfAll = 5;

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

// What an assignment to a name in the text may change.
enum class Changes { Variable, VariableOrElements };

// Whether a statement assigns the variable or counts it: name = ..., name.value0 += ..., ++name.
// With its elements also name[i][j] = ... and *name = ...
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

struct Declaration {
  std::string type, name, extents;
  bool isUsable = false;  // the type is one that a parameter can have
};

bool isIdentifier(StringRef word) {
  return !word.empty() && !llvm::isDigit(word[0]) && llvm::all_of(word, isWordCharacter);
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

// A function that was made of a part, and the variables that it takes by reference because it
// changes them.
struct Made {
  std::string function;
  std::vector<std::string> changed;
};

// Whether the code assigns the variable or calls a function that does. Arguments and parameters
// have the same names.
bool changesVariable(const std::string &code, const std::string &name,
                     llvm::ArrayRef<Made> functions) {
  return isAssigned(code, name, Changes::Variable) ||
         llvm::any_of(functions, [&](const Made &each) {
           return llvm::is_contained(each.changed, name) && mentions(code, each.function);
         });
}

// The parameter that stands, in `code`, for a variable of the enclosing function. Numbers and
// pointers are passed by value. Arrays, our structs, and variables that `code` changes are passed
// by reference; the declaration of such a variable then allows it. Writing an element through a
// pointer does not assign the pointer.
std::string parameterFor(const Declaration &of, const std::string &code,
                         llvm::ArrayRef<Made> functions) {
  StringRef type = of.type;
  if (!of.extents.empty()) return of.type + " (&" + of.name + ")" + of.extents;
  const bool isPointer = type.contains("*");
  const bool isConst = isPointer ? type.consume_back(" const") : type.starts_with("const ");
  if (type.contains("tile2cu::") && !isPointer) return type.str() + "& " + of.name;
  if (!isConst && changesVariable(code, of.name, functions)) return type.str() + "& " + of.name;
  if (!isPointer) type.consume_front("const ");
  return type.str() + " " + of.name;
}

// The parameters of a lambda that begins at the line: const auto copy_x = [&](int stage, const float* x_ptrs) { ...
std::vector<Declaration> parametersIn(StringRef line) {
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

// What is declared in the lines before `at` and can be seen there.
std::vector<Declaration> visibleAt(const Lines &lines, size_t at) {
  std::vector<std::vector<Declaration>> scopes(1);
  for (size_t i = 0; i < at; ++i) {
    if (closes(lines[i]) && scopes.size() > 1) scopes.pop_back();
    const bool opensBlock = opens(lines[i]);
    const bool isFor = StringRef(lines[i]).starts_with("for (");
    if (opensBlock && isFor) scopes.emplace_back();
    llvm::append_range(scopes.back(), declarationsIn(lines[i]));
    if (opensBlock && !isFor) scopes.push_back(parametersIn(lines[i]));
  }
  std::vector<Declaration> all;
  for (auto &scope : scopes) llvm::append_range(all, scope);
  return all;
}

struct Range {
  size_t begin, end;  // lines
};

llvm::ArrayRef<std::string> slice(const Lines &lines, Range range) {
  return llvm::ArrayRef(lines).slice(range.begin, range.end - range.begin);
}

struct Candidate {
  Range range;             // that the call replaces
  Lines before;            // declarations that stay in front of the call
  std::string statements;  // the function's
  std::string name, comment, parameters;
  bool isLambda = false;
};

// The variables of the function around that the candidate's statements mention; nothing if one of them cannot be handed on.
std::optional<std::vector<Local>> localsOf(const Lines &lines, const Candidate &candidate,
                                           llvm::ArrayRef<Made> functions) {
  const std::string code = withoutComments(candidate.statements);
  std::vector<Declaration> visible = visibleAt(lines, candidate.range.begin);
  for (const std::string &line : candidate.before)
    llvm::append_range(visible, declarationsIn(line));
  std::vector<Local> locals;
  for (const Declaration &each : visible) {
    if (!mentionsVariable(code, each.name)) continue;
    if (!each.isUsable) return std::nullopt;
    locals.push_back({each.name, parameterFor(each, code, functions)});
  }
  return locals;
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
  size_t begin = behind;
  while (begin < lines.size() && lines[begin].empty()) ++begin;
  return {{{behind, lines.size()},
           {""},
           joinLines(slice(lines, {begin, lines.size()})),
           "epilogue",
           "// What becomes of the loop's results.\n",
           ""}};
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
                     {},
                     joinLines(slice(lines, {i + 1, end})),
                     name.str(),
                     joinLines(slice(lines, {begin, i})),
                     parameters.str(),
                     true});
    i = end;
  }
  return found;
}

// What the emitter marked: copies of first steps, or anything else.
std::vector<Candidate> markedAs(bool isPrologue, const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef name = lines[i];
    if (!name.consume_front(kBegin) || (name == kPrologue) != isPrologue) continue;
    size_t end = i, first = i + 1;
    while (lines[end] != kEnd) ++end;
    while (isComment(lines[first])) ++first;
    found.push_back({{i, end + 1},
                     {},
                     joinLines(slice(lines, {first, end})),
                     name.str(),
                     joinLines(slice(lines, {i + 1, first})),
                     ""});
  }
  return found;
}
std::vector<Candidate> markedOf(const Lines &lines) { return markedAs(false, lines); }
std::vector<Candidate> prologuesOf(const Lines &lines) { return markedAs(true, lines); }

// Whether the code has a loop over steps that the compiler must not unroll: the main loop of a function.
bool hasSteps(const std::string &code) {
  return code.find("#pragma unroll 1\n") != std::string::npos;
}

// What a branch does, with the name of the first of the function's variables that it assigns: update_row_max.
std::vector<Candidate> branchesOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!StringRef(lines[i]).starts_with("if (") || !opens(lines[i])) continue;
    const Range inside{i + 1, endOfBlock(lines, i)};
    const std::string code = joinLines(slice(lines, inside));
    if (lines[inside.end] != "}" || countLines(code) < kLeastOfAll || mentions(code, "break") ||
        mentions(code, "continue") || mentions(code, "return") || hasSteps(code))
      continue;
    const std::vector<Declaration> visible = visibleAt(lines, inside.begin);
    const auto first = llvm::find_if(
        visible, [&](const Declaration &each) { return assignsElements(code, each.name); });
    if (first == visible.end()) continue;
    const StringRef condition = StringRef(lines[i]).drop_front(4).drop_back(3);
    found.push_back({inside,
                     {},
                     code,
                     "update_" + first->name,
                     ("// What is done if " + condition + ".\n").str(),
                     ""});
  }
  return found;
}

// Whether the line declares a tile that may be declared earlier as well.
bool declaresTile(const std::string &line) {
  const std::vector<Declaration> all = declarationsIn(line);
  return all.size() == 1 && all.front().isUsable && !all.front().extents.empty() &&
         (line.find(" = ") == std::string::npos || StringRef(line).ends_with(" = {};"));
}

// Whether a loop over registers begins at this line.
bool isNest(const Lines &lines, size_t at) {
  return lines[at] == "#pragma unroll" && at + 1 < lines.size() && opens(lines[at + 1]);
}

// Behind a loop over registers that begins at this line, if in it threads do not wait for each other, nor is anything left by it.
std::optional<size_t> endOfNest(const Lines &lines, size_t at) {
  if (!isNest(lines, at)) return std::nullopt;
  const size_t end = endOfBlock(lines, at + 1);
  const std::string code = joinLines(slice(lines, {at, end + 1}));
  for (const char *word : {"__syncthreads", "__syncwarp", "break", "continue", "return"})
    if (mentions(code, word)) return std::nullopt;
  for (const char *start : {"barrier_", "wgmma_", "mma_", "cp_async_", "tma_", "_ring."})
    if (code.find(start) != std::string::npos) return std::nullopt;
  return end + 1;
}

// Behind the statement that begins at this line, if a run of loops over registers can hold it.
std::optional<size_t> endOfRunStatement(const Lines &lines, size_t at) {
  const StringRef line = lines[at];
  if (line.empty() || (isComment(line) && !isMark(line)) || declaresTile(lines[at]) ||
      line.starts_with("tile2cu::fill("))
    return at + 1;
  return endOfNest(lines, at);
}

// The tiles in shared memory that the code writes: smem.rows[...] = ..., as_vec<4>(&smem.rows[...]) = ...
std::vector<std::string> sharedMade(const std::string &code) {
  std::vector<std::string> made;
  for (const std::string &line : splitLines(code)) {
    const StringRef target = StringRef(line).substr(0, line.find(" = "));
    const size_t at = target.find("smem.");
    if (at == StringRef::npos || target.size() == line.size()) continue;
    const StringRef name = target.substr(at + 5).take_while(isWordCharacter);
    if (!llvm::is_contained(made, name)) made.push_back(name.str());
  }
  return made;
}

// The lines of `range`, which are such a run, as a function compute_weights_row_sums. Tiles that are read behind it are declared
// in front of it.
std::optional<Candidate> runIn(const Lines &lines, Range range) {
  constexpr size_t kMostNames = 3;
  const std::string behind = withoutComments(joinLines(slice(lines, {range.end, lines.size()})));
  Candidate run{range, {}, "", "", "", ""};
  std::vector<Declaration> outside = visibleAt(lines, range.begin);
  Lines statements;
  for (const std::string &line : slice(lines, range)) {
    const std::vector<Declaration> all =
        declaresTile(line) ? declarationsIn(line) : std::vector<Declaration>();
    if (all.empty() || !mentionsVariable(behind, all.front().name)) {
      statements.push_back(line);
      continue;
    }
    // The words about its layout stay with it.
    size_t words = statements.size();
    while (words > 0 && StringRef(statements[words - 1]).starts_with("//   ")) --words;
    const bool isDescribed =
        words > 0 &&
        StringRef(statements[words - 1]).starts_with("// Tile " + all.front().name + ":");
    if (isDescribed) {
      run.before.insert(run.before.end(), statements.begin() + words - 1, statements.end());
      statements.resize(words - 1);
    }
    run.before.push_back(line);
    outside.push_back(all.front());
  }
  run.statements = joinLines(statements);
  const std::string code = withoutComments(run.statements);
  std::vector<std::string> made;
  for (const Declaration &each : outside)
    if (assignsElements(code, each.name) ||
        code.find("fill(" + each.name + ",") != std::string::npos)
      made.push_back(each.name);
  const bool isShared = made.empty();
  if (isShared) made = sharedMade(code);
  if (made.empty() || made.size() > kMostNames) return std::nullopt;
  llvm::sort(made, [&](const std::string &a, const std::string &b) {
    return findWord(code, a) < findWord(code, b);
  });
  run.name = (isShared ? "store_" : "compute_") + llvm::join(made, "_");
  run.comment = (isShared ? "// To shared memory: " : "// Computes ") + ir::inWords(made) + ".\n";
  return run;
}

// The most of the lines from `begin` to the last of `ends`, each the end of a statement, that runIn makes a function of.
std::optional<Candidate> longestRun(const Lines &lines, size_t begin, llvm::ArrayRef<size_t> ends) {
  while (begin < lines.size() && lines[begin].empty()) ++begin;
  for (size_t end : llvm::reverse(ends)) {
    if (end <= begin || countLines(joinLines(slice(lines, {begin, end}))) < kLeastOfAll) break;
    if (auto run = runIn(lines, {begin, end})) return run;
  }
  return std::nullopt;
}

// Loops over registers behind each other, with the tiles that they make and the words about them.
std::vector<Candidate> runsOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size();) {
    std::vector<size_t> ends;  // of its loops
    size_t end = i;
    while (end < lines.size()) {
      const auto next = endOfRunStatement(lines, end);
      if (!next) break;
      end = *next;
      if (closes(lines[end - 1])) ends.push_back(end);
    }
    if (auto run = longestRun(lines, i, ends)) {
      i = run->range.end;
      found.push_back(std::move(*run));
    } else if (end > i) {
      i = ends.empty() ? end : ends.front();
    } else {
      i = isNest(lines, i) ? endOfBlock(lines, i + 1) : i + 1;
    }
  }
  return found;
}

// What a step of a loop does, of loops without others in them. Only that: such a function needs much of what is around it.
std::vector<Candidate> stepsOf(const Lines &lines) {
  std::vector<Candidate> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool overRegisters = i > 0 && lines[i - 1] == "#pragma unroll";
    if (!StringRef(lines[i]).starts_with("for (") || !opens(lines[i]) || overRegisters) continue;
    const Range inside{i + 1, endOfBlock(lines, i)};
    const std::vector<Declaration> counted = declarationsIn(lines[i]);
    // This one is in the last.
    if (!found.empty() && inside.begin < found.back().range.end) found.pop_back();
    const std::string code = joinLines(slice(lines, inside));
    if (counted.empty() || mentions(code, "break") || mentions(code, "continue") ||
        mentions(code, "return"))
      continue;
    found.push_back({inside,
                     {},
                     code,
                     "step",
                     "// A step of the loop over " + counted.front().name + ".\n",
                     ""});
  }
  return found;
}

// The line with a call of the lambda as a call of the function, whose own arguments are in `call`.
std::string withCall(const std::string &line, const std::string &lambda, const std::string &call) {
  const size_t at = findWord(line, lambda);
  if (at == std::string::npos || line[at + lambda.size()] != '(') return line;
  const std::string arguments = line.substr(at + lambda.size() + 1);
  const bool comma = arguments[0] != ')' && call.back() != '(';
  return line.substr(0, at) + call + (comma ? ", " : "") + arguments;
}

// What a function with these parameters changes, apart from arrays and structs, which are passed by
// reference anyway.
std::vector<std::string> changedBy(llvm::ArrayRef<Local> locals) {
  std::vector<std::string> changed;
  for (const Local &local : locals)
    if (StringRef(local.parameter).ends_with("& " + local.name)) changed.push_back(local.name);
  return changed;
}

// Makes one candidate a function, with a number if there is one of its name; whether it could be.
bool take(Lines &lines, const Candidate &candidate, Names &names, std::vector<Made> &functions,
          llvm::function_ref<std::string(const Part &)> define) {
  auto locals = localsOf(lines, candidate, functions);
  if (!locals) return false;
  std::vector<std::string> changed = changedBy(*locals);
  Lines statements = splitLines(candidate.statements);
  llvm::erase_if(statements, isMark);
  const std::string call =
      define({names.take(candidate.name), candidate.comment, candidate.parameters,
              joinLines(statements), std::move(*locals)});
  functions.push_back({call.substr(0, call.find('(')), std::move(changed)});
  Lines result = slice(lines, {0, candidate.range.begin});
  llvm::append_range(result, candidate.before);
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
  constexpr size_t kColumns = 94;  // a broken line holds less than 100
  size_t count = 0, depth = 1;
  bool wasBlank = true;
  for (const std::string &line : splitLines(withoutBraces(text))) {
    if (isMark(line) || (line.empty() && wasBlank)) continue;
    wasBlank = line.empty();
    if (closes(line) && depth > 1) --depth;
    count += 1 + (2 * depth + line.size()) / kColumns;
    if (opens(line)) ++depth;
  }
  return count;
}

std::string outline(const std::string &body, size_t above, size_t limit,
                    llvm::function_ref<bool(const std::string &)> isTooLong,
                    llvm::function_ref<std::string(const Part &)> define) {
  Lines lines = splitLines(body);
  size_t count = countLines(body);
  auto isLong = [&] { return above + count > limit; };
  auto sizeOf = [](const Candidate &candidate) { return countLines(candidate.statements); };
  std::set<std::string> kept;  // statements that could not be taken
  Names names;
  std::vector<Made> functions;
  auto takeLargest = [&](llvm::function_ref<std::vector<Candidate>(const Lines &)> find,
                         size_t least = kLeast) {
    while (isLong()) {
      std::vector<Candidate> found = find(lines);
      std::erase_if(found, [&](const Candidate &each) {
        return sizeOf(each) < least || kept.count(each.statements);
      });
      if (found.empty()) return;
      const Candidate largest = *std::max_element(
          found.begin(), found.end(),
          [&](const Candidate &a, const Candidate &b) { return sizeOf(a) < sizeOf(b); });
      if (take(lines, largest, names, functions, define))
        count = countLines(joinLines(lines));
      else
        kept.insert(largest.statements);
    }
  };
  for (auto *find : {tailOf, markedOf, lambdasOf, branchesOf, runsOf}) takeLargest(find);
  for (auto *find : {branchesOf, runsOf, prologuesOf}) takeLargest(find, kLeastOfAll);
  if (isLong() && isTooLong(joinLines(lines))) takeLargest(stepsOf);
  llvm::erase_if(lines, isMark);
  return joinLines(lines);
}

}  // namespace tile2cu::emit
