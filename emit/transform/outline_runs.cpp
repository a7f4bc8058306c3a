#include "emit/transform/outline_runs.h"

#include <algorithm>
#include <optional>

#include "emit/cuda/text_lines.h"
#include "emit/cuda/text_words.h"
#include "emit/transform/merge_kernels.h"
#include "emit/transform/outline_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "passes/ir/text/prose.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;

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

// For each name of a variable: the number of the line after the last one that mentions it.
llvm::StringMap<size_t> endsOfUses(const Lines &lines) {
  llvm::StringMap<size_t> ends;
  for (size_t i = 0; i < lines.size(); ++i) {
    const StringRef code = StringRef(lines[i]).substr(0, lines[i].find("//"));
    forEachWord(code, [&](StringRef word) {
      const StringRef before = code.take_front(word.data() - code.data());
      if (!before.ends_with(".") && !before.ends_with("::")) ends[word] = i + 1;
    });
  }
  return ends;
}

constexpr int kMostNames = 3;  // that a run may make

// The lines of `range`, which are such a run, as a function compute_weights_row_sums. Tiles that are read behind it are declared
// in front of it. The scopes are those at its begin.
std::optional<Candidate> runIn(const Lines &lines, Range range, const Scopes &scopes,
                               const llvm::StringMap<size_t> &endsOfUses) {
  Candidate run{range, {}, "", "", "", ""};
  std::vector<Declaration> outside =
      scopes.mentionedIn(withoutComments(joinLines(slice(lines, range))));
  Lines statements;
  for (const std::string &line : slice(lines, range)) {
    const std::vector<Declaration> all =
        declaresTile(line) ? declarationsIn(line) : std::vector<Declaration>();
    if (all.empty() || endsOfUses.lookup(all.front().name) <= range.end) {
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
  if (made.empty() || made.size() > size_t{kMostNames}) return std::nullopt;
  llvm::sort(made, [&](const std::string &a, const std::string &b) {
    return findWord(code, a) < findWord(code, b);
  });
  run.name = (isShared ? "store_" : "compute_") + llvm::join(made, "_");
  run.comment = (isShared ? "// To shared memory: " : "// Computes ") + ir::inWords(made) + ".\n";
  return run;
}

// Of the lines from `begin` to `end`, which are a run: whether the run to each of them makes few
// enough names for a function. It makes the variables from in front of it that it assigns, and its
// own tiles that are read behind it; tiles in shared memory only if it makes no others.
std::vector<bool> makesFewNames(const Lines &lines, size_t begin, size_t end, const Scopes &scopes,
                                const llvm::StringMap<size_t> &endsOfUses) {
  // By how much the numbers change from the run to one line to that to the next.
  std::vector<int> variables(end - begin + 2), shared(end - begin + 2);
  llvm::StringSet<> declared, assigned, sharedNames;
  int fromOutside = 0;
  for (size_t i = begin; i < end && fromOutside <= kMostNames; ++i) {
    const std::string code = lines[i].substr(0, lines[i].find("//"));
    if (declaresTile(lines[i])) {
      declared.insert(declarationsIn(lines[i]).front().name);
      continue;
    }
    forEachWord(code, [&](StringRef word) {
      const bool isOwn = declared.contains(word);
      if ((!isOwn && !scopes.contains(word)) || assigned.contains(word)) return;
      const std::string name = word.str();
      if (!assignsElements(code, name) && code.find("fill(" + name + ",") == std::string::npos)
        return;
      assigned.insert(word);
      const size_t last = isOwn ? std::min(endsOfUses.lookup(word), end + 1) : end + 1;
      if (last <= i + 1) return;
      ++variables[i + 1 - begin];
      --variables[last - begin];
      fromOutside += !isOwn;
    });
    for (const std::string &name : sharedMade(code))
      if (sharedNames.insert(name).second) ++shared[i + 1 - begin];
  }
  std::vector<bool> few(end - begin + 1);
  int variablesMade = 0, sharedMade = 0;
  for (size_t i = 0; i < few.size(); ++i) {
    variablesMade += variables[i];
    sharedMade += shared[i];
    const int made = variablesMade ? variablesMade : sharedMade;
    few[i] = made > 0 && made <= kMostNames;
  }
  return few;
}

// Finds loops over registers behind each other, with the tiles that they make and the words about
// them.
class RunFinder {
 public:
  explicit RunFinder(const Lines &lines)
      : lines_(lines), scopes_(lines), endsOfUses_(endsOfUses(lines)) {}

  std::vector<Candidate> find() {
    std::vector<Candidate> found;
    size_t end = 0;            // of the run's statements
    std::vector<size_t> ends;  // of its loops
    for (size_t i = 0, next = 0; i < lines_.size();) {
      if (i >= end) {
        end = endOfStatements(i, ends);
        next = 0;
      }
      while (next < ends.size() && ends[next] <= i) ++next;
      const auto behind = llvm::ArrayRef(ends).drop_front(next);
      if (auto run = longest(i, behind)) {
        i = run->range.end;
        found.push_back(std::move(*run));
      } else if (end > i) {
        i = behind.empty() ? end : behind.front();
      } else {
        i = isNest(lines_, i) ? endOfBlock(lines_, i + 1) : i + 1;
      }
    }
    return found;
  }

 private:
  size_t endOfStatements(size_t begin, std::vector<size_t> &ends) const {
    ends.clear();
    size_t end = begin;
    while (end < lines_.size()) {
      const auto next = endOfRunStatement(lines_, end);
      if (!next) break;
      end = *next;
      if (closes(lines_[end - 1])) ends.push_back(end);
    }
    return end;
  }

  // The most of the lines from `begin` to the last of `ends`, each the end of a statement, that
  // runIn makes a function of.
  std::optional<Candidate> longest(size_t begin, llvm::ArrayRef<size_t> ends) {
    while (begin < lines_.size() && lines_[begin].empty()) ++begin;
    if (ends.empty() || ends.back() <= begin) return std::nullopt;
    scopes_.moveTo(begin);
    const auto few = makesFewNames(lines_, begin, ends.back(), scopes_, endsOfUses_);
    for (size_t end : llvm::reverse(ends)) {
      if (end <= begin) break;
      if (!few[end - begin]) continue;
      if (countLines(joinLines(slice(lines_, {begin, end}))) < fewestLinesAtLast()) break;
      if (auto run = runIn(lines_, {begin, end}, scopes_, endsOfUses_)) return run;
    }
    return std::nullopt;
  }

  const Lines &lines_;
  Scopes scopes_;
  const llvm::StringMap<size_t> endsOfUses_;
};

}  // namespace

std::vector<Candidate> findRuns(const Lines &lines) { return RunFinder(lines).find(); }

}  // namespace tile2cu::emit
