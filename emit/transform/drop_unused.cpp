// Removes declarations of variables that nothing reads.
#include "emit/transform/drop_unused.h"

#include <iterator>

#include "llvm/ADT/DenseMap.h"

namespace tile2cu::emit {
namespace {

// Each variable is declared above its readers. A pass from the end upwards therefore sees each
// declaration after all its readers. It counts the blocks that it enters: a name that was last seen
// before the declaration's block was entered has no reader in that block. A section is part of the
// block around it.
class Dropper {
 public:
  void dropIn(Stmts &stmts) { dropIn(stmts, ++blocks_); }

 private:
  void dropIn(Stmts &stmts, const size_t block) {
    Stmts kept;  // from the last to the first
    for (size_t i = stmts.size(); i-- > 0;) {
      Stmt &stmt = stmts[i];
      const Declare *declare = stmt.as<Declare>();
      if (!declare || !declare->isDroppable ||
          lastSeen_.lookup(declare->all.front().name) >= block) {
        if (Section *section = stmt.as<Section>())
          dropIn(section->body, block);
        else
          forEachBody(stmt, [this](Stmts &body) { dropIn(body); });
        forEachOwnSymbol(stmt, [this](const Symbol &symbol) { lastSeen_[symbol] = blocks_; });
        kept.push_back(std::move(stmt));
        continue;
      }
      // Comments above it that are about it alone.
      const bool isEnd = kept.empty() || kept.back().as<Blank>() || kept.back().as<Comment>();
      while (isEnd && i > 0 && stmts[i - 1].as<Comment>()) --i;
    }
    stmts.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  }

  llvm::DenseMap<Symbol, size_t> lastSeen_;  // -> the number of blocks that had begun by then
  size_t blocks_ = 0;
};

}  // namespace

Stmts dropUnused(Stmts stmts) {
  Dropper().dropIn(stmts);
  return stmts;
}

}  // namespace tile2cu::emit
