#include "passes/memory/stage_operands.h"

#include <map>

#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/layout/mma_plan.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Strides = llvm::SmallVector<int64_t, 4>;

// Where the tile is stored for `dot`: as far outside of its loops as its value is available.
Op *insertionPointFor(const Value *tile, Op *dot) {
  const Block *home = tile->home();
  Op *point = dot;
  while (point->parent != home && point->parentOp()) point = point->parentOp();
  return point;
}

// The requirements of the dots in one block for a tile in shared memory.
struct Wanted {
  llvm::SmallVector<FragmentReader, 2> readers;  // on tensor cores
  Shape extents;                                 // with the padding up to whole MMA tiles
  bool isZeroed = false;                         // the padding has to be zero
  bool inPanels = false;  // read by wgmma, which supports rows of 32, 64 and 128 bytes
};

struct Staged {
  int64_t buffer = -1;
  Strides strides;  // of the tile
};

const MmaShape *shapeOf(const Op *dot) {
  return dot->has(Attr::mma) ? &mmaShape(*dot->get(Attr::mma)) : nullptr;
}

// Whether its fragments are loaded by ldmatrix.
bool isByMatrix(const FragmentReader &reader) {
  return fragmentLoad(*reader.shape, reader.alongK) != FragmentLoad::Elements;
}

struct State {
  Kernel &kernel;
  PassContext &context;
  using Key = std::pair<Value *, Block *>;
  std::map<Key, Wanted> wanted = {};
  std::map<Key, Staged> known = {};

  // Collects the requirements of a dot for operand `i`.
  void want(Op *dot, unsigned i) {
    const DotOperand operand = untransposed(dot->operand(i));
    const Type &type = operand.tile->type;
    Wanted &mine = wanted[{operand.tile, insertionPointFor(operand.tile, dot)->parent}];
    if (mine.extents.empty()) mine.extents.assign(type.shape().begin(), type.shape().end());
    const MmaShape *shape = shapeOf(dot);
    if (!shape) return;
    const unsigned rank = type.rank(), across = operand.dims[rank - 2 + i],
                   k = operand.dims[rank - 1 - i];
    const FragmentReader reader{shape, k == memoryDim(operand.tile)};
    mine.readers.push_back(reader);
    mine.inPanels |= dot->has(Attr::group_columns);
    const Layout &accumulator = *dot->result()->type.layout();
    const int64_t depth = llvm::alignTo(type.shape()[k], shape->k);
    auto grow = [&](unsigned dim, const Dim &size) {
      if (size > mine.extents[dim]) mine.extents[dim] = size;
    };
    grow(across, accumulator.dim(rank - 2 + i).padded());
    grow(k, depth);
    if (rank == 3) grow(operand.dims[0], accumulator.dim(0).padded());
    mine.isZeroed |= depth != type.shape()[k];
  }

  // Stores the tile to its own buffer, before `point`. For ldmatrix, chunks of 16 bytes are
  // swizzled, so that the eight rows of a matrix are in different banks. For other loads of MMA
  // fragments, the row pitch is chosen for different banks (rowPitch). Without tensor cores, rows
  // are 16 bytes longer than those of the tile. For wgmma the tile is split into panels with the
  // widest rows that the instruction supports.
  Staged stage(Value *tile, Op *point, const char *fallback,
               const char *why = "every thread of a dot reads rows or columns of it") {
    Staged &staged = known[{tile, point->parent}];
    if (staged.buffer >= 0) return staged;
    const Wanted &mine = wanted.at({tile, point->parent});
    const Type &type = tile->type;
    const int64_t bytes = byteWidth(type.scalar());
    SharedBuffer buffer;
    buffer.name = tile->name.empty() ? fallback : tile->name;
    buffer.members = {type.scalar()};
    buffer.alignment = 16;
    llvm::SmallVector<unsigned, 4> order;  // of the tile's dimensions, outermost first
    for (unsigned d = 0; d < type.rank(); ++d)
      if (d != memoryDim(tile)) order.push_back(d);
    order.push_back(memoryDim(tile));
    for (unsigned d : order) buffer.shape.push_back(mine.extents[d]);
    Dim &row = buffer.shape.back();
    const int64_t chunk = std::max<int64_t>(1, (mine.inPanels ? 32 : 16) / bytes);
    buffer.swizzled =
        mine.inPanels || (!mine.readers.empty() && llvm::all_of(mine.readers, isByMatrix));
    const int64_t pitch = buffer.swizzled        ? llvm::alignTo(row, chunk)
                          : mine.readers.empty() ? row + chunk
                                                 : rowPitch(row * bytes, mine.readers) / bytes;
    row += pitch - row;
    if (mine.inPanels) {
      buffer.panel = panelColumns(row, bytes);
      buffer.alignment = 8 * buffer.panel * bytes;  // the period of the swizzle
    }
    staged.strides.assign(type.rank(), 1);
    for (size_t d = type.rank(); d-- > 1;)
      staged.strides[order[d - 1]] = staged.strides[order[d]] * buffer.shape[d];
    staged.buffer = kernel.shared.size();
    context.diagnostics.decided(DiagId::TileMoves, kernel,
                                tile->definition ? tile->definition->loc : point->loc,
                                {"'" + buffer.name + "'", std::to_string(buffer.bytes()), why});
    kernel.shared.push_back(std::move(buffer));
    if (mine.isZeroed) zero(staged.buffer, point);
    Builder b = Builder::before(point);
    if (isLoop(point)) b.loc.statement = -1;  // the source text of the loop is shown at the loop
    Op *store = b.create(OpKind::SharedStore, {tile, validMask(b, type)}, {});
    store->setInt(Attr::buffer, staged.buffer);
    store->setInt(Attr::offset, 0);
    store->set(Attr::strides, staged.strides);
    return staged;
  }

