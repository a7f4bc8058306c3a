#include "passes/analysis/memory/alias.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Finds the base of a pointer. A value carried by a loop is assumed to keep its initial base while
// the search checks that every iteration yields a pointer with this base (and not, say, one to
// another array, because the loop swaps two pointers).
struct BaseSearch {
  std::map<const Value *, unsigned> carried = {};

  std::optional<unsigned> ofCarried(Op *loop, unsigned i) {
    const Value *argument = ForOp(loop).carried(i);
    if (auto it = carried.find(argument); it != carried.end()) return it->second;
    auto base = of(ForOp(loop).init(i));
    if (!base) return std::nullopt;
    carried[argument] = *base;
    llvm::SmallVector<Op *, 4> ends(exitsOf(loop, true, true));
    if (Op *end = loop->region()->terminator()) ends.push_back(end);
    for (const Op *end : ends)
      if (of(end->operand(i)) != base) return std::nullopt;
    return base;
  }

  std::optional<unsigned> of(const Value *pointer) {
    while (pointer) {
      if (pointer->isArgument()) {
        Op *loop = pointer->owner->parent;
        if (!loop && pointer->type.isPointer()) return pointer->index;
        if (!loop || loop->kind != OpKind::For || pointer->index == 0) return std::nullopt;
        return ofCarried(loop, pointer->index - 1);
      }
      Op *op = pointer->definition;
      if (op->kind == OpKind::For) return ofCarried(op, pointer->index);
      if (!op->is(View) && op->kind != OpKind::AddPtr && op->kind != OpKind::Splat)
        return std::nullopt;
      pointer = op->operand(0);
    }
    return std::nullopt;
  }
};

// Finds all bases of a pointer: those of both sides of a choice and of all values that a loop
// carries.
struct BasesSearch {
  std::set<unsigned> bases = {};
  std::set<const Value *> seen = {};

  // The values that a region of the operation yields as its result, or as what it carries, `i`.
  bool addYielded(const Op *op, unsigned i) {
    return llvm::all_of(op->regions, [&](const auto &region) {
      const Op *end = region->terminator();
      return end && end->kind == OpKind::Yield ? add(end->operand(i)) : true;
    });
  }

  bool addCarried(Op *loop, unsigned i) {
    return add(ForOp(loop).init(i)) && addYielded(loop, i) &&
           llvm::all_of(exitsOf(loop, true, true),
                        [&](const Op *end) { return add(end->operand(i)); });
  }

  // False if one of them is unknown.
  bool add(const Value *pointer) {
    if (!pointer || !seen.insert(pointer).second) return pointer != nullptr;
    if (pointer->isArgument()) {
      Op *loop = pointer->owner->parent;
      if (!loop) bases.insert(pointer->index);
      if (!loop) return pointer->type.isPointer();
      return loop->kind == OpKind::For && pointer->index > 0 &&
             addCarried(loop, pointer->index - 1);
    }
    Op *op = pointer->definition;
    if (op->kind == OpKind::Constant || op->kind == OpKind::Table) return true;
    if (op->kind == OpKind::AsPointer) bases.insert(kLoadedBase);
    if (op->kind == OpKind::AsPointer) return true;
    if (op->kind == OpKind::Select) return add(op->operand(1)) && add(op->operand(2));
    if (op->kind == OpKind::If) return addYielded(op, pointer->index);
    if (op->kind == OpKind::For) return addCarried(op, pointer->index);
    // A bitcast changes what is const.
    const bool keepsBase = op->is(View) || op->kind == OpKind::AddPtr ||
                           op->kind == OpKind::Splat || op->kind == OpKind::Bitcast;
    return keepsBase && add(op->operand(0));
  }
};

}  // namespace

std::optional<std::set<unsigned>> basePointers(const Value *pointer) {
  BasesSearch search;
  if (!search.add(pointer)) return std::nullopt;
  return std::move(search.bases);
}

TableOp tableOf(const Value *pointer) {
  for (const Op *op = pointer->definition; op; op = op->operand(0)->definition) {
    if (const auto table = TableOp::of(op)) return table;
    if (!op->is(View) && op->kind != OpKind::AddPtr && op->kind != OpKind::Splat) break;
  }
  return {};
}

std::optional<unsigned> basePointer(const Value *pointer) { return BaseSearch().of(pointer); }

bool sameTree(const Value *a, const Value *b) {
  if (a == b) return true;
  if (!a || !b || !a->definition || !b->definition) return false;
  const Op *x = a->definition, *y = b->definition;
  bool scalarPure = x->is(Pure) && !a->type.isTile() && x->regions.empty();
  if (!isRematerializable(x) && !scalarPure) return false;
  if (x->kind != y->kind || x->attributes != y->attributes || !(a->type == b->type) ||
      x->numOperands() != y->numOperands() || a->index != b->index)
    return false;
  for (unsigned i = 0; i < x->numOperands(); ++i) {
    if (!x->operand(i) != !y->operand(i)) return false;
    if (x->operand(i) && !sameTree(x->operand(i), y->operand(i))) return false;
  }
  return true;
}

