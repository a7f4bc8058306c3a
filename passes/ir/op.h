// Values, operations and blocks of the Tile IR.
//
// The IR is structured SSA: a kernel's body is a block, and `for`, `while`, `if`, `reduce`, ... own
// further blocks. It has no jumps, so the emitter never has to find loops. A value has the name
// that the user gave it, or a hint that follows from its role; an operation has its location in the
// source.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/ir/attribute.h"
#include "passes/ir/type.h"

namespace tile2cu::ir {

class Block;
class Op;

enum Trait : uint16_t {
  None = 0,
  Pure = 1 << 0,
  Elementwise = 1 << 1,
  View = 1 << 2,
  Uniform = 1 << 3,
  Reads = 1 << 4,
  Writes = 1 << 5,
  Control = 1 << 6,
  Host = 1 << 7,
  Comparison = 1 << 8,
  RealFunction = 1 << 9,
  GlobalAccess = 1 << 10,
  Terminator = 1 << 11,
  Exit = 1 << 12,
  PlacedLevel = 1 << 13,
  ThreadLevel = 1 << 14,
  Moves = 1 << 15,
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
      serial;  // counts values as they are created: the same order in every run, unlike addresses
  std::vector<Op *> users;  // one entry per use (an op that uses a value twice is listed twice)

  bool isArgument() const { return owner != nullptr; }
  Block *home() const;  // the block in which it is defined
  bool unused() const { return users.empty(); }
  // Makes every user use `other`. If `other` has no name, it takes this value's name.
  void replaceAllUsesWith(Value *other);
};

class Op {
 public:
  Op(OpKind kind, Location loc) : kind(kind), loc(loc) {}
  ~Op();
  Op(const Op &) = delete;

  const OpKind kind;
  Location loc;
  Attributes attributes;
  std::vector<std::unique_ptr<Value>> results;
  std::vector<std::unique_ptr<Block>> regions;
  std::shared_ptr<const Layout> layout;  // loop nest: the layout whose registers it loops over
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

  // ---- attributes; one that is absent reads as 0, false or empty
  bool has(AttrId id) const { return attributes.find(id); }
  bool getBool(BoolAttr key) const { return read(key, false); }
  int64_t getInt(IntAttr key, int64_t fallback = 0) const { return read(key, fallback); }
  const std::string &getString(StringAttr key) const;
  const Ints &getInts(IntsAttr key) const;
  // The value of a constant, whatever its type.
  bool getBool(NumberAttr key) const { return getInt(key) != 0; }
  int64_t getInt(NumberAttr key, int64_t fallback = 0) const;
  double getDouble(NumberAttr key) const;

  void setBool(BoolAttr key, bool value) { attributes.set(key, Attribute(value)); }
  void setInt(IntAttr key, int64_t value) { attributes.set(key, Attribute(value)); }
  void setString(StringAttr key, llvm::StringRef value) {
    attributes.set(key, Attribute(value.str()));
  }
  void set(IntsAttr key, Ints value) { attributes.set(key, Attribute(std::move(value))); }
  void set(NumberAttr key, Attribute value) { attributes.set(key, std::move(value)); }
  void set(PerDimAttr key, Attribute value) { attributes.set(key, std::move(value)); }
  template <AttrType Type>
  void set(AttrKey<Type> key, EnumOf<Type> value) {
    attributes.set(key, Attribute(value));
  }

  // By the type of the attribute, for the accessors of the views below.
  bool get(BoolAttr key) const { return getBool(key); }
  int64_t get(IntAttr key) const { return getInt(key); }
  const std::string &get(StringAttr key) const { return getString(key); }
  const Ints &get(IntsAttr key) const { return getInts(key); }
  const Attribute *get(NumberAttr key) const { return attributes.find(key); }
  const Attribute *get(PerDimAttr key) const { return attributes.find(key); }
  // One of a closed set of words: `op->get(Attr::cache) == CacheOp::Cv`. None if it is absent.
  template <AttrType Type>
  std::optional<EnumOf<Type>> get(AttrKey<Type> key) const {
    const Attribute *value = attributes.find(key);
    return value ? std::optional(std::get<EnumOf<Type>>(*value)) : std::nullopt;
  }

  // ---- position
  llvm::StringRef mnemonic() const;
  uint16_t traits() const;
  bool is(Trait trait) const { return traits() & trait; }
  Op *parentOp() const;
  Op *next() const;      // null at the end of the block
  Op *previous() const;  // null at its start
  bool isTerminator() const { return is(Terminator); }
  // expand_dims, broadcast, reshape, permute: a `hint` is a view too, but changes no shape.
  bool isShapeView() const { return is(View) && !is(Elementwise); }
  // Removes this op from its block; its results must be unused. Deletes it.
  void erase();
  void moveBefore(Op *other);
  void moveAfter(Op *other);

