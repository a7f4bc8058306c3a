// Loads, stores, atomics and random bits inside of a nest: whole vectors, single elements, shared
// memory.
#include <bit>
#include <cstdint>

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// ---- whole vectors

// How many elements of a nest's vectors go to shared memory at once: 16 bytes at most, of which a
// swizzle is made.
int64_t KernelEmitter::sharedPiece(const Op *op) {
  const int64_t width = byteWidth(kernel_.shared[op->getInt(Attr::buffer)].members[0]);
  return std::min(vectorAxisOf(*nest_->layout)->extent, std::max<int64_t>(16 / width, 1));
}

// Whether a thread's vectors go to shared memory whole: rows of whole vectors, in an aligned
// buffer.
bool KernelEmitter::isSharedVector(const Op *op) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  auto vector = vectorAxisOf(*nest_->layout);
  int64_t width = byteWidth(buffer.members[0]);
  const Value *mask = op->operand(op->kind == OpKind::SharedStore ? 1 : 0);
  if (!vector || mask || buffer.members.size() != 1) return false;
  const int64_t piece = sharedPiece(op);
  if (piece == 1 || piece * width > buffer.alignment) return false;
  const auto &strides = op->getInts(Attr::strides);
  for (unsigned d = 0; d < strides.size(); ++d)
    if (d == vector->dim ? strides[d] != 1 : strides[d] % piece != 0) return false;
  return op->getInt(Attr::offset) % piece == 0;
}

// Which helper converts whole vectors; null: each element by itself.
const char *KernelEmitter::vectorConversion(const Op *op) {
  if (op->kind != OpKind::Cast || vectorAxis_ < 0) return nullptr;
  const Value *source = op->operand(0);
  const Scalar from = source->type.scalar(), to = op->result()->type.scalar();
  const bool isByte = from == Scalar::I8 || from == Scalar::U8;
  if (!isByte || (to != Scalar::F16 && to != Scalar::BF16)) return nullptr;
  // What is there as a vector already.
  if (!(*source->type.layout() == *nest_->layout)) return nullptr;
  if (const Op *load = source->definition; load && isInside(load->parent, *nest_->region())) {
    const bool isShared = load->kind == OpKind::SharedLoad && isSharedVector(load);
    if (!isShared && (load->kind != OpKind::Load || load->get(Attr::form) == MaskForm::Element))
      return nullptr;
  } else {
    const auto stored = storage_.find(source);
    if (stored == storage_.end() || !stored->second.isVector || !stored->second.member.empty() ||
        stored->second.axes)
      return nullptr;
  }
  return to == Scalar::F16 ? "bytes_to_half" : "bytes_to_bfloat16";
}

bool KernelEmitter::isVectorAccess(const Op *op) {
  if (op->kind == OpKind::Cast) return vectorConversion(op);
  if (op->kind == OpKind::SharedStore || op->kind == OpKind::SharedLoad)
    return vectorAxis_ >= 0 && isSharedVector(op);
  bool access = op->kind == OpKind::Load || op->kind == OpKind::Store ||
                op->kind == OpKind::AtomicAdd || op->kind == OpKind::AsyncCopy ||
                op->kind == OpKind::RandomBits;
  return access && vectorAxis_ >= 0 && op->get(Attr::form) != MaskForm::Element;
}

// The part of a helper's name that says the eviction priority; an access with one has no cache
// operator.
static std::string evictionPath(const Op *op) {
  const auto evict = op->get(Attr::evict);
  if (!evict || evict == EvictPriority::Normal) return "";
  return (evict == EvictPriority::NoAllocate ? "" : "evict_") + wordOf(*evict).str();
}

