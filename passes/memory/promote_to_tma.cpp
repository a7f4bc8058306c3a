#include "passes/memory/promote_to_tma.h"

#include <algorithm>
#include <climits>
#include <map>
#include <numeric>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/axis_info.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/mma_plan.h"
#include "passes/analysis/memory/access_overlap.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/atomic_order.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/memory/strided_box.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/memory/store_order.h"
#include "passes/rewrite/dead_code.h"
#include "passes/target/memory_system.h"
#include "passes/target/target.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

struct Promoted {
  Op *load;
  Box box;
};

class Promotion {
 public:
  Promotion(Kernel &kernel, PassContext &context)
      : kernel_(kernel),
        context_(context),
        targets_(context.targetsOf(kernel)),
        axes_(context.analyses.axes(kernel, kernel.assumptions)) {}

  void run() {
    if (!llvm::all_of(targets_, [](const Target &target) { return target.isHopper(); })) return;
    findLoads();
    for (const std::vector<Op *> &some : {loads_, computed_})
      for (const Op *load : some)
        if (isRefused(load)) return remark(load, "its loop says warp_specialize = false");
    for (Op *load : loads_)
      if (std::string why = findBox(load); !why.empty()) return remark(load, why);
    for (const Promoted &each : promoted_) noteSizes(each.box);
    const size_t direct = promoted_.size();
    for (Op *load : computed_)
      if (std::string why = findBox(load); !why.empty()) remark(load, why);
    if (promoted_.empty()) return;
    if (std::string why = warpgroupObstacle(); !why.empty())
      return remark(promoted_.front().load, why);
    for (size_t i = 0; i < direct; ++i)
      if (std::string why = loadObstacle(promoted_[i]); !why.empty())
        return remark(promoted_[i].load, why);
    keepComputed(direct);
    if (promoted_.empty()) return;
    context_.analyses.invalidate(kernel_);
    for (const Promoted &each : promoted_) convert(each);
    std::string why = dependence();
    // Consecutive loops each have their own ring; without TMA they share memory.
    const int64_t bytes = bytesOf(made_);
    if (why.empty() && bytes > sharedLimit(targets_.front()))
      why =
          fmt::format("the stages of all loops need {} bytes, more than shared memory has", bytes);
    if (!why.empty()) {
      remark(promoted_.front().load, why);
      for (Op *load : made_) load->erase();
      for (Op *map : maps_) map->erase();
      return;
    }
    for (size_t i = 0; i < made_.size(); ++i) {
      promoted_[i].load->result()->replaceAllUsesWith(made_[i]->result());
      promoted_[i].load->erase();
      context_.diagnostics.decided(DiagId::TensorPromoted, kernel_, made_[i]->loc,
                                   {fmt::format("'{}'", made_[i]->result()->name)});
    }
    promoteStores();
    kernel_.assumptions = std::move(assumptions_);
    removeDeadCode(kernel_.body);
  }

 private:
  void remark(const Op *load, const std::string &why) {
    context_.diagnostics.decided(DiagId::TensorNotPromoted, kernel_, load->loc,
                                 {fmt::format("'{}'", load->result()->name), why});
  }

  // Records the sizes that the launcher will check.
  void noteSizes(const Box &box) {
    auto note = [&](const Polynomial &size) {
      if (size.terms().size() != 1) return;
      const auto &[monomial, factor] = *size.terms().begin();
      if (monomial.size() == 1 && factor == 1) positive_.insert(monomial.front().value);
    };
    for (const BoxDim &dim : box.dims) {
      if (dim.extent) note(*dim.extent);
      note(dim.stride);
    }
  }

