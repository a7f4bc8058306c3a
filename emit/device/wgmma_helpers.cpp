#include "emit/device/wgmma_helpers.h"

#include "fmt/format.h"

namespace tile2cu::emit {
namespace {

enum class DType { kF32, kF16, kS32 };  // of the accumulators, which are d in PTX

struct Kind {
  const char *name;     // the end of the helper's name
  const char *a, *b;    // the elements, in PTX
  const char *inWords;  // as text for the comment: A by B
  DType d;
  int k;
  bool canTranspose;  // operands in shared memory may be mn-major
};

constexpr Kind kKinds[] = {
    {"f16", "f16", "f16", "of float16", DType::kF32, 16, true},
    {"bf16", "bf16", "bf16", "of bfloat16", DType::kF32, 16, true},
    {"f16_acc_f16", "f16", "f16", "of float16, accumulated in float16", DType::kF16, 16, true},
    {"tf32", "tf32", "tf32", "of tf32 (to_tf32)", DType::kF32, 8, false},
    {"e4m3", "e4m3", "e4m3", "of e4m3", DType::kF32, 32, false},
    {"e5m2", "e5m2", "e5m2", "of e5m2", DType::kF32, 32, false},
    {"e4m3_e5m2", "e4m3", "e5m2", "of e4m3 by e5m2", DType::kF32, 32, false},
    {"e5m2_e4m3", "e5m2", "e4m3", "of e5m2 by e4m3", DType::kF32, 32, false},
    {"s8", "s8", "s8", "of int8_t", DType::kS32, 32, false},
    {"u8", "u8", "u8", "of uint8_t", DType::kS32, 32, false},
    {"s8_u8", "s8", "u8", "of int8_t by uint8_t", DType::kS32, 32, false},
    {"u8_s8", "u8", "s8", "of uint8_t by int8_t", DType::kS32, 32, false},
};

bool exists(const Kind &kind, int n) {
  if (n < 8 || n > 256 || n % 8 != 0) return false;
  return kind.d != DType::kS32 || n % 16 == 0 || n == 8 || n == 24;
}

std::string nameOf(const Kind &kind, int n) {
  return fmt::format("wgmma_m64n{}k{}_{}", n, kind.k, kind.name);
}

// "a, b, c" in lines that start with `indent`, each at most as long as lines of emitted code.
std::string list(const std::vector<std::string> &items, const std::string &indent,
                 const std::string &open, const std::string &close) {
  std::string result, line = indent + open;
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + 1 + item.size() + close.size() > 100) {
      result += line + close + "\n";
      line = indent + open;
    }
    if (line.size() > indent.size() + open.size()) line += " ";
    line += item;
  }
  return result + line + close;
}

// One function: its signature, and its operands in PTX. A is in shared memory or in registers.
struct Writer {
  const Kind &kind;
  int n;
  bool aInRegisters;
  int operands = 0;  // of the assembly text so far

  std::string accType() const {
    return kind.d == DType::kF32 ? "float" : kind.d == DType::kF16 ? "vec<__half, 2>" : "int";
  }

  // The registers of an accumulator of 8 columns: [4], or pairs of 16-bit elements: [2].
  std::string registers() const { return kind.d == DType::kF16 ? "[2]" : "[4]"; }

  // `dimensions` of acc before those: "[16]".
  std::string head(const std::string &dimensions) const {
    std::string begin = fmt::format("__device__ __forceinline__ void {}(", nameOf(kind, n));
    std::string parameters = list({fmt::format("{} (&acc){}{}", accType(), dimensions, registers()),
                                   aInRegisters ? "const uint32_t (&a)[4]" : "uint32_t a",
                                   "uint32_t b", "bool accumulate) {"},
                                  std::string(begin.size(), ' '), "", "");
    return fmt::format(
        "template <major A, major B, int A_ROW_BYTES = 128, int B_ROW_BYTES = 128>\n{}\n",
        parameters.replace(0, begin.size(), begin));
  }

  std::string requirements() const {
    if (!kind.canTranspose)
      return fmt::format(
          "  static_assert(A == major::k && B == major::k,\n"
          "                \"{}: operands are major k\");\n",
          nameOf(kind, n));
    if (!aInRegisters) return "";
    return fmt::format("  static_assert(A == major::k, \"{}: registers are major k\");\n",
                       nameOf(kind, n));
  }

  // The registers of acc, j outermost.
  std::vector<std::string> accumulators() const {
    std::vector<std::string> result;
    const bool isHalf = kind.d == DType::kF16;
    const char letter = kind.d == DType::kF32 ? 'f' : 'r';
    for (int j = 0; j < n / 8; ++j)
      for (int e = 0; e < (isHalf ? 2 : 4); ++e) {
        const std::string element =
            n == 8 ? fmt::format("acc[{}]", e) : fmt::format("acc[{}][{}]", j, e);
        result.push_back(isHalf ? fmt::format("\"+r\"(register_of({}))", element)
                                : fmt::format("\"+{}\"({})", letter, element));
      }
    return result;
  }

