#include "emit/lower/access_helpers.h"

namespace tile2cu::emit {
using namespace ir;

// The part of a helper's name that says the eviction priority; an access with one has no cache
// operator.
static std::string evictionPath(const Op *op) {
  const auto evict = op->get(Attr::evict);
  if (!evict || evict == EvictPriority::Normal) return "";
  return (evict == EvictPriority::NoAllocate ? "" : "evict_") + wordOf(*evict).str();
}

static std::string loadPath(const Op *op) {
  const auto cache = op->get(Attr::cache);
  // Each load may return another value, so no other hint applies.
  if (cache == CacheOp::Cv) return "cv";
  const bool readOnly = op->getBool(Attr::read_only);
  const std::string eviction = evictionPath(op), prefix = readOnly ? "read_only_" : "";
  if (!eviction.empty()) return prefix + eviction;
  if (cache == CacheOp::Cg || cache == CacheOp::Cs) return prefix + wordOf(*cache).str();
  if (readOnly) return "read_only";
  return cache == CacheOp::Ca ? "ca" : "coherent";
}

static std::string storePath(const Op *op) {
  const std::string eviction = evictionPath(op);
  if (!eviction.empty()) return eviction;
  const auto cache = op->get(Attr::cache);
  return cache ? wordOf(*cache).str() : "write_back";
}

Expr cacheArgument(LoweringContext &ctx, const Op *op) {
  const bool isLoad = op->kind == OpKind::Load;
  const std::string path = isLoad ? loadPath(op) : storePath(op);
  ctx.helpers.insert((isLoad ? "load." : "store.") + path);
  if (path == (isLoad ? "read_only" : "write_back")) return {};
  return word("tile2cu::cache::" + path);
}

Expr atomicHelper(const Op *op, const char *relaxed, const char *ordered) {
  const auto order = op->get(Attr::fences);
  const bool isWide = op->get(Attr::scope) == AtomicScope::System;
  if (!order && !isWide) return word(std::string("tile2cu::") + relaxed);
  llvm::SmallVector<Expr, 2> how{
      word("tile2cu::memory_order::" + wordOf(order.value_or(MemoryOrder::Relaxed)).str())};
  if (isWide) how.push_back(word("tile2cu::scope::system"));
  return instance(std::string("tile2cu::") + ordered, how);
}

Expr elementHelper(LoweringContext &ctx, const Op *op) {
  const char *name =
      op->kind == OpKind::Load ? "tile2cu::load_element_if" : "tile2cu::store_element_if";
  const Expr cache = cacheArgument(ctx, op);
  return cache ? instance(name, {cache}) : word(name);
}

}  // namespace tile2cu::emit
