#include "passes/memory/lower_tma_stores.h"

#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"
#include "passes/target/mma_instructions.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The buffer of the tile, in panels that match the map's box.
int64_t bufferFor(Kernel &kernel, const Op *store) {
  const Op *map = store->operand(0)->definition;
  const Value *tile = store->operand(1);
  const Type &type = tile->type;
  const int64_t bytes = byteWidth(type.scalar());
  const unsigned contiguous = store->getInt(Attr::contiguous_dim);
  SharedBuffer buffer;
  buffer.name = kernel.parameters[map->getInt(Attr::parameter)].identifier() + "_tile";
  buffer.members = {type.scalar()};
  buffer.shape = {type.shape()[1 - contiguous], type.shape()[contiguous]};
  buffer.swizzled = true;
  buffer.panel = panelColumns(type.shape()[contiguous], bytes);
  buffer.alignment = 8 * buffer.panel * bytes;
  kernel.shared.push_back(std::move(buffer));
  return kernel.shared.size() - 1;
}

// The number of consecutive whole rows of the tile that each warp holds, the same number in every
// warp and no row twice; 0 if warps do not hold such rows.
int64_t rowsOfWarp(const Type &type, unsigned contiguous) {
  const Layout &layout = *type.layout();
  const LayoutDim &rows = layout.dim(1 - contiguous);
  if (rows.isPadded() || layout.dim(contiguous).isPadded() || layout.isReplicated() ||
      layout.extentAlong(contiguous, Unit::Warp) != 1)
    return 0;
  int64_t count = 1;
  for (const Digit &digit : joinedDigits(rows.digits)) {
    if (digit.unit == Unit::Warp)
      return digit.stride == 1 && digit.extent == layout.numWarps() && count % 8 == 0 ? count : 0;
    count *= digit.extent;
  }
  return 0;
}

void lower(Kernel &kernel, Op *store) {
  const int64_t id = bufferFor(kernel, store);
  const unsigned contiguous = store->getInt(Attr::contiguous_dim);
  Value *tile = store->operand(1);
  Builder b = Builder::before(store);
  Op *map = store->operand(0)->definition;
  // Copies have no order unless the thread that starts the later one has waited for the earlier one
  // to be written: one thread then starts all of them, or each warp those of its rows.
  const auto order = store->get(Attr::store_order);
  const bool isByWarps = map->result()->users.size() == 1 && order != StoreOrder::Block;
  const int64_t rows = isByWarps ? rowsOfWarp(tile->type, contiguous) : 0;
  if (loopAround(store->parent)) {
    Op *wait = b.create(OpKind::TmaStoreWait, {}, {});
    wait->setBool(Attr::warp, rows > 0);
    if (order) wait->setBool(Attr::written, true);
  }
  Op *write = b.create(OpKind::SharedStore, {tile, validMask(b, tile->type)}, {});
  write->setInt(Attr::buffer, id);
  write->setInt(Attr::offset, 0);
  llvm::SmallVector<int64_t, 4> strides(2, 1);
  strides[1 - contiguous] = tile->type.shape()[contiguous];
  write->set(Attr::strides, strides);
  llvm::SmallVector<Value *, 6> operands{store->operand(0)};
  for (unsigned i = 2; i < store->numOperands(); ++i) operands.push_back(store->operand(i));
  Op *copy = b.create(OpKind::TmaStore, operands, {});
  copy->setInt(Attr::buffer, id);
  if (rows > 0) {
    auto box = map->getInts(Attr::box);
    box[store->getInt(Attr::row_dim)] = rows;
    map->set(Attr::box, box);
    copy->setInt(Attr::rows, rows);
    copy->setInt(Attr::row_dim, store->getInt(Attr::row_dim));
  }
  store->erase();
}

}  // namespace

llvm::LogicalResult lower_tma_stores(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    std::vector<Op *> stores;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::TensorStore) stores.push_back(op);
    });
    if (stores.empty()) continue;
    for (Op *store : stores) lower(kernel, store);
    // Inserted before every end of the kernel.
    std::vector<Op *> ends;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Return) ends.push_back(op);
    });
    for (Op *end : ends) Builder::before(end).create(OpKind::TmaStoreWait, {}, {});
    if (!kernel.body.terminator()) Builder(kernel.body).create(OpKind::TmaStoreWait, {}, {});
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
