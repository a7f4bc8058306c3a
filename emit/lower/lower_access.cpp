// Loads, stores, atomics and random bits inside of a nest: whole vectors, single elements, shared memory.
#include <bit>
#include <cstdint>

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// ---- whole vectors

// How many elements of a nest's vectors go to shared memory at once: 16 bytes at most, of which a swizzle is made.
int64_t KernelEmitter::sharedPiece(const Op *op) {
  const int64_t width = byteWidth(kernel_.shared[op->getInt(Attr::buffer)].members[0]);
  return std::min(vectorAxisOf(*nest_->layout)->extent, std::max<int64_t>(16 / width, 1));
}

// Whether a thread's vectors go to shared memory whole: rows of whole vectors, in an aligned buffer.
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

std::string KernelEmitter::cacheArgument(const Op *op, bool first) {
  const bool isLoad = op->kind == OpKind::Load;
  const std::string path = isLoad ? loadPath(op) : storePath(op);
  text_.helpers.insert((isLoad ? "load." : "store.") + path);
  if (path == (isLoad ? "read_only" : "write_back")) return "";
  return (first ? "" : ", ") + std::string("tile2cu::cache::") + path;
}

std::string KernelEmitter::pointerText(const Op *op, Level level) {
  return valueAt(op->operand(0), operandRefs(op, op->operand(0), identityRefs(*nest_->layout)),
                 level)
      .str();
}

std::string KernelEmitter::maskText(const Op *op, Level level) {
  Value *mask = op->kind == OpKind::Load ? op->operand(1) : op->operand(2);
  bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  Expr e =
      mask ? valueAt(mask, identityRefs(*nest_->layout), level) : primary(prefix ? "VEC" : "true");
  if (prefix && !isVectorAccess(op)) {  // a vector of one element
    e = binary(Prec::Relational, ">", e, primary("0"));
    prefix = false;
  }
  const Expr owner = op->kind == OpKind::Load ? Expr{} : ownerCondition(*nest_->layout);
  if (!owner) return e.str();
  if (prefix) return conditional(owner, e, primary("0")).str();
  return mask ? bothOf(owner, e).str() : owner.str();
}

// The vector a store takes: a loaded or computed array's, or one filled just before.
std::string KernelEmitter::vectorOperand(const Value *value) {
  const Storage &storage = stored(value);
  if (storage.isVector && storage.member.empty() && !storage.axes)
    return storageRef(storage, vars_, true).str();
  // A member of an array of structs: gathered first.
  std::string name = names_.take(value->name.empty() ? "result" : value->name),
              vec = extentName(*nest_->layout, vectorAxis_);
  const std::string &var = vars_[vectorAxis_];
  line("tile2cu::vec<" + elementTypeName(value->type) + ", " + vec + "> " + name + ";");
  line("#pragma unroll");
  line("for (int " + var + " = 0; " + var + " < " + vec + "; ++" + var + ") {");
  line(name + "[" + var + "] = " + storageRef(storage, vars_).str() + ";");
  line("}");
  return name;
}

// Where the nest's vector stands in shared memory, whole.
std::string KernelEmitter::sharedVector(const Op *op) {
  std::vector<std::string> vars = vars_;
  vars[vectorAxis_] = "0";
  // The compiler would take bytes apart and put them together again.
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const bool isInWords = op->kind == OpKind::SharedLoad && byteWidth(buffer.members[0]) == 1 &&
                         sharedPiece(op) % 4 == 0;
  return std::string(isInWords ? "tile2cu::load_vec<" : "tile2cu::as_vec<") +
         extentName(*nest_->layout, vectorAxis_) + ">(&" + sharedPlace(op, vars) + ")";
}

bool KernelEmitter::isInPieces(const Op *op) {
  return sharedPiece(op) != vectorAxisOf(*nest_->layout)->extent;
}

// Calls `access` in a loop over the pieces of a vector, with where they stand in shared memory and in the variable `vector`.
void KernelEmitter::forPieces(
    const Op *op, const std::string &vector,
    llvm::function_ref<void(const std::string &place, const std::string &part)> access) {
  const std::string piece = std::to_string(sharedPiece(op)), &first = vars_[vectorAxis_];
  names_.open();
  line("#pragma unroll");
  line("for (int " + first + " = 0; " + first + " < " + extentName(*nest_->layout, vectorAxis_) +
       "; " + first + " += " + piece + ") {");
  access("&" + sharedPlace(op, vars_), "&" + vector + "[" + first + "]");
  line("}");
  names_.close();
}

