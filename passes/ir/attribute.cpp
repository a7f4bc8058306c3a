#include "passes/ir/attribute.h"

#include <algorithm>
#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

// attrFromName uses binary search, and printed text is in alphabetical order.
constexpr bool isSorted() {
  for (size_t i = 1; i < std::size(kRows); ++i)
    if (std::string_view(kRows[i - 1].name) >= std::string_view(kRows[i].name)) return false;
  return true;
}
static_assert(isSorted(), "the rows of attributes.def are in alphabetical order");

const Row &rowOf(AttrId id) { return kRows[static_cast<size_t>(id)]; }

// kCompareWords, ...: the words of a set, in the order of its enumerators.
#define ENUM(Name) constexpr llvm::StringLiteral k##Name##Words[] = {
#define WORD(Enumerator, word) word,
#define END_ENUM \
  }              \
  ;
#include "passes/ir/enums.def"

// A closed set of words, and its enumerators by number. Other types of attributes have no words.
struct WordSet {
  llvm::ArrayRef<llvm::StringLiteral> words;
  Attribute (*enumerator)(size_t) = nullptr;
};

WordSet wordSetOf(AttrType type) {
#define ENUM(Name)            \
  if (type == AttrType::Name) \
    return {k##Name##Words, [](size_t i) -> Attribute { return static_cast<Name>(i); }};
#include "passes/ir/enums.def"
  return {};
}

}  // namespace

#define ENUM(Name) \
  llvm::StringRef wordOf(Name value) { return k##Name##Words[static_cast<size_t>(value)]; }
#include "passes/ir/enums.def"

std::optional<Attribute> enumFromWord(AttrType type, llvm::StringRef word) {
  const WordSet set = wordSetOf(type);
  const auto *at = llvm::find(set.words, word);
  if (at == set.words.end()) return std::nullopt;
  return set.enumerator(at - set.words.begin());
}

llvm::StringRef nameOf(AttrId id) { return rowOf(id).name; }
AttrType typeOf(AttrId id) { return rowOf(id).type; }

std::optional<AttrId> attrFromName(llvm::StringRef name) {
  const Row *row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                    [](const Row &a, llvm::StringRef b) { return a.name < b; });
  if (row == std::end(kRows) || row->name != name) return std::nullopt;
  return static_cast<AttrId>(row - kRows);
}

std::string describe(AttrType type) {
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
#define ENUM(Name) case AttrType::Name:
#include "passes/ir/enums.def"
      return "one of " + llvm::join(wordSetOf(type).words, ", ");
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
      return std::holds_alternative<bool>(value) || std::holds_alternative<int64_t>(value) ||
             std::holds_alternative<double>(value);
    case AttrType::PerDim:
      return std::holds_alternative<int64_t>(value) || std::holds_alternative<Ints>(value);
#define ENUM(Name)     \
  case AttrType::Name: \
    return std::holds_alternative<Name>(value);
#include "passes/ir/enums.def"
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
