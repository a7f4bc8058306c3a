#include <bitset>
#include <iterator>
#include <vector>

#include "fmt/format.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

// The trait with which an attribute may stand on any operation; None: only where ops.def lists it.
constexpr Trait kTraits[] = {
#define ATTR(...) None,
#define TRAIT_ATTR(name, type, level, trait, text) trait,
#include "passes/ir/attributes.def"
};
constexpr size_t kAttributes = std::size(kTraits);

// The first level at which each attribute may appear.
constexpr Level kFirstLevels[] = {
#define ATTR(name, type, level, text) Level::level,
#include "passes/ir/attributes.def"
};
using AttrSet = std::bitset<kAttributes>;

size_t indexOf(AttrId id) { return static_cast<size_t>(id); }

// The attributes that operations of one kind may have, and those that they need.
struct KindRule {
  AttrSet allowed, needed;
};

KindRule ruleOf(OpKind kind) {
  KindRule rule;
  for (size_t i = 0; i < kAttributes; ++i) rule.allowed[i] = traits(kind) & kTraits[i];
  for (const AttrUse &use : attributesOf(kind)) {
    rule.allowed.set(indexOf(use.id));
    rule.needed[indexOf(use.id)] = !use.isOptional;
  }
  return rule;
}

const std::vector<KindRule> &rules() {
  static const std::vector<KindRule> table = [] {
    std::vector<KindRule> made;
#define OP(Name, ...) made.push_back(ruleOf(OpKind::Name));
#include "passes/ir/ops.def"
    return made;
  }();
  return table;
}

}  // namespace

std::string checkAttributes(const Op &op) {
  const KindRule &rule = rules()[static_cast<size_t>(op.kind)];
  AttrSet lacking = rule.needed;
  for (const auto &[id, value] : op.attributes) {
    if (!rule.allowed[indexOf(id)])
      return fmt::format("does not take the attribute '{}'", nameOf(id).str());
    lacking.reset(indexOf(id));
  }
  if (lacking.none()) return "";
  for (const AttrUse &use : attributesOf(op.kind))
    if (lacking[indexOf(use.id)])
      return fmt::format("lacks the attribute '{}'", nameOf(use.id).str());
  return "";
}

std::string checkAttributeLevels(const Op &op, Level level) {
  for (const auto &[id, value] : op.attributes)
    if (kFirstLevels[indexOf(id)] > level)
      return fmt::format("has the attribute '{}', which is of level {}", nameOf(id).str(),
                         name(kFirstLevels[indexOf(id)]).str());
  return "";
}

}  // namespace tile2cu::ir