void KernelEmitter::loadPieces(const Op *op) {
  const Value *result = op->result();
  auto stored = storage_.find(result);
  const bool isNew = stored == storage_.end();
  if (isNew)
    stored =
        storage_.emplace(result, localVector(result->name.empty() ? "moved" : result->name)).first;
  const std::string vector = storageRef(stored->second, vars_, true).str();
  if (isNew)
    line("tile2cu::vec<" + elementTypeName(result->type) + ", " +
         extentName(*nest_->layout, vectorAxis_) + "> " + vector + ";");
  else if (undeclared_.erase(result))
    line(declare(result->type, stored->second.name));
  const std::string piece = "tile2cu::as_vec<" + std::to_string(sharedPiece(op)) + ">(";
  forPieces(op, vector, [&](const std::string &place, const std::string &part) {
    line(piece + part + ") = " + piece + place + ");");
  });
}

void KernelEmitter::vectorAccess(Op *op) {
  const Layout &layout = *nest_->layout;
  std::string vec = extentName(layout, vectorAxis_);
  bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  auto refs = identityRefs(layout);
  if (op->kind == OpKind::AsyncCopy) {
    asyncCopy(op, Level::Vector);
    return;
  }
  if (op->kind == OpKind::SharedStore) {
    const std::string value = vectorOperand(op->operand(0)),
                      condition = guard(ownerCondition(layout));
    if (!isInPieces(op)) return line(condition + sharedVector(op) + " = " + value + ";");
    const std::string piece = std::to_string(sharedPiece(op)) + ">(",
                      asVector = "tile2cu::as_vec<" + piece;
    // Nor does it keep small elements of a part of a vector together.
    const bool isInWords = byteWidth(op->operand(0)->type.scalar()) <= 2;
    return forPieces(op, value, [&](const std::string &place, const std::string &part) {
      line(condition + (isInWords ? "tile2cu::store_vec<" + piece + place + ", " + part + ");"
                                  : asVector + place + ") = " + asVector + part + ");"));
    });
  }
  if (op->kind == OpKind::Store || op->kind == OpKind::AtomicAdd) {
    std::string pointer = pointerText(op, Level::Vector), mask = maskText(op, Level::Vector),
                value = vectorOperand(op->operand(1));
    std::string helper, cache;
    if (op->kind == OpKind::Store) {
      helper = prefix ? "store_prefix<" : "store_if<";
      cache = cacheArgument(op, false);
    } else {
      T2C_ASSERT(!op->has(Attr::fences));
      helper = prefix ? "reduce_add_prefix<" : "reduce_add_vector_if<";
    }
    line("tile2cu::" + helper + vec + cache + ">(" + mask + ", " + pointer + ", " + value + ");");
    return;
  }
  std::string value;
  if (op->kind == OpKind::SharedLoad) {
    if (isInPieces(op)) return loadPieces(op);
    value = sharedVector(op);
  } else if (op->kind == OpKind::Cast) {
    value =
        "tile2cu::" + std::string(vectorConversion(op)) + "(" + vectorOperand(op->operand(0)) + ")";
  } else if (op->kind == OpKind::RandomBits) {
    Expr offset = valueAt(op->operand(1), operandRefs(op, op->operand(1), refs), Level::Vector);
    value = "tile2cu::random_bits<" + vec + ">(" + scalar(op->operand(0)).str() + ", " +
            offset.str() + ")";
  } else {
    std::string mask = maskText(op, Level::Vector), pointer = pointerText(op, Level::Vector);
    Scalar type = op->result()->type.scalar();
    Expr other =
        op->operand(2) ? valueAt(op->operand(2), refs, Level::Vector) : literal(type, int64_t{0});
    value = "tile2cu::" + std::string(prefix ? "load_prefix<" : "load_if<") + vec +
            cacheArgument(op, false) + ">(" + mask + ", " + pointer + ", " + other.str() + ")";
  }
  auto stored = storage_.find(op->result());
  if (stored != storage_.end()) {
    if (undeclared_.erase(op->result()))
      line(declare(op->result()->type, stored->second.name, value));
    else
      line(storageRef(stored->second, vars_, true).str() + " = " + value + ";");
    return;
  }
  Storage storage = localVector(!op->result()->name.empty()      ? op->result()->name
                                : op->kind == OpKind::Load       ? "loaded"
                                : op->kind == OpKind::Cast       ? "converted"
                                : op->kind == OpKind::SharedLoad ? "moved"
                                                                 : "bits");
  // Parts of what is converted may be stored one by one: as_vec takes no constants.
  line(std::string(op->kind == OpKind::Cast ? "" : "const ") + "tile2cu::vec<" +
       elementTypeName(op->result()->type) + ", " + vec + "> " + storage.name + " = " + value +
       ";");
  storage_[op->result()] = storage;
}

