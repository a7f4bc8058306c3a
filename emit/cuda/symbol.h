// A symbol stands for a variable, parameter or constant of the emitted text.
//
// It either is a name that is known already (tid, VEC, a kernel's parameter), or it is wanted to be
// called something, and gets its name when the function that it stands in is complete
// (choose_names.h). Until then a number tells it from others that want the same name.
#pragma once
#include <cstdint>
#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

enum class Origin : uint8_t { User, Generated };

// How a variable is to be called besides the name that it is wanted to have.
struct Hint {
  // Generated: the name is the emitter's. It is not given to two variables where the user has one
  // of that name.
  Origin origin = Origin::User;
  // The name that it is to have where the wanted one is taken; empty: the wanted one with a number.
  std::string second = {};
};

// A symbol, or none. It is as cheap to copy and to compare as a pointer.
class Symbol {
 public:
  Symbol() = default;
  // A known name; none if that is empty. A name of the text's own is written as it is: "tid".
  explicit Symbol(llvm::StringRef name);
  template <size_t N>
  Symbol(const char (&name)[N]) : Symbol(llvm::StringRef(name)) {}
  // One that gets its name later. Those of one function have different numbers.
  Symbol(llvm::StringRef wanted, const Hint &hint, unsigned number);
  // The same with a number that no symbol has while a text is lowered: texts whose symbols are
  // numbered in order of declaration can be compared.
  Symbol renumbered(unsigned number) const;

  explicit operator bool() const { return wish_ != nullptr; }
  bool isName() const { return wish_ && number_ == kKnown; }
  // Whether it gets its name later.
  bool isOpen() const { return number_ != kKnown; }
  // The known name, or the one that it is wanted to have.
  llvm::StringRef wanted() const;
  llvm::StringRef second() const;
  // Its wanted name, or the second one if only that is free.
  llvm::StringRef freeName(llvm::function_ref<bool(llvm::StringRef)> isFree) const;
  bool isGenerated() const;

  friend bool operator==(const Symbol &, const Symbol &) = default;

 private:
  struct Wish;
  friend struct llvm::DenseMapInfo<Symbol>;

  static constexpr uint32_t kKnown = 0, kRenumbered = 1u << 31;

  Symbol(const Wish *wish, uint32_t number) : wish_(wish), number_(number) {}
  static const Wish *wishFor(llvm::StringRef wanted, const Hint &hint);

  const Wish *wish_ = nullptr;  // one for all symbols with the same names and origin
  uint32_t number_ = kKnown;
};

}  // namespace tile2cu::emit

template <>
struct llvm::DenseMapInfo<tile2cu::emit::Symbol> {
  using Symbol = tile2cu::emit::Symbol;
  using Key = DenseMapInfo<const void *>;
  static Symbol getEmptyKey() { return keyOf(Key::getEmptyKey()); }
  static Symbol getTombstoneKey() { return keyOf(Key::getTombstoneKey()); }
  static unsigned getHashValue(const Symbol &symbol) {
    return Key::getHashValue(symbol.wish_) * 31 + symbol.number_;
  }
  static bool isEqual(const Symbol &a, const Symbol &b) { return a == b; }

 private:
  static Symbol keyOf(const void *wish) {
    return {static_cast<const Symbol::Wish *>(wish), Symbol::kKnown};
  }
};

namespace tile2cu::emit {

using SymbolSet = llvm::DenseSet<Symbol>;
using SymbolMap = llvm::DenseMap<Symbol, Symbol>;

}  // namespace tile2cu::emit
