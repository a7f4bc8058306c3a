#include "emit/lower/shared_memory.h"

#include <bit>
#include <cstdint>
#include <set>

#include "emit/cuda/own_numbers.h"
#include "emit/lower/reductions.h"
#include "emit/lower/rings.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

std::vector<std::string> sharedMemberNames(const Kernel &kernel) {
  std::set<std::string> taken;
  for (const SharedRing &ring : kernel.rings)
    for (const char *barriers : {"full", "empty"}) taken.insert(nameInRing(ring, barriers));
  std::vector<std::string> names;
  for (const SharedBuffer &buffer : kernel.shared) {
    const std::string base = own_number::isOne(buffer.name) ? buffer.name + "_tile" : buffer.name;
    names.push_back(base);
    for (int i = 2; !taken.insert(names.back()).second; ++i)
      names.back() = base + "_" + std::to_string(i);
  }
  return names;
}

Expr sharedTile(const LoweringContext &ctx, int64_t buffer, const Expr &stage) {
  const Expr tile = member(named("smem"), ctx.info.sharedMembers[buffer]);
  return stage && ctx.kernel.shared[buffer].stages > 1 ? elementOf(tile, stage) : tile;
}

std::set<int64_t> sharedMatrices(const Kernel &kernel) {
  std::set<int64_t> matrices;
  for (size_t i = 0; i < kernel.shared.size(); ++i) {
    const SharedBuffer &buffer = kernel.shared[i];
    const bool hasPanels = buffer.swizzled && buffer.panel && buffer.panel != buffer.shape.back();
    if (buffer.shape.size() == 2 && !hasPanels) matrices.insert(i);
  }
  walk(kernel.body, [&](const Op *op) {
    if ((op->kind == OpKind::ReduceAcross || op->kind == OpKind::Scan) && op->has(Attr::buffer))
      matrices.erase(op->getInt(Attr::buffer));
  });
  return matrices;
}

// The rows and columns at these coordinates, if each of them is counted by one coordinate.
static std::optional<std::pair<Expr, Expr>> rowAndColumn(const SharedBuffer &shared, int64_t offset,
                                                         llvm::ArrayRef<int64_t> strides,
                                                         llvm::ArrayRef<Expr> at) {
  const int64_t pitch = shared.shape.back();
  if (offset < 0) return std::nullopt;
  if (at.size() == 1 && strides[0] == pitch)
    return std::pair(sum(at[0], literal(Scalar::I32, offset / pitch)),
                     literal(Scalar::I32, offset % pitch));
  if (at.size() != 2) return std::nullopt;
  const unsigned row = strides[0] == 1 ? 1 : 0;
  if (strides[1 - row] != 1 || strides[row] != pitch) return std::nullopt;
  return std::pair(sum(at[row], literal(Scalar::I32, offset / pitch)),
                   sum(at[1 - row], literal(Scalar::I32, offset % pitch)));
}

// Whether its form shows that `e` is a multiple of a power of two: warp / 4 * 64, of 8.
static bool isMultiple(const Expr &e, int64_t of) {
  int64_t value = 0;
  if (e.isLiteral())
    return !llvm::StringRef(e.spelling()).getAsInteger(10, value) && value % of == 0;
  const auto isIt = [&](const Expr &operand) { return isMultiple(operand, of); };
  if (e.is(ExprKind::Binary, "*")) return llvm::any_of(e.operands(), isIt);
  if (e.is(ExprKind::Binary, "+")) return llvm::all_of(e.operands(), isIt);
  return false;
}

// tile2cu::swizzle<BLOCK_K>(row, column): the element's place in a tile whose chunks are swizzled.
static Expr swizzled(LoweringContext &ctx, const SharedBuffer &shared,
                     llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at) {
  const int64_t columns = shared.shape.back(), width = byteWidth(shared.members[0]);
  Expr row = integer(0), column = integer(0);
  for (size_t d = 0; d < at.size(); ++d) {
    if (strides[d] == 1)
      column = sum(column, at[d]);
    else
      row = sum(row, product(at[d], literal(Scalar::I32, strides[d] / columns)));
  }
  const bool hasPanels = shared.panel && shared.panel != columns;
  llvm::SmallVector<Expr, 3> how;
  if (hasPanels)
    how = {ctx.constants.number(shared.shape.front()), integer(shared.panel)};
  else
    how = {ctx.constants.number(shared.shape.back())};
  if (width != 2) how.push_back(integer(16 / width));
  return call(instance(hasPanels ? "tile2cu::swizzle_panels" : "tile2cu::swizzle", how),
              {row, column});
}

// The elements from one row of a shared tile to the next: BLOCK_N + 8 where rows are padded.
static Expr rowPitch(LoweringContext &ctx, const SharedBuffer &shared) {
  const Dim &pitch = shared.shape.back();
  const Expr written = ctx.constants.number(pitch);
  if (!written.isLiteral() || std::has_single_bit(uint64_t(pitch)) || shared.swizzled ||
      shared.shape.size() < 2)
    return written;
  for (int64_t padding = 1; padding <= 16; padding *= 2)
    if (std::has_single_bit(uint64_t(pitch - padding)))
      return sum(integer(pitch - padding), integer(padding));
  return written;
}

// The elements from one index of a dimension to the next.
static Expr strideOf(LoweringContext &ctx, const SharedBuffer &shared, int64_t stride) {
  int64_t known = 1;
  Expr written = integer(1);
  for (size_t d = shared.shape.size(); known < stride && d-- > 1;) {
    known *= shared.shape[d];
    const bool isRow = d + 1 == shared.shape.size();
    written =
        product(isRow ? rowPitch(ctx, shared) : ctx.constants.number(shared.shape[d]), written);
  }
  return known == stride ? written : literal(Scalar::I32, stride);
}

