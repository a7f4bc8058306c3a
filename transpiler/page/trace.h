// A page's record of the IR while the passes run: its text after each of them, as numbers of lines,
// because most lines stay from pass to pass, and the tiles when they have got their layouts.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "passes/ir/module.h"
#include "transpiler/page/tiles.h"
#include "transpiler/page/work.h"

namespace tile2cu::page {

class Trace {
 public:
  struct Step {
    std::string pass;         // "cse_dce"; "front end" for the IR that no pass has seen
    std::string description;  // what the pass does, as --list-passes says it
    ir::Level level;
    std::vector<unsigned> lines;  // numbers of `lines()`; empty if the pass changed nothing
    bool isChanged = true;
  };
  // The IR as it is after `pass`.
  void add(const std::string &pass, const std::string &description, const ir::Module &module);

  const std::vector<std::string> &lines() const { return lines_; }
  const std::vector<Step> &steps() const { return steps_; }
  // After the last pass that leaves the level Placed. Kernels that later passes have dropped are
  // there as well: their pointers are not to be used.
  const std::vector<PlacedKernel> &kernels() const { return kernels_; }
  // After the last pass that leaves the level Tile.
  const std::vector<Work> &work() const { return work_; }

 private:
  std::vector<std::string> lines_;
  llvm::StringMap<unsigned> numbers_;  // of lines_
  std::vector<Step> steps_;
  std::vector<PlacedKernel> kernels_;
  std::vector<Work> work_;
  std::string before_;
};

}  // namespace tile2cu::page