  // Stores of tiles, in kernels with a producer: each is decided separately.
  void promoteStores() {
    walk(kernel_.body, [&](Op *op) {
      if (accessesGlobal(op)) accesses_.push_back(op);
    });
    int64_t room = sharedLimit(targets_.front()) - bytesOf(made_) - reserved_;
    for (Op *store : std::vector<Op *>(accesses_)) {
      if (store->kind != OpKind::Store || !store->operand(0)->type.isTile()) continue;
      std::string why;
      const Assumptions assumptions = assumptions_;
      const std::set<const Value *> positive = positive_;
      auto box = boxOf(kernel_, store->operand(0), store->operand(2), symbols_, why);
      if (box) noteSizes(*box);
      if (box) why = storeObstacle(store, *box);
      if (why.empty() && llvm::any_of(accesses_, [&](const Op *access) {
            return releases(kernel_, access, store);
          }))
        why = "an atomic or a text of this kernel may release what it stores";
      const int64_t bytes = bytesOf(store->operand(1)->type);
      if (why.empty() && bytes > room)
        why = "shared memory has no room for it next to the stages of the loads";
      if (!why.empty()) {
        assumptions_ = assumptions;
        positive_ = positive;
        context_.diagnostics.decided(DiagId::TensorNotStored, kernel_, store->loc, {why});
        continue;
      }
      room -= bytes;
      context_.diagnostics.decided(DiagId::TensorStored, kernel_, store->loc, {});
      convertStore(store, *box);
    }
  }

  static int64_t bytesOf(const Type &type) { return type.numElements() * byteWidth(type.scalar()); }

  // The maximum shared memory of the loads, with all stages.
  int64_t bytesOf(llvm::ArrayRef<Op *> loads) const {
    int64_t bytes = 0;
    for (const Op *load : loads) bytes += stagesAround(load) * (bytesOf(load->result()->type) + 16);
    return bytes + 1024;  // alignment
  }

  int64_t stagesAround(const Op *load) const {
    int64_t stages = 1;
    for (const Op *op = load->parentOp(); op; op = op->parentOp())
      if (isLoop(op)) stages = std::max<int64_t>(stages, stagesOf(op, kernel_));
    return stages;
  }

  void convertStore(Op *store, const Box &box) {
    Op *map = mapOf(store, store->operand(1)->type, box);
    Builder b = Builder::before(store);
    llvm::SmallVector<Value *, 6> operands{map->result(), store->operand(1)};
    for (const BoxDim &dim : box.dims) operands.push_back(coordinate(b, dim, store));
    Op *copy = b.create(OpKind::TensorStore, operands, {});
    copy->setInt(Attr::contiguous_dim, box.dims.front().tileDim);
    for (unsigned d = 1; d < box.dims.size(); ++d)
      if (box.dims[d].tileDim >= 0) copy->setInt(Attr::row_dim, d);
    if (const auto order = storeOrder(kernel_, store, box, overlaps_, *axes_))
      copy->set(Attr::store_order, *order);
    llvm::erase(accesses_, store);
    store->erase();
  }

  // The loads that are operands of dots, and those in loops from which operands are computed.
  void findLoads() {
    walk(kernel_.body, [&](Op *op) {
      if (op->kind != OpKind::Dot) return;
      dots_.push_back(op);
      for (unsigned i : {0u, 1u}) {
        Op *source = untransposed(op->operand(i)).tile->definition;
        if (source && source->kind == OpKind::Load && !llvm::is_contained(loads_, source))
          loads_.push_back(source);
      }
    });
    for (const Op *dot : dots_)
      for (unsigned i : {0u, 1u}) findComputed(untransposed(dot->operand(i)).tile);
    llvm::erase_if(computed_, [&](Op *load) { return llvm::is_contained(loads_, load); });
  }

  void findComputed(Value *tile) {
    Op *op = tile->definition;
    if (!op || !seen_.insert(op).second) return;
    if (op->kind == OpKind::Load && op->result()->type.rank() == 2 && loopAround(op->parent))
      computed_.push_back(op);
    if (!op->is(Elementwise) && !op->is(View) && !op->is(Moves)) return;
    for (Value *operand : op->operands())
      if (operand && operand->type.isTile()) findComputed(operand);
  }

  // Whether an enclosing loop asks for no producer warp.
  static bool isRefused(const Op *load) {
    for (const Op *op = load->parentOp(); op; op = op->parentOp())
      if (op->has(Attr::warp_specialize) && !op->getBool(Attr::warp_specialize)) return true;
    return false;
  }

  std::string findBox(Op *load) {
    std::string why;
    auto box = boxOf(kernel_, load->operand(0), load->operand(1), symbols_, why);
    if (!box) return why;
    promoted_.push_back({load, std::move(*box)});
    return "";
  }

