// Types of the Tile IR: scalars, pointers to scalars, and tiles of either.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "passes/ir/dim.h"

namespace tile2cu::ir {

class Layout;

// Element types. `None` is the type of nothing.
enum class Scalar : uint8_t {
#define SCALAR(Name, ...) Name,
#include "passes/ir/scalars.def"
};

// Bits an element occupies in memory (a bool takes a byte).
unsigned bitWidth(Scalar scalar);
inline unsigned byteWidth(Scalar scalar) { return bitWidth(scalar) / 8; }
bool isFloat(Scalar scalar);
bool isInteger(Scalar scalar);  // not for bool
bool isSigned(Scalar scalar);   // signed integers
// Binary digits of the integers that are all values of the type, without the sign.
unsigned exactDigits(Scalar scalar);
inline bool isHalf(Scalar scalar) { return scalar == Scalar::F16 || scalar == Scalar::BF16; }

// No arithmetic: for storage, and as operands of dot.
inline bool isFloat8(Scalar scalar) { return scalar == Scalar::F8E4M3 || scalar == Scalar::F8E5M2; }

// i32, f16, bool, ...: the spelling of the textual IR.
llvm::StringRef name(Scalar scalar);
std::optional<Scalar> scalarFromName(llvm::StringRef name);

// The type of one element of a value: a scalar, or a pointer to scalars in global memory.
struct Element {
  Scalar scalar = Scalar::None;
  bool pointer = false;
  bool pointeeConst = false;  // const T*
  // The u64 (or the u64 that is pointed to) is the address of such scalars. None: it is a number.
  Scalar target = Scalar::None;
  bool targetConst = false;

  bool operator==(const Element &) const = default;
};

using Shape = llvm::SmallVector<Dim, 4>;

// A scalar has an empty shape. A tile has one entry per dimension and, from the placed level on, a
// layout, whose sizes have the formulas of the shape.
class Type {
 public:
  Type() = default;
  Type(Scalar scalar) : element_{scalar, false, false} {}  // NOLINT: a scalar is a type
  explicit Type(Element element, llvm::ArrayRef<Dim> shape = {},
                std::shared_ptr<const Layout> layout = nullptr);

  static Type pointer(Scalar to, bool isConst) { return Type(Element{to, true, isConst}); }

  const Element &element() const { return element_; }
  Scalar scalar() const { return element_.scalar; }
  bool isPointer() const { return element_.pointer; }
  bool isTile() const { return !shape_.empty(); }
  bool isNone() const { return element_.scalar == Scalar::None; }
  const Shape &shape() const { return shape_; }
  unsigned rank() const { return shape_.size(); }
  int64_t numElements() const;

  const std::shared_ptr<const Layout> &layout() const { return layout_; }
  Type withLayout(std::shared_ptr<const Layout> layout) const {
    return Type(element_, shape_, std::move(layout));
  }
  Type withElement(Element element) const { return Type(element, shape_, layout_); }
  Type withScalar(Scalar scalar) const {
    return Type(Element{scalar, false, false}, shape_, layout_);
  }
  Type withShape(llvm::ArrayRef<Dim> shape) const { return Type(element_, shape, nullptr); }
  Type elementType() const { return Type(element_); }
  // The elements that a pointer of this type points to.
  Element pointee() const {
    return {element_.scalar, false, false, element_.target, element_.targetConst};
  }
  // The pointer that an address is: of u64 with a target.
  Type targetPointer() const { return pointer(element_.target, element_.targetConst); }

  // Same element type and shape; layouts are not compared.
  bool sameTile(const Type &other) const {
    return element_ == other.element_ && shape_ == other.shape_;
  }
  bool operator==(const Type &other) const;
  bool hasFormulasOf(const Type &other) const;

  std::string str() const;

 private:
  Element element_;
  Shape shape_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace tile2cu::ir
