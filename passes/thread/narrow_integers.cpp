#include "passes/thread/narrow_integers.h"

#include <limits>
#include <map>
#include <set>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool isScalarOf(const Value *value, Scalar type) {
  return !value->type.isTile() && !value->type.isPointer() && value->type.scalar() == type;
}
bool isWide(const Value *value) { return isScalarOf(value, Scalar::I64); }
bool isI32Cast(const Op *op) {
  return op->kind == OpKind::Cast && isScalarOf(op->result(), Scalar::I32);
}

// Narrows the values of a kernel's body, or of its producer's.
class Narrowing {
 public:
  Narrowing(const Kernel &kernel, Block &body)
      : isPacked_(kernel.packed()),
        integers_(Assume::Launched, {}, isPacked_ ? kernel.programsPerBlock : 1),
        body_(body) {}

  void run() {
    findHostOps();
    simplifyClamps();
    decide(body_);
    prune(body_);
    std::vector<Op *> all;
    walk(body_, [&](Op *op) { all.push_back(op); });
    for (Op *op : all) rewrite(op);
    for (const auto &[value, narrow] : made_) widen(value, narrow);
    for (Op *op : llvm::reverse(replaced_))
      if (op->result()->unused()) op->erase();
  }

 private:
  // ---- what the launcher computes

  bool isOfHost(const Op *op) const {
    return op->is(Host) || op->kind == OpKind::TensorMap || host_.count(op);
  }

  void findHostOps() {
    for (const auto &op : llvm::reverse(body_.ops)) {
      const bool isRead = op->is(Pure) && !op->results.empty() && !op->result()->unused();
      const bool isOnlyRead = llvm::all_of(op->results, [&](const auto &result) {
        return llvm::all_of(result->users, [&](const Op *user) { return isOfHost(user); });
      });
      if (isRead && isOnlyRead) host_.insert(op.get());
    }
  }

  // ---- clamps

  // clamp(x, low, high) with the bounds that x may exceed: minimum(x, high) if x is never below
  // `low`.
  Value *withoutBounds(const Op &clamp, Builder b) const {
    Value *x = clamp.operand(0);
    const auto range = integers_.rangeOf(x), low = integers_.rangeOf(clamp.operand(1)),
               high = integers_.rangeOf(clamp.operand(2));
    if (!range || !low || !high) return nullptr;
    const bool keepsLow =
        range->low<low->high, keepsHigh = range->high> high->low || low->high > high->low;
    if (keepsLow && keepsHigh) return nullptr;
    if (!keepsLow && !keepsHigh) return x;
    return b.binary(keepsLow ? OpKind::Maximum : OpKind::Minimum, x,
                    clamp.operand(keepsLow ? 1 : 2), clamp.result()->name);
  }

  void simplifyClamps() {
    std::vector<Op *> clamps;
    walk(body_, [&](Op *op) {
      if (op->kind == OpKind::Clamp && isWide(op->result()) && !isOfHost(op)) clamps.push_back(op);
    });
    for (Op *clamp : clamps) {
      Value *value = withoutBounds(*clamp, Builder::before(clamp));
      if (!value) continue;
      clamp->result()->replaceAllUsesWith(value);
      clamp->erase();
    }
  }

  // ---- which values are narrow: all are decided before any is rewritten

  bool fits(const Value *value) const {
    const auto range = integers_.rangeOf(value);
    return range && range->low >= std::numeric_limits<int32_t>::min() &&
           range->high <= std::numeric_limits<int32_t>::max();
  }

  bool isNarrow(const Value *value) const {
    return !isWide(value) || narrow_.count(value) || (constantInt(value) && fits(value));
  }
  bool areNarrow(llvm::ArrayRef<Value *> values) const {
    return llvm::all_of(values, [&](const Value *value) { return !value || isNarrow(value); });
  }

  void decide(const Block &block) {
    for (const auto &op : block.ops) {
      if (op->kind == OpKind::For) decideLoop(ForOp(op.get()));
      for (const auto &region : op->regions) decide(*region);
      if (op->is(Elementwise)) decideUse(op.get());
      for (const auto &result : op->results)
        if (isWide(result.get()) && !host_.count(op.get()) && fits(result.get()))
          decideResult(*op, result.get());
    }
  }

