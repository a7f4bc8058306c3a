// The values of the Tile IR in the text: the expression of a scalar, and the variable or array
// that a value is in. An expression is checked when it is used, so that nothing that is printed
// reads a variable before it has the value, after its scope has ended, or after a change.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "emit/cuda/builder.h"
#include "emit/cuda/names.h"
#include "passes/ir/layout.h"
#include "passes/ir/op.h"

namespace tile2cu::emit {

struct Storage {
  Symbol name;              // the variable or array
  std::string member;       // "value" of a tuple reduction
  ir::LayoutRef layout;     // of the array
  bool isVector = false;    // the last axis is inside a tile2cu::vec
  bool isFragment = false;  // the last two axes are one of four elements (mma_layout.h)
  bool oneVector = false;   // only the last axis: a vector of the loop's body
  // For each axis of the array that of the value's layout, where they differ (the result of a
  // reduction).
  std::optional<llvm::SmallVector<int, 4>> axes;

  // The variable, or an element of the array at these indices.
  Expr at(llvm::ArrayRef<Expr> indices = {}) const {
    const Expr e = subscript(named(name), indices);
    return member.empty() ? e : emit::member(e, member);
  }
  // Whether it is the array of a tile as makeStorage (register_tiles.h) makes it.
  bool isWhole() const { return member.empty() && !oneVector && !axes; }
};

// An expression, and what it reads.
struct Remembered {
  Expr expr;
  Reads reads;
};

class ValueMap {
 public:
  explicit ValueMap(const Names &names) : names_(names) {}

  // ---- expressions
  Remembered remembered(Expr e) const;
  void remember(const ir::Value *value, Expr e) { remember(value, remembered(std::move(e))); }
  void remember(const ir::Value *value, Remembered known) { scalars_[value] = std::move(known); }
  // The expression that was remembered for the value; null: none.
  const Remembered *known(const ir::Value *value) const;
  // The expression again, which has to hold still.
  const Expr &recalled(const ir::Value *value, const Remembered &known) const;
  void requireCurrent(const ir::Value *value, const Reads &reads) const;

  // ---- variables and arrays
  void place(const ir::Value *value, const Storage &storage) { storage_[value] = storage; }
  bool isPlaced(const ir::Value *value) const { return storage_.count(value) != 0; }
  const Storage &storageOf(const ir::Value *value) const { return storage_.at(value); }
  // Null: it has no storage.
  const Storage *storageIf(const ir::Value *value) const;
  // The value has been computed: its storage has it.
  void hold(const ir::Value *value);
  void holdResults(const ir::Op *op);
  // The storage of a value that has been computed, and that the storage has still.
  const Storage &stored(const ir::Value *value) const;
  void requireHeld(const ir::Value *value) const { requireCurrent(value, held_.at(value)); }

 private:
  const Names &names_;
  std::map<const ir::Value *, Remembered> scalars_;
  std::map<const ir::Value *, Storage> storage_;
  std::map<const ir::Value *, Reads> held_;  // what a value's storage was when it got the value
};

}  // namespace tile2cu::emit
