// Values, operations and blocks of the Tile IR.
//
// Structured and SSA: a kernel's body is a block of operations; `for`, `while`, `if`, `reduce`, ... own further blocks. There
// are no branches, so that the emitter never has to find loops again. Every value carries the name the user
// gave it (or a hint made from its role), every operation the place in the source it came from.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/ir/type.h"

namespace tile2cu::ir {

class Block;
class Op;

enum Trait : uint16_t {
  None = 0,
  Pure = 1,
  Elementwise = 2,
  View = 4,
  Uniform = 8,
  Reads = 16,
  Writes = 32,
  Control = 64,
  Host = 128,
};

enum class OpKind : uint8_t {
#define OP(Name, ...) Name,
#include "passes/ir/ops.def"
};

// {file, line, column}: file is an index into Module::files; line 0 means unknown.
struct Location {
  unsigned file = 0, line = 0, column = 0;
  int statement = -1;  // index into Kernel::statements
};

// One definition: an operation's result or a block's argument.
class Value {
 public:
  Value(Type type, std::string name);
  Value(const Value &) = delete;

  Type type;
  std::string name;          // the user's name or a hint; may be empty, need not be unique
  Op *definition = nullptr;  // null for block arguments
  Block *owner = nullptr;    // for block arguments
  unsigned index = 0;        // which result or argument
  const unsigned
      serial;  // counts values as they are made: an order that is the same in every run, unlike that of addresses
  std::vector<Op *> users;  // one entry a use (an op that uses a value twice is listed twice)

  bool isArgument() const { return owner != nullptr; }
  Block *home() const;  // in which it is defined
  bool unused() const { return users.empty(); }
  // Makes every user use `other`. A name moves along if `other` has none.
  void replaceAllUsesWith(Value *other);
};

using Attribute = std::variant<bool, int64_t, double, std::string, llvm::SmallVector<int64_t, 4>>;

class Op {
 public:
  Op(OpKind kind, Location loc) : kind(kind), loc(loc) {}
  ~Op();
  Op(const Op &) = delete;

  const OpKind kind;
  Location loc;
  std::map<std::string, Attribute, std::less<>> attributes;
  std::vector<std::unique_ptr<Value>> results;
  std::vector<std::unique_ptr<Block>> regions;
  std::shared_ptr<const Layout> layout;  // nest: the layout whose registers it loops over
  Block *parent = nullptr;
  std::list<std::unique_ptr<Op>>::iterator position;  // within parent->ops

  // ---- operands; an optional one may be null
  const std::vector<Value *> &operands() const { return operands_; }
  Value *operand(unsigned i) const { return i < operands_.size() ? operands_[i] : nullptr; }
  unsigned numOperands() const { return operands_.size(); }
  void setOperand(unsigned i, Value *value);
  void addOperand(Value *value);
  void setOperands(llvm::ArrayRef<Value *> values);
  void eraseOperand(unsigned i);

  Value *result(unsigned i = 0) const { return results[i].get(); }
  unsigned numResults() const { return results.size(); }
  Value *addResult(Type type, std::string name = "");
  Block *region(unsigned i = 0) const { return i < regions.size() ? regions[i].get() : nullptr; }
  Block *addRegion();

  // ---- attributes
  bool has(llvm::StringRef name) const { return attributes.find(name.str()) != attributes.end(); }
  int64_t getInt(llvm::StringRef name, int64_t fallback = 0) const;
  double getDouble(llvm::StringRef name) const;
  bool getBool(llvm::StringRef name) const;
  std::string getString(llvm::StringRef name) const;
  llvm::SmallVector<int64_t, 4> getInts(llvm::StringRef name) const;
  void set(llvm::StringRef name, Attribute value) { attributes[name.str()] = std::move(value); }
  void setInt(llvm::StringRef name, int64_t value) { set(name, Attribute(value)); }
  void setBool(llvm::StringRef name, bool value) { set(name, Attribute(value)); }
  void setString(llvm::StringRef name, llvm::StringRef value) { set(name, Attribute(value.str())); }

  // ---- place
  llvm::StringRef mnemonic() const;
  uint16_t traits() const;
  bool is(Trait trait) const { return traits() & trait; }
  Op *parentOp() const;
  Op *next() const;      // null at the end of the block
  Op *previous() const;  // null at its start
  bool isTerminator() const;
  // Removes this op from its block; its results must be unused. Deletes it.
  void erase();
  void moveBefore(Op *other);
  void moveAfter(Op *other);

