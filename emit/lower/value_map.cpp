#include "emit/lower/value_map.h"

#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

Remembered ValueMap::remembered(Expr e) const {
  Reads reads = names_.readsOf(e);
  return {std::move(e), std::move(reads)};
}

[[noreturn]] static void failOn(const Value *value, const std::string &what) {
  const int line = value->definition ? value->definition->loc.line : 0;
  const std::string message =
      fmt::format("the text reads '{}' of source line {} {}", value->name, line, what);
  t2cUnreachable(message.c_str(), __FILE__, __LINE__);
}

void ValueMap::requireCurrent(const Value *value, const Reads &reads) const {
  if (const Symbol changed = names_.firstChanged(reads))
    failOn(value, "after a change or the end of '" + changed.wanted().str() + "'");
}

const Expr &ValueMap::recalled(const Value *value, const Remembered &known) const {
  requireCurrent(value, known.reads);
  return known.expr;
}

const Remembered *ValueMap::known(const Value *value) const {
  const auto known = scalars_.find(value);
  return known == scalars_.end() ? nullptr : &known->second;
}

const Storage *ValueMap::storageIf(const Value *value) const {
  const auto storage = storage_.find(value);
  return storage == storage_.end() ? nullptr : &storage->second;
}

void ValueMap::hold(const Value *value) {
  held_[value] = names_.readsOf(named(storage_.at(value).name));
}

void ValueMap::holdResults(const Op *op) {
  for (const auto &result : op->results)
    if (storage_.count(result.get())) hold(result.get());
}

const Storage &ValueMap::stored(const Value *value) const {
  const Storage &storage = storage_.at(value);
  const auto held = held_.find(value);
  if (held == held_.end()) failOn(value, "before '" + storage.name.wanted().str() + "' has it");
  requireCurrent(value, held->second);
  return storage;
}

}  // namespace tile2cu::emit
