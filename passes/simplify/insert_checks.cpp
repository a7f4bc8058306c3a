#include "passes/simplify/insert_checks.h"

#include <limits>
#include <numeric>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "passes/analysis/memory/index_arithmetic.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Adds assertions to one kernel.
class Assertions {
 public:
  Assertions(Kernel &kernel, const Module &module) : kernel_(kernel), module_(module) {
    for (auto &op : kernel.body.ops)
      if (op->kind == OpKind::Grid) grid_ = op.get();
    if (grid_) afterGrid_ = grid_->next();
  }

  // Where an assertion about `op` may be placed: before it or after it, but after the grid.
  Builder before(Op *op) { return isEarly(op) ? afterGrid(op) : Builder::before(op); }
  Builder after(Op *op) {
    if (isEarly(op)) return afterGrid(op);
    Builder b = Builder::after(op);
    b.loc = op->loc;
    return b;
  }

  // `condition` holds where `mask` is true, if there is a mask. `value` is printed if it does not.
  void add(Builder &b, Value *condition, const std::string &what, Value *value = nullptr,
           Value *mask = nullptr) {
    llvm::SmallVector<Value *, 3> operands{condition, mask, value};
    while (!operands.back()) operands.pop_back();
    Op *op = b.create(OpKind::DeviceAssert, operands, {});
    op->setString(Attr::message, place(b.loc) + what);
    op->setBool(Attr::always, true);
  }

  // ": auto at = row * stride", if the location is in the statement's first line.
  std::string quoted(const Location &loc) const {
    if (loc.statement < 0 || loc.statement >= static_cast<int>(kernel_.statements.size()))
      return "";
    const Statement &statement = kernel_.statements[loc.statement];
    const bool isThere = statement.loc.file == loc.file && statement.loc.line == loc.line;
    return isThere ? ": " + statement.text : "";
  }

 private:
  bool isEarly(const Op *op) const {
    return grid_ && op->parent == &kernel_.body && (op == grid_ || isBefore(op, grid_));
  }
  Builder afterGrid(const Op *op) {
    Builder b = afterGrid_ ? Builder::before(afterGrid_) : Builder(kernel_.body);
    b.loc = op->loc;
    return b;
  }
  std::string place(const Location &loc) const {
    if (!loc.line || loc.file >= module_.files.size()) return "";
    return fmt::format("{}:{}: ", llvm::sys::path::filename(module_.files[loc.file]).str(),
                       loc.line);
  }

  Kernel &kernel_;
  const Module &module_;
  Op *grid_ = nullptr, *afterGrid_ = nullptr;  // the grid, and the operation after it
};

// ---- arithmetic of the checks: a constant for each element of `like`, integers in 64 bits
Value *constantLike(Builder &b, const Value *like, int64_t number) {
  Value *constant = b.constant(like->type.scalar(), number);
  return like->type.isTile() ? b.splat(constant, like->type.shape()) : constant;
}
Value *wide(Builder &b, Value *integer) {
  return integer->type.scalar() == Scalar::U64 ? integer : b.cast(integer, Scalar::I64);
}
// In a type that has each `int` that is not negative.
Value *comparable(Builder &b, Value *integer) {
  return bitWidth(integer->type.scalar()) < 32 ? b.cast(integer, Scalar::I64) : integer;
}
// low <= value <= high
Value *isWithin(Builder &b, Value *value, int64_t low, int64_t high) {
  Value *below = b.binary(OpKind::Le, value, constantLike(b, value, high));
  if (!isSigned(value->type.scalar())) return below;
  return b.binary(OpKind::And, b.binary(OpKind::Ge, value, constantLike(b, value, low)), below);
}
Value *isMultiple(Builder &b, Value *value, int64_t divisor) {
  Value *rest = b.binary(OpKind::Rem, value, constantLike(b, value, divisor));
  return b.binary(OpKind::Eq, rest, constantLike(b, rest, 0));
}
// ---- promises

// The promise of a chain of hints about one value, along each dimension: multiple_of and
// max_contiguous are one promise, that runs start at multiples.
struct Promise {
  Ints contiguity, divisibility;
  int64_t alignment = 1;
  const Op *runs = nullptr, *multiples = nullptr;  // the hints that say so
};

int64_t given(const Op *hint, PerDimAttr key, unsigned d) {
  const Attribute *value = hint->attributes.find(key);
  if (!value) return 1;
  if (const auto *one = std::get_if<int64_t>(value)) return *one;
  const Ints &list = std::get<Ints>(*value);
  return d < list.size() ? list[d] : 1;
}

bool isPromise(const Op *op) {
  return op && op->kind == OpKind::Hint && !op->operand(HintOp::bound_optIndex);
}