 private:
  template <class T>
  T read(AttrId id, T fallback) const {
    const Attribute *value = attributes.find(id);
    return value ? std::get<T>(*value) : fallback;
  }

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
// The attributes of a kind, as in ops.def.
llvm::ArrayRef<AttrUse> attributesOf(OpKind kind);
std::optional<OpKind> kindFromMnemonic(llvm::StringRef mnemonic);

inline bool isComparison(OpKind kind) { return traits(kind) & Comparison; }
// The six comparisons are operations, and words of a loop's `compare`.
OpKind kindOf(Compare compare);
// Which comparison an operation with the trait Comparison is.
Compare compareOf(OpKind comparison);
// !(a < b) is a >= b, for integers.
Compare inverted(Compare compare);
// a < b is b > a.
Compare mirrored(Compare compare);
bool isEquality(Compare compare);  // eq, ne
bool isStrict(Compare compare);    // lt, gt
bool isLess(Compare compare);      // lt, le
bool isGreater(Compare compare);   // gt, ge
// Whether `a <compare> b` holds, for any type that C++ compares.
template <class T>
bool holds(Compare compare, const T &a, const T &b) {
  switch (compare) {
    case Compare::Lt:
      return a < b;
    case Compare::Le:
      return a <= b;
    case Compare::Gt:
      return a > b;
    case Compare::Ge:
      return a >= b;
    case Compare::Eq:
      return a == b;
    case Compare::Ne:
      return a != b;
  }
  return false;
}

// Whether a load or a store may have this cache operator.
bool takesCache(OpKind access, CacheOp cache);

// The operation of a view. Specialized where operands, arguments and results belong together.
template <OpKind>
struct ViewOf {
  Op *op = nullptr;
};

// `ForOp loop(op)`. A carried value is init(i) before the loop, carried(i) in it, result(i) after.
template <>
struct ViewOf<OpKind::For> {
  Op *op = nullptr;
  static constexpr unsigned kFirstInit = 3;

  Value *lower() const { return op->operand(0); }
  Value *upper() const { return op->operand(1); }
  Value *step() const { return op->operand(2); }
  void setLower(Value *value) { op->setOperand(0, value); }
  void setUpper(Value *value) { op->setOperand(1, value); }
  void setStep(Value *value) { op->setOperand(2, value); }

  Block &body() const { return *op->region(); }
  Value *variable() const;  // the loop variable
  unsigned numCarried() const { return op->numOperands() - kFirstInit; }
  Value *init(unsigned i) const { return op->operand(kFirstInit + i); }
  void setInit(unsigned i, Value *value) { op->setOperand(kFirstInit + i, value); }
  Value *carried(unsigned i) const;
  Value *result(unsigned i) const { return op->result(i); }

  // The loop runs while `variable <compare> upper` holds.
  Compare compare() const { return op->get(Attr::compare).value_or(Compare::Lt); }
};

// Typed views, generated from ops.def: `if (auto load = LoadOp::of(op)) use(load.pointer());`.
// A view of a `const Op` hands out values as operand() does, so it does not keep the const.
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
#define T2C_ATTRIBUTE(name) \
  decltype(auto) name() const { return op->get(Attr::name); }
#define VARIADIC ()
#define OP(Name, mnemonic, OPERANDS, traits, ATTRIBUTES)                                     \
  struct Name##Op : ViewOf<OpKind::Name> {                                                   \
    static constexpr OpKind Kind = OpKind::Name;                                             \
    Name##Op() = default;                                                                    \
    explicit Name##Op(const Op *o) : ViewOf<OpKind::Name>{const_cast<Op *>(o)} {}            \
    explicit operator bool() const { return op; }                                            \
    Op *operator->() const { return op; }                                                    \
    static Name##Op of(const Op *o) { return Name##Op(o && o->kind == Kind ? o : nullptr); } \
    static Name##Op of(const Value *v) { return of(v ? v->definition : nullptr); }           \
    enum { T2C_FOR_EACH(T2C_INDEX, T2C_STRIP OPERANDS) NumOperands };                        \
    T2C_FOR_EACH(T2C_ACCESSOR, T2C_STRIP OPERANDS)                                           \
    T2C_FOR_EACH(T2C_ATTRIBUTE, T2C_STRIP ATTRIBUTES)                                        \
  };
#include "passes/ir/ops.def"
#undef VARIADIC

inline Value *ViewOf<OpKind::For>::variable() const { return body().argument(0); }
inline Value *ViewOf<OpKind::For>::carried(unsigned i) const { return body().argument(1 + i); }

// Calls `visit` for every op in `block` and its regions, outer before inner, in order. `visit` may
// erase the op that it visits unless that has regions, and no other op.
void walk(Block &block, llvm::function_ref<void(Op *)> visit);
// Inner before outer. The visited op may be erased.
void walkPostOrder(Block &block, llvm::function_ref<void(Op *)> visit);
// Whether `value` is defined outside `block`, so that it is the same in every iteration of a loop
// with that body.
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
// The loop whose first values a branch {with_loop} computes: it takes the branch's result, and only
// pure operations stand between them. Null if there is none.
Op *loopBegunBy(const Op *branch);
// That branch of a loop; null if there is none.
Op *entryOf(const Op *loop);
// Whether `op` comes before `other`, in the same block.
bool isBefore(const Op *op, const Op *other);
// The first operation of `block` that uses `value`, also in its regions; null if there is none.
Op *firstUserIn(const Block &block, const Value &value);
// Makes these users of `from` use `to`.
void replaceUses(llvm::ArrayRef<Op *> users, const Value *from, Value *to);

}  // namespace tile2cu::ir
