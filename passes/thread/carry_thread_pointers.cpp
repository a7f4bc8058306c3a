#include "passes/thread/carry_thread_pointers.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/dead_code.h"

namespace tile2cu::passes {
using namespace ir;

// ---- offsets: a part that the thread gives, and a part that its registers give

static bool isUniform(const Value *value, const Block &function) {
  const auto splat = SplatOp::of(value);
  if (!splat) return false;
  const Value *source = splat.source();
  return definedOutside(source, function) || ConstantOp::of(source);
}

// Whether adding two values of this type is exact wherever the program's own additions are: signed
// ones do not overflow, and an address keeps 64 bits of the others.
static bool isExact(const Type &type) {
  return isInteger(type.scalar()) && (isSigned(type.scalar()) || bitWidth(type.scalar()) == 64);
}

static const Value *withoutViews(const Value *value) {
  while (value->definition && value->definition->is(View)) value = value->definition->operand(0);
  return value;
}

// Whether an offset is a sum of multiples of coordinates, and of nothing else. With another
// summand, as in (row - 32) * stride, the thread's part is not a value of the program, and could
// overflow.
static bool isLinear(const Value *offset, const Block &function) {
  const Op *op = offset->definition;
  if (!op || definedOutside(offset, function)) return false;
  switch (op->kind) {
    case OpKind::Arange:
      return op->getInt(Attr::start) == 0;
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Hint:
      return isLinear(op->operand(0), function);
    case OpKind::Cast: {
      const Value *source = op->operand(0);
      const Scalar from = source->type.scalar();
      // An unsigned source may wrap around unless it is a coordinate.
      return isInteger(from) && isExact(offset->type) &&
             bitWidth(offset->type.scalar()) >= bitWidth(from) &&
             (isSigned(from) || ArangeOp::of(withoutViews(source))) && isLinear(source, function);
    }
    case OpKind::Add:
      return isExact(offset->type) && isLinear(op->operand(0), function) &&
             isLinear(op->operand(1), function);
    case OpKind::Mul:
      for (const unsigned i : {0, 1})
        if (isUniform(withoutViews(op->operand(i)), function))
          return isExact(offset->type) && isLinear(op->operand(1 - i), function);
      return false;
    default:
      return false;
  }
}

static bool hasThreads(const Layout &range) {
  return llvm::any_of(range.dim(0).digits,
                      [](const Digit &digit) { return digit.unit != Unit::Register; });
}

// The dimension of the loop nest that a range counts, where its threads are known best; else -1.
static int dimOfRange(const Layout &loops, const Layout &range) {
  const LayoutDim &own = range.dim(0);
  for (unsigned d = 0; d < loops.rank(); ++d)
    if (loops.dim(d).size == own.size && loops.dim(d).size.hasFormulaOf(own.size) &&
        sameDigits(loops.dim(d), loops, own, range))
      return int(d);
  return -1;
}

namespace {

// Writes the two parts of the offsets of one copy.
class Parts {
 public:
  // `tile`: the name of what the loop nest copies.
  Parts(const Op *loops, const Block &function, std::string tile)
      : loops_(loops), function_(function), tile_(std::move(tile)) {}

  // The thread's part, a scalar.
  Value *ofThread(Value *offset, Builder &builder) const;
  // The part of the registers, a tile.
  Value *ofRegisters(Value *offset, Builder &builder) const;

 private:
  Value *coordinateOfThread(const Value *range, Builder &builder) const;
  Value *factor(Value *splat, Builder &builder) const;

