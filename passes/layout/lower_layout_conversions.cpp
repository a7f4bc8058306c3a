#include "passes/layout/lower_layout_conversions.h"

#include "fmt/format.h"
#include "passes/analysis/layout/lane_transpose.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/sort_layout.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/layout/warp_shuffle.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Strides = llvm::SmallVector<int64_t, 4>;

Strides rowMajor(llvm::ArrayRef<Dim> shape) {
  Strides strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

struct State {
  Kernel &kernel;
  PassContext &context;
  std::shared_ptr<const AxisAnalysis> axes = {};  // if there are parts
  bool failed = false;

  int64_t addBuffer(Op *op, const Type &type) {
    SharedBuffer buffer;
    // Stored is a part, the source of a part or a gather, or the result of the others.
    const bool isSource = op->kind == OpKind::Gather || op->kind == OpKind::Extract ||
                          (op->kind == OpKind::Slice && !op->operand(0)->name.empty());
    const Value *stored = op->kind == OpKind::Insert ? op->operand(1)
                          : isSource                 ? op->operand(0)
                                                     : op->result();
    buffer.name = stored->name.empty() ? "tile" : stored->name;
    buffer.members = {type.scalar()};
    buffer.shape.assign(type.shape().begin(), type.shape().end());
    kernel.shared.push_back(std::move(buffer));
    return kernel.shared.size() - 1;
  }

  // The reason why the data of a conversion cannot stay where they are.
  static std::string whyConverted(const Op *op) {
    const Op *from = op->operand(0)->definition;
    const auto isSort = [](const Op *other) { return other->kind == OpKind::Sort; };
    if ((from && isSort(from)) || llvm::any_of(op->result()->users, isSort))
      return "for the sort each thread has to hold consecutive elements";
    if (from && from->kind == OpKind::Scan)
      return "threads hold other elements for the scan than for its users";
    for (const Op *user : op->result()->users)
      if (user->kind == OpKind::Scan)
        return "for the scan each warp has to hold consecutive elements";
    return "its producer and its users have layouts for different accesses";
  }
  static std::string whyMoved(const Op *op) {
    switch (op->kind) {
      case OpKind::Convert:
        return whyConverted(op);
      case OpKind::Permute:
        return "both sides of the transposition access memory along their rows";
      case OpKind::Reshape:
        return "the new shape would cut what one thread holds";
      case OpKind::Extract:
        return "extract reads the elements of other threads";
      case OpKind::Insert:
        return "insert takes the elements of other threads";
      case OpKind::Gather:
        return "gather reads the elements of other threads";
      case OpKind::Scatter:
        return "scatter writes the elements of other threads";
      default:
        return fmt::format("{} moves elements to other positions", op->mnemonic().str());
    }
  }
  void explain(const Op *op, int64_t buffer, const std::string &why) {
    const std::string &name = op->result()->name;
    context.diagnostics.decided(DiagId::TileMoves, kernel, op->loc,
                                {name.empty() ? "a tile" : fmt::format("'{}'", name),
                                 std::to_string(kernel.shared[buffer].bytes()), why});
  }

  // ---- within each warp

  // Each thread has the elements of both parts that it has of the tile.
  static bool isPairedInThread(const Op *op) {
    if (!isPairing(op)) return false;
    const Layout &part = *partOf(op)->type.layout();
    const LayoutRef whole = pairedLayout(op, part);
    return whole && sameArrays(*whole, *wholeOf(op)->type.layout()) &&
           sameArrays(part, *partOf(op, 1)->type.layout());
  }

  // The cost per thread of data movement within each warp: shuffles, or selects between its own
  // registers.
  struct ExchangeCost {
    int64_t shuffles = 0, selections = 0;
  };
  static std::optional<ExchangeCost> exchange(const Op *op) {
    ExchangeCost total;
    if (isPairedInThread(op)) return total;
    if (laneExchange(op)) {  // half of each vector, word by word
      const Layout &layout = *op->result()->type.layout();
      const int64_t half = layout.registerAxes().back() / 2;
      const int64_t words = (half * byteWidth(op->result()->type.scalar()) + 3) / 4;
      total.shuffles = layout.elementsPerThread() / (2 * half) * words;
      return total;
    }
    for (unsigned i = 0; i < op->numResults(); ++i) {
      auto move = warpMove(op, i);
      if (!move) return std::nullopt;
      int64_t elements = op->result(i)->type.layout()->elementsPerThread();
      if (move->crossesLanes)
        total.shuffles += elements * move->candidates;
      else
        total.selections += elements * (move->candidates - 1);
    }
    return total;
  }

  // A shuffle takes as long as an access to shared memory (tunables.def has the measurement), so
  // shuffles pay up to the number of accesses that they replace: at that number they still save a
  // barrier. A barrier of a program of one warp costs next to nothing; there they must be fewer.
  bool pays(const Op *op, const ExchangeCost &exchange) const {
    int64_t accesses = op->operand(0)->type.layout()->elementsPerThread();
    for (const auto &result : op->results) accesses += result->type.layout()->elementsPerThread();
    const int64_t cost = 100 * (exchange.shuffles + exchange.selections);
    const int64_t limit = tunables().exchange_percent * accesses;
    return kernel.options.numWarps > 1 ? cost <= limit : cost < limit;
  }

  // If it cannot, the number of shuffles that it would take is added to `why`.
  bool stayInWarp(Op *op, std::string &why) {
    auto needed = exchange(op);
    if (!needed) return false;
    if (!pays(op, *needed)) {
      if (needed->shuffles)
        why += fmt::format("; {} shuffles per thread would take longer", needed->shuffles);
      return false;
    }
    const std::string name = op->result()->name.empty() ? "a tile" : "'" + op->result()->name + "'";
    op->set(Attr::exchange, needed->shuffles ? Exchange::Shuffle : Exchange::Registers);
    if (needed->shuffles)
      context.diagnostics.decided(
          DiagId::TileShuffled, kernel, op->loc,
          {name, fmt::format("{} shuffle{}", needed->shuffles, needed->shuffles == 1 ? "" : "s"),
           why});
    else
      context.diagnostics.decided(DiagId::TileRenamed, kernel, op->loc, {name, why});
    return true;
  }

  // ---- through shared memory

  Op *store(Builder &b, Value *value, int64_t buffer, int64_t offset, Strides strides) {
    Op *op = b.create(OpKind::SharedStore, {value, validMask(b, value->type)}, {});
    op->setInt(Attr::buffer, buffer);
    op->setInt(Attr::offset, offset);
    op->set(Attr::strides, strides);
    return op;
  }
  Value *load(Builder &b, const Type &type, int64_t buffer, int64_t offset, Strides strides,
              const std::string &name) {
    Op *op = b.create(OpKind::SharedLoad, {validMask(b, type)}, {type}, name);
    op->setInt(Attr::buffer, buffer);
    op->setInt(Attr::offset, offset);
    op->set(Attr::strides, strides);
    return op->result();
  }

  static bool alongRows(const Type &type) {
    auto axis = vectorAxis(*type.layout());
    return axis && axis->extent > 1 && axis->dim + 1 == type.rank();
  }

  // The number of contiguous elements of a row that neighbouring lanes hold; 0 if they are in
  // different rows.
  static int64_t rowPiece(const Type &type) {
    int64_t bytes = byteWidth(type.scalar());
    for (const Digit &digit : type.layout()->dim(type.rank() - 1).digits) {
      if (digit.unit == Unit::Warp) break;
      bytes *= digit.extent;
      if (digit.unit == Unit::Lane) return digit.stride == 1 ? bytes : 0;
    }
    return 0;
  }

  // Both sides access vectors along rows, or the second one single elements, a warp those of one
  // row.
  static bool bothAlongRows(const Type &source, const Type &result) {
    return alongRows(source) &&
           (alongRows(result) || rowPiece(result) == 32 * byteWidth(result.scalar()));
  }

  void lower(Op *op) {
    if (op->operand(0)->type.isPointer()) {
      context.diagnostics.report(DiagId::PointerTileMoves, op->loc);
      failed = true;
      return;
    }
    std::string why = whyMoved(op);
    if (stayInWarp(op, why)) return;
    if (op->kind == OpKind::Extract || op->kind == OpKind::Insert)
      movePart(op, why);
    else if (op->kind == OpKind::Gather || op->kind == OpKind::Scatter)
      moveByIndex(op, why);
    else if (op->kind == OpKind::Cat || op->kind == OpKind::Join || op->kind == OpKind::Interleave)
      storeParts(op, why);
    else
      storeWhole(op, why);
    op->erase();
  }

  // Stores the source. A gather then loads at the indices; a scatter stores there, and loads all.
  void moveByIndex(Op *op, const std::string &why) {
    const Type &source = op->operand(0)->type;
    Builder b = Builder::before(op);
    const Strides strides = rowMajor(source.shape());
    const int64_t buffer = addBuffer(op, source);
    if (alongRows(source)) kernel.shared[buffer].alignment = 16;
    explain(op, buffer, why);
    store(b, op->operand(0), buffer, 0, strides);
    const auto setIndex = [&](Op *access, unsigned operand) {
      access->setOperand(operand, op->operand(1));
      access->setInt(Attr::axis, op->getInt(Attr::axis));
    };
    if (op->kind == OpKind::Scatter) {
      Op *access = store(b, op->operand(2), buffer, 0, strides);
      setIndex(access, SharedStoreOp::index_optIndex);
      if (op->getBool(Attr::adds)) access->setBool(Attr::adds, true);
      if (Value *mask = op->operand(ScatterOp::mask_optIndex)) {
        Value *valid = access->operand(SharedStoreOp::mask_optIndex);
        b.setInsertionPoint(access);
        if (valid) mask = b.binary(OpKind::And, mask, valid);
        access->setOperand(SharedStoreOp::mask_optIndex, mask);
        b.setInsertionPoint(op);
      }
    }
    Value *result = load(b, op->result()->type, buffer, 0, strides, op->result()->name);
    if (op->kind == OpKind::Gather) setIndex(result->definition, SharedLoadOp::index_optIndex);
    op->result()->replaceAllUsesWith(result);
  }

  // Stores the source of an extract, and loads from the starts on. Stores the part of an insert,
  // and loads it where it goes. A part that is as long as the tile starts at 0.
  void movePart(Op *op, const std::string &why) {
    const bool isInsert = op->kind == OpKind::Insert;
    Value *stored = op->operand(isInsert ? 1 : 0);
    const Type &whole = op->operand(0)->type, &type = op->result()->type;
    const Type &part = isInsert ? stored->type : type;
    Builder b = Builder::before(op);
    const int64_t buffer = addBuffer(op, stored->type);
    if (alongRows(stored->type)) kernel.shared[buffer].alignment = 16;
    explain(op, buffer, why);
    const Strides strides = rowMajor(stored->type.shape());
    store(b, stored, buffer, 0, strides);
    llvm::SmallVector<Value *, 4> starts;
    llvm::SmallVector<int64_t, 4> divisibility;
    Value *mask = nullptr;
    if (!axes) axes = context.analyses.axes(kernel, kernel.assumptions);
    for (unsigned d = 0; d < type.rank(); ++d) {
      Value *start = op->operand((isInsert ? 2 : 1) + d);
      const bool isWhole = part.shape()[d] == whole.shape()[d];
      starts.push_back(isWhole ? b.constant(Scalar::I32, 0) : start);
      divisibility.push_back(isWhole ? kMaxDivisibility : axes->of(start).divisibility[0]);
      Value *inside = isInsert && !isWhole ? isInPart(b, type, d, start, part.shape()[d])
                                           : validMask(b, type, d);
      if (inside) mask = mask ? b.binary(OpKind::And, mask, inside) : inside;
    }
    llvm::SmallVector<Value *, 8> operands{mask, nullptr, nullptr,
                                           isInsert && mask ? op->operand(0) : nullptr};
    llvm::append_range(operands, starts);
    Op *access = b.create(OpKind::SharedLoad, operands, {type}, op->result()->name);
    access->setInt(Attr::buffer, buffer);
    access->setInt(Attr::offset, 0);
    access->set(Attr::strides, strides);
    access->set(Attr::divisibility, Attribute(Ints(divisibility.begin(), divisibility.end())));
    if (isInsert) access->setBool(Attr::subtracts, true);
    op->result()->replaceAllUsesWith(access->result());
  }

  // Stores the two operands as parts of the result, and loads the result.
  void storeParts(Op *op, const std::string &why) {
    const Type &source = op->operand(0)->type, &result = op->result()->type;
    Builder b = Builder::before(op);
    const Strides whole = rowMajor(result.shape());
    int64_t buffer = addBuffer(op, result), axis = op->getInt(Attr::axis);
    explain(op, buffer, why);
    Strides part = whole;
    int64_t second = op->kind == OpKind::Cat ? source.shape()[axis] * whole[axis] : 1;
    if (op->kind == OpKind::Join) part.pop_back();
    if (op->kind == OpKind::Interleave) part.back() = 2;
    store(b, op->operand(0), buffer, 0, part);
    store(b, op->operand(1), buffer, second, part);
    op->result()->replaceAllUsesWith(load(b, result, buffer, 0, whole, op->result()->name));
  }

  // Stores the operand, and loads the result or the two results from parts of it.
  void storeWhole(Op *op, const std::string &why) {
    const Type &source = op->operand(0)->type;
    Builder b = Builder::before(op);
    int64_t buffer = addBuffer(op, source);
    const Strides in = padRows(op, kernel.shared[buffer]);
    explain(op, buffer, why);
    store(b, op->operand(0), buffer, 0, in);
    if (op->kind != OpKind::Split && op->kind != OpKind::Deinterleave) {
      int64_t offset = 0;
      const Strides strides = resultStrides(op, in, offset);
      op->result()->replaceAllUsesWith(
          load(b, op->result()->type, buffer, offset, strides, op->result()->name));
      return;
    }
    Strides part = in;
    if (op->kind == OpKind::Split)
      part.pop_back();
    else
      part.back() = 2;
    for (unsigned i : {0u, 1u})
      if (!op->result(i)->unused())
        op->result(i)->replaceAllUsesWith(
            load(b, op->result(i)->type, buffer, i, part, op->result(i)->name));
  }

  // Pads the rows of a buffer that is read along columns by one 4-byte word, so that accesses along
  // a column use all banks; by 16 bytes if both sides access vectors along rows. Returns the
  // strides of the operand.
  Strides padRows(const Op *op, SharedBuffer &shared) {
    const Type &source = op->operand(0)->type;
    if (op->kind == OpKind::Slice && alongRows(source)) shared.alignment = 16;
    if ((op->kind != OpKind::Convert && op->kind != OpKind::Permute) || source.rank() < 2)
      return rowMajor(source.shape());
    int64_t pad = std::max<int64_t>(1, 4 / byteWidth(source.scalar()));
    if (op->kind == OpKind::Convert && bothAlongRows(source, op->result()->type)) {
      // The rows of neighbouring lanes are then in consecutive banks.
      const int64_t bytes = rowPiece(source) == 32 ? 32 : 16;
      pad = std::max<int64_t>(1, bytes / byteWidth(source.scalar()));
      shared.alignment = 16;
    }
    shared.shape.back() += pad;
    return rowMajor(shared.shape);
  }

  // The strides of the result in the buffer of the operand, which has strides `in`.
  static Strides resultStrides(const Op *op, const Strides &in, int64_t &offset) {
    Strides strides = in;
    switch (op->kind) {
      case OpKind::Convert:
        break;
      case OpKind::Reshape:
        return rowMajor(op->result()->type.shape());
      case OpKind::Permute: {
        const auto &order = op->getInts(Attr::order);
        for (size_t d = 0; d < order.size(); ++d) strides[d] = in[order[d]];
        break;
      }
      case OpKind::Flip: {
        int64_t axis = op->getInt(Attr::axis);
        offset = (op->operand(0)->type.shape()[axis] - 1) * in[axis];
        strides[axis] = -in[axis];
        break;
      }
      case OpKind::Slice: {
        const auto &offsets = op->getInts(Attr::offsets);
        for (size_t d = 0; d < offsets.size(); ++d) offset += offsets[d] * in[d];
        break;
      }
      default:
        T2C_UNREACHABLE("no data movement");
    }
    return strides;
  }
};

// Whether each execution may return a different value, because other programs may write the memory
// meanwhile: then one thread executes the operation, and the others get its value.
bool givesOneValue(const Kernel &kernel, const Op *op) {
  if (op->kind == OpKind::Atomic || op->kind == OpKind::CudaEffect) return true;
  return op->kind == OpKind::Load && op->get(Attr::cache) == CacheOp::Cv && !isReadOnly(kernel, op);
}

// Scalars go to all threads, elements of a replicated layout to the threads that hold copies.
void shareValue(State &state, Op *op) {
  if (op->numResults() == 0 || op->result()->unused()) return;
  const bool isText = op->kind == OpKind::CudaEffect;
  const bool isLoad = op->kind == OpKind::Load || op->get(Attr::update) == AtomicUpdate::Load;
  const Type type = op->result()->type;
  if (!type.isTile()) {
    SharedBuffer buffer;
    buffer.name = !op->result()->name.empty() ? op->result()->name
                  : isText                    ? "returned"
                  : isLoad                    ? "loaded"
                                              : "old";
    buffer.members = {type.scalar()};
    buffer.shape = {1};
    op->setInt(Attr::buffer, state.kernel.shared.size());
    state.kernel.shared.push_back(std::move(buffer));
    return;
  }
  if (!type.layout()->isReplicated()) return;
  Builder b = Builder::after(op);
  int64_t buffer = state.addBuffer(op, type);
  state.explain(
      op, buffer,
      isText   ? "copies of an element learn what the text returned in the thread that ran it"
      : isLoad ? "copies of an element learn the value from the thread that loaded it"
               : "copies of an element learn the old value from the thread that updated it");
  Strides strides = rowMajor(type.shape());
  std::vector<Op *> users = op->result()->users;
  state.store(b, op->result(), buffer, 0, strides);
  Value *all = state.load(b, type, buffer, 0, strides, op->result()->name);
  for (Op *user : users)
    for (unsigned i = 0; i < user->numOperands(); ++i)
      if (user->operand(i) == op->result()) user->setOperand(i, all);
}

// Rows that take several warps are merged in shared memory, which has one key of padding after each
// 32 keys: threads that read their first keys then use different banks.
void shareKeys(State &state, Op *op) {
  const Type &source = op->operand(0)->type;
  const unsigned axis = op->getInt(Attr::axis);
  if (sortedRow(*source.layout(), axis)->warps.extent == 1) return;
  SharedBuffer buffer;
  buffer.name = op->result()->name.empty() ? "sorted" : op->result()->name;
  buffer.members = {byteWidth(source.scalar()) == 8 ? Scalar::U64 : Scalar::U32};
  if (!op->result(1)->unused()) buffer.members.push_back(Scalar::U32);
  const auto kept = keptKeys(SortOp(op));
  const int64_t keys = kept ? kept->count * state.kernel.options.numWarps
                            : int64_t(source.layout()->dim(axis).padded());
  buffer.shape = {keys + keys / 32};
  op->setInt(Attr::buffer, state.kernel.shared.size());
  state.kernel.shared.push_back(std::move(buffer));
}

bool moves(Op *op) {
  switch (op->kind) {
    case OpKind::Convert:  // another numbering of the same registers is only a view
      return !sameLayout(*op->operand(0)->type.layout(), *op->result()->type.layout());
    case OpKind::Permute:
    case OpKind::Reshape:
      return !isFreeView(op);
    default:
      return op->is(Moves);
  }
}

}  // namespace

llvm::LogicalResult lower_layout_conversions(Module &module, PassContext &context) {
  bool failed = false;
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    walk(kernel.body, [&](Op *op) {
      if (givesOneValue(kernel, op)) shareValue(state, op);
      if (op->kind == OpKind::Sort)
        shareKeys(state, op);
      else if (moves(op))
        state.lower(op);
    });
    failed |= state.failed;
  }
  return llvm::failure(failed);
}

}  // namespace tile2cu::passes
