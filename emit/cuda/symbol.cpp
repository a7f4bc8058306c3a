#include "emit/cuda/symbol.h"

#include <memory>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace tile2cu::emit {

struct Symbol::Wish {
  std::string wanted, second;
  Origin origin;
};

const Symbol::Wish *Symbol::wishFor(llvm::StringRef wanted, const Hint &hint) {
  static llvm::StringMap<llvm::SmallVector<std::unique_ptr<const Wish>, 1>> known;
  auto &ofName = known[wanted];
  for (const auto &wish : ofName)
    if (wish->origin == hint.origin && wish->second == hint.second) return wish.get();
  ofName.push_back(std::make_unique<Wish>(Wish{wanted.str(), hint.second, hint.origin}));
  return ofName.back().get();
}

Symbol::Symbol(llvm::StringRef name)
    : wish_(name.empty() ? nullptr : wishFor(name, {})), number_(kKnown) {}

Symbol::Symbol(llvm::StringRef wanted, const Hint &hint, unsigned number)
    : wish_(wishFor(wanted, hint)), number_(number + 1) {}

Symbol Symbol::renumbered(unsigned number) const { return {wish_, kRenumbered | number}; }

llvm::StringRef Symbol::wanted() const { return wish_ ? llvm::StringRef(wish_->wanted) : ""; }
llvm::StringRef Symbol::second() const { return wish_ ? llvm::StringRef(wish_->second) : ""; }
bool Symbol::isGenerated() const { return wish_ && wish_->origin == Origin::Generated; }

llvm::StringRef Symbol::freeName(llvm::function_ref<bool(llvm::StringRef)> isFree) const {
  return !second().empty() && !isFree(wanted()) && isFree(second()) ? second() : wanted();
}

}  // namespace tile2cu::emit
