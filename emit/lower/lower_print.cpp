// device_print as a call of printf.
#include "emit/cuda/builder.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/ir/builder.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

// A format, and the arguments of printf that it is for.
struct Printed {
  std::string format;
  llvm::SmallVector<Expr, 8> arguments = {};

  void text(llvm::StringRef plain) {
    for (const char c : plain) format += c == '%' ? "%%" : std::string(1, c);
  }
  void number(llvm::StringRef conversion, const Expr &e) {
    format += conversion;
    arguments.push_back(e);
  }
  // The bits of an unsigned integer or a bool, with all digits of its type.
  void bits(const Type &type, const Expr &e) {
    const unsigned width = type.scalar() == Scalar::Bool ? 4 : bitWidth(type.scalar());
    const std::string start = fmt::format("0x%0{}", width / 4);
    if (width == 64)
      return number(start + "llx",
                    call(instance("static_cast", {word("unsigned long long")}), {e}));
    number(start + "x", e.isLiteral() ? call("unsigned", {e}) : e);
  }
  // printf takes a half or an 8-bit float as a double, and 64 bits as a long long on each host.
  void value(const Type &type, const Expr &e) {
    const Scalar scalar = type.scalar();
    if (type.isPointer())
      return number("%p", call(instance("static_cast", {word("const void*")}), {e}));
    if (isFloat(scalar)) return number("%g", byteWidth(scalar) < 4 ? call("float", {e}) : e);
    const bool isUnsigned = scalar == Scalar::U32 || scalar == Scalar::U64;
    if (bitWidth(scalar) < 64)
      return number(isUnsigned ? "%u" : "%d", e.isLiteral() ? call("int", {e}) : e);
    number(isUnsigned ? "%llu" : "%lld",
           call(instance("static_cast", {word(isUnsigned ? "unsigned long long" : "long long")}),
                {e}));
  }
};

}  // namespace

Expr printCall(LoweringContext &ctx, const DevicePrintOp &print, const Expr &value,
               llvm::ArrayRef<Expr> indices) {
  Printed printed;
  printed.text("pid (");
  llvm::StringRef separator;
  for (const Value *id : {print.x(), print.y(), print.z()}) {
    printed.text(separator);
    separator = ", ";
    if (const auto known = constantInt(id))
      printed.text(std::to_string(*known));
    else
      printed.number("%d", call("int", {scalar(ctx, id)}));
  }
  printed.text(") idx (");
  for (size_t d = 0; d < indices.size(); ++d) {
    if (d > 0) printed.text(", ");
    printed.number("%d", indices[d]);
  }
  printed.text(") " + print->getString(Attr::message) + ": ");
  if (print->getBool(Attr::hex))
    printed.bits(print.value()->type, value);
  else
    printed.value(print.value()->type, value);
  printed.text("\n");
  std::string literal;
  llvm::raw_string_ostream(literal).write_escaped(printed.format);
  printed.arguments.insert(printed.arguments.begin(), word("\"" + literal + "\""));
  return call("printf", printed.arguments);
}

void lower(LoweringContext &ctx, const DevicePrintOp &print) {
  ctx.comments.statement(print.op);
  ctx.out.setAfterComment(false);
  const Expr mask = print.mask_opt() ? scalar(ctx, print.mask_opt()) : Expr{};
  ctx.out.add(shortIf(bothOf(loneThread(ctx), mask),
                      evaluate(printCall(ctx, print, scalar(ctx, print.value()), {}))));
}

}  // namespace tile2cu::emit
