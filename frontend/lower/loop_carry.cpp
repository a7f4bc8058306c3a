// While its body is lowered, a loop carries every variable in scope. Variables that do not change
// on any path are removed afterwards. So there is no need to find out in advance what a body
// assigns, including through references and lambdas.
#include <algorithm>

#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"

namespace tile2cu::frontend {
namespace {

// Calls `visit` for the leaves of the variables around the loop that it carries.
void forEachCarried(Loop &loop, Environment::Slots &slots,
                    llvm::function_ref<void(unsigned slot, Val &leaf)> visit) {
  unsigned leaf = 0, next = 0;
  forEachLeaf(slots, loop.scope, [&](unsigned slot, Val &value) {
    if (next < loop.carried.size() && loop.carried[next].leaf == leaf++) {
      visit(slot, value);
      ++next;
    }
  });
}

// The variable's name; for a field of one, its own.
std::string hint(Lowering &l, unsigned slot, const ir::Value *value) {
  return l.env.isWhole(slot) || value->name.empty() ? l.env.name(slot) : value->name;
}

template <class Values>
void eraseAt(Values &values, unsigned index) {
  values.erase(values.begin() + index);
  for (unsigned i = index; i < values.size(); ++i) values[i]->index = i;
}

// Whether a variable has the same value on every path through the loop.
bool isUnchanged(const Loop &loop, unsigned index) {
  auto isSame = [&](const ir::Value *value) {
    return value == loop.carried[index].initial ||
           llvm::any_of(loop.op->regions, [&](auto &region) {
             return value == carriedArgument(loop, *region, index);
           });
  };
  return llvm::all_of(loop.exits,
                      [&](auto &exit) { return isSame(exit.second->operand(exit.first + index)); });
}

void takeOut(Lowering &l, Loop &loop, unsigned index, unsigned fixed) {
  ir::Value *initial = loop.carried[index].initial;
  for (auto &region : loop.op->regions) {
    std::string name = initial->name;
    carriedArgument(loop, *region, index)->replaceAllUsesWith(initial);
    // A field without a name does not inherit that of its struct.
    if (!l.env.isWhole(loop.carried[index].slot)) initial->name = std::move(name);
  }
  removeCarried(l, loop, index, fixed);
}

}  // namespace

// The carried variables are the last arguments of a region.
ir::Value *carriedArgument(const Loop &loop, const ir::Block &region, unsigned index) {
  return region.argument(region.arguments.size() - loop.carried.size() + index);
}

void removeCarried(Lowering &l, Loop &loop, unsigned index, unsigned fixed) {
  for (auto &region : loop.op->regions) {
    const ir::Value *argument = carriedArgument(loop, *region, index);
    l.forget(argument);
    eraseAt(region->arguments, argument->index);
  }
  for (auto &[first, exit] : loop.exits) exit->eraseOperand(first + index);
  loop.op->eraseOperand(fixed + index);
  loop.carried.erase(loop.carried.begin() + index);
}

void enterRegion(Lowering &l, Loop &loop, unsigned index) {
  ir::Block *region = loop.op->region(index);
  l.builder.setInsertionPoint(*region);
  Environment::Slots slots = l.env.save();
  forEachCarried(loop, slots, [&](unsigned slot, Val &leaf) {
    leaf = region->addArgument(leaf.value->type, hint(l, slot, leaf.value));
    l.giveName(leaf, leaf.value->name);
  });
  l.env.restore(slots);
}

void leaveRegion(Lowering &l, Loop &loop, ir::OpKind kind, llvm::ArrayRef<ir::Value *> fixed) {
  std::vector<ir::Value *> operands(fixed.begin(), fixed.end());
  Environment::Slots slots = l.env.save();
  unsigned next = 0;
  forEachCarried(loop, slots, [&](unsigned, Val &leaf) {
    ir::Value *initial = loop.carried[next++].initial;
    // If a const pointer is assigned a pointer to non-const, it keeps the variable's type. After an
    // error, the initial value takes its place.
    operands.push_back(leaf.isValue() ? convertExactly(l, leaf.value, initial->type) : initial);
  });
  loop.exits.emplace_back(fixed.size(), l.builder.create(kind, operands, {}));
  if (kind != ir::OpKind::Condition) return;
  unsigned leaf = 0;
  forEachLeaf(slots, loop.scope, [&](unsigned, Val &value) {
    const unsigned ordinal = leaf++;
    if (value.isValue() && llvm::is_contained(loop.unset, ordinal))
      loop.setByCondition.emplace_back(ordinal, value.value->type);
  });
}

namespace {

// Creates the operation, which carries the variables of `entry`.
Loop startLoop(Lowering &l, ir::OpKind kind, llvm::ArrayRef<ir::Value *> fixed, unsigned regions,
               Environment::Slots &entry) {
  Loop loop;
  loop.outer = l.loop;
  loop.scope = l.env.size();
  std::vector<ir::Value *> operands(fixed.begin(), fixed.end());
  unsigned leaf = 0;
  forEachLeaf(entry, loop.scope, [&](unsigned slot, Val &value) {
    unsigned ordinal = leaf++;
    if (value.isUndefined()) loop.unset.push_back(ordinal);
    if (!value.isValue() || l.env.isConst(slot) || slot < l.env.readOnlyBelow) return;
    loop.carried.push_back({ordinal, slot, value.value});
    operands.push_back(value.value);
  });
  loop.op = l.builder.create(kind, operands, {});
  for (unsigned i = 0; i < regions; ++i) loop.op->addRegion();
  return loop;
}

// Gives the variables that the condition sets a value before the loop, and drops the loop.
void startAgain(Lowering &l, const Loop &loop, Environment::Slots &entry) {
  ir::walk(*loop.op->region(0), [&](const ir::Op *op) {
    for (auto &result : op->results) l.forget(result.get());
  });
  for (auto &argument : loop.op->region(0)->arguments) l.forget(argument.get());
  loop.op->erase();
  unsigned leaf = 0;
  forEachLeaf(entry, loop.scope, [&](unsigned slot, Val &value) {
    const unsigned ordinal = leaf++;
    for (const auto &[which, type] : loop.setByCondition) {
      if (which != ordinal) continue;
      if (type.isPointer()) l.error(ir::DiagId::Uninitialized, {}, {"'" + l.env.name(slot) + "'"});
      value = l.placeholderValue(type);
    }
  });
  l.env.restore(entry);
}

}  // namespace

void carryLoop(Lowering &l, ir::OpKind kind, llvm::ArrayRef<ir::Value *> fixed, unsigned regions,
               MakeLoop make, MakeLoop finish) {
  ir::Block &outside = l.builder.block();
  ir::Location loc = l.builder.loc;
  Environment::Slots entry = l.env.save();
  Loop loop = startLoop(l, kind, fixed, regions, entry);
  const auto lower = [&] {
    l.loop = &loop;
    make(loop);
    l.loop = loop.outer;
    l.builder.setInsertionPoint(outside);
    l.builder.loc = loc;
    l.env.truncate(loop.scope);
  };
  lower();
  if (!loop.setByCondition.empty()) {
    startAgain(l, loop, entry);
    loop = startLoop(l, kind, fixed, regions, entry);
    lower();
  }

  // Removing one variable may show that another does not change either.
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = loop.carried.size(); i-- > 0;) {
      if (!isUnchanged(loop, i)) continue;
      takeOut(l, loop, i, fixed.size());
      changed = true;
    }
  }
  if (finish) finish(loop);
  l.builder.setInsertionPoint(outside);
  unsigned next = 0;
  forEachCarried(loop, entry, [&](unsigned slot, Val &value) {
    const ir::Value *initial = loop.carried[next++].initial;
    value = loop.op->addResult(initial->type, hint(l, slot, initial));
    l.giveName(value, value.value->name);
  });
  l.env.restore(entry);
}

}  // namespace tile2cu::frontend
