#include "emit/transform/outline_functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/cuda/format.h"
#include "emit/cuda/printer.h"
#include "emit/cuda/symbols.h"
#include "emit/cuda/text_lines.h"
#include "emit/cuda/text_words.h"
#include "emit/transform/merge_kernels.h"
#include "emit/transform/outline_runs.h"
#include "emit/transform/text_scopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;

constexpr const char *kBegin = kSectionBegin, *kEnd = kSectionEnd;
constexpr size_t kColumns = 94;  // a broken line holds less than 100

// The functions that were made of parts, each with the variables that it takes by reference because
// it changes them.
using Functions = llvm::StringMap<std::vector<std::string>>;

// What the functions change that the code calls. Arguments and parameters have the same names.
std::set<std::string> changedByCalls(const std::string &code, const Functions &functions) {
  std::set<std::string> changed;
  forEachWord(code, [&](StringRef word) {
    if (const auto called = functions.find(word); called != functions.end())
      changed.insert(called->second.begin(), called->second.end());
  });
  return changed;
}

// The parameter that stands, in `code`, for a variable of the enclosing function. Numbers and
// pointers are passed by value. Arrays, our structs, and variables that `code` changes are passed
// by reference; the declaration of such a variable then allows it. Writing an element through a
// pointer does not assign the pointer.
std::string parameterFor(const Declaration &of, const std::string &code,
                         const std::set<std::string> &changedByCalls) {
  StringRef type = of.type;
  if (!of.extents.empty()) return of.type + " (&" + of.name + ")" + of.extents;
  const bool isPointer = type.contains("*");
  const bool isConst = isPointer ? type.consume_back(" const") : type.starts_with("const ");
  if (type.contains("tile2cu::") && !isPointer) return type.str() + "& " + of.name;
  const bool isChanged =
      changedByCalls.count(of.name) || isAssigned(code, of.name, Changes::Variable);
  if (!isConst && isChanged) return type.str() + "& " + of.name;
  if (!isPointer) type.consume_front("const ");
  return type.str() + " " + of.name;
}

// The statements of candidates that could not be taken.
using Kept = std::set<std::string>;

// The variables of the function around that the candidate's statements mention; nothing if one of them cannot be handed on.
std::optional<std::vector<Local>> localsOf(const Candidate &candidate, const Functions &functions) {
  const std::string code = withoutComments(candidate.statements);
  const std::set<std::string> changed = changedByCalls(code, functions);
  std::vector<Declaration> visible = candidate.outside;
  for (const std::string &line : candidate.before)
    llvm::append_range(visible, declarationsIn(line));
  std::vector<Local> locals;
  for (const Declaration &each : visible) {
    if (!mentionsVariable(code, each.name)) continue;
    if (!each.isUsable) return std::nullopt;
    locals.push_back({each.name, parameterFor(each, code, changed)});
  }
  return locals;
}

// The epilogue: all lines after the last loop that is not a loop over registers.
std::vector<Candidate> tailOf(const Lines &lines, const Kept &) {
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
std::vector<Candidate> lambdasOf(const Lines &lines, const Kept &) {
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
std::vector<Candidate> markedOf(const Lines &lines, const Kept &) { return markedAs(false, lines); }
std::vector<Candidate> prologuesOf(const Lines &lines, const Kept &) {
  return markedAs(true, lines);
}

// Of each line, how many lines before it leave a block or belong to a loop over steps, which the
// compiler must not unroll: the main loop of a function.
std::vector<size_t> countLeaving(const Lines &lines) {
  std::vector<size_t> before{0};
  for (const std::string &line : lines) {
    bool isOne = line == "#pragma unroll 1";
    for (const char *word : {"break", "continue", "return"}) isOne |= mentions(line, word);
    before.push_back(before.back() + isOne);
  }
  return before;
}

// What a branch does, with the name of the first of the function's variables that it assigns:
// update_row_max. Branches inside of such a one are none, unless it was kept: it is larger.
std::vector<Candidate> branchesOf(const Lines &lines, const Kept &kept) {
  std::vector<Candidate> found;
  Scopes scopes(lines);
  const std::vector<size_t> ends = endsOfBlocks(lines), leaving = countLeaving(lines);
  size_t endOfKept = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!StringRef(lines[i]).starts_with("if (") || !opens(lines[i])) continue;
    const Range inside{i + 1, ends[i]};
    if (lines[inside.end] != "}" || leaving[inside.begin] != leaving[inside.end]) continue;
    const std::string code = joinLines(slice(lines, inside));
    if (countLines(code) < fewestLinesAtLast()) {
      i = inside.end;
      continue;
    }
    scopes.moveTo(inside.begin);
    const std::vector<Declaration> outside = scopes.mentionedIn(code);
    const auto first = llvm::find_if(
        outside, [&](const Declaration &each) { return assignsElements(code, each.name); });
    if (first == outside.end()) continue;
    if (kept.count(code)) {
      endOfKept = std::max(endOfKept, inside.end);
      continue;
    }
    const StringRef condition = StringRef(lines[i]).drop_front(4).drop_back(3);
    found.push_back({inside,
                     {},
                     code,
                     "update_" + first->name,
                     ("// What is done if " + condition + ".\n").str(),
                     ""});
    found.back().isInKept = i < endOfKept;
    i = inside.end;
  }
  return found;
}

std::vector<Candidate> runsOf(const Lines &lines, const Kept &) { return findRuns(lines); }

