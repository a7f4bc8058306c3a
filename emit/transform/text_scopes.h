// Blocks and variables in the text of a function as the emitter writes it: a statement, a loop's
// head or a closing brace a line.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

using Lines = std::vector<std::string>;

bool isComment(llvm::StringRef line);
llvm::StringRef withoutComment(llvm::StringRef line);

// Whether the line opens a block or closes one. `} else {` does both.
bool opens(llvm::StringRef line);
bool closes(llvm::StringRef line);

// Where the block ends that line `at` opens: the line of its closing brace, which may open that of
// an `else`.
size_t endOfBlock(const Lines &lines, size_t at);
// The same for all lines, in one pass; of a line that opens no block, the last line.
std::vector<size_t> endsOfBlocks(const Lines &lines);

void forEachWord(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> use);

bool isIdentifier(llvm::StringRef word);

struct Declaration {
  std::string type, name, extents;
  bool isUsable = false;  // the type is one that a parameter can have
};

// const float* const p = ...; tile2cu::vec<float, PAIR> acc[ROWS][COLUMNS] = {}; for (int k = 0; ...
std::vector<Declaration> declarationsIn(llvm::StringRef line);

// The same word as a variable: no member of something, and nothing of a namespace.
bool mentionsVariable(const std::string &code, const std::string &name);

// What an assignment to a name in the text may change.
enum class Changes { Variable, VariableOrElements };

// Whether a statement assigns the variable or counts it: name = ..., name.value0 += ..., ++name.
// With its elements also name[i][j] = ... and *name = ...
bool isAssigned(const std::string &code, const std::string &name, Changes changes);
bool assignsElements(const std::string &code, const std::string &name);

// The variables that can be seen at a line. The lines are asked for in order, so that each is read
// once.
class Scopes {
 public:
  explicit Scopes(const Lines &lines) : lines_(lines) {}
  // Goes on to line `at`: what follows is about the variables that are declared in the lines before
  // it and can be seen there.
  void moveTo(size_t at);
  bool contains(llvm::StringRef name) const;
  // Those that the code mentions, in the order of their declarations.
  std::vector<Declaration> mentionedIn(llvm::StringRef code) const;

 private:
  void declare(const std::vector<Declaration> &all);
  void close();

  const Lines &lines_;
  size_t next_ = 0;
  std::vector<Declaration> visible_;
  std::vector<size_t> begins_{0};                   // of each open scope, its first in visible_
  llvm::StringMap<std::vector<size_t>> positions_;  // of each name, in visible_
};

}  // namespace tile2cu::emit