  // Loads after the first `direct` ones, from which operands are computed, may also remain ordinary
  // loads.
  void keepComputed(size_t direct) {
    std::vector<Promoted> all = std::move(promoted_);
    promoted_.assign(all.begin(), all.begin() + direct);
    std::vector<Op *> loads;
    for (const Promoted &each : promoted_) loads.push_back(each.load);
    // Shared memory also holds the computed tiles, with as many stages, and the buffers of
    // reductions and layout conversions.
    int64_t rest = tunables().tma_reserved_bytes;
    for (const Op *dot : dots_)
      for (unsigned i : {0u, 1u}) {
        const Op *tile = untransposed(dot->operand(i)).tile->definition;
        if (!tile || llvm::is_contained(loads, tile)) continue;
        rest += stagesAround(tile) * bytesOf(dot->operand(i)->type);
      }
    const int64_t limit = sharedLimit(targets_.front(), kernel_.options.minBlocks);
    for (size_t i = direct; i < all.size(); ++i) {
      const Assumptions assumptions = assumptions_;
      const std::set<const Value *> positive = positive_;
      noteSizes(all[i].box);
      std::string why = loadObstacle(all[i]);
      loads.push_back(all[i].load);
      if (why.empty() && bytesOf(loads) + rest > limit)
        why = "shared memory has no room for its stages and those of what is computed from it";
      if (why.empty()) {
        reserved_ = rest;
        promoted_.push_back(std::move(all[i]));
        continue;
      }
      assumptions_ = assumptions;
      positive_ = positive;
      loads.pop_back();
      remark(all[i].load, why);
    }
  }

  // The reason why not all dots are wgmmas whose operands are in shared memory as TMA loads them.
  // TMA adds no padding, so the whole tile has to suit. In a chain of dots the warps are
  // distributed over rows, so that layout has to suit if there may be a chain.
  std::string warpgroupObstacle() {
    const bool mayChain = dots_.size() > 1 || llvm::any_of(dots_, [](const Op *dot) {
                            return isComputedFromDot(untransposed(dot->operand(0)).tile);
                          });
    ContiguousDims contiguous;
    for (const Promoted &each : promoted_) contiguous[each.load] = each.box.dims.front().tileDim;
    for (const Op *dot : dots_) {
      std::string why;
      auto plan = mmaPlan(dot, kernel_.options.numWarps, targets_, mayChain, why, contiguous);
      if (!plan || !plan->groupColumns) return "a dot of this kernel is not wgmma";
      if (plan->layout->isPadded() || dot->operand(0)->type.shape()[1] % plan->shape->k != 0)
        return "a dot of this kernel is padded, and TMA adds no padding";
    }
    return "";
  }

  // Whether a tile may be computed from an accumulator, for example one that a loop carries.
  static bool isComputedFromDot(const Value *tile, unsigned depth = 0) {
    constexpr unsigned kDeepest = 32;
    const Op *op = tile->definition;
    if (!op || !op->regions.empty() || op->kind == OpKind::Dot || depth > kDeepest) return true;
    if (!op->is(Elementwise) && !op->is(View) && !op->is(Moves)) return false;
    return llvm::any_of(op->operands(), [&](const Value *operand) {
      return operand && operand->type.isTile() && isComputedFromDot(operand, depth + 1);
    });
  }

  // The reason why TMA cannot load a box.
  std::string loadObstacle(const Promoted &each) {
    const Op *load = each.load;
    if (!load->getBool(Attr::read_only)) return "the kernel may write what it loads";
    if (Value *other = load->operand(2); other && !isZero(other))
      return "elements outside are not 0";
    if (!loopAround(load->parent) && !feedsOnlyDots(load->result()))
      return "it is used in other ways too";
    return obstacle(load, load->result()->type, each.box);
  }

  // The same for stores. The copies complete late and in any order: nothing else may write to that
  // memory or read it.
  std::string storeObstacle(const Op *store, const Box &box) {
    for (const Op *other : accesses_)
      if (other != store && alias(kernel_, store, other) != Alias::None)
        return "the kernel touches the same memory in other ways";
    for (const Op *op = store->parentOp(); op; op = op->parentOp())
      if (op->kind == OpKind::While) return "it is in a loop without bounds";
    // The hardware writes chunks of 16 bytes: if an array's row ends within a chunk, also the rest
    // of it.
    const auto &extent = box.dims.front().extent;
    const Polynomial bytes(byteWidth(store->operand(1)->type.scalar()));
    if (extent && !divides(*extent * bytes, kTmaAlignment))
      return "the rows of its array may not end at multiples of 16 bytes";
    return obstacle(store, store->operand(1)->type, box);
  }