// What a step of a loop does, of loops without others in them. Only that: such a function needs much of what is around it.
std::vector<Candidate> stepsOf(const Lines &lines, const Kept &) {
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

// The most lines that each line counts as, whatever braces are left out, and how many blocks are
// open around it.
struct LineBound {
  std::vector<size_t> before{0};  // of all lines before each
  std::vector<size_t> depth;

  explicit LineBound(const Lines &lines) {
    size_t open = 1;
    for (const std::string &line : lines) {
      if (closes(line) && open > 1) --open;
      depth.push_back(open);
      before.push_back(before.back() + 1 + (2 * open + line.size()) / kColumns);
      if (opens(line)) ++open;
    }
    depth.push_back(open);
  }
  // By how many lines the function gets shorter, at most, if a call replaces these.
  size_t of(Range range) const {
    return before[range.end] - before[range.begin] + depth[range.begin] + 2;
  }
};

class Outliner {
 public:
  Outliner(Lines text, size_t above, size_t limit,
           llvm::function_ref<std::string(const Part &)> defineFunction)
      : lines(std::move(text)),
        count_(countLines(joinLines(lines))),
        most_(limit - std::min(limit, above)),
        define_(defineFunction) {}

  Lines lines;
  bool isLong() const { return count_ > most_; }

  // Takes the largest candidate that is left, again and again. What is found once is taken in one
  // go as far as possible, so that the time is no product of functions and lines.
  void takeLargest(llvm::function_ref<std::vector<Candidate>(const Lines &, const Kept &)> find,
                   size_t least = fewestLines()) {
    while (isLong()) {
      std::vector<std::pair<size_t, Candidate>> found;
      Scopes scopes(lines);
      for (Candidate &each : find(lines, kept_)) {
        const size_t size = countLines(each.statements);
        if (size < least || kept_.count(each.statements)) continue;
        scopes.moveTo(each.range.begin);
        each.outside = scopes.mentionedIn(withoutComments(each.statements));
        found.push_back({size, std::move(each)});
      }
      if (found.empty()) return;
      llvm::sort(found, [](const auto &a, const auto &b) {
        return std::pair(b.first, a.second.range.begin) < std::pair(a.first, b.second.range.begin);
      });
      takeEach(found);
    }
  }

 private:
  // Takes candidates in this order while the function is certainly too long, until what others are
  // may have changed. None is inside another.
  void takeEach(llvm::ArrayRef<std::pair<size_t, Candidate>> found) {
    const LineBound bound(lines);
    std::map<size_t, std::pair<const Candidate *, std::string>> taken;  // by their first lines
    size_t atLeast = count_;
    for (const auto &[size, each] : found) {
      if (atLeast <= most_) break;
      if (kept_.count(each.statements)) continue;
      const auto call = functionOf(each);
      if (!call) {
        kept_.insert(each.statements);
        if (StringRef(each.statements).contains("if (")) break;  // there may be others in it
        continue;
      }
      taken[each.range.begin] = {&each, *call};
      atLeast -= std::min(atLeast, bound.of(each.range));
      if (each.isLambda || each.isInKept) break;
    }
    if (taken.empty()) return;
    Lines result;
    size_t at = 0;
    for (const auto &[begin, made] : taken) {
      const auto &[candidate, call] = made;
      llvm::append_range(result, slice(lines, {at, begin}));
      llvm::append_range(result, candidate->before);
      at = candidate->range.end;
      if (candidate->isLambda)
        replaceCalls(candidate->name, call, at);
      else
        result.push_back(call + ");");
    }
    llvm::append_range(result, slice(lines, {at, lines.size()}));
    lines = std::move(result);
    count_ = countLines(joinLines(lines));
  }

  // Makes the candidate a function, with a number if there is one of its name, and gives its call;
  // nothing if it cannot be one.
  std::optional<std::string> functionOf(const Candidate &candidate) {
    auto locals = localsOf(candidate, functions_);
    if (!locals) return std::nullopt;
    std::vector<std::string> changed = changedBy(*locals);
    Lines statements = splitLines(candidate.statements);
    llvm::erase_if(statements, isMark);
    const std::string call =
        define_({names_.take(candidate.name), candidate.comment, candidate.parameters,
                 joinLines(statements), std::move(*locals)});
    functions_[call.substr(0, call.find('('))] = std::move(changed);
    return call;
  }

  // A lambda can be called until its block ends.
  void replaceCalls(const std::string &lambda, const std::string &call, size_t from) {
    int depth = 0;
    for (size_t i = from; i < lines.size() && depth >= 0; ++i) {
      if (closes(lines[i])) --depth;
      if (depth < 0) break;
      lines[i] = withCall(lines[i], lambda, call);
      if (opens(lines[i])) ++depth;
    }
  }

  size_t count_, most_;
  llvm::function_ref<std::string(const Part &)> define_;
  Kept kept_;
  Names names_;
  Functions functions_;
};

}  // namespace

size_t countLines(const std::string &text) {
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
  Outliner outliner(splitLines(body), above, limit, define);
  for (auto *find : {tailOf, markedOf, lambdasOf, branchesOf, runsOf}) outliner.takeLargest(find);
  for (auto *find : {branchesOf, runsOf, prologuesOf})
    outliner.takeLargest(find, fewestLinesAtLast());
  if (outliner.isLong() && isTooLong(joinLines(outliner.lines))) outliner.takeLargest(stepsOf);
  llvm::erase_if(outliner.lines, isMark);
  return joinLines(outliner.lines);
}

}  // namespace tile2cu::emit