static std::string loadPath(const Op *op) {
  const auto cache = op->get(Attr::cache);
  // What it reads may be another value at every load: no hint.
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

// The cache operator of a load or store, as an argument of its helper's template; none for the
// usual one.
Expr KernelEmitter::cacheArgument(const Op *op) {
  const bool isLoad = op->kind == OpKind::Load;
  const std::string path = isLoad ? loadPath(op) : storePath(op);
  text_.helpers.insert((isLoad ? "load." : "store.") + path);
  if (path == (isLoad ? "read_only" : "write_back")) return {};
  return word("tile2cu::cache::" + path);
}

Expr KernelEmitter::pointerAt(const Op *op, Level level) {
  return valueAt(op->operand(0), operandRefs(op, op->operand(0), identityRefs(*nest_->layout)),
                 level);
}

Expr KernelEmitter::maskAt(const Op *op, Level level) {
  Value *mask = op->kind == OpKind::Load ? op->operand(1) : op->operand(2);
  bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  Expr e = mask     ? valueAt(mask, identityRefs(*nest_->layout), level)
           : prefix ? named("VEC")
                    : word("true");
  if (prefix && !isVectorAccess(op)) {  // a vector of one element
    e = binary(Prec::Relational, ">", e, integer(0));
    prefix = false;
  }
  const Expr owner = op->kind == OpKind::Load ? Expr{} : ownerCondition(*nest_->layout);
  if (!owner) return e;
  if (prefix) return conditional(owner, e, integer(0));
  return mask ? bothOf(owner, e) : owner;
}

Expr KernelEmitter::vectorType(const Expr &element) {
  return instance("tile2cu::vec", {element, named(extentName(*nest_->layout, vectorAxis_))});
}

// The vector a store takes: a loaded or computed array's, or one filled just before.
Expr KernelEmitter::vectorOperand(const Value *value) {
  const Storage &storage = stored(value);
  if (storage.isVector && storage.member.empty() && !storage.axes)
    return storageRef(storage, vars_, true);
  // A member of an array of structs: gathered first.
  const Expr vector = named(names_.take(value->name.empty() ? "result" : value->name));
  const Expr &var = vars_[vectorAxis_];
  add(variable(vectorType(typeOf(value->type)), vector.spelling()));
  open({unrolledLoop(var.spelling(), named(extentName(*nest_->layout, vectorAxis_)))});
  set(elementOf(vector, var), storageRef(storage, vars_));
  close();
  return vector;
}

// Where the nest's vector stands in shared memory, whole.
Expr KernelEmitter::sharedVector(const Op *op) {
  Vars vars = vars_;
  vars[vectorAxis_] = integer(0);
  // The compiler would take bytes apart and put them together again.
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const bool isInWords = op->kind == OpKind::SharedLoad && byteWidth(buffer.members[0]) == 1 &&
                         sharedPiece(op) % 4 == 0;
  const Expr helper = instance(isInWords ? "tile2cu::load_vec" : "tile2cu::as_vec",
                               {named(extentName(*nest_->layout, vectorAxis_))});
  return call(helper, {addressOf(sharedPlace(op, vars))});
}

bool KernelEmitter::isInPieces(const Op *op) {
  return sharedPiece(op) != vectorAxisOf(*nest_->layout)->extent;
}

// Calls `access` in a loop over the pieces of a vector, with the addresses of each in shared memory
// and in the variable `vector`.
void KernelEmitter::forPieces(
    const Op *op, const Expr &vector,
    llvm::function_ref<void(const Expr &place, const Expr &part)> access) {
  const Expr &first = vars_[vectorAxis_];
  names_.open();
  For loop = unrolledLoop(first.spelling(), named(extentName(*nest_->layout, vectorAxis_)));
  loop.advance = {first, "+=", integer(sharedPiece(op))};
  open({std::move(loop)});
  access(addressOf(sharedPlace(op, vars_)), addressOf(elementOf(vector, first)));
  close();
  names_.close();
}

void KernelEmitter::loadPieces(const Op *op) {
  const Value *result = op->result();
  auto stored = storage_.find(result);
  const bool isNew = stored == storage_.end();
  if (isNew)
    stored =
        storage_.emplace(result, localVector(result->name.empty() ? "moved" : result->name)).first;
  const Expr vector = storageRef(stored->second, vars_, true);
  if (isNew)
    add(variable(vectorType(typeOf(result->type)), stored->second.name));
  else if (undeclared_.erase(result))
    add(declare(result->type, stored->second.name));
  const Expr asPiece = instance("tile2cu::as_vec", {integer(sharedPiece(op))});
  forPieces(op, vector, [&](const Expr &place, const Expr &part) {
    set(call(asPiece, {part}), call(asPiece, {place}));
  });
}

void KernelEmitter::storeSharedVector(const Op *op) {
  const Expr value = vectorOperand(op->operand(0)), condition = ownerCondition(*nest_->layout);
  if (!isInPieces(op)) {
    add(shortIf(condition, {Assign{sharedVector(op), "=", value}}));
    return;
  }
  const Expr piece = integer(sharedPiece(op)), asPiece = instance("tile2cu::as_vec", {piece});
  // Nor does it keep small elements of a part of a vector together.
  const bool isInWords = byteWidth(op->operand(0)->type.scalar()) <= 2;
  forPieces(op, value, [&](const Expr &place, const Expr &part) {
    if (isInWords)
      add(shortIf(condition,
                  evaluate(call(instance("tile2cu::store_vec", {piece}), {place, part}))));
    else
      add(shortIf(condition, {Assign{call(asPiece, {place}), "=", call(asPiece, {part})}}));
  });
}

void KernelEmitter::storeVector(const Op *op) {
  const bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  const Expr pointer = pointerAt(op, Level::Vector), mask = maskAt(op, Level::Vector),
             value = vectorOperand(op->operand(1));
  llvm::SmallVector<Expr, 2> how{named(extentName(*nest_->layout, vectorAxis_))};
  const char *helper = prefix ? "tile2cu::reduce_add_prefix" : "tile2cu::reduce_add_vector_if";
  if (op->kind == OpKind::Store) {
    helper = prefix ? "tile2cu::store_prefix" : "tile2cu::store_if";
    if (const Expr cache = cacheArgument(op)) how.push_back(cache);
  } else {
    T2C_ASSERT(!op->has(Attr::fences));
  }
  add(evaluate(call(instance(helper, how), {mask, pointer, value})));
}

// The vector that an access makes.
Expr KernelEmitter::loadedVector(const Op *op) {
  const auto refs = identityRefs(*nest_->layout);
  llvm::SmallVector<Expr, 2> how{named(extentName(*nest_->layout, vectorAxis_))};
  if (op->kind == OpKind::SharedLoad) return sharedVector(op);
  if (op->kind == OpKind::Cast)
    return call(std::string("tile2cu::") + vectorConversion(op), {vectorOperand(op->operand(0))});
  if (op->kind == OpKind::RandomBits) {
    const auto offsets = operandRefs(op, op->operand(1), refs);
    const Expr offset = valueAt(op->operand(1), offsets, Level::Vector);
    return call(instance("tile2cu::random_bits", how), {scalar(op->operand(0)), offset});
  }
  const bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  const Expr mask = maskAt(op, Level::Vector), pointer = pointerAt(op, Level::Vector);
  const Scalar type = op->result()->type.scalar();
  const Expr other =
      op->operand(2) ? valueAt(op->operand(2), refs, Level::Vector) : literal(type, int64_t{0});
  if (const Expr cache = cacheArgument(op)) how.push_back(cache);
  return call(instance(prefix ? "tile2cu::load_prefix" : "tile2cu::load_if", how),
              {mask, pointer, other});
}

void KernelEmitter::vectorAccess(Op *op) {
  if (op->kind == OpKind::AsyncCopy) return asyncCopy(op, Level::Vector);
  if (op->kind == OpKind::SharedStore) return storeSharedVector(op);
  if (op->kind == OpKind::Store || op->kind == OpKind::AtomicAdd) return storeVector(op);
  if (op->kind == OpKind::SharedLoad && isInPieces(op)) return loadPieces(op);
  const Expr value = loadedVector(op);
  auto stored = storage_.find(op->result());
  if (stored != storage_.end()) {
    if (undeclared_.erase(op->result()))
      add(declare(op->result()->type, stored->second.name, value));
    else
      set(storageRef(stored->second, vars_, true), value);
    return;
  }
  Storage storage = localVector(!op->result()->name.empty()      ? op->result()->name
                                : op->kind == OpKind::Load       ? "loaded"
                                : op->kind == OpKind::Cast       ? "converted"
                                : op->kind == OpKind::SharedLoad ? "moved"
                                                                 : "bits");
  const Expr type = vectorType(typeOf(op->result()->type));
  // Parts of what is converted may be stored one by one: as_vec takes no constants.
  add(op->kind == OpKind::Cast ? variable(type, storage.name, value)
                               : constant(type, storage.name, value));
  storage_[op->result()] = storage;
}

// One vector of the loop nest's layout, a variable of the loop's body.
KernelEmitter::Storage KernelEmitter::localVector(const std::string &name) {
  Storage storage;
  storage.name = names_.take(name);
  storage.layout = nest_->layout;
  storage.isVector = storage.oneVector = true;
  return storage;
}

// ---- elements

// The helper of an atomic: `relaxed`, or for one that orders more than itself or is seen by more
// than the device
// `ordered`<tile2cu::memory_order::release>.
Expr KernelEmitter::atomicHelper(const Op *op, const char *relaxed, const char *ordered) {
  const auto order = op->get(Attr::fences);
  const bool isWide = op->get(Attr::scope) == AtomicScope::System;
  if (!order && !isWide) return word(std::string("tile2cu::") + relaxed);
  llvm::SmallVector<Expr, 2> how{
      word("tile2cu::memory_order::" + wordOf(order.value_or(MemoryOrder::Relaxed)).str())};
  if (isWide) how.push_back(word("tile2cu::scope::system"));
  return instance(std::string("tile2cu::") + ordered, how);
}

// tile2cu::load_element_if<tile2cu::cache::cg>: the helper that loads or stores one element.
Expr KernelEmitter::elementHelper(const Op *op) {
  const char *name =
      op->kind == OpKind::Load ? "tile2cu::load_element_if" : "tile2cu::store_element_if";
  const Expr cache = cacheArgument(op);
  return cache ? instance(name, {cache}) : word(name);
}

// Puts an element where the loop nest keeps it: in the variable of its tile, or in one of the
// loop's body, called `role` if it has no name.
void KernelEmitter::giveElement(const Value *result, const char *role, const Expr &e) {
  auto stored = storage_.find(result);
  if (stored != storage_.end()) {
    if (!declareWith(result, e)) set(storageRef(stored->second, vars_), e);
    return;
  }
  std::string name = names_.take(result->name.empty() ? role : singular(result->name));
  declareConstant(typeOf(result->type), name, e);
  elementExprs_[result] = remembered(named(name));
}

void KernelEmitter::elementAccess(Op *op) {
  auto refs = identityRefs(*nest_->layout);
  const Expr pointer = pointerAt(op, Level::Element), mask = maskAt(op, Level::Element);
  if (op->kind == OpKind::Load) {
    Scalar type = op->result()->type.scalar();
    Expr other =
        op->operand(2) ? valueAt(op->operand(2), refs, Level::Element) : literal(type, int64_t{0});
    giveElement(op->result(), "loaded", call(elementHelper(op), {mask, pointer, other}));
    return;
  }
  const Expr value = valueAt(op->operand(1), refs, Level::Element);
  if (op->kind == OpKind::Store) {
    add(evaluate(call(elementHelper(op), {mask, pointer, value})));
    return;
  }
  const bool isUnused = op->result()->unused();
  const Expr helper =
      atomicHelper(op, isUnused ? "reduce_add_if" : "atomic_add_if", "ordered_add_if");
  const Expr old = call(helper, {mask, pointer, value});
  if (isUnused)
    add(evaluate(old));
  else
    giveElement(op->result(), "old", old);
}

// ---- shared memory

Expr sharedTile(const SharedBuffer &buffer, const Expr &stage) {
  const Expr tile = member(named("smem"), buffer.name);
  return stage && buffer.stages > 1 ? elementOf(tile, stage) : tile;
}

// tile2cu::swizzle<BLOCK_K>(row, column): the element's place in a tile whose chunks are swizzled.
Expr KernelEmitter::swizzled(const SharedBuffer &shared, llvm::ArrayRef<int64_t> strides,
                             llvm::ArrayRef<Expr> at) {
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
    how = {number(shared.shape.front()), integer(shared.panel)};
  else
    how = {number(columns)};
  if (width != 2) how.push_back(integer(16 / width));
  return call(instance(hasPanels ? "tile2cu::swizzle_panels" : "tile2cu::swizzle", how),
              {row, column});
}

// The elements from one row of a shared tile to the next: BLOCK_N + 8 where rows are padded.
Expr KernelEmitter::rowPitch(const SharedBuffer &shared) {
  const int64_t pitch = shared.shape.back();
  if (std::has_single_bit(uint64_t(pitch)) || shared.swizzled || shared.shape.size() < 2)
    return number(pitch, Scalar::I32, 2);
  for (int64_t padding = 1; padding <= 16; padding *= 2)
    if (Expr columns = number(pitch - padding, Scalar::I32, 2);
        columns.isName() || std::has_single_bit(uint64_t(pitch - padding)))
      return sum(columns, integer(padding));
  return number(pitch, Scalar::I32, 2);
}

Expr KernelEmitter::sharedElement(int64_t buffer, const Expr &stage, int64_t offset,
                                  llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at) {
  const SharedBuffer &shared = kernel_.shared[buffer];
  const Expr tile = sharedTile(shared, stage);
  if (shared.swizzled) return elementOf(tile, swizzled(shared, strides, at));
  Expr index = literal(Scalar::I32, offset);
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t stride = std::abs(strides[d]);
    const bool isPitch = shared.shape.size() > 1 && stride > 1 && stride == shared.shape.back();
    Expr term = product(at[d], isPitch ? rowPitch(shared) : literal(Scalar::I32, stride));
    if (term.isLiteral("0")) continue;
    index = strides[d] < 0 ? binary(Prec::Additive, "-", index, term) : sum(index, term);
  }
  return elementOf(tile, index);
}

