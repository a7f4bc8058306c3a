#include "emit/lower/access_helpers.h"

#include "emit/spelling/cuda_scalar.h"

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

// The bytes that an access moves.
struct Moved {
  Moved(Scalar type, int64_t elements, bool isPrefix) : isPrefix(isPrefix) {
    element = byteWidth(type);
    word = std::min<int64_t>(element * elements, 16);
  }
  int64_t element, word;  // bytes of an element, and those that one instruction moves
  bool isPrefix;          // some elements of a vector may be moved one by one
};

static void needWidth(LoweringContext &ctx, const std::string &helper, int64_t bytes) {
  ctx.helpers.insert(helper + "." + std::to_string(bytes));
}

// The instructions of `helper`, load.read_only or store.cs, for what is moved.
static void needWords(LoweringContext &ctx, const std::string &helper, const Moved &moved) {
  ctx.helpers.insert(helper);
  for (const int64_t bytes : {moved.word, moved.isPrefix ? moved.element : moved.word}) {
    needWidth(ctx, helper, bytes);
    needWidth(ctx, "words", bytes);
  }
  if (moved.isPrefix) needWidth(ctx, "keep_whole", moved.word);
}

static Expr accessHelper(LoweringContext &ctx, const Op *op, llvm::StringRef name,
                         llvm::SmallVector<Expr, 2> how, const Moved &moved) {
  const bool isLoad = op->kind == OpKind::Load;
  const std::string path = isLoad ? loadPath(op) : storePath(op);
  needWords(ctx, std::string(isLoad ? "load." : "store.") + path, moved);
  if (path != (isLoad ? "read_only" : "write_back")) how.push_back(word("tile2cu::cache::" + path));
  const std::string helper = "tile2cu::" + name.str();
  return how.empty() ? word(helper) : instance(helper, how);
}

static Scalar movedType(const Op *op) {
  return op->kind == OpKind::Load ? op->result()->type.scalar() : op->operand(1)->type.scalar();
}

Expr vectorHelper(LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  const bool isPrefix = op->get(Attr::form) == MaskForm::Prefix;
  const Moved moved(movedType(op), nest.layout.registerAxes()[nest.vectorAxis], isPrefix);
  const Expr elements = ctx.constants.extent(nest.layout, nest.vectorAxis);
  if (op->kind == OpKind::Atomic) {
    needWidth(ctx, "reduce_add_words", moved.word);
    needWidth(ctx, "words", moved.word);
    return instance(isPrefix ? "tile2cu::reduce_add_prefix" : "tile2cu::reduce_add_vector_if",
                    {elements});
  }
  const bool isLoad = op->kind == OpKind::Load;
  return accessHelper(
      ctx, op,
      isPrefix ? (isLoad ? "load_prefix" : "store_prefix") : (isLoad ? "load_if" : "store_if"),
      {elements}, moved);
}

Expr copyHelper(LoopNest &nest, const Op *op, Level level) {
  LoweringContext &ctx = nest.ctx;
  const bool isVector = level == Level::Vector,
             isPrefix = isVector && op->get(Attr::form) == MaskForm::Prefix;
  const std::string kind = !op->operand(1) ? "" : isPrefix ? "_prefix" : "_if";
  const Moved moved(op->operand(0)->type.scalar(),
                    isVector ? nest.layout.registerAxes()[nest.vectorAxis] : 1, isPrefix);
  needWidth(ctx, "copy_to_shared" + kind, moved.word);
  if (moved.word >= 4)
    needWidth(ctx, "cp_async" + kind, moved.word);
  else
    needWords(ctx, "load.read_only", moved);
  return instance("tile2cu::copy_to_shared" + kind,
                  {isVector ? ctx.constants.extent(nest.layout, nest.vectorAxis) : integer(1)});
}

Expr atomicCall(const Op *op, const Expr &pointer, const Expr &value, const Expr &expected) {
  const AtomicUpdate kind = *op->get(Attr::update);
  const std::string update = wordOf(kind).str();
  const auto order = op->get(Attr::fences);
  const AtomicScope scope = op->get(Attr::scope).value_or(AtomicScope::Gpu);
  llvm::SmallVector<Expr, 3> arguments{pointer};
  if (expected) arguments.push_back(expected);
  if (value) arguments.push_back(value);
  llvm::SmallVector<Expr, 2> how;
  if (order) how.push_back(word("tile2cu::memory_order::" + wordOf(*order).str()));
  // A load or store is one access, whatever its scope: that only says how far it orders others.
  const bool isAccess = kind == AtomicUpdate::Load || kind == AtomicUpdate::Store;
  if (scope != AtomicScope::Gpu && (order || !isAccess))
    how.push_back(word("tile2cu::scope::" + wordOf(scope).str()));
  const std::string helper = std::string(order ? "tile2cu::ordered_" : "tile2cu::atomic_") + update;
  return call(how.empty() ? word(helper) : instance(helper, how), arguments);
}

Expr oldValue(const Op *op, const Expr &mask, const Expr &call) {
  const Scalar type = op->result()->type.scalar();
  return mask ? conditional(mask, call,
                            isFloat(type) ? literal(type, 0.0) : literal(type, int64_t{0}))
              : call;
}

Stmt atomicStatement(const Expr &mask, const Expr &call) {
  if (!mask || !call.isCallOf("tile2cu::atomic_add")) return shortIf(mask, evaluate(call));
  // Measured with nvcc 13.0: a matmul whose products are added takes 232 registers, not 244.
  return evaluate(emit::call("tile2cu::reduce_add_if", {mask, call.operand(1), call.operand(2)}));
}

Expr elementHelper(LoweringContext &ctx, const Op *op) {
  const char *name = op->kind == OpKind::Load ? "load_element_if" : "store_element_if";
  return accessHelper(ctx, op, name, {}, Moved(movedType(op), 1, false));
}

}  // namespace tile2cu::emit
