// The value of an expression of the tile language during lowering.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "passes/ir/op.h"

namespace clang {
class FunctionDecl;
}

namespace tile2cu::frontend {

// The location of an lvalue: a variable (or a field of one), or memory that a pointer points to.
struct Place {
  int slot = -1;                        // index into Environment; -1: memory
  llvm::SmallVector<unsigned, 2> path;  // fields inside the slot's value
  ir::Value *pointer = nullptr;         // for memory
  bool writable = true;  // false for a constant, or a temporary bound to a const reference
  bool isCopy = false;   // the value of a variable that is not known: one of two, for example

  bool isMemory() const { return pointer != nullptr; }
  bool isSame(const Place &other) const {
    return slot == other.slot && path == other.path && pointer == other.pointer;
  }
  bool isVariable() const { return slot >= 0; }
  Place field(unsigned index) const {
    Place inner = *this;
    inner.path.push_back(index);
    return inner;
  }
};

// A scalar, pointer or tile is one IR value. All other objects are split into these and never reach
// the IR: structs, tuples, arrays and closures are aggregates of their fields (or captures).
struct Val {
  enum class Kind : uint8_t {
    Void,       // no value
    Undefined,  // a variable before its first assignment
    Value,      // one IR value
    Aggregate,  // bases and fields of a record, elements of an array, captures of a lambda
    Reference,  // a capture by reference, or a reference member
    Function,   // a function used as a value
  };
  Kind kind = Kind::Void;
  ir::Value *value = nullptr;
  std::vector<Val> fields;
  Place place;
  const clang::FunctionDecl *function = nullptr;

  Val() = default;
  Val(ir::Value *v) : kind(Kind::Value), value(v) {}  // NOLINT: an IR value is a value
  static Val undefined() { return ofKind(Kind::Undefined); }
  static Val aggregate(std::vector<Val> fields = {}) {
    Val result = ofKind(Kind::Aggregate);
    result.fields = std::move(fields);
    return result;
  }
  static Val reference(Place place) {
    Val result = ofKind(Kind::Reference);
    result.place = std::move(place);
    return result;
  }
  static Val ofFunction(const clang::FunctionDecl *function) {
    Val result = ofKind(Kind::Function);
    result.function = function;
    return result;
  }

  bool isValue() const { return kind == Kind::Value; }
  bool isAggregate() const { return kind == Kind::Aggregate; }
  bool isUndefined() const { return kind == Kind::Undefined; }

 private:
  static Val ofKind(Kind kind) {
    Val result;
    result.kind = kind;
    return result;
  }
};

}  // namespace tile2cu::frontend