  void decideLoop(const ForOp &loop) {
    const Scalar type = loopType(loop);
    if (type == Scalar::None) return;
    loops_[loop.op] = type;
    narrow_.insert(loop.variable());
  }

  void decideResult(const Op &op, const Value *result) {
    if (computesNarrow(op, result->index)) {
      narrow_.insert(result);
    } else if (op.kind == OpKind::Minimum || op.kind == OpKind::Maximum ||
               op.kind == OpKind::Clamp || op.kind == OpKind::Div || op.kind == OpKind::Rem) {
      converted_.insert(&op);
      narrow_.insert(result);
    }
  }

  // Whether a result that fits is that of the same operation on 32 bits.
  bool computesNarrow(const Op &op, unsigned result) const {
    switch (op.kind) {
      case OpKind::Grid:
      case OpKind::ProgramId:
      case OpKind::NumPrograms:
        return !isPacked_;
      case OpKind::If:
        return llvm::all_of(op.regions, [&](const auto &region) {
          const Op *end = region->terminator();
          return end && end->kind == OpKind::Yield && isNarrow(end->operand(result));
        });
      case OpKind::Sub:
        return !op.getBool(Attr::saturates) && areNarrow(op.operands());
      case OpKind::Rem:  // C++ does not define INT_MIN % -1
        return areNarrow(op.operands()) &&
               (integers_.isNonNegative(op.operand(0)) || integers_.isNonNegative(op.operand(1)));
      case OpKind::Add:
      case OpKind::Mul:
      case OpKind::Div:
      case OpKind::Minimum:
      case OpKind::Maximum:
      case OpKind::Clamp:
      case OpKind::Select:
      case OpKind::Hint:
        return areNarrow(op.operands());
      case OpKind::Cast: {
        const Scalar from = op.operand(0)->type.scalar();
        return isInteger(from) && bitWidth(from) <= 32;
      }
      default:
        return false;
    }
  }

  static bool isOfGrid(const Value *value) {
    const Op *op = value->definition;
    return op && (op->kind == OpKind::Grid || op->kind == OpKind::ProgramId ||
                  op->kind == OpKind::NumPrograms);
  }

  // The type of 32 bits that a loop may count in: that of its variable plus the step, which fits
  // after the last iteration, too. The items of a persistent kernel are counted in u32: the number
  // that follows the last one may exceed INT_MAX.
  Scalar loopType(const ForOp &loop) const {
    if (!isWide(loop.variable()) || loop.compare() != Compare::Lt ||
        !areNarrow(llvm::ArrayRef(loop->operands()).take_front(3)) || !fits(loop.variable()))
      return Scalar::None;
    const auto bound = integers_.rangeOf(loop.upper()), step = integers_.rangeOf(loop.step());
    if (step->low < 0) return Scalar::None;
    if (bound->high - 1 + step->high <= std::numeric_limits<int32_t>::max()) return Scalar::I32;
    const bool isOverItems = isOfGrid(loop.lower()) && isOfGrid(loop.step()) && bound->low >= 0;
    return isOverItems ? Scalar::U32 : Scalar::None;
  }

  // Operations that take narrow values as they are, and give the same result.
  void decideUse(const Op *op) {
    if (op->numResults() != 1 || op->result()->type.isTile() || host_.count(op)) return;
    const unsigned first = op->kind == OpKind::AddPtr;
    const auto operands = llvm::ArrayRef(op->operands()).drop_front(first);
    if (!isWide(operands.front()) || !areNarrow(operands)) return;
    switch (op->kind) {
      case OpKind::Coordinate:
        if (isInside(integers_.rangeOf(operands.front()))) takes_.insert(op);
        break;
      case OpKind::Cast:
      case OpKind::AddPtr:
        if (narrow_.count(operands.front())) takes_.insert(op);
        break;
      default:
        if (op->is(Comparison)) takes_.insert(op);
    }
  }

  static bool isInside(const std::optional<Range> &coordinate) {
    return coordinate && coordinate->low >= -kMaxExtent && coordinate->high <= kMaxExtent;
  }

  // ---- a value whose users all need 64 bits stays as it is, unless it takes arithmetic

  bool isArithmetic(const Op *op) const {
    const bool isMoved = op->kind == OpKind::Select || op->kind == OpKind::Hint;
    return op->is(Elementwise) && !isMoved && !converted_.count(op);
  }