  std::string obstacle(const Op *access, const Type &type, const Box &box) {
    const int64_t bytes = byteWidth(type.scalar()), row = box.dims.front().size;
    if (access->has(Attr::cache) || access->has(Attr::evict)) return "it has a cache hint";
    if (type.rank() != 2) return "it does not have two dimensions";
    for (int64_t size : type.shape())
      if (size == 1) return "it does not have two dimensions";
    if (row * bytes % 32 != 0) return "its rows are not multiples of 32 bytes";
    // A stage, or a panel, consists of whole chunks.
    if (type.numElements() / row % kSwizzleRows != 0)
      return "its number of rows is not a multiple of 8, the period of the shared memory swizzle";
    for (const BoxDim &dim : llvm::drop_begin(box.dims))
      if (dim.size > kTmaBoxExtent) return "it has more than 256 rows";
    if (!divides(Polynomial(Atom{box.pointer}), kTmaAlignment) ||
        !divides(box.offset * Polynomial(bytes), kTmaAlignment))
      return "its array may not begin at a multiple of 16 bytes";
    for (const BoxDim &dim : llvm::drop_begin(box.dims))
      if (!divides(dim.stride * Polynomial(bytes), kTmaAlignment))
        return "the rows of its array may not begin at multiples of 16 bytes";
    // At other coordinates the copy is an illegal instruction.
    if (!divides(box.dims.front().start * Polynomial(bytes), kTmaAlignment))
      return "its rows may not begin at multiples of 16 bytes";
    for (const BoxDim &dim : box.dims)
      if ((!dim.isBoundedBelow || access->kind == OpKind::Store) && !isNonNegative(dim.start))
        return "its coordinates may be negative" + culprit(dim.start);
    return "";
  }

  // ", as 'k' may be": the first named value in a polynomial that may be negative.
  std::string culprit(const Polynomial &sum) {
    for (const auto &[monomial, factor] : sum.terms())
      for (const Atom &atom : monomial)
        if (!atom.value->name.empty() && !isNonNegative(Polynomial(atom)))
          return fmt::format(", as '{}' may be", atom.value->name);
    return "";
  }

  // Whether every term is a multiple of `divisor`. If that depends on an integer argument, its
  // divisibility becomes an assumption that the launcher checks.
  bool divides(const Polynomial &sum, int64_t divisor) {
    for (const auto &[monomial, factor] : sum.terms()) {
      if (axes_->divisorOf(monomial, factor, divisor) == divisor) continue;
      // For a quotient by a constant, the dividend has to be a multiple of the product.
      const Value *argument = monomial.size() == 1 ? monomial.front().value : nullptr;
      int64_t times = 1;
      while (argument && argument->definition && !argument->type.isTile()) {
        const Op *op = argument->definition;
        const int64_t by = op->kind == OpKind::Div ? constantInt(op->operand(1)).value_or(0) : 0;
        if (by > 0 && llvm::isPowerOf2_64(by))  // as in all assumptions
          times *= by;
        else if (op->kind != OpKind::Cast || !isSigned(op->operand(0)->type.scalar()))
          break;
        argument = op->operand(0);
      }
      if (!argument || !argument->isArgument() || argument->owner != &kernel_.body) return false;
      int64_t &assumed = assumptions_.divisibility.try_emplace(argument->index, 1).first->second;
      assumed = std::max(assumed, times * divisor / std::gcd(factor, divisor));
    }
    return true;
  }

  // Whether the polynomial is 0 or more in every program that runs. A negative term may be a value
  // with an upper bound, such as a program id, which is less than the extent of the grid.
  bool isNonNegative(const Polynomial &sum) {
    const Integers integers(Assume::Launched, positive_);
    Polynomial least;
    for (const auto &[monomial, factor] : sum.terms()) {
      Value *bound = factor < 0 && monomial.size() == 1
                         ? integers.exclusiveBound(monomial.front().value)
                         : nullptr;
      if (bound)
        least = least + Polynomial(factor) * (*symbols_.of(bound) - Polynomial(1));
      else
        least.add(monomial, factor);
    }
    return integers.isNonNegative(least);
  }

