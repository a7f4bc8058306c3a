#include "passes/ir/type.h"

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/layout.h"

namespace tile2cu::ir {
namespace {

struct ScalarInfo {
  llvm::StringRef name;
  unsigned bits;
  bool isFloat, isInteger, isSigned;
};
constexpr std::array<ScalarInfo, 16> kScalars = {{
    {"none", 0, false, false, false},
    {"bool", 8, false, false, false},
    {"i8", 8, false, true, true},
    {"u8", 8, false, true, false},
    {"i16", 16, false, true, true},
    {"u16", 16, false, true, false},
    {"i32", 32, false, true, true},
    {"u32", 32, false, true, false},
    {"i64", 64, false, true, true},
    {"u64", 64, false, true, false},
    {"f16", 16, true, false, true},
    {"bf16", 16, true, false, true},
    {"f32", 32, true, false, true},
    {"f64", 64, true, false, true},
    {"f8e4m3", 8, true, false, true},
    {"f8e5m2", 8, true, false, true},
}};
const ScalarInfo &info(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }

}  // namespace

unsigned bitWidth(Scalar scalar) { return info(scalar).bits; }
bool isFloat(Scalar scalar) { return info(scalar).isFloat; }
bool isInteger(Scalar scalar) { return info(scalar).isInteger; }
bool isSigned(Scalar scalar) { return info(scalar).isInteger && info(scalar).isSigned; }
llvm::StringRef name(Scalar scalar) { return info(scalar).name; }

std::optional<Scalar> scalarFromName(llvm::StringRef name) {
  for (size_t i = 0; i < kScalars.size(); ++i)
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

// f32, ptr<const f32>, tile<16x32xf32>, tile<16:BLOCK x 32xf32>, tile<16x32xptr<f16>, #layout>. A
// layout says the formulas.
std::string Type::str() const {
  std::string element = name(element_.scalar).str();
  if (element_.pointer)
    element = "ptr<" + std::string(element_.pointeeConst ? "const " : "") + element + ">";
  if (!isTile()) return element;
  std::string text = "tile<";
  for (const Dim &size : shape_)
    text += layout_ || !size.formula() ? std::to_string(size) + "x" : size.str() + " x ";
  text += element;
  if (layout_) text += ", " + layout_->str();
  return text + ">";
}

}  // namespace tile2cu::ir
