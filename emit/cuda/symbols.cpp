#include "emit/cuda/symbols.h"

#include <algorithm>
#include <cctype>

#include "emit/cuda/builder.h"
#include "emit/cuda/occupied_names.h"
#include "emit/cuda/text_words.h"

namespace tile2cu::emit {
namespace {
// Words that C++, CUDA or the emitted text itself uses.
const char *const kReserved[] = {
    "alignas",      "alignof",  "and",      "asm",      "auto",      "bool",
    "break",        "case",     "catch",    "char",     "class",     "const",
    "constexpr",    "continue", "decltype", "default",  "delete",    "do",
    "double",       "else",     "enum",     "explicit", "extern",    "false",
    "float",        "for",      "friend",   "goto",     "if",        "inline",
    "int",          "int64_t",  "long",     "mutable",  "namespace", "new",
    "not",          "nullptr",  "operator", "or",       "private",   "protected",
    "public",       "register", "return",   "short",    "signed",    "sizeof",
    "static",       "struct",   "switch",   "template", "this",      "throw",
    "true",         "try",      "typedef",  "typename", "uint32_t",  "uint64_t",
    "union",        "unsigned", "using",    "virtual",  "void",      "volatile",
    "while",        "xor",      "blockDim", "blockIdx", "gridDim",   "threadIdx",
    "warpSize",     "min",      "max",      "smem",     "Smem",      "dynamic_smem",
    "Config",       "stream",   "tile2cu",  "INFINITY", "NAN",       "half",
    "tid",          "lane",     "warp",     "num_sms",  "dim3",      "assert",
    "printf",       "tl",       "std",      "emulate",  "uint8_t",   "uint16_t",
    "int8_t",       "int16_t",  "INT_MAX",  "INT_MIN",  "__half",    "__nv_bfloat16",
    "__restrict__", "NULL",     "errno",    "stdin",    "stdout",    "stderr",
    "unix",         "linux",    "grid",     "abs",      "exp",       "log",
    "sqrt",         "pow",      "sin",      "cos",      "tan",       "tanh",
    "erf",          "floor",    "ceil",     "rint",     "fma",       "y0",
    "y1",           "j0",       "j1",       "yn",       "jn",        "fmin",
    "fmax",         "fminf",    "fmaxf",    "fmod",     "fmodf",     "fmaf",
    "fabs",         "fabsf",
};

// A variable may have the name of a function that the text does not call, but not one of these.
bool isMacroOrGlobal(const std::string &name) {
  const Occupied occupied = occupiedName(name);
  return occupied == Occupied::Macro || occupied == Occupied::Global;
}

}  // namespace

Names::Names() { open(); }

bool Names::used(const std::string &name) const {
  static const std::set<std::string> reserved(std::begin(kReserved), std::end(kReserved));
  if (reserved.count(name)) return true;
  if (isMacroOrGlobal(name)) return true;
  for (const auto &scope : scopes_)
    if (scope.count(name)) return true;
  return false;
}

bool Names::reserve(llvm::StringRef name) {
  if (used(name.str())) return false;
  scopes_.back().insert(name.str());
  return true;
}

void Names::open() {
  scopes_.emplace_back();
  constants_.emplace_back();
  taken_.emplace_back();
}

void Names::close() {
  for (const std::string &name : scopes_.back()) end(name);
  scopes_.pop_back();
  constants_.pop_back();
  taken_.pop_back();
}

void Names::release(const std::string &name) {
  end(name);
  scopes_.back().erase(name);
  taken_.back().erase(name);
  taken_.back().erase(name.substr(0, name.rfind('_')));
}

static std::string keyOf(const std::string &type, const Expr &initializer) {
  return type + " " + initializer.str();
}

const Names::Constant *Names::constant(const std::string &type, const Expr &initializer) const {
  const std::string key = keyOf(type, initializer);
  for (const auto &scope : constants_)
    if (auto known = scope.find(key);
        known != scope.end() && firstChanged(known->second.reads).empty())
      return &known->second;
  return nullptr;
}

void Names::rememberConstant(const std::string &type, const Expr &initializer,
                             const std::string &name) {
  Reads reads = readsOf(initializer);
  reads.append(readsOf(named(name)));
  constants_.back()[keyOf(type, initializer)] = {name, std::move(reads)};
}

// ---- changes of variables

void Names::end(const std::string &name) {
  const auto variable = variables_.find(name);
  if (variable == variables_.end()) return;
  changes_[variable->second] = kEnded;
  variables_.erase(variable);
}

void Names::change(unsigned variable) {
  if (changes_[variable] == kEnded) return;
  log_.push_back({variable, changes_[variable]});
  changes_[variable] = ++lastChange_;
}

void Names::change(const std::string &name) {
  if (const auto variable = variables_.find(name); variable != variables_.end())
    change(variable->second);
}

void Names::change(llvm::ArrayRef<unsigned> variables) {
  for (unsigned variable : variables) change(variable);
}

Reads Names::readsOf(const Expr &e) const {
  Reads reads;
  walk(e, [&](const Expr &node) {
    if (!node.isName()) return;
    if (const auto variable = variables_.find(node.spelling()); variable != variables_.end())
      reads.push_back({variable->second, changes_[variable->second]});
  });
  return reads;
}

Reads Names::readsOf(const Stmts &stmts) const {
  Reads reads;
  forEachName(stmts, [&](llvm::StringRef name) {
    if (const auto variable = variables_.find(name); variable != variables_.end())
      reads.push_back({variable->second, changes_[variable->second]});
  });
  return reads;
}

std::string Names::firstChanged(const Reads &reads) const {
  for (const Read &read : reads)
    if (changes_[read.variable] != read.change) return names_[read.variable];
  return "";
}

std::vector<unsigned> Names::changedSince(Place place) const {
  std::vector<unsigned> variables;
  for (size_t i = place; i < log_.size(); ++i)
    if (changes_[log_[i].variable] != kEnded) variables.push_back(log_[i].variable);
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::vector<unsigned> Names::takeBack(Place place) {
  std::vector<unsigned> variables = changedSince(place);
  for (; log_.size() > place; log_.pop_back())
    if (unsigned &change = changes_[log_.back().variable]; change != kEnded)
      change = log_.back().before;
  return variables;
}

bool Names::areOthers(llvm::ArrayRef<unsigned> variables, llvm::ArrayRef<std::string> names) const {
  return std::any_of(variables.begin(), variables.end(), [&](unsigned variable) {
    return std::find(names.begin(), names.end(), names_[variable]) == names.end();
  });
}

std::string Names::freeName(llvm::StringRef wanted, const std::set<std::string> &others) {
  std::string base;
  for (char c : wanted) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isFurther = (byte & 0xc0) == 0x80;  // of a letter beyond ASCII
    if (!isFurther) base += byte < 0x80 && std::isalnum(byte) ? c : '_';
  }
  // With a number, `_` would be `__2`; names that begin with two underscores are reserved.
  if (base.find_first_not_of('_') == std::string::npos) base = "value";
  if (std::isdigit(static_cast<unsigned char>(base[0]))) base = "value_" + base;
  // M_PI_2 and cudaEvent_2 are occupied as well.
  if (isMacroOrGlobal(base) && isMacroOrGlobal(base + "_2")) base = "value_" + base;
  auto numbered = [&](int i) { return i == 1 ? base : base + "_" + std::to_string(i); };
  int known = 0;
  for (const auto &scope : taken_)
    if (auto it = scope.find(base); it != scope.end()) known = std::max(known, it->second);
  const int before = known;
  while (used(numbered(known + 1))) ++known;
  if (known > before) taken_.back()[base] = known;
  int i = known + 1;
  while (others.count(numbered(i)) || used(numbered(i))) ++i;
  return numbered(i);
}

std::string Names::take(llvm::StringRef wanted, const std::set<std::string> &others) {
  std::string name = freeName(wanted, others);
  scopes_.back().insert(name);
  variables_[name] = changes_.size();
  changes_.push_back(++lastChange_);
  names_.push_back(name);
  return name;
}

std::string Names::takeForKernel(llvm::StringRef wanted) {
  // A variable of an earlier scope would hide the name there.
  std::string name = freeName(wanted, {names_.begin(), names_.end()});
  scopes_.front().insert(name);
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