  // ---- the rewrite

  // A value that the launcher knows, also available at the start of the kernel.
  static Value *onHost(Builder &b, Value *value) {
    if (value->isArgument()) return value;
    const Op *op = value->definition;
    llvm::SmallVector<Value *, 2> operands;
    for (Value *operand : op->operands()) operands.push_back(onHost(b, operand));
    Op *copy = b.create(op->kind, operands, {value->type}, value->name);
    copy->attributes = op->attributes;
    return copy->result();
  }
  Polynomial onHost(Builder &b, const Polynomial &sum) const {
    Polynomial result;
    std::map<Value *, Value *> copies;
    for (const auto &[monomial, factor] : sum.terms()) {
      Polynomial::Monomial copied;
      for (const Atom &atom : monomial) {
        Value *&copy = copies[atom.value];
        if (!copy) copy = onHost(b, atom.value);
        copied.push_back(Atom{copy});
      }
      std::sort(copied.begin(), copied.end());
      result.add(copied, factor);
    }
    return result;
  }

  static Value *product(Builder &b, const Polynomial::Monomial &monomial, int64_t factor) {
    Value *value = nullptr;
    auto times = [&](Value *other) { value = value ? b.binary(OpKind::Mul, value, other) : other; };
    for (const Atom &atom : monomial) times(b.cast(atom.value, Scalar::I64));
    if (factor != 1 || !value) times(b.constant(Scalar::I64, factor));
    return value;
  }

  // A 64-bit scalar; a kernel argument remains as it is.
  Value *materialize(Builder &b, const Polynomial &sum) {
    if (sum.isZero()) return b.constant(Scalar::I64, 0);
    if (sum.terms().size() == 1) {
      const auto &[monomial, factor] = *sum.terms().begin();
      if (monomial.size() == 1 && factor == 1) return monomial.front().value;
    }
    Value *value = nullptr;
    for (const auto &[monomial, factor] : sum.terms()) {
      const bool isLess = value && factor < 0;
      Value *term = product(b, monomial, isLess ? -factor : factor);
      value = value ? b.binary(isLess ? OpKind::Sub : OpKind::Add, value, term) : term;
    }
    return value;
  }

  // A scalar with the value of `sum`, computed from available scalars.
  Value *scalar(Builder &b, const Polynomial &sum, Op *point) {
    if (Value *whole = symbols_.find(sum, point)) return whole;
    Value *part = symbols_.findPart(sum, point);
    if (!part) return materialize(b, sum);
    Value *rest = scalar(b, sum - *symbols_.of(part), point);
    return b.binary(OpKind::Add, b.cast(part, Scalar::I64), b.cast(rest, Scalar::I64));
  }

  // A coordinate in 32 bits; a value that does not fit is outside of every array.
  Value *coordinate(Builder &b, const BoxDim &dim, Op *point) {
    const Polynomial &start = dim.start;
    // Coordinates of boxes outside of all arrays load zeros, however far outside they are.
    if (auto number = start.constant())
      return b.constant(Scalar::I32, std::clamp(*number, -kMaxExtent, kMaxExtent));
    Value *value = scalar(b, start, point);
    if (value->type.scalar() == Scalar::I32) return value;
    auto range = rangeOf(value, Assume::Launched);
    const bool isSigned = dim.isBoundedBelow && !isNonNegative(start);
    if (range && range->high <= kMaxExtent && (!isSigned || range->low >= -kMaxExtent))
      return b.cast(value, Scalar::I32);
    Op *narrow = b.create(OpKind::Coordinate, {b.cast(value, Scalar::I64)}, {Type(Scalar::I32)});
    if (isSigned) narrow->setBool(Attr::may_be_negative, true);
    return narrow->result();
  }