// Whether the caller chose the number: a parameter, or a value computed from parameters only. A
// program id or a loop variable may be 0, and loaded values may be anything.
static bool isOfCaller(const Value *value) {
  std::set<const Value *> seen;
  llvm::SmallVector<const Value *, 8> open{value};
  while (!open.empty()) {
    const Value *at = open.pop_back_val();
    if (!seen.insert(at).second) continue;
    if (at->type.isTile() || at->type.isPointer()) return false;
    if (at->definition && at->definition->kind == OpKind::ProgramId) return false;
    if (at->isArgument() ? at->owner->parent != nullptr
                         : !at->definition->is(Pure) || !at->definition->regions.empty())
      return false;
    if (!at->isArgument()) llvm::append_range(open, at->definition->operands());
  }
  return true;
}

// Whether the elements of a tile of pointers visibly have distinct addresses: the address is a sum
// of coordinates, each times a factor that separates it from the others. Rows whose distance is a
// kernel argument are assumed not to overlap.
static bool hasDistinctElements(Value *pointers) {
  const auto sum = Symbols().of(pointers);
  if (!sum) return false;
  const auto &shape = pointers->type.shape();
  std::vector<int64_t> strides(shape.size(), 0);
  std::vector<bool> areRows(shape.size(), false);  // their distance is a kernel argument
  for (const auto &[factors, number] : sum->terms()) {
    llvm::SmallVector<unsigned, 2> dims;
    for (const Atom &atom : factors)
      if (!atom.value) dims.push_back(atom.dim);
    if (dims.size() > 1) return false;
    if (dims.empty()) continue;
    const bool isConstant = factors.size() == 1;
    if (!isConstant && !llvm::all_of(factors, [](const Atom &atom) {
          return !atom.value || isOfCaller(atom.value);
        }))
      return false;
    if (!isConstant)
      areRows[dims[0]] = true;
    else
      strides[dims[0]] += number;
  }
  std::vector<std::pair<int64_t, int64_t>> steps;  // distance and count
  for (unsigned d = 0; d < shape.size(); ++d)
    if (shape[d] > 1 && !areRows[d]) steps.emplace_back(std::abs(strides[d]), shape[d]);
  llvm::sort(steps);
  int64_t reach = 0;
  for (const auto &[stride, count] : steps) {
    if (stride <= reach) return false;
    reach += stride * (count - 1);
  }
  return true;
}

bool areApart(const Kernel &kernel, std::optional<unsigned> a, std::optional<unsigned> b) {
  return a && b && a != b && (kernel.parameters[*a].isRestrict || kernel.parameters[*b].isRestrict);
}

// A pointer that was loaded is not derived from a parameter.
static bool areBasesApart(const Kernel &kernel, unsigned a, unsigned b) {
  if (a == kLoadedBase || b == kLoadedBase)
    return a != b && kernel.parameters[std::min(a, b)].isRestrict;
  return areApart(kernel, a, b);
}

// Whether this holds for all that the pointers may be derived from.
static bool areAllApart(const Kernel &kernel, const Value *a, const Value *b) {
  const auto basesA = basePointers(a), basesB = basePointers(b);
  return basesA && basesB && llvm::all_of(*basesA, [&](unsigned x) {
           return llvm::all_of(*basesB, [&](unsigned y) { return areBasesApart(kernel, x, y); });
         });
}

static Alias aliasOf(const Kernel &kernel, const GlobalEffect &a, const GlobalEffect &b) {
  if (tableOf(a.pointer) || tableOf(b.pointer)) return Alias::None;
  const auto baseA = basePointer(a.pointer), baseB = basePointer(b.pointer);
  if (areApart(kernel, baseA, baseB)) return Alias::None;
  if ((!baseA || !baseB) && areAllApart(kernel, a.pointer, b.pointer)) return Alias::None;
  if (!a.isOfElements || !b.isOfElements) return Alias::May;
  const bool isSame = baseA && baseB && baseA == baseB && sameTree(a.pointer, b.pointer);
  if (isSame && (!a.pointer->type.isTile() || hasDistinctElements(a.pointer)))
    return Alias::SameElement;
  return Alias::May;
}

Alias alias(const Kernel &kernel, const Op *a, const Op *b) {
  // Nearly all pairs; the lists of effects cost time.
  if (a->is(GlobalAccess) && b->is(GlobalAccess))
    return aliasOf(kernel, {a->operand(0)}, {b->operand(0)});
  const auto ofA = globalEffects(a), ofB = globalEffects(b);
  if (ofA.size() == 1 && ofB.size() == 1) return aliasOf(kernel, ofA[0], ofB[0]);
  const bool areApart = llvm::all_of(ofA, [&](const GlobalEffect &x) {
    return llvm::all_of(
        ofB, [&](const GlobalEffect &y) { return aliasOf(kernel, x, y) == Alias::None; });
  });
  return areApart ? Alias::None : Alias::May;
}

bool isReadOnly(const Kernel &kernel, const Op *load) {
  if (load->getBool(Attr::read_only)) return true;  // recorded while its pointer was known
  if (tableOf(load->operand(0))) return true;
  auto base = basePointer(load->operand(0));
  return base && kernel.parameters[*base].isRestrict &&
         kernel.parameters[*base].type.element().pointeeConst;
}

}  // namespace tile2cu::passes
