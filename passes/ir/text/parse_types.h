// Reads types, layouts and attributes of the IR's text form.
#pragma once
#include <map>

#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/layout.h"
#include "passes/ir/module.h"
#include "passes/ir/text/lexer.h"

namespace tile2cu::ir {

// Every function returns false after it has reported an error.
struct TypeParser {
  llvm::StringRef fileName;
  Module &module;
  Diagnostics &diagnostics;
  Lexer lex;
  bool hasFiles = false;
  std::map<std::string, LayoutRef, std::less<>> layouts = {};

  // ---- errors
  bool errorAt(size_t offset, const std::string &message) {
    auto [line, column] = lex.place(offset);
    if (hasFiles) module.files.push_back(fileName.str());
    Location loc{static_cast<unsigned>(module.files.size() - 1), line, column};
    diagnostics.report(DiagId::InvalidTileIr, loc, {message});
    return false;
  }
  bool error(const std::string &message) { return errorAt(lex.offset(), message); }
  bool expected(llvm::StringRef what) {
    return error(fmt::format("expected {}, not {}", what.str(), lex.here()));
  }
  bool expect(llvm::StringRef token) { return lex.eat(token) || expected("'" + token.str() + "'"); }
  template <class T>
  bool expectInto(T &into, std::optional<T> parsed, llvm::StringRef what) {
    if (!parsed) return expected(what);
    into = std::move(*parsed);
    return true;
  }
  bool identifier(std::string &into, llvm::StringRef what) {
    return expectInto(into, lex.identifier(), what);
  }
  bool size(Dim &into) { return expectInto(into, lex.size(), "a size"); }
  bool integer(int64_t &into) { return expectInto(into, lex.integer(), "a number"); }
  bool number(int &into) {
    int64_t value = 0;
    if (!integer(value)) return false;
    into = static_cast<int>(value);
    return true;
  }
  bool quoted(std::string &into) { return expectInto(into, lex.quoted(), "a string in quotes"); }

  // ---- types and attributes
  bool layoutDigit(Digit &digit);
  // #<4 warps, [2, 4], 1024:BLOCK = r1*4 lane*32 warp*4 r0*2> or #name
  bool layout(LayoutRef &into);
  bool element(Element &into);
  bool scalar(Scalar &into);
  bool type(Type &into);
  bool integers(llvm::SmallVector<int64_t, 4> &into);
  bool sizes(Shape &into);
  bool attribute(Attribute &into);
};

}  // namespace tile2cu::ir
