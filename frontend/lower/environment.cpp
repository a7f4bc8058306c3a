#include "frontend/lower/environment.h"

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::frontend {

Place Environment::declare(llvm::StringRef name, Val initial, bool isConst) {
  slots_.push_back(std::move(initial));
  names_.push_back(name.str());
  const_.push_back(isConst);
  Place place;
  place.slot = static_cast<int>(slots_.size()) - 1;
  return place;
}

Place Environment::resolve(const Place &place) const {
  if (!place.isVariable()) return place;
  T2C_ASSERT(static_cast<unsigned>(place.slot) < slots_.size());
  const Val *value = &slots_[place.slot];
  for (size_t i = 0;; ++i) {
    if (value->kind == Val::Kind::Reference) {
      Place target = value->place;
      target.path.append(place.path.begin() + i, place.path.end());
      return resolve(target);
    }
    if (i == place.path.size() || place.path[i] >= value->fields.size()) return place;
    value = &value->fields[place.path[i]];
  }
}

Val Environment::read(const Place &unresolved) const {
  Place place = resolve(unresolved);
  if (!place.isVariable()) return Val::reference(place);
  const Val *value = &slots_[place.slot];
  for (unsigned field : place.path) {
    if (field >= value->fields.size()) return Val::undefined();
    value = &value->fields[field];
  }
  return *value;
}

void Environment::write(const Place &place, Val value) {
  T2C_ASSERT(place.isVariable() && static_cast<unsigned>(place.slot) < slots_.size());
  Val *target = &slots_[place.slot];
  for (unsigned field : place.path) {
    if (target->fields.size() <= field) {
      target->kind = Val::Kind::Aggregate;
      target->fields.resize(field + 1, Val::undefined());
    }
    target = &target->fields[field];
  }
  *target = std::move(value);
}

const Place *Environment::find(const clang::ValueDecl *declaration) const {
  auto it = places_.find(declaration);
  return it == places_.end() ? nullptr : &it->second;
}

static void visitLeaves(unsigned slot, Val &value,
                        llvm::function_ref<void(unsigned, Val &)> visit) {
  if (value.kind != Val::Kind::Void && !value.isAggregate()) visit(slot, value);
  for (Val &field : value.fields) visitLeaves(slot, field, visit);
}

void forEachLeaf(Environment::Slots &slots, unsigned count,
                 llvm::function_ref<void(unsigned, Val &)> visit) {
  for (unsigned slot = 0; slot < count; ++slot) visitLeaves(slot, slots[slot], visit);
}

}  // namespace tile2cu::frontend
