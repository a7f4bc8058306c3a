#include "passes/ir/type.h"

#include <iterator>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/layout.h"

namespace tile2cu::ir {
namespace {

enum class ScalarKind : uint8_t { Nothing, Bool, Signed, Unsigned, Float };

struct ScalarInfo {
  llvm::StringRef name;
  unsigned bits;
  ScalarKind kind;
  unsigned digits;
};
constexpr ScalarInfo kScalars[] = {
#define SCALAR(Name, word, bits, kind, digits) {word, bits, ScalarKind::kind, digits},
#include "passes/ir/scalars.def"
};
const ScalarInfo &info(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }

}  // namespace

unsigned bitWidth(Scalar scalar) { return info(scalar).bits; }
bool isFloat(Scalar scalar) { return info(scalar).kind == ScalarKind::Float; }
bool isSigned(Scalar scalar) { return info(scalar).kind == ScalarKind::Signed; }
bool isInteger(Scalar scalar) {
  return isSigned(scalar) || info(scalar).kind == ScalarKind::Unsigned;
}
unsigned exactDigits(Scalar scalar) { return info(scalar).digits; }
llvm::StringRef name(Scalar scalar) { return info(scalar).name; }

std::optional<Scalar> scalarFromName(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(kScalars); ++i)
    if (kScalars[i].name == name) return static_cast<Scalar>(i);
  return std::nullopt;
}

Type::Type(Element element, llvm::ArrayRef<Dim> shape, LayoutRef layout)
    : element_(element),
      shape_(shape.begin(), shape.end()),
      layout_(layout ? withFormulas(std::move(layout), shape) : nullptr) {}

bool Type::hasFormulasOf(const Type &other) const {
  const bool areSameSizes = llvm::equal(
      shape_, other.shape_, [](const Dim &a, const Dim &b) { return a.hasFormulaOf(b); });
  return areSameSizes && (!layout_ || !other.layout_ || layout_->hasFormulasOf(*other.layout_));
}

int64_t Type::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape_) count *= extent;
  return count;
}

bool Type::operator==(const Type &other) const {
  if (!sameTile(other)) return false;
  if (layout_ == other.layout_) return true;
  return layout_ && other.layout_ && *layout_ == *other.layout_;
}

// f32, ptr<const f32>, address<const f32>, ptr<address<f32>>, tile<16x32xf32>,
// tile<16:BLOCK x 32xf32>, tile<16x32xptr<f16>, #layout>. A layout says the formulas.
std::string Type::str() const {
  std::string element = name(element_.scalar).str();
  if (element_.target != Scalar::None)
    element =
        fmt::format("address<{}{}>", element_.targetConst ? "const " : "", name(element_.target));
  if (element_.pointer)
    element = fmt::format("ptr<{}{}>", element_.pointeeConst ? "const " : "", element);
  if (!isTile()) return element;
  std::string text = "tile<";
  for (const Dim &size : shape_)
    text += layout_ || !size.formula() ? std::to_string(size) + "x" : size.str() + " x ";
  text += element;
  if (layout_) text += ", " + layout_->str();
  return text + ">";
}

}  // namespace tile2cu::ir