Promise promiseOf(const Op *hint) {
  const unsigned dims = std::max(1U, hint->result()->type.rank());
  Promise promise{Ints(dims, 1), Ints(dims, 1)};
  for (; isPromise(hint); hint = hint->operand(0)->definition) {
    if (hint->has(Attr::contiguity)) promise.runs = hint;
    if (hint->has(Attr::divisibility)) promise.multiples = hint;
    for (unsigned d = 0; d < dims; ++d) {
      promise.contiguity[d] = std::max(promise.contiguity[d], given(hint, Attr::contiguity, d));
      promise.divisibility[d] =
          std::lcm(promise.divisibility[d], given(hint, Attr::divisibility, d));
    }
    promise.alignment = std::max(promise.alignment, given(hint, Attr::alignment, 0));
  }
  return promise;
}

struct State {
  Kernel &kernel;
  Assertions assertions;
  std::shared_ptr<const AxisAnalysis> axes;  // of the kernel without the checks

  void checkAssumption(Op *assume) {
    Builder b = assertions.before(assume);
    const std::string &text = assume->getString(Attr::message);
    assertions.add(b, assume->operand(0), text.empty() ? "assume" : text);
  }

  // The elements of each run along `axis` follow each other by one. `inRun`: which of its run each
  // element is, of the coordinates `at`.
  void checkRuns(Builder &b, Value *value, unsigned axis, Value *at, Value *inRun, const Op *hint) {
    Value *start = b.binary(OpKind::Sub, at, inRun);
    Op *first = b.create(OpKind::Gather, {value, start}, {value->type});
    first->setInt(Attr::axis, axis);
    Value *expected = b.binary(OpKind::Add, first->result(), b.cast(inRun, value->type.scalar()));
    b.loc = hint->loc;
    assertions.add(b, b.binary(OpKind::Eq, value, expected), hint->getString(Attr::message), value);
  }

  // Checks the promise about an integer or a tile along dimension `d`. `known`: the runs that it
  // has anyway.
  void checkIntegers(Builder &b, Value *source, unsigned d, int64_t known, const Promise &promise) {
    const int64_t extent = source->type.isTile() ? source->type.shape()[d] : Dim(1);
    const int64_t promised = std::gcd(promise.contiguity[d], extent);
    const int64_t divisor = promise.divisibility[d];
    const int64_t run = std::max(promised, known);
    if (promised <= known && divisor == 1) return;
    Value *value = run > 1 ? wide(b, source) : comparable(b, source), *first = value;
    if (run > 1) {
      Value *at = coordinateTile(b, source->type, d);
      Value *inRun = b.binary(OpKind::Rem, at, constantLike(b, at, run));
      if (promised > known) checkRuns(b, value, d, at, inRun, promise.runs);
      first = b.binary(OpKind::Sub, value, b.cast(inRun, value->type.scalar()));
    }
    if (divisor == 1) return;
    b.loc = promise.multiples->loc;
    assertions.add(b, isMultiple(b, first, divisor), promise.multiples->getString(Attr::message),
                   value);
  }

  void checkHint(Op *hint) {
    // Hints around it say more about the same value.
    if (llvm::any_of(hint->result()->users, isPromise)) return;
    const Promise promise = promiseOf(hint);
    Value *source = hint->operand(0);
    while (isPromise(source->definition)) source = source->definition->operand(0);
    Builder b = assertions.before(hint);
    if (!source->type.isPointer()) {
      const AxisInfo &info = axes->of(source);
      for (unsigned d = 0; d < promise.contiguity.size(); ++d)
        checkIntegers(b, source, d, info.contiguity.empty() ? 1 : info.contiguity[d], promise);
    } else if (promise.alignment > 1) {
      const Type address = source->type.withScalar(Scalar::I64);
      Value *bits = b.create(OpKind::Bitcast, {source}, {address})->result();
      assertions.add(b, isMultiple(b, bits, promise.alignment), hint->getString(Attr::message));
    }
  }

  // An assertion takes the place of each promise.
  void checkPromises() {
    std::vector<Op *> assumptions, hints;
    walk(kernel.body, [&](Op *op) {
      if (isInFunctor(op)) return;
      if (op->kind == OpKind::Assume) assumptions.push_back(op);
      if (isPromise(op)) hints.push_back(op);
    });
    for (Op *op : assumptions) checkAssumption(op);
    for (Op *op : hints) checkHint(op);
    // One of them may be the operation after the grid, before which assertions are placed.
    for (Op *op : hints) op->result()->replaceAllUsesWith(op->operand(0));
    for (Op *op : assumptions) op->erase();
    for (Op *op : hints) op->erase();
  }

  // ---- sums and products in 32 bits

  // The value that an i32 would have with more bits, and `what` it is; null if it always fits.
  static Value *exactValue(Builder &b, const Op *op, std::string &what) {
    if (op->numResults() != 1 || op->result()->type.isPointer()) return nullptr;
    if (op->result()->type.scalar() != Scalar::I32) return nullptr;
    const auto operand = [&](unsigned i) { return b.cast(op->operand(i), Scalar::I64); };
    switch (op->kind) {
      case OpKind::Add:
        what = "sum";
        return b.binary(OpKind::Add, operand(0), operand(1), "exact");
      case OpKind::Sub:
        what = "difference";
        return b.binary(OpKind::Sub, operand(0), operand(1), "exact");
      case OpKind::Mul:
        what = "product";
        return b.binary(OpKind::Mul, operand(0), operand(1), "exact");
      case OpKind::Neg:
        what = "negation";
        return b.unary(OpKind::Neg, operand(0), "exact");
      case OpKind::Cast:
        what = "conversion";
        return op->operand(0)->type.scalar() == Scalar::I64 && !op->getBool(Attr::lossless)
                   ? op->operand(0)
                   : nullptr;
      default:
        return nullptr;
    }
  }

