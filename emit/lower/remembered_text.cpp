// What the emitter remembers about values: the text of a scalar or an element, and which variable
// or array holds a value. Each text is checked when it is used, so that no printed expression reads
// a variable before it has the value, after its scope has ended, or after a change.
#include "emit/lower/lower_kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

void KernelEmitter::addStore(Stmt stmt) {
  if (!stmt.as<Blank>() && !stmt.as<Comment>()) commentOpen_ = false;
  out_.add(std::move(stmt));
}

void KernelEmitter::open(Stmt stmt) {
  commentOpen_ = false;
  out_.open(std::move(stmt));
}

void KernelEmitter::close() {
  commentOpen_ = false;
  out_.close();
}

void KernelEmitter::add(Stmt stmt) {
  const Stmt *inner = &stmt;
  while (const If *branch = inner->as<If>()) inner = &branch->then.front();
  llvm::SmallVector<std::string, 1> changed;
  if (const Declare *declare = inner->as<Declare>())
    for (const Declarator &each : declare->all)
      if (each.init) changed.push_back(each.name);
  if (const Assign *assign = inner->as<Assign>())
    changed.push_back(assignedName(assign->target).str());
  addStore(std::move(stmt));
  for (const std::string &name : changed) names_.change(name);
}

KernelEmitter::Remembered KernelEmitter::remembered(Expr e) const {
  Reads reads = names_.readsOf(e);
  return {std::move(e), std::move(reads)};
}

[[noreturn]] static void failOn(const Value *value, const std::string &what) {
  const int line = value->definition ? value->definition->loc.line : 0;
  const std::string message =
      "the text reads '" + value->name + "' of source line " + std::to_string(line) + " " + what;
  t2cUnreachable(message.c_str(), __FILE__, __LINE__);
}

void KernelEmitter::requireCurrent(const Value *value, const Reads &reads) const {
  const std::string changed = names_.firstChanged(reads);
  if (!changed.empty()) failOn(value, "after a change or the end of '" + changed + "'");
}

const Expr &KernelEmitter::recalled(const Value *value, const Remembered &known) const {
  requireCurrent(value, known.reads);
  return known.expr;
}

void KernelEmitter::hold(const Value *value) {
  held_[value] = names_.readsOf(named(storage_.at(value).name));
}

void KernelEmitter::holdResults(const Op *op) {
  for (const auto &result : op->results)
    if (storage_.count(result.get())) hold(result.get());
}

const KernelEmitter::Storage &KernelEmitter::stored(const Value *value) const {
  const Storage &storage = storage_.at(value);
  const auto held = held_.find(value);
  if (held == held_.end()) failOn(value, "before '" + storage.name + "' has it");
  requireCurrent(value, held->second);
  return storage;
}

// ---- branches and loops

// Whether what follows the branch is not reached from this side of it.
static bool isLeft(const Block &side) {
  const Op *end = side.empty() ? nullptr : side.back();
  return end && (end->kind == OpKind::Break || end->kind == OpKind::Continue ||
                 end->kind == OpKind::Return);
}

void KernelEmitter::endSide(Sides &sides, const Block &side) {
  const std::vector<unsigned> changed = names_.takeBack(sides.start);
  if (!isLeft(side))
    llvm::append_range(sides.changed, changed);
  else if (!loops_.empty())
    llvm::append_range(loops_.back().changedAtExits, changed);
}

void KernelEmitter::endSides(const Sides &sides) { names_.change(sides.changed); }

std::vector<std::string> KernelEmitter::LoopVariables::names() const {
  std::vector<std::string> all;
  for (const std::vector<Storage> *part : {&next, &results})
    for (const Storage &storage : *part) all.push_back(storage.name);
  return all;
}

// In its body the variables of a loop have the values of some step.
void KernelEmitter::startLoop(LoopVariables &variables) {
  for (const std::string &name : variables.names()) names_.change(name);
  variables.start = names_.place();
  variables.outside = names_.count();
}

// Nothing else that is there before the loop may change in it: the text of its body is run again.
void KernelEmitter::endLoop(const LoopVariables &variables) {
  std::vector<unsigned> changed = names_.changedSince(variables.start);
  llvm::append_range(changed, variables.changedAtExits);
  llvm::erase_if(changed, [&](unsigned variable) { return variable >= variables.outside; });
  T2C_ASSERT(!names_.areOthers(changed, variables.names()));
  for (const std::string &name : variables.names()) names_.change(name);
}

}  // namespace tile2cu::emit
