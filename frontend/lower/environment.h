// The variables in scope and their current SSA values. Control flow copies and merges environments;
// nothing else in the front end deals with SSA.
#pragma once
#include "frontend/lower/val.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ValueDecl;
}

namespace tile2cu::frontend {

class Environment {
 public:
  using Slots = std::vector<Val>;

  // A new variable; `name` may be empty (a temporary).
  Place declare(llvm::StringRef name, Val initial, bool isConst = false);
  // Follows references (captures, reference members) to the variable or memory itself.
  Place resolve(const Place &place) const;
  // Reads a reference to memory itself, not the memory.
  Val read(const Place &place) const;
  void write(const Place &place, Val value);

  // ---- names of declarations: variables, parameters, references, structured bindings
  void bind(const clang::ValueDecl *declaration, Place place) {
    places_[declaration] = std::move(place);
  }
  const Place *find(const clang::ValueDecl *declaration) const;
  void unbind(const clang::ValueDecl *declaration) { places_.erase(declaration); }

  // ---- for control flow
  unsigned size() const { return slots_.size(); }
  Slots save() const { return slots_; }
  void restore(const Slots &slots) { slots_ = slots; }
  void truncate(unsigned size) {
    slots_.resize(size);
    names_.resize(size);
    const_.resize(size);
  }
  const std::string &name(unsigned slot) const { return names_[slot]; }
  // Whether the variable is one value, not a struct of several.
  bool isWhole(unsigned slot) const { return !slots_[slot].isAggregate(); }
  bool isConst(unsigned slot) const { return const_[slot]; }

  // Variables below this slot belong to the code around a combine function and cannot be assigned
  // in it.
  unsigned readOnlyBelow = 0;

 private:
  Slots slots_;
  std::vector<std::string> names_;
  std::vector<bool> const_;
  llvm::DenseMap<const clang::ValueDecl *, Place> places_;
};

// Calls `visit` for every leaf of the first `count` slots (all but aggregates), in a fixed order.
void forEachLeaf(Environment::Slots &slots, unsigned count,
                 llvm::function_ref<void(unsigned slot, Val &leaf)> visit);

}  // namespace tile2cu::frontend