  bool isUseful(const Value *value) const {
    return llvm::any_of(value->users, [&](const Op *user) {
      if (takes_.count(user)) return user->kind != OpKind::AddPtr;
      if (const auto loop = loops_.find(user); loop != loops_.end())
        return llvm::is_contained(llvm::ArrayRef(user->operands()).take_front(3), value);
      if (user->kind == OpKind::Yield) return isNarrowResult(user, value);
      return user->is(Elementwise) && narrow_.count(user->result()) && !converted_.count(user);
    });
  }

  // Whether a branch hands the value on to a narrow result.
  bool isNarrowResult(const Op *yield, const Value *value) const {
    const Op *branch = yield->parentOp();
    if (!branch || branch->kind != OpKind::If) return false;
    return llvm::any_of(branch->results, [&](const auto &result) {
      return narrow_.count(result.get()) && yield->operand(result->index) == value;
    });
  }

  void drop(const Value *value) {
    narrow_.erase(value);
    for (const Op *user : value->users) takes_.erase(user);
  }

  void prune(const Block &block) {
    for (const auto &op : llvm::reverse(block.ops)) {
      for (const auto &result : op->results) {
        if (isArithmetic(op.get()) || !narrow_.count(result.get()) || isUseful(result.get()))
          continue;
        drop(result.get());
        converted_.erase(op.get());
      }
      for (const auto &region : llvm::reverse(op->regions)) prune(*region);
      if (loops_.count(op.get()) && !isUseful(ForOp(op.get()).variable())) {
        drop(ForOp(op.get()).variable());
        loops_.erase(op.get());
      }
    }
  }

  // ---- the rewrite, operands before their users

  void replace(Op *op, Value *narrow) {
    made_.insert({op->result(), narrow});
    replaced_.insert(op);
  }

  // The value in 32 bits.
  Value *narrowed(Value *value) {
    if (!value || !isWide(value)) return value;
    if (const auto known = made_.find(value); known != made_.end()) return known->second;
    Op *constant = value->definition;
    T2C_ASSERT(constant && constant->kind == OpKind::Constant);
    Op *same = Builder::before(constant).create(OpKind::Constant, {}, {Type(Scalar::I32)});
    same->attributes = constant->attributes;
    same->result()->name = value->name;
    replace(constant, same->result());
    return same->result();
  }

  // Changes the type of an id or of a loop's variable. Its users get a conversion, which is narrow.
  void retype(Value *value, Scalar type, Builder b) {
    Op *wide = b.create(OpKind::Cast, {}, {Type(Scalar::I64)});
    value->replaceAllUsesWith(wide->result());
    value->type = type;
    wide->addOperand(value);
    wide->result()->name.clear();
    narrow_.insert(wide->result());
    retyped_.insert(wide);
    if (type == Scalar::I32 || value->definition) return replace(wide, value);
    const std::string name = std::exchange(value->name, "work");
    replace(wide, b.cast(value, Scalar::I32, name));
  }

  // The type of a program's id or of a count: that of the loop which alone reads it, if there is
  // one.
  Scalar typeOfId(const Value *value) const {
    const auto isUnsignedLoop = [&](const Op *user) {
      const auto loop = loops_.find(user);
      return loop != loops_.end() && loop->second == Scalar::U32;
    };
    return llvm::all_of(value->users, isUnsignedLoop) ? Scalar::U32 : Scalar::I32;
  }

  void rewriteLoop(Op *op, Scalar type) {
    for (unsigned i = 0; i < ForOp::kFirstInit; ++i)
      op->setOperand(i, Builder::before(op).cast(narrowed(op->operand(i)), type));
    Block &body = *op->region();
    retype(ForOp(op).variable(), type,
           body.empty() ? Builder(body) : Builder::before(body.front()));
  }

  void retypeResults(Op *op) {
    for (const auto &result : op->results)
      if (narrow_.count(result.get()))
        retype(result.get(), typeOfId(result.get()), Builder::after(op));
  }