// One vector of the nest's layout, a variable of the loop's body.
KernelEmitter::Storage KernelEmitter::localVector(const std::string &name) {
  Storage storage;
  storage.name = names_.take(name);
  storage.layout = nest_->layout;
  storage.isVector = storage.oneVector = true;
  return storage;
}

// ---- elements

// The helper of an atomic: `relaxed`, or for one that orders more than itself or is seen by more than the device
// `ordered`<tile2cu::memory_order::release>.
std::string KernelEmitter::atomicHelper(const Op *op, const char *relaxed, const char *ordered) {
  const auto order = op->get(Attr::fences);
  const bool isWide = op->get(Attr::scope) == AtomicScope::System;
  if (!order && !isWide) return std::string("tile2cu::") + relaxed;
  return std::string("tile2cu::") + ordered +
         "<tile2cu::memory_order::" + wordOf(order.value_or(MemoryOrder::Relaxed)).str() +
         (isWide ? ", tile2cu::scope::system" : "") + ">";
}

// tile2cu::load_element_if<tile2cu::cache::cg>: the helper that loads or stores one element.
std::string KernelEmitter::elementHelper(const Op *op) {
  const std::string cache = cacheArgument(op, true);
  return std::string("tile2cu::") + (op->kind == OpKind::Load ? "load" : "store") + "_element_if" +
         (cache.empty() ? "" : "<" + cache + ">");
}

void KernelEmitter::elementAccess(Op *op) {
  auto refs = identityRefs(*nest_->layout);
  std::string pointer = pointerText(op, Level::Element), mask = maskText(op, Level::Element);
  if (op->kind == OpKind::Load) {
    Scalar type = op->result()->type.scalar();
    Expr other =
        op->operand(2) ? valueAt(op->operand(2), refs, Level::Element) : literal(type, int64_t{0});
    std::string value = elementHelper(op) + "(" + mask + ", " + pointer + ", " + other.str() + ")";
    auto stored = storage_.find(op->result());
    if (stored != storage_.end()) {
      if (!declareWith(op->result(), primary(value)))
        line(storageRef(stored->second, vars_).str() + " = " + value + ";");
      return;
    }
    std::string name =
        names_.take(op->result()->name.empty() ? "loaded" : singular(op->result()->name));
    line("const " + elementTypeName(op->result()->type) + " " + name + " = " + value + ";");
    elementExprs_[op->result()] = remembered(primary(name));
    return;
  }
  std::string value = valueAt(op->operand(1), refs, Level::Element).str();
  if (op->kind == OpKind::Store) {
    line(elementHelper(op) + "(" + mask + ", " + pointer + ", " + value + ");");
    return;
  }
  if (op->result()->unused()) {
    line(atomicHelper(op, "reduce_add_if", "ordered_add_if") + "(" + mask + ", " + pointer + ", " +
         value + ");");
    return;
  }
  std::string call = atomicHelper(op, "atomic_add_if", "ordered_add_if") + "(" + mask + ", " +
                     pointer + ", " + value + ")";
  auto stored = storage_.find(op->result());
  if (stored != storage_.end()) {
    if (!declareWith(op->result(), primary(call)))
      line(storageRef(stored->second, vars_).str() + " = " + call + ";");
    return;
  }
  std::string name = names_.take(op->result()->name.empty() ? "old" : singular(op->result()->name));
  line("const " + elementTypeName(op->result()->type) + " " + name + " = " + call + ";");
  elementExprs_[op->result()] = remembered(primary(name));
}

// tile2cu::swizzle<BLOCK_K>(row, column): the element's place in a tile whose chunks are swizzled.
std::string KernelEmitter::swizzled(const SharedBuffer &shared, llvm::ArrayRef<int64_t> strides,
                                    llvm::ArrayRef<Expr> at) {
  const int64_t columns = shared.shape.back(), width = byteWidth(shared.members[0]);
  Expr row = primary("0"), column = primary("0");
  for (size_t d = 0; d < at.size(); ++d) {
    if (strides[d] == 1)
      column = sum(column, at[d]);
    else
      row = sum(row, product(at[d], literal(Scalar::I32, strides[d] / columns)));
  }
  std::string chunk = width == 2 ? "" : ", " + std::to_string(16 / width);
  if (shared.panel && shared.panel != columns)
    return "tile2cu::swizzle_panels<" + number(shared.shape.front()).str() + ", " +
           std::to_string(shared.panel) + chunk + ">(" + row.str() + ", " + column.str() + ")";
  return "tile2cu::swizzle<" + number(columns).str() + chunk + ">(" + row.str() + ", " +
         column.str() + ")";
}