  const Op *loops_;
  const Block &function_;
  const std::string tile_;
};

}  // namespace

Value *Parts::coordinateOfThread(const Value *range, Builder &builder) const {
  const LayoutRef own = range->type.layout();
  const int dim = dimOfRange(*loops_->layout, *own);
  const std::string axis = loops_->layout->rank() != 2 || dim < 0 ? "index"
                           : dim == 0                             ? "row"
                                                                  : "column";
  Op *op = builder.create(OpKind::ThreadCoordinate, {}, {Type(Scalar::I32)}, tile_ + "_" + axis);
  op->setInt(Attr::axis, std::max(dim, 0));
  op->layout = dim < 0 ? own : loops_->layout;
  return op->result();
}

// The scalar of a splat, where `builder` can use it.
Value *Parts::factor(Value *splat, Builder &builder) const {
  Value *source = SplatOp::of(splat).source();
  if (definedOutside(source, function_)) return source;
  std::map<Value *, Value *> map;
  return clone(source->definition, builder, map)->result();
}

Value *Parts::ofThread(Value *offset, Builder &builder) const {
  Op *op = offset->definition;
  switch (op->kind) {
    case OpKind::Arange:
      return coordinateOfThread(offset, builder);
    case OpKind::Cast: {
      return builder.cast(ofThread(op->operand(0), builder), offset->type.scalar());
    }
    case OpKind::Add: {
      Value *lhs = ofThread(op->operand(0), builder);
      return builder.binary(OpKind::Add, lhs, ofThread(op->operand(1), builder));
    }
    case OpKind::Mul: {
      Value *lhs = op->operand(0), *rhs = op->operand(1);
      Value *left = const_cast<Value *>(withoutViews(lhs));
      const bool isLeft = isUniform(left, function_);
      Value *part = ofThread(isLeft ? rhs : lhs, builder);
      Value *scale = factor(isLeft ? left : const_cast<Value *>(withoutViews(rhs)), builder);
      return builder.binary(OpKind::Mul, part, scale);
    }
    default:
      return ofThread(op->operand(0), builder);
  }
}

Value *Parts::ofRegisters(Value *offset, Builder &builder) const {
  Op *op = offset->definition;
  if (op->kind == OpKind::Splat) return offset;
  if (op->kind == OpKind::Hint) return ofRegisters(op->operand(0), builder);
  std::map<Value *, Value *> map;
  for (Value *operand : op->operands()) map[operand] = ofRegisters(operand, builder);
  Op *part = clone(op, builder, map);
  part->result()->name.clear();
  if (op->kind == OpKind::Arange) part->setBool(Attr::registers_only, true);
  return part->result();
}

// ---- pointers

namespace {

// How the pointer of a local function's argument becomes the addresses of its copy.
struct Address {
  Op *copy = nullptr;
  llvm::SmallVector<Op *, 4> additions;  // of offsets to the pointer
};

// The values that hand one pointer on to a local function.
class Way {
 public:
  Way(Kernel &kernel, Value *argument) : kernel_(kernel) { add(argument); }

  // False: something else uses the pointer.
  bool find();
  // Where another pointer becomes this one: an operand of a call or of a loop.
  struct Entry {
    Op *op;
    unsigned operand;
  };
  llvm::ArrayRef<Entry> entries() const { return entries_; }

 private:
  void add(Value *value) {
    if (values_.insert(value).second) open_.push_back(value);
  }
  void addSource(Op *op, unsigned operand);
  bool addDefinition(Value *value);
  bool addUser(Value *value, Op *user);
  Op *functionOf(const Op *call) const;