 private:
  std::vector<Value *> operands_;
};

class Block {
 public:
  Block() = default;
  ~Block();
  Block(const Block &) = delete;

  std::vector<std::unique_ptr<Value>> arguments;
  std::list<std::unique_ptr<Op>> ops;
  Op *parent = nullptr;  // null for a kernel's body

  Value *addArgument(Type type, std::string name = "");
  Value *argument(unsigned i) const { return arguments[i].get(); }
  bool empty() const { return ops.empty(); }
  Op *front() const { return ops.empty() ? nullptr : ops.front().get(); }
  Op *back() const { return ops.empty() ? nullptr : ops.back().get(); }
  Op *terminator() const;  // yield, return, ...; null if there is none
  Op *append(std::unique_ptr<Op> op);
  Op *insertBefore(Op *before, std::unique_ptr<Op> op);
};

// The names of the operands of a kind, as in ops.def; empty for VARIADIC.
llvm::ArrayRef<llvm::StringRef> operandNames(OpKind kind);
llvm::StringRef mnemonic(OpKind kind);
uint16_t traits(OpKind kind);
std::optional<OpKind> kindFromMnemonic(llvm::StringRef mnemonic);

// Typed views, generated from ops.def: `if (auto load = LoadOp::of(op)) use(load.pointer());`
#define T2C_PARENS ()
#define T2C_EXPAND(...) T2C_EXPAND2(T2C_EXPAND2(T2C_EXPAND2(__VA_ARGS__)))
#define T2C_EXPAND2(...) T2C_EXPAND1(T2C_EXPAND1(T2C_EXPAND1(__VA_ARGS__)))
#define T2C_EXPAND1(...) __VA_ARGS__
#define T2C_FOR_EACH(M, ...) __VA_OPT__(T2C_EXPAND(T2C_FOR_EACH_STEP(M, __VA_ARGS__)))
#define T2C_FOR_EACH_STEP(M, a, ...) M(a) __VA_OPT__(T2C_FOR_EACH_AGAIN T2C_PARENS(M, __VA_ARGS__))
#define T2C_FOR_EACH_AGAIN() T2C_FOR_EACH_STEP
#define T2C_STRIP(...) __VA_ARGS__
#define T2C_INDEX(name) name##Index,
#define T2C_ACCESSOR(name) \
  Value *name() const { return op->operand(name##Index); }
#define VARIADIC ()
#define OP(Name, mnemonic, OPERANDS, traits)                                   \
  struct Name##Op {                                                            \
    static constexpr OpKind Kind = OpKind::Name;                               \
    Op *op = nullptr;                                                          \
    explicit operator bool() const { return op; }                              \
    Op *operator->() const { return op; }                                      \
    static Name##Op of(Op *o) { return {o && o->kind == Kind ? o : nullptr}; } \
    static Name##Op of(Value *v) { return of(v ? v->definition : nullptr); }   \
    enum { T2C_FOR_EACH(T2C_INDEX, T2C_STRIP OPERANDS) NumOperands };          \
    T2C_FOR_EACH(T2C_ACCESSOR, T2C_STRIP OPERANDS)                             \
  };
#include "passes/ir/ops.def"
#undef VARIADIC

// Calls `visit` for every op under `block`, outer before inner, in order. The visited op may be erased unless it has regions;
// no other op may.
void walk(Block &block, llvm::function_ref<void(Op *)> visit);
// Inner before outer. The visited op may be erased.
void walkPostOrder(Block &block, llvm::function_ref<void(Op *)> visit);
// Whether `value` is defined outside `block` (so that it is the same in every iteration of a loop with that body).
bool definedOutside(const Value *value, const Block &block);
// The values from outside that a region uses, each once.
llvm::SmallVector<Value *, 4> capturedBy(Block &region);
// Whether `inner` is `block` or nested in it.
bool isInside(const Block *inner, const Block &block);
// A `for` or a `while`; false for null.
bool isLoop(const Op *op);
// The operation of `block` that is `op` or holds it; null if there is none.
Op *ancestorIn(const Block &block, Op *op);
const Op *ancestorIn(const Block &block, const Op *op);
// Whether `op` stands before `other`, in the same block.
bool isBefore(const Op *op, const Op *other);
// The first operation of `block` in which, or inside of which, `value` is used; null if there is none.
Op *firstUserIn(const Block &block, const Value &value);
// Lets these users of `from` use `to`.
void replaceUses(llvm::ArrayRef<Op *> users, const Value *from, Value *to);

}  // namespace tile2cu::ir
