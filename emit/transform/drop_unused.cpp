// Takes out declarations of numbers that nobody reads.
#include "emit/transform/drop_unused.h"

namespace tile2cu::emit {
namespace {

// Whether what stands above position `at`, from which a declaration was taken, was about it alone.
bool isEndOfParagraph(const Stmts &stmts, size_t at) {
  return at == stmts.size() || stmts[at].as<Blank>() || stmts[at].as<Comment>();
}

// Each variable is declared above its readers. A pass from the end upwards therefore sees each
// declaration after all its readers.
void dropIn(Stmts &stmts) {
  NameSet mentioned;
  for (size_t i = stmts.size(); i-- > 0;) {
    const Declare *declare = stmts[i].as<Declare>();
    if (declare && declare->isDroppable && !mentioned.contains(declare->all.front().name)) {
      stmts.erase(stmts.begin() + i);
      if (!isEndOfParagraph(stmts, i)) continue;
      while (i > 0 && stmts[i - 1].as<Comment>()) stmts.erase(stmts.begin() + --i);
      continue;
    }
    forEachBody(stmts[i], dropIn);
    forEachName(stmts[i], [&](llvm::StringRef name) { mentioned.insert(name); });
  }
}

}  // namespace

Stmts dropUnused(Stmts stmts) {
  dropIn(stmts);
  return stmts;
}

}  // namespace tile2cu::emit