  Kernel &kernel_;
  std::set<Value *> values_;
  llvm::SmallVector<Value *, 8> open_;
  llvm::SmallVector<Entry, 2> entries_;
};

}  // namespace

// The copy whose addresses are this pointer and linear offsets; none if it is used in another way.
static std::optional<Address> addressFrom(const Value *pointer, const Block &function) {
  Address address;
  if (pointer->users.size() != 1 || pointer->users[0]->kind != OpKind::Splat) return std::nullopt;
  const Value *at = pointer->users[0]->result();
  while (true) {
    if (at->users.size() != 1) return std::nullopt;
    Op *user = at->users[0];
    if (user->kind == OpKind::AsyncCopy && user->operand(0) == at) {
      address.copy = user;
      return address;
    }
    if (user->kind == OpKind::AddPtr && user->operand(0) == at) {
      if (isLinear(user->operand(1), function))
        address.additions.push_back(user);
      else if (!isUniform(withoutViews(user->operand(1)), function))
        return std::nullopt;
    } else if (user->kind != OpKind::ExpandDims && user->kind != OpKind::Broadcast) {
      return std::nullopt;
    }
    at = user->result();
  }
}

Op *Way::functionOf(const Op *call) const {
  Op *found = nullptr;
  walk(kernel_.body, [&](Op *op) {
    if (op->kind == OpKind::LocalFunction && op->getInt(Attr::id) == call->getInt(Attr::id))
      found = op;
  });
  return found;
}

static bool isAdvance(const Op *op) {
  return op->kind == OpKind::AddPtr && !op->result()->type.isTile();
}

// Whether the value is one that loops and calls hand on. Any other pointer is where the way begins.
static bool isHandedOn(const Value *value) {
  while (value->definition && isAdvance(value->definition)) value = value->definition->operand(0);
  const Op *owner = value->isArgument() ? value->owner->parent : value->definition;
  return owner && (owner->kind == OpKind::For || owner->kind == OpKind::LocalFunction);
}

void Way::addSource(Op *op, unsigned operand) {
  Value *value = op->operand(operand);
  if (isHandedOn(value))
    add(value);
  else
    entries_.push_back({op, operand});
}

bool Way::addDefinition(Value *value) {
  if (value->definition && isAdvance(value->definition)) {
    add(value->definition->operand(0));
    return true;
  }
  Op *owner = value->isArgument() ? value->owner->parent : value->definition;
  if (owner->kind == OpKind::LocalFunction) {
    walk(kernel_.body, [&](Op *op) {
      if (op->kind == OpKind::Call && op->getInt(Attr::id) == owner->getInt(Attr::id))
        addSource(op, value->index);
    });
    return true;
  }
  const ForOp loop(owner);
  if (value->isArgument() && value->index == 0) return false;  // the loop's variable
  const unsigned i = value->isArgument() ? value->index - 1 : value->index;
  add(loop.carried(i));
  add(loop.result(i));
  Op *yield = loop.body().terminator();
  if (!yield || yield->kind != OpKind::Yield || !isHandedOn(yield->operand(i))) return false;
  add(yield->operand(i));
  if (value->isArgument()) addSource(owner, ForOp::kFirstInit + i);
  return true;
}

bool Way::addUser(Value *value, Op *user) {
  switch (user->kind) {
    case OpKind::AddPtr:
      if (!isAdvance(user)) return false;
      add(user->result());
      return true;
    case OpKind::Call: {
      Op *function = functionOf(user);
      for (unsigned i = 0; i < user->numOperands(); ++i)
        if (user->operand(i) == value) add(function->region()->argument(i));
      return true;
    }
    case OpKind::For: {
      const ForOp loop(user);
      for (unsigned i = 0; i < loop.numCarried(); ++i)
        if (loop.init(i) == value) add(loop.carried(i));
      return true;
    }
    case OpKind::Yield: {
      Op *owner = user->parentOp();
      if (owner->kind != OpKind::For) return false;
      for (unsigned i = 0; i < user->numOperands(); ++i)
        if (user->operand(i) == value) add(ForOp(owner).carried(i));
      return true;
    }
    default:
      return false;
  }
}

bool Way::find() {
  Value *first = open_.front();
  while (!open_.empty()) {
    Value *value = open_.pop_back_val();
    if (!addDefinition(value)) return false;
    if (value == first) continue;  // the addresses of the copy
    for (Op *user : std::vector<Op *>(value->users))
      if (!addUser(value, user)) return false;
  }
  return true;
}

// Whether `op` may use the value.
static bool reaches(const Value *value, Op *op) {
  const Block *home = value->home();
  const Op *at = ancestorIn(*home, op);
  return at && (value->isArgument() || isBefore(value->definition, at));
}

// Whether the scalars of the offset can be used where the way begins.
static bool reachesAll(const Value *offset, const Block &function, Op *entry) {
  const Op *op = offset->definition;
  if (const auto splat = SplatOp::of(op))
    return !definedOutside(splat.source(), function) || reaches(splat.source(), entry);
  return llvm::all_of(op->operands(),
                      [&](const Value *operand) { return reachesAll(operand, function, entry); });
}

static bool anyThreads(const Value *offset) {
  const Op *op = offset->definition;
  if (op->kind == OpKind::Arange) return hasThreads(*offset->type.layout());
  return op->kind != OpKind::Splat && llvm::any_of(op->operands(), anyThreads);
}

static bool carryThreadPointer(Kernel &kernel, Op *function, Value *argument) {
  const Block &body = *function->region();
  const auto address = addressFrom(argument, body);
  if (!address) return false;
  const auto hasThreadPart = [](Op *op) { return anyThreads(op->operand(1)); };
  if (llvm::none_of(address->additions, hasThreadPart)) return false;
  Way way(kernel, argument);
  if (!way.find()) return false;
  for (const Way::Entry &entry : way.entries())
    for (const Op *addition : address->additions)
      if (!reachesAll(addition->operand(1), body, entry.op)) return false;

  const Op *copy = address->copy;
  const Parts parts(copy->parentOp(), body, kernel.shared[copy->getInt(Attr::buffer)].name);
  for (const Way::Entry &entry : way.entries()) {
    Builder builder = Builder::before(entry.op);
    Value *pointer = entry.op->operand(entry.operand);
    for (const Op *addition : address->additions)
      pointer = builder.addptr(pointer, parts.ofThread(addition->operand(1), builder));
    entry.op->setOperand(entry.operand, pointer);
  }
  for (Op *addition : address->additions) {
    Builder builder = Builder::before(addition);
    addition->setOperand(1, parts.ofRegisters(addition->operand(1), builder));
  }
  return true;
}

llvm::LogicalResult carry_thread_pointers(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    llvm::SmallVector<Op *, 4> functions;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::LocalFunction) functions.push_back(op);
    });
    bool isChanged = false;
    for (Op *function : functions)
      for (auto &argument : function->region()->arguments)
        if (argument->type.isPointer())
          isChanged |= carryThreadPointer(kernel, function, argument.get());
    if (isChanged) removeDeadCode(kernel.body);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