Expr sharedElement(LoweringContext &ctx, int64_t buffer, const Expr &stage, int64_t offset,
                   llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at) {
  const SharedBuffer &shared = ctx.kernel.shared[buffer];
  const Expr tile = sharedTile(ctx, buffer, stage);
  const bool isMatrix = ctx.info.sharedMatrices.count(buffer) != 0;
  if (isMatrix)
    if (const auto place = rowAndColumn(shared, offset, strides, at)) {
      const auto &[row, column] = *place;
      // The chunks of every eighth row are in order.
      return shared.swizzled && !isMultiple(row, 8) ? call("tile2cu::swizzled", {tile, row, column})
                                                    : elementOf(elementOf(tile, row), column);
    }
  const Expr elements =
      isMatrix ? addressOf(elementOf(elementOf(tile, integer(0)), integer(0))) : tile;
  if (shared.swizzled) return elementOf(elements, swizzled(ctx, shared, strides, at));
  Expr index = literal(Scalar::I32, offset);
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t stride = std::abs(strides[d]);
    const Expr term = product(at[d], strideOf(ctx, shared, stride));
    if (term.isLiteral("0")) continue;
    index = strides[d] < 0 ? binary(Prec::Additive, "-", index, term) : sum(index, term);
  }
  return elementOf(elements, index);
}

Expr sharedIndex(LoweringContext &ctx, const Layout &layout, const Layout &written, unsigned axis,
                 llvm::ArrayRef<Expr> vars) {
  const bool isWithout = layout.rank() < written.rank();
  Expr index = integer(0);
  for (unsigned d = 0; d < written.rank(); ++d) {
    if (d == axis) continue;
    index = sum(product(index, ctx.constants.number(written.dim(d).padded())),
                coordinate(ctx, layout, isWithout && d > axis ? d - 1 : d, vars));
  }
  return index;
}

// The elements of the buffers of reductions, scans and sorts, which may have several values.
struct Partial {
  Expr type;
  bool areKeys = false;  // one of padding after each 32 (tile2cu::shared_key)
};
static std::map<int64_t, Partial> findPartials(LoweringContext &ctx) {
  std::map<int64_t, Partial> found;
  walk(ctx.kernel.body, [&](const Op *op) {
    if ((op->kind == OpKind::ReduceAcross || op->kind == OpKind::Scan) && op->has(Attr::buffer))
      found[op->getInt(Attr::buffer)] = {valueTypeOf(ctx, op)};
    if (op->kind == OpKind::Sort && op->has(Attr::buffer))
      found[op->getInt(Attr::buffer)] = {sortKeyOf(op), true};
  });
  return found;
}

// The members of struct Smem; the stacks of a slot as a union.
Stmts sharedMembers(LoweringContext &ctx) {
  const std::map<int64_t, Partial> partials = findPartials(ctx);
  const auto extentOf = [&](size_t i, size_t d, const Partial *partial) {
    const SharedBuffer &buffer = ctx.kernel.shared[i];
    const int64_t size = buffer.shape[d];
    if (partial && partial->areKeys) return sum(integer(size - size / 33), integer(size / 33));
    if (partial && d == 0 && size == ctx.kernel.options.numWarps) return named("NUM_WARPS");
    return d > 0 && d + 1 == buffer.shape.size() ? rowPitch(ctx, buffer)
                                                 : ctx.constants.number(buffer.shape[d]);
  };
  auto member = [&](size_t i) {
    const SharedBuffer &buffer = ctx.kernel.shared[i];
    const auto known = partials.find(i);
    const Partial *partial = known != partials.end() ? &known->second : nullptr;
    std::vector<Expr> extents;
    for (size_t d = 0; d < buffer.shape.size(); ++d) {
      const Expr extent = extentOf(i, d, partial);
      if (d == 0 || ctx.info.sharedMatrices.count(i) != 0)
        extents.push_back(extent);
      else
        extents.back() = product(extents.back(), extent);
    }
    const bool isPadded =
        anyOf(extents.back(), [](const Expr &node) { return node.is(ExprKind::Binary, "+"); });
    Declarator array{Symbol(ctx.info.sharedMembers[i])};
    if (buffer.stages > 1) array.extents.push_back(ctx.constants.stages(buffer.stages));
    llvm::append_range(array.extents, extents);
    Declare declare{partial ? partial->type : typeOf(buffer.members[0]), {array}};
    declare.alignment = buffer.alignment;
    return Stmt{std::move(declare), isPadded ? "padding against bank conflicts" : ""};
  };
  Stmts all;
  std::map<int, std::map<int, std::vector<size_t>>> slots;
  for (size_t i = 0; i < ctx.kernel.shared.size(); ++i)
    if (ctx.kernel.shared[i].slot >= 0)
      slots[ctx.kernel.shared[i].slot][ctx.kernel.shared[i].stack].push_back(i);
  for (auto &[slot, stacks] : slots) {
    const bool isUnion = stacks.size() > 1;
    Stmts ofSlot;
    for (auto &[stack, buffers] : stacks) {
      Stmts together;
      for (size_t i : buffers) together.push_back(member(i));
      if (isUnion && buffers.size() > 1)
        ofSlot.push_back(record("struct", std::move(together)));
      else
        llvm::append_range(ofSlot, together);
    }
    if (isUnion)
      all.push_back(record("union", std::move(ofSlot), "disjoint lifetimes"));
    else
      llvm::append_range(all, ofSlot);
  }
  for (size_t i = 0; i < ctx.kernel.shared.size(); ++i)
    if (ctx.kernel.shared[i].slot < 0) all.push_back(member(i));
  return all;
}

}  // namespace tile2cu::emit