// The elements from one row of a shared tile to the next: BLOCK_N + 8 where rows are padded.
Expr KernelEmitter::rowPitch(const SharedBuffer &shared) {
  const int64_t pitch = shared.shape.back();
  if (std::has_single_bit(uint64_t(pitch)) || shared.swizzled || shared.shape.size() < 2)
    return number(pitch, Scalar::I32, 2);
  for (int64_t padding = 1; padding <= 16; padding *= 2)
    if (Expr columns = number(pitch - padding, Scalar::I32, 2);
        columns.isName() || std::has_single_bit(uint64_t(pitch - padding)))
      return sum(columns, primary(std::to_string(padding)));
  return number(pitch, Scalar::I32, 2);
}

std::string KernelEmitter::sharedElement(int64_t buffer, const std::string &stage, int64_t offset,
                                         llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at) {
  const SharedBuffer &shared = kernel_.shared[buffer];
  std::string of = shared.stages > 1 ? "[" + stage + "]" : "";
  if (shared.swizzled)
    return "smem." + shared.name + of + "[" + swizzled(shared, strides, at) + "]";
  Expr index = literal(Scalar::I32, offset);
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t stride = std::abs(strides[d]);
    const bool isPitch = shared.shape.size() > 1 && stride > 1 && stride == shared.shape.back();
    Expr term = product(at[d], isPitch ? rowPitch(shared) : literal(Scalar::I32, stride));
    if (term.isLiteral("0")) continue;
    index = strides[d] < 0 ? binary(Prec::Additive, "-", index, term) : sum(index, term);
  }
  return "smem." + shared.name + of + "[" + index.str() + "]";
}

// How many sums are factors in the first term: 2 of ((a + b) * c + d) * e + f.
static int sumsAtLeft(const Expr &e) {
  if (!e.is(ExprKind::Binary)) return 0;
  const Expr &left = e.operand(0);
  const bool isFactor = e.prec() == Prec::Multiplicative && left.is(ExprKind::Binary) &&
                        left.prec() == Prec::Additive;
  return isFactor + sumsAtLeft(left);
}

// Where an element of the nest's tile stands.
std::string KernelEmitter::sharedPlace(const Op *op, llvm::ArrayRef<std::string> vars) {
  llvm::SmallVector<Expr, 4> at;
  for (unsigned d = 0; d < nest_->layout->rank(); ++d) {
    Expr e = coordinate(*nest_->layout, d, vars);
    const Names::Constant *same = names_.constant("int", e);
    std::string known = same ? same->name : "";
    // A long one gets a name, so that the place can be read.
    if (known.empty() && sumsAtLeft(e) > 1) {
      known = names_.take(nest_->layout->rank() == 1 ? "element" : d == 0 ? "row" : "column");
      line("const int " + known + " = " + e.str() + ";");
      names_.rememberConstant("int", e, known);
    }
    at.push_back(known.empty() ? e : primary(known));
  }
  const Value *stage = op->kind == OpKind::SharedStore  ? op->operand(2)
                       : op->kind == OpKind::SharedLoad ? op->operand(1)
                       : op->kind == OpKind::AsyncCopy  ? op->operand(3)
                                                        : nullptr;
  return sharedElement(op->getInt(Attr::buffer), stage ? scalar(stage).str() : "",
                       op->getInt(Attr::offset), op->getInts(Attr::strides), at);
}

void KernelEmitter::sharedAccess(Op *op) {
  const Layout &layout = *nest_->layout;
  std::string place = sharedPlace(op, vars_);
  auto refs = identityRefs(layout);
  bool isStore = op->kind == OpKind::SharedStore;
  Value *mask = op->operand(isStore ? 1 : 0);
  if (isStore) {
    Expr condition = ownerCondition(layout);
    if (mask) condition = bothOf(condition, valueAt(mask, refs, Level::Element));
    std::string value = valueAt(op->operand(0), refs, Level::Element).str();
    line(guard(condition) + place + " = " + value + ";");
    return;
  }
  Expr value = primary(place);
  if (mask)
    value = conditional(valueAt(mask, refs, Level::Element), value,
                        literal(op->result()->type.scalar(), int64_t{0}));
  auto stored = storage_.find(op->result());
  if (stored != storage_.end()) {
    if (!declareWith(op->result(), value))
      line(storageRef(stored->second, vars_).str() + " = " + value.str() + ";");
    return;
  }
  std::string name =
      names_.take(op->result()->name.empty() ? "moved" : singular(op->result()->name));
  line("const " + elementTypeName(op->result()->type) + " " + name + " = " + value.str() + ";");
  elementExprs_[op->result()] = remembered(primary(name));
}

}  // namespace tile2cu::emit
