// Attributes: constants that an operation carries. attributes.def has one row for each.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::ir {

// The closed sets of words, one enumeration each: `enum class Compare : uint8_t { Lt, Le, ... };`
#define ENUM(Name) enum class Name : uint8_t {
#define WORD(Enumerator, word) Enumerator,
#define END_ENUM \
  }              \
  ;
#include "passes/ir/enums.def"

using Ints = llvm::SmallVector<int64_t, 4>;
using Attribute = std::variant<bool, int64_t, double, std::string, Ints
#define ENUM(Name) , Name
#include "passes/ir/enums.def"
                               >;

enum class AttrType : uint8_t {
  Bool,
  Int,
  String,
  Ints,
  Number,
  PerDim,
#define ENUM(Name) Name,
#include "passes/ir/enums.def"
};

enum class AttrId : uint8_t {
#define ATTR(name, ...) name,
#include "passes/ir/attributes.def"
};

// An attribute and, for the compiler, the type of its value: getInt(Attr::cache) does not compile.
template <AttrType Type>
struct AttrKey {
  AttrId id;
  constexpr operator AttrId() const { return id; }
};
// The same attribute in a list of an operation that may lack it.
template <class Key>
struct OptionalAttr : Key {};

using BoolAttr = AttrKey<AttrType::Bool>;
using IntAttr = AttrKey<AttrType::Int>;
using StringAttr = AttrKey<AttrType::String>;
using IntsAttr = AttrKey<AttrType::Ints>;
using NumberAttr = AttrKey<AttrType::Number>;
using PerDimAttr = AttrKey<AttrType::PerDim>;

// EnumOf<AttrType::Compare> is Compare. Only the types of enums.def have one.
template <AttrType Type>
struct EnumOfType;
template <AttrType Type>
using EnumOf = typename EnumOfType<Type>::Enum;
#define ENUM(Name)                              \
  using Name##Attr = AttrKey<AttrType::Name>;   \
  template <>                                   \
  struct EnumOfType<AttrType::Name> {           \
    using Enum = Name;                          \
  };                                            \
  /* The word of the enumerator in the text. */ \
  llvm::StringRef wordOf(Name value);
#include "passes/ir/enums.def"

// Attr::axis, and Attr::axis_opt for the lists of ops.def.
namespace Attr {
#define ATTR(name, type, ...)                           \
  inline constexpr type##Attr name{AttrId::name};       \
  inline constexpr OptionalAttr<type##Attr> name##_opt{ \
      {AttrId::name}};  // NOLINT(readability-identifier-naming)
#include "passes/ir/attributes.def"
}  // namespace Attr

// One attribute in the list of an operation.
struct AttrUse {
  AttrId id;
  bool isOptional;
  template <AttrType Type>
  constexpr AttrUse(AttrKey<Type> key) : id(key.id), isOptional(false) {}
  template <class Key>
  constexpr AttrUse(OptionalAttr<Key> key) : id(key.id), isOptional(true) {}
};

llvm::StringRef nameOf(AttrId id);
AttrType typeOf(AttrId id);
std::optional<AttrId> attrFromName(llvm::StringRef name);
// Names the type in messages: "an integer".
std::string describe(AttrType type);
// The enumerator with this word; none if the type has no such word, or no words.
std::optional<Attribute> enumFromWord(AttrType type, llvm::StringRef word);
bool holds(AttrType type, const Attribute &value);

// The attributes of one operation, in the order of attributes.def.
class Attributes {
 public:
  using Entry = std::pair<AttrId, Attribute>;

  const Attribute *find(AttrId id) const {
    for (const Entry &entry : entries_)
      if (entry.first == id) return &entry.second;
    return nullptr;
  }
  void set(AttrId id, Attribute value);
  void erase(AttrId id);

  size_t size() const { return entries_.size(); }
  const Entry *begin() const { return entries_.begin(); }
  const Entry *end() const { return entries_.end(); }
  bool operator==(const Attributes &other) const { return entries_ == other.entries_; }
  bool operator!=(const Attributes &other) const { return !(*this == other); }

 private:
  llvm::SmallVector<Entry, 1> entries_;
};

}  // namespace tile2cu::ir