  // Fills it with zeros once: before all loops in which the tile is stored.
  void zero(int64_t buffer, Op *point) {
    for (Op *op = point; op; op = op->parentOp())
      if (isLoop(op)) point = op;
    Builder b = Builder::before(point);
    b.loc.statement = -1;
    b.create(OpKind::SharedZero, {}, {})->setInt(Attr::buffer, buffer);
  }

  Staged operand(Op *dot, unsigned i, const char *fallback) {
    DotOperand operand = untransposed(dot->operand(i));
    Staged staged = stage(operand.tile, insertionPointFor(operand.tile, dot), fallback);
    Strides strides;
    for (unsigned dim : operand.dims) strides.push_back(staged.strides[dim]);
    staged.strides = std::move(strides);
    return staged;
  }

  // A tile that TMA loads is in shared memory. Threads that need elements of it read them from
  // there, also if it is a dot operand itself.
  void readCopy(Op *load) {
    Value *tile = load->result();
    std::vector<Op *> users = tile->users;
    llvm::erase_if(users, [](const Op *user) { return user->kind == OpKind::SharedStore; });
    if (users.empty()) return;
    const std::pair key{tile, load->parent};
    if (!known.count(key)) {
      Wanted &mine = wanted[key];
      mine.extents.assign(tile->type.shape().begin(), tile->type.shape().end());
      mine.inPanels = true;
      stage(tile, load->next(), "tile", "TMA loads it there");
    }
    const Staged &staged = known.at(key);
    Op *store = *llvm::find_if(tile->users,
                               [](const Op *user) { return user->kind == OpKind::SharedStore; });
    store->setOperand(SharedStoreOp::mask_optIndex, nullptr);  // the buffer has no padding
    store->moveBefore(load->next());
    Builder b = Builder::after(store);
    b.loc = load->loc;
    Op *read = b.create(OpKind::SharedLoad, {validMask(b, tile->type)}, {tile->type}, tile->name);
    read->setInt(Attr::buffer, staged.buffer);
    read->setInt(Attr::offset, 0);
    read->set(Attr::strides, staged.strides);
    replaceUses(users, tile, read->result());
  }

  // Transposes that only a dot uses.
  static void eraseUnused(Value *value) {
    Op *op = value->definition;
    bool moves = op && (op->kind == OpKind::Permute || op->kind == OpKind::Convert);
    if (!moves || !value->unused()) return;
    Value *source = op->operand(0);
    op->erase();
    eraseUnused(source);
  }

  void lower(Op *dot) {
    const bool inPlace = isOperandInPlace(dot);
    Staged a = inPlace ? Staged{-1, {0, 0}} : operand(dot, 0, "a");
    Staged b = operand(dot, 1, "b");
    if (inPlace)
      context.diagnostics.decided(
          DiagId::OperandInPlace, kernel, dot->loc,
          {dot->operand(0)->name.empty() ? "the first operand"
                                         : "'" + dot->operand(0)->name + "'"});
    Op *shared = Builder::before(dot).create(OpKind::DotShared, {dot->operand(2)},
                                             {dot->result()->type}, dot->result()->name);
    shared->set(Attr::buffers, llvm::SmallVector<int64_t, 4>{a.buffer, b.buffer});
    if (inPlace) {
      shared->addOperand(nullptr);
      shared->addOperand(dot->operand(0));
    }
    shared->set(Attr::a_strides, a.strides);
    shared->set(Attr::b_strides, b.strides);
    const Dim depth =
        dot->operand(0)->type.shape().back().orFrom(dot->operand(1)->type.shape().end()[-2]);
    shared->setInt(Attr::k, depth);
    if (depth.formula()) shared->setString(Attr::formula, depth.formula()->str());
    if (dot->has(Attr::mma)) {
      shared->set(Attr::mma, *dot->get(Attr::mma));
      shared->setInt(Attr::instruction_k, dot->getInt(Attr::instruction_k));
      if (dot->has(Attr::group_columns)) {
        shared->setInt(Attr::group_columns, dot->getInt(Attr::group_columns));
        if (isZero(dot->operand(2))) shared->setOperand(0, nullptr);
      }
      if (shapeOf(dot)->a == Scalar::F32 && dot->get(Attr::precision) == Precision::Tf32x3)
        shared->set(Attr::precision, Precision::Tf32x3);
    }
    // Another dot may use the result.
    for (auto it = wanted.begin(); it != wanted.end();) {
      auto entry = it++;
      if (entry->first.first != dot->result()) continue;
      auto node = wanted.extract(entry);
      node.key().first = shared->result();
      wanted.insert(std::move(node));
    }
    dot->result()->replaceAllUsesWith(shared->result());
    Value *operands[] = {dot->operand(0), dot->operand(1)};
    dot->erase();
    eraseUnused(operands[0]);
    if (operands[1] != operands[0]) eraseUnused(operands[1]);
  }
};

}  // namespace

llvm::LogicalResult stage_operands(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    std::vector<Op *> dots;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Dot) dots.push_back(op);
    });
    for (Op *op : dots)
      for (unsigned i : {0u, 1u})
        if (i == 1 || !isOperandInPlace(op)) state.want(op, i);
    for (Op *op : dots) state.lower(op);
    std::vector<Op *> copies;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::TensorLoad) copies.push_back(op);
    });
    for (Op *op : copies) state.readCopy(op);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