// Counts the additions that are factors in the first term: 2 of ((a + b) * c + d) * e + f.
static int sumsAtLeft(const Expr &e) {
  if (!e.is(ExprKind::Binary)) return 0;
  const Expr &left = e.operand(0);
  const bool isFactor = e.prec() == Prec::Multiplicative && left.is(ExprKind::Binary) &&
                        left.prec() == Prec::Additive;
  return isFactor + sumsAtLeft(left);
}

// Where an element of the nest's tile stands.
Expr KernelEmitter::sharedPlace(const Op *op, llvm::ArrayRef<Expr> vars) {
  llvm::SmallVector<Expr, 4> at;
  for (unsigned d = 0; d < nest_->layout->rank(); ++d) {
    Expr e = coordinate(*nest_->layout, d, vars);
    const Names::Constant *same = names_.constant("int", e);
    std::string known = same ? same->name : "";
    // A long one gets a name, so that the place can be read.
    if (known.empty() && sumsAtLeft(e) > 1) {
      known = names_.take(nest_->layout->rank() == 1 ? "element" : d == 0 ? "row" : "column");
      declareConstant(word("int"), known, e);
      names_.rememberConstant("int", e, known);
    }
    at.push_back(known.empty() ? e : named(known));
  }
  const Value *stage = op->kind == OpKind::SharedStore  ? op->operand(2)
                       : op->kind == OpKind::SharedLoad ? op->operand(1)
                       : op->kind == OpKind::AsyncCopy  ? op->operand(3)
                                                        : nullptr;
  return sharedElement(op->getInt(Attr::buffer), stage ? scalar(stage) : Expr{},
                       op->getInt(Attr::offset), op->getInts(Attr::strides), at);
}

void KernelEmitter::sharedAccess(Op *op) {
  const Layout &layout = *nest_->layout;
  const Expr place = sharedPlace(op, vars_);
  auto refs = identityRefs(layout);
  bool isStore = op->kind == OpKind::SharedStore;
  Value *mask = op->operand(isStore ? 1 : 0);
  if (isStore) {
    Expr condition = ownerCondition(layout);
    if (mask) condition = bothOf(condition, valueAt(mask, refs, Level::Element));
    const Expr value = valueAt(op->operand(0), refs, Level::Element);
    add(shortIf(condition, {Assign{place, "=", value}}));
    return;
  }
  Expr value = place;
  if (mask)
    value = conditional(valueAt(mask, refs, Level::Element), value,
                        literal(op->result()->type.scalar(), int64_t{0}));
  giveElement(op->result(), "moved", value);
}

}  // namespace tile2cu::emit
