#include "passes/ir/attribute.h"

#include <algorithm>
#include <iterator>

namespace tile2cu::ir {
namespace {

struct Row {
  llvm::StringLiteral name;
  AttrType type;
};

constexpr Row kRows[] = {
#define ATTR(name, type, ...) {#name, AttrType::type},
#include "passes/ir/attributes.def"
};

// attrFromName searches by halves, and printed text is in alphabetical order.
constexpr bool isSorted() {
  for (size_t i = 1; i < std::size(kRows); ++i)
    if (std::string_view(kRows[i - 1].name) >= std::string_view(kRows[i].name)) return false;
  return true;
}
static_assert(isSorted(), "the rows of attributes.def are in alphabetical order");

const Row &rowOf(AttrId id) { return kRows[static_cast<size_t>(id)]; }

}  // namespace

llvm::StringRef nameOf(AttrId id) { return rowOf(id).name; }
AttrType typeOf(AttrId id) { return rowOf(id).type; }

std::optional<AttrId> attrFromName(llvm::StringRef name) {
  const Row *row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                    [](const Row &a, llvm::StringRef b) { return a.name < b; });
  if (row == std::end(kRows) || row->name != name) return std::nullopt;
  return static_cast<AttrId>(row - kRows);
}

llvm::StringRef describe(AttrType type) {
  switch (type) {
    case AttrType::Bool:
      return "true or false";
    case AttrType::Int:
      return "an integer";
    case AttrType::String:
      return "a word or a string in quotes";
    case AttrType::Ints:
      return "a list of integers";
    case AttrType::Number:
      return "a number, true or false";
    case AttrType::PerDim:
      return "an integer or a list of integers";
  }
  llvm_unreachable("every type is listed");
}

bool holds(AttrType type, const Attribute &value) {
  switch (type) {
    case AttrType::Bool:
      return std::holds_alternative<bool>(value);
    case AttrType::Int:
      return std::holds_alternative<int64_t>(value);
    case AttrType::String:
      return std::holds_alternative<std::string>(value);
    case AttrType::Ints:
      return std::holds_alternative<Ints>(value);
    case AttrType::Number:
      return !std::holds_alternative<std::string>(value) && !std::holds_alternative<Ints>(value);
    case AttrType::PerDim:
      return std::holds_alternative<int64_t>(value) || std::holds_alternative<Ints>(value);
  }
  llvm_unreachable("every type is listed");
}

void Attributes::set(AttrId id, Attribute value) {
  auto *at = llvm::find_if(entries_, [&](const Entry &entry) { return entry.first >= id; });
  if (at != entries_.end() && at->first == id)
    at->second = std::move(value);
  else
    entries_.insert(at, {id, std::move(value)});
}

void Attributes::erase(AttrId id) {
  llvm::erase_if(entries_, [&](const Entry &entry) { return entry.first == id; });
}

}  // namespace tile2cu::ir
