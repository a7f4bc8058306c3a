#include "passes/ir/text/parse_types.h"

namespace tile2cu::ir {

bool TypeParser::layoutDigit(Digit &digit) {
  std::string unit;
  if (!identifier(unit, "'lane', 'warp' or a register axis")) return false;
  llvm::StringRef name = unit;
  if (name == "lane")
    digit.unit = Unit::Lane;
  else if (name == "warp")
    digit.unit = Unit::Warp;
  else if (!name.consume_front("r") || name.getAsInteger(10, digit.axis))
    return expected("'lane', 'warp' or 'r0'");
  if (lex.eat("/")) {
    const bool hasFormula = lex.eat("(");
    if (!size(digit.stride) || (hasFormula && !expect(")"))) return false;
  }
  return expect("*") && integer(digit.extent);
}

bool TypeParser::layout(LayoutRef &into) {
  size_t start = lex.offset();
  if (!expect("#")) return false;
  if (!lex.eat("<")) {
    std::string name;
    if (!identifier(name, "a layout")) return false;
    auto it = layouts.find(name);
    if (it == layouts.end()) return errorAt(start, "there is no layout #" + name);
    into = it->second;
    return true;
  }
  int warps = 0;
  llvm::SmallVector<int64_t, 4> axes;
  llvm::SmallVector<LayoutDim, 4> dims;
  if (!number(warps) || !expect("warps") || !expect(",") || !integers(axes)) return false;
  while (lex.eat(",")) {
    LayoutDim &dim = dims.emplace_back();
    if (!size(dim.size) || !expect("=")) return false;
    while (!lex.peek(",") && !lex.peek(">")) {
      Digit digit;
      if (!layoutDigit(digit)) return false;
      if (digit.unit == Unit::Register && digit.axis >= axes.size())
        return error("the layout has no register axis " + std::to_string(digit.axis));
      dim.digits.push_back(digit);
    }
    if (dim.padded() < dim.size)
      return error("the digits do not cover " + std::to_string(dim.size));
  }
  if (!expect(">")) return false;
  into = std::make_shared<Layout>(warps, axes, dims);
  return true;
}

bool TypeParser::element(Element &into) {
  if (lex.eat("ptr")) {
    into.pointer = true;
    if (!expect("<")) return false;
    into.pointeeConst = lex.eat("const");
  }
  if (lex.eat("address")) {
    into.scalar = Scalar::U64;
    if (!expect("<")) return false;
    into.targetConst = lex.eat("const");
    if (!scalar(into.target) || !expect(">")) return false;
  } else if (!scalar(into.scalar)) {
    return false;
  }
  return !into.pointer || expect(">");
}

bool TypeParser::scalar(Scalar &into) {
  size_t start = lex.offset();
  std::string name;
  if (!identifier(name, "a type")) return false;
  auto found = scalarFromName(name);
  if (!found || *found == Scalar::None) return errorAt(start, "there is no type '" + name + "'");
  into = *found;
  return true;
}

bool TypeParser::type(Type &into) {
  Element of;
  if (!lex.eat("tile")) {
    if (!element(of)) return false;
    into = Type(of);
    return true;
  }
  if (!expect("<")) return false;
  Shape shape;
  LayoutRef placed;
  while (auto extent = lex.extent()) shape.push_back(*extent);
  if (shape.empty()) return expected("a shape such as 16x32x");
  if (!element(of) || (lex.eat(",") && !layout(placed)) || !expect(">")) return false;
  if (placed && placed->rank() == shape.size())
    for (unsigned d = 0; d < shape.size(); ++d) shape[d] = shape[d].orFrom(placed->dim(d).size);
  into = Type(of, shape, placed);
  return true;
}

bool TypeParser::sizes(Shape &into) {
  if (!expect("[")) return false;
  while (!lex.peek("]")) {
    if (!into.empty() && !expect(",")) return false;
    if (!size(into.emplace_back())) return false;
  }
  return expect("]");
}

bool TypeParser::integers(llvm::SmallVector<int64_t, 4> &into) {
  if (!expect("[")) return false;
  while (!lex.peek("]")) {
    if (!into.empty() && !expect(",")) return false;
    if (!integer(into.emplace_back())) return false;
  }
  return expect("]");
}

bool TypeParser::attribute(Attribute &into) {
  if (lex.peek("[")) {
    llvm::SmallVector<int64_t, 4> list;
    if (!integers(list)) return false;
    into = std::move(list);
  } else if (auto text = lex.quoted()) {
    into = std::move(*text);
  } else if (auto real = lex.real()) {
    into = *real;
  } else if (auto value = lex.integer()) {
    into = *value;
  } else if (auto word = lex.identifier()) {
    if (*word == "true" || *word == "false")
      into = *word == "true";
    else
      into = std::move(*word);
  } else {
    return expected("the value of an attribute");
  }
  return true;
}

}  // namespace tile2cu::ir