  // The map of an array at the start of the kernel, one for all copies of such a box.
  Op *mapOf(const Op *access, const Type &type, const Box &of) {
    llvm::SmallVector<int64_t, 4> box;
    for (const BoxDim &dim : of.dims) box.push_back(dim.size);
    box.front() = panelColumns(box.front(), byteWidth(type.scalar()));
    // Placed before every access, also if the kernel checks something (require) after its first
    // access.
    Op *last = nullptr;
    for (auto &op : kernel_.body.ops) {
      if (op->is(Reads) || op->is(Writes) || !op->regions.empty()) break;
      if (op->is(Host)) last = op.get();
    }
    Builder b = last ? Builder::after(last) : Builder::before(kernel_.body.front());
    b.loc = access->loc;
    b.loc.statement = -1;
    Value *array = of.pointer;
    if (!of.offset.isZero()) array = b.addptr(array, materialize(b, onHost(b, of.offset)));
    llvm::SmallVector<Value *, 10> operands{array};
    for (const BoxDim &dim : of.dims)
      operands.push_back(dim.extent
                             ? materialize(b, onHost(b, *dim.extent))
                             : b.constant(Scalar::I64, dim.start.isZero() ? dim.size : kMaxExtent));
    for (const BoxDim &dim : llvm::drop_begin(of.dims))
      operands.push_back(materialize(b, onHost(b, dim.stride)));
    for (Op *other : maps_) {
      auto same = [](const Value *x, const Value *y) {
        return x == y || (constantInt(x) && constantInt(x) == constantInt(y));
      };
      if (other->getInts(Attr::box) == box && llvm::equal(other->operands(), operands, same))
        return other;
    }
    Op *map = b.create(OpKind::TensorMap, operands, {Type(Scalar::U64)},
                       freeName(kernel_.parameters[of.pointer->index].identifier() + "_map"));
    map->set(Attr::box, box);
    map->setInt(Attr::rank, box.size());
    map->setInt(Attr::parameter, of.pointer->index);
    maps_.push_back(map);
    return map;
  }

  std::string freeName(const std::string &wanted) const {
    std::string name = wanted;
    auto taken = [&] {
      return llvm::any_of(kernel_.parameters,
                          [&](const Parameter &p) { return p.identifier() == name; }) ||
             llvm::any_of(maps_, [&](Op *map) { return map->result()->name == name; });
    };
    for (int i = 2; taken(); ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

  void convert(const Promoted &each) {
    Op *map = mapOf(each.load, each.load->result()->type, each.box);
    Builder b = Builder::before(each.load);
    llvm::SmallVector<Value *, 6> operands{map->result()};
    for (const BoxDim &dim : each.box.dims) operands.push_back(coordinate(b, dim, each.load));
    Op *load = b.create(OpKind::TensorLoad, operands, {each.load->result()->type},
                        each.load->result()->name);
    load->setInt(Attr::contiguous_dim, each.box.dims.front().tileDim);
    made_.push_back(load);
  }

  // The reason why a producer thread cannot run ahead and start the copies: what their coordinates
  // depend on.
  std::string dependence() {
    const Needed needed = neededBy(kernel_.body, [&](const Op &op) {
      return llvm::is_contained(made_, &op) || op.kind == OpKind::Return;
    });
    for (const Value *value : needed.values) {
      const Op *op = value->definition;
      if (value->type.isTile()) return "where they are copied depends on a tile";
      if (op && op->kind == OpKind::Load && !isReadOnly(kernel_, op))
        return "where they are copied depends on what the kernel may write";
      if (op && (op->is(Writes) || op->kind == OpKind::Reduce))
        return "where they are copied depends on a result of the kernel";
    }
    return "";
  }

  Kernel &kernel_;
  PassContext &context_;
  std::vector<Target> targets_;  // of the kernel
  std::shared_ptr<const AxisAnalysis> axes_;
  Symbols symbols_;
  AccessOverlaps overlaps_;
  Assumptions assumptions_ = kernel_.assumptions;
  std::vector<Op *> dots_, loads_, computed_, made_, maps_, accesses_;
  std::vector<Promoted> promoted_;
  int64_t reserved_ = 0;              // bytes of shared memory for other buffers
  std::set<const Op *> seen_;         // visited between dots and loads
  std::set<const Value *> positive_;  // according to the launcher's checks
};

}  // namespace

llvm::LogicalResult promote_to_tma(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels)
    if (kernel.scalarVariant || kernel.forHopper) Promotion(kernel, context).run();
  return llvm::success();
}

}  // namespace tile2cu::passes