  void rewrite(Op *op) {
    const bool isNarrow =
        llvm::any_of(op->results, [&](const auto &result) { return narrow_.count(result.get()); });
    if (const auto loop = loops_.find(op); loop != loops_.end())
      rewriteLoop(op, loop->second);
    else if (op->kind == OpKind::Yield)
      rewriteYield(op);
    else if (takes_.count(op))
      takeNarrow(op);
    else if (isNarrow && converted_.count(op))
      made_.insert({op->result(), Builder::after(op).cast(op->result(), Scalar::I32)});
    else if (isNarrow && op->is(Elementwise))
      replace(op, narrowForm(op));
    else if (isNarrow)
      retypeResults(op);
  }

  void rewriteYield(Op *op) {
    const Op *branch = op->parentOp();
    if (!branch || branch->kind != OpKind::If) return;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (isWide(op->operand(i)) && !isWide(branch->result(i)))
        op->setOperand(i, narrowed(op->operand(i)));
  }

  // A division of numbers that are not negative takes fewer instructions for an unsigned type.
  bool isUnsignedDivision(const Op *op) const {
    return (op->kind == OpKind::Div || op->kind == OpKind::Rem) && !constantInt(op->operand(1)) &&
           integers_.isNonNegative(op->operand(0)) && integers_.isNonNegative(op->operand(1));
  }

  Value *narrowForm(const Op *op) {
    Builder b = Builder::before(const_cast<Op *>(op));
    if (op->kind == OpKind::Cast) {
      Value *source = op->operand(0);
      const bool isName =
          source->name.empty() && !source->isArgument() && source->users.size() == 1;
      if (isName) source->name = std::exchange(op->result()->name, "");
      return b.cast(source, Scalar::I32, op->result()->name);
    }
    llvm::SmallVector<Value *, 3> operands;
    for (Value *operand : op->operands()) operands.push_back(narrowed(operand));
    if (isUnsignedDivision(op)) {
      for (Value *&operand : operands) operand = b.cast(operand, Scalar::U32);
      return b.cast(b.binary(op->kind, operands[0], operands[1]), Scalar::I32, op->result()->name);
    }
    Op *same = b.create(op->kind, operands, {Type(Scalar::I32)}, op->result()->name);
    same->attributes = op->attributes;
    return same->result();
  }

  void takeNarrow(Op *op) {
    if (op->kind != OpKind::Coordinate && !isI32Cast(op)) {
      for (unsigned i = 0; i < op->numOperands(); ++i) op->setOperand(i, narrowed(op->operand(i)));
      return;
    }
    Value *narrow = narrowed(op->operand(0));
    op->result()->replaceAllUsesWith(narrow);
    replaced_.insert(op);
  }

  // Each user that needs 64 bits converts the value itself, so that the text has no name for it.
  void widen(Value *value, Value *narrow) {
    const Op *op = value->definition;
    if (op->kind == OpKind::Constant || (op->kind == OpKind::Cast && !retyped_.count(op))) return;
    const llvm::SetVector<Op *> users(value->users.begin(), value->users.end());
    for (Op *user : users) {
      if (replaced_.contains(user) || isOfHost(user) || user == narrow->definition) continue;
      Op *place = user;
      while (place->parentOp() && place->parentOp()->kind == OpKind::Nest)
        place = place->parentOp();
      replaceUses({user}, value, Builder::before(place).cast(narrow, Scalar::I64));
    }
    // The name belongs to the conversion of a value that is computed in 64 bits.
    if (converted_.count(op) && narrow->name.empty()) narrow->name = std::exchange(value->name, "");
  }

  const bool isPacked_;
  const Integers integers_;
  Block &body_;
  std::set<const Op *> host_;               // what only the launcher reads
  std::set<const Value *> narrow_;          // values of 64 bits that fit, as the rest of these
  std::set<const Op *> converted_;          // those operations that have 64 bits still
  std::set<const Op *> takes_;              // operations that read narrow values as they are
  std::map<const Op *, Scalar> loops_;      // the types of their variables
  std::set<const Op *> retyped_;            // conversions of values whose type has changed
  llvm::MapVector<Value *, Value *> made_;  // the values in 32 bits
  llvm::SetVector<Op *> replaced_;
};

}  // namespace

llvm::LogicalResult narrow_integers(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    for (Block *body : {&kernel.body, kernel.producer.get()})
      if (body) Narrowing(kernel, *body).run();
  return llvm::success();
}

}  // namespace tile2cu::passes