  void checkOverflow() {
    for (Op *op : indexArithmetic(kernel, IndexUse::All)) {
      Builder b = assertions.after(op);
      std::string what;
      Value *exact = exactValue(b, op, what);
      if (!exact) continue;
      constexpr int64_t kLow = std::numeric_limits<int32_t>::min(),
                        kHigh = std::numeric_limits<int32_t>::max();
      assertions.add(b, isWithin(b, exact, kLow, kHigh),
                     fmt::format("the {} does not fit int{}", what, assertions.quoted(op->loc)),
                     exact);
    }
  }

  // ---- indices

  void checkIndex(Op *op) {
    Builder b = assertions.before(op);
    const int64_t size = op->operand(0)->type.shape()[op->getInt(Attr::axis)];
    Value *mask = op->kind == OpKind::Scatter ? op->operand(ScatterOp::mask_optIndex) : nullptr;
    Value *index = comparable(b, op->operand(1));
    assertions.add(
        b, isWithin(b, index, 0, size - 1),
        fmt::format("the index is outside of 0 to {}{}", size - 1, assertions.quoted(op->loc)),
        index, mask);
  }

  // The part of an extract or insert is inside of the tile.
  void checkPart(Op *op) {
    Builder b = assertions.before(op);
    const unsigned first = firstStart(op);
    const Type &part = op->kind == OpKind::Insert ? op->operand(1)->type : op->result()->type;
    for (unsigned d = 0; d < part.rank(); ++d) {
      const int64_t last = op->operand(0)->type.shape()[d] - part.shape()[d];
      Value *start = op->operand(first + d);
      const auto known = constantInt(start);
      if (known && *known >= 0 && *known <= last) continue;
      assertions.add(
          b, isWithin(b, start, 0, last),
          fmt::format("the index is outside of 0 to {}{}", last, assertions.quoted(op->loc)),
          start);
    }
  }

  // The constant array that an access is to, and the index of the element: a sum of offsets. Null
  // if the pointer comes from elsewhere.
  static const Op *tableOf(Builder &b, const Value *pointer, Value *&index) {
    const Op *op = pointer->definition;
    if (!op) return nullptr;
    if (op->kind == OpKind::Table) return op;
    if (op->kind == OpKind::Splat) {
      const Op *table = tableOf(b, op->operand(0), index);
      if (table && index) index = b.splat(index, op->result()->type.shape());
      return table;
    }
    if (op->isShapeView()) {
      const Op *table = tableOf(b, op->operand(0), index);
      if (!table || !index) return table;
      Op *view =
          b.create(op->kind, {index}, {Type(index->type.element(), op->result()->type.shape())});
      view->attributes = op->attributes;
      index = view->result();
      return table;
    }
    if (op->kind != OpKind::AddPtr) return nullptr;
    const Op *table = tableOf(b, op->operand(0), index);
    if (!table) return nullptr;
    Value *offset = op->operand(1);
    index = index ? b.binary(OpKind::Add, b.cast(index, Scalar::I64), b.cast(offset, Scalar::I64))
                  : comparable(b, offset);
    return table;
  }

  void checkTable(Op *load) {
    Builder b = assertions.before(load);
    Value *index = nullptr;
    const Op *table = tableOf(b, load->operand(0), index);
    if (!table || !index) return;
    const int64_t size = table->getInts(Attr::elements).size();
    assertions.add(
        b, isWithin(b, index, 0, size - 1),
        fmt::format("the index of {} is outside of 0 to {}{}", table->getString(Attr::symbol),
                    size - 1, assertions.quoted(load->loc)),
        index, load->operand(LoadOp::mask_optIndex));
  }

  void checkIndices() {
    std::vector<Op *> indexed, parts, loads;
    walk(kernel.body, [&](Op *op) {
      if (isInFunctor(op)) return;
      if (op->kind == OpKind::Gather || op->kind == OpKind::Scatter) indexed.push_back(op);
      if (firstStart(op)) parts.push_back(op);
      if (op->kind == OpKind::Load) loads.push_back(op);
    });
    for (Op *op : indexed) checkIndex(op);
    for (Op *op : parts) checkPart(op);
    for (Op *op : loads) checkTable(op);
  }
};

}  // namespace

llvm::LogicalResult insert_checks(Module &module, PassContext &context) {
  if (!context.checks) return llvm::success();
  for (Kernel &kernel : module.kernels) {
    State state{kernel, Assertions(kernel, module),
                context.analyses.axes(kernel, kernel.assumptions)};
    // The checks of promises compute indices of their own, which need no check.
    state.checkOverflow();
    state.checkIndices();
    state.checkPromises();
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