  std::string next() { return fmt::format("%{}", operands++); }

  std::string assembly() {
    std::vector<std::string> outputs = accumulators(), inputs, registers, aRegisters;
    for (size_t i = 0; i < outputs.size(); ++i) registers.push_back(next());
    std::string a = "a";
    if (aInRegisters) {
      for (int i = 0; i < 4; ++i) {
        aRegisters.push_back(next());
        inputs.push_back(fmt::format("\"r\"(a[{}])", i));
      }
      a = fmt::format("{{{}}}", fmt::join(aRegisters, ", "));
    } else {
      inputs.emplace_back("\"r\"(a)");
    }
    std::string aLow = aInRegisters ? "" : next(), bLow = next(), accumulate = next();
    inputs.emplace_back("\"r\"(b)");
    inputs.emplace_back("\"r\"(int(accumulate))");
    std::string aHigh = aInRegisters ? "" : next(), bHigh = next();
    if (!aInRegisters) inputs.emplace_back("\"n\"(wgmma_operand_rows(A_ROW_BYTES))");
    inputs.emplace_back("\"n\"(wgmma_operand_rows(B_ROW_BYTES))");
    std::string options = kind.d == DType::kS32 ? ", p" : ", p, 1, 1";
    if (kind.canTranspose && !aInRegisters) {
      options += ", " + next();
      inputs.emplace_back("\"n\"(int(A))");
    }
    if (kind.canTranspose) {
      options += ", " + next();
      inputs.emplace_back("\"n\"(int(B))");
    }
    std::string dName = kind.d == DType::kF32 ? "f32" : kind.d == DType::kF16 ? "f16" : "s32";
    std::string result = "  asm volatile(\n      \"{\\n.reg .pred p;\\n.reg .b64 ";
    result += aInRegisters ? "b;\\n\"\n" : "a, b;\\n\"\n";
    result += fmt::format("      \"setp.ne.b32 p, {}, 0;\\n\"\n      \"", accumulate);
    if (!aInRegisters) result += fmt::format("mov.b64 a, {{{}, {}}};\\n", aLow, aHigh);
    result += fmt::format("mov.b64 b, {{{}, {}}};\\n\"\n", bLow, bHigh);
    result += fmt::format("      \"wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{} {{\"\n{}\n", n,
                          kind.k, dName, kind.a, kind.b, list(registers, "      ", "\"", "\""));
    result += fmt::format("      \"}}, {}, b{};\\n}}\"\n", a, options);
    result += list(outputs, "        ", "", "").replace(6, 2, ": ") + "\n";
    result += list(inputs, "        ", "", "").replace(6, 2, ": ") + ");\n";
    return result;
  }

  std::string function() {
    std::string result = head(n == 8 ? "" : fmt::format("[{}]", n / 8)) + requirements();
    result += "#ifdef __CUDA_ARCH_FEAT_SM90_ALL\n" + assembly() + "#else\n  __trap();\n#endif\n}\n";
    if (n == 8)
      result +=
          fmt::format("{}  {}<A, B, A_ROW_BYTES, B_ROW_BYTES>(acc[0], a, b, accumulate);\n}}\n",
                      head("[1]"), nameOf(kind, n));
    return result;
  }
};

WgmmaHelper write(const Kind &kind, int n) {
  WgmmaHelper helper;
  helper.text = fmt::format(
      "// acc (64 x {0}) = A (64 x {1}) * B ({1} x {0}) + acc, or without + acc: a product\n"
      "// {2}. A and B are in shared memory (wgmma_operand). Needs sm_90a.\n"
      "{3}// The same with A in registers.\n{4}",
      n, kind.k, kind.inWords, Writer{kind, n, false}.function(), Writer{kind, n, true}.function());
  helper.needs = {"major", "wgmma_operand_rows"};
  helper.includes = {"<cstdint>"};
  if (kind.d == DType::kF16) {
    helper.needs.insert(helper.needs.end(), {"vec", "register_of"});
    helper.includes.emplace_back("<cuda_fp16.h>");
  }
  return helper;
}

}  // namespace

std::vector<std::string> wgmmaNames() {
  std::vector<std::string> names;
  for (const Kind &kind : kKinds)
    for (int n = 8; n <= 256; n += 8)
      if (exists(kind, n)) names.push_back(nameOf(kind, n));
  return names;
}

std::optional<WgmmaHelper> wgmmaHelper(std::string_view name) {
  if (!name.starts_with("wgmma_m64n")) return std::nullopt;
  for (const Kind &kind : kKinds)
    for (int n = 8; n <= 256; n += 8)
      if (exists(kind, n) && nameOf(kind, n) == name) return write(kind, n);
  return std::nullopt;
}

}  // namespace tile2cu::emit
