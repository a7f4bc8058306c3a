#include "emit/cuda/free_names.h"

#include <algorithm>
#include <cctype>

#include "emit/cuda/occupied_names.h"
#include "llvm/ADT/StringSet.h"

namespace tile2cu::emit {
namespace {
// Words that C++, CUDA or the emitted text itself uses.
const char *const kReserved[] = {
    "alignas",      "alignof",   "and",       "asm",        "auto",      "bool",
    "break",        "case",      "catch",     "char",       "class",     "const",
    "constexpr",    "continue",  "decltype",  "default",    "delete",    "do",
    "double",       "else",      "enum",      "explicit",   "extern",    "false",
    "float",        "for",       "friend",    "goto",       "if",        "inline",
    "int",          "int64_t",   "long",      "mutable",    "namespace", "new",
    "not",          "nullptr",   "operator",  "or",         "private",   "protected",
    "public",       "register",  "return",    "short",      "signed",    "sizeof",
    "static",       "struct",    "switch",    "template",   "this",      "throw",
    "true",         "try",       "typedef",   "typename",   "uint32_t",  "uint64_t",
    "union",        "unsigned",  "using",     "virtual",    "void",      "volatile",
    "while",        "xor",       "blockDim",  "blockIdx",   "gridDim",   "threadIdx",
    "warpSize",     "min",       "max",       "smem",       "Smem",      "dynamic_smem",
    "Config",       "stream",    "tile2cu",   "INFINITY",   "NAN",       "half",
    "tid",          "lane",      "warp",      "num_sms",    "dim3",      "assert",
    "printf",       "tl",        "std",       "emulate",    "uint8_t",   "uint16_t",
    "int8_t",       "int16_t",   "INT_MAX",   "INT_MIN",    "__half",    "__nv_bfloat16",
    "__restrict__", "NULL",      "errno",     "stdin",      "stdout",    "stderr",
    "unix",         "linux",     "grid",      "abs",        "exp",       "log",
    "sqrt",         "pow",       "sin",       "cos",        "tan",       "tanh",
    "erf",          "floor",     "ceil",      "rint",       "fma",       "y0",
    "y1",           "j0",        "j1",        "yn",         "jn",        "fmin",
    "fmax",         "fminf",     "fmaxf",     "fmod",       "fmodf",     "fmaf",
    "fabs",         "fabsf",     "trunc",     "truncf",     "round",     "roundf",
    "asin",         "asinf",     "acos",      "acosf",      "atan",      "atanf",
    "sinh",         "sinhf",     "cosh",      "coshf",      "asinh",     "asinhf",
    "acosh",        "acoshf",    "atanh",     "atanhf",     "exp10",     "exp10f",
    "expm1",        "expm1f",    "log10",     "log10f",     "log1p",     "log1pf",
    "cbrt",         "cbrtf",     "erfc",      "erfcf",      "erfinv",    "erfinvf",
    "lgamma",       "lgammaf",   "tgamma",    "tgammaf",    "atan2",     "atan2f",
    "copysign",     "copysignf", "nextafter", "nextafterf", "remainder", "remainderf",
};

bool isReserved(llvm::StringRef name) {
  static const llvm::StringSet<> reserved = [] {
    llvm::StringSet<> all;
    for (const char *word : kReserved) all.insert(word);
    return all;
  }();
  return reserved.contains(name);
}

// A variable may have the name of a function that the text does not call, but not one of these.
bool isMacroOrGlobal(const std::string &name) {
  const Occupied occupied = occupiedName(name);
  return occupied == Occupied::Macro || occupied == Occupied::Global;
}

}  // namespace

std::string identifier(llvm::StringRef wanted) {
  std::string base;
  for (char c : wanted) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isFurther = (byte & 0xc0) == 0x80;  // of a letter beyond ASCII
    if (!isFurther) base += byte < 0x80 && std::isalnum(byte) ? c : '_';
  }
  // With a number, `_` would be `__2`; names that begin with two underscores are reserved.
  if (base.find_first_not_of('_') == std::string::npos) base = "value";
  if (std::isdigit(static_cast<unsigned char>(base[0]))) base = "value_" + base;
  if (isReserved(base)) base += "_value";
  // M_PI_2 and cudaEvent_2 are occupied as well.
  if (isMacroOrGlobal(base) && isMacroOrGlobal(base + "_2")) base = "value_" + base;
  return base;
}

bool FreeNames::isUsed(const std::string &name) const {
  if (isReserved(name) || isMacroOrGlobal(name)) return true;
  return std::any_of(scopes_.begin(), scopes_.end(),
                     [&](const auto &scope) { return scope.count(name) != 0; });
}

bool FreeNames::reserve(llvm::StringRef name) {
  if (isUsed(name.str())) return false;
  scopes_.back().insert(name.str());
  return true;
}

void FreeNames::open() {
  scopes_.emplace_back();
  taken_.emplace_back();
}

void FreeNames::close() {
  scopes_.pop_back();
  taken_.pop_back();
}

std::string FreeNames::take(llvm::StringRef wanted, const std::set<std::string> &others) {
  const std::string base = identifier(wanted);
  auto numbered = [&](int i) { return i == 1 ? base : base + "_" + std::to_string(i); };
  int known = 0;
  for (const auto &scope : taken_)
    if (auto it = scope.find(base); it != scope.end()) known = std::max(known, it->second);
  const int before = known;
  while (isUsed(numbered(known + 1))) ++known;
  if (known > before) taken_.back()[base] = known;
  int i = known + 1;
  while (others.count(numbered(i)) || isUsed(numbered(i))) ++i;
  std::string name = numbered(i);
  scopes_.back().insert(name);
  return name;
}

std::string singular(llvm::StringRef name) {
  bool plural = name.size() > 3 && name.ends_with("s") && !name.ends_with("ss") &&
                !name.ends_with("us") && !name.ends_with("is");
  return (plural ? name.drop_back() : name).str();
}

std::string camelCase(llvm::StringRef name) {
  auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::string result;
  bool upper = true, between = false;
  for (char c : name) {
    if (c == '_') {
      upper = true;
      between = !result.empty() && isDigit(result.back());
      continue;
    }
    // Numbers stay apart: 1_64 is not 16_4.
    if (between && isDigit(c)) result += '_';
    between = false;
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

}  // namespace tile2cu::emit
