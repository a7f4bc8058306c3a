#include "emit/host/torch_operators.h"

#include "emit/cuda/format.h"
#include "emit/cuda/free_names.h"
#include "emit/host/launchers.h"
#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/parameter_names.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

constexpr llvm::StringLiteral kCall =
#include "emit/host/torch_call.inc"
    ;

// The enumerator of torch::headeronly::ScalarType; of an address, of its number.
llvm::StringRef torchName(Scalar scalar) {
  switch (scalar) {
    case Scalar::Bool:
      return "Bool";
    case Scalar::I8:
      return "Char";
    case Scalar::U8:
      return "Byte";
    case Scalar::I16:
      return "Short";
    case Scalar::U16:
      return "UInt16";
    case Scalar::I32:
      return "Int";
    case Scalar::U32:
      return "UInt32";
    case Scalar::I64:
      return "Long";
    case Scalar::U64:
      return "UInt64";
    case Scalar::F16:
      return "Half";
    case Scalar::BF16:
      return "BFloat16";
    case Scalar::F32:
      return "Float";
    case Scalar::F64:
      return "Double";
    case Scalar::F8E4M3:
      return "Float8_e4m3fn";
    case Scalar::F8E5M2:
      return "Float8_e5m2";
    case Scalar::None:
      break;
  }
  T2C_UNREACHABLE("a parameter has a type");
}
// A table of addresses is a tensor of int64, as Tensor.data_ptr() makes them.
llvm::StringRef elementsOf(const Type &pointer) {
  const bool isTable = pointer.element().target != Scalar::None;
  return isTable ? "Long" : torchName(pointer.scalar());
}

// The name in a schema, which cannot have Python's keywords as names: in_ for in.
std::string withoutKeyword(const std::string &name) {
  constexpr llvm::StringLiteral words[] = {
      "Ellipsis", "False", "None",   "NoneType", "True",   "and",   "as",
      "assert",   "break", "class",  "continue", "def",    "del",   "elif",
      "else",     "for",   "global", "if",       "import", "in",    "is",
      "not",      "or",    "pass",   "raise",    "return", "while", "with"};
  return llvm::is_contained(words, name) ? name + "_" : name;
}

// An argument of the operator.
struct Argument {
  std::string name;
  std::string schema;  // "Tensor(a!) out"
  std::string type;    // in C++
};

// The operator of one launcher.
class Operator {
 public:
  Operator(const Launcher &launcher, std::string name)
      : launcher_(launcher), kernel_(*launcher.candidates.front()), name_(std::move(name)) {
    for (const char *own : {"call", "pointer", "rounded", "assign", "Tensor", "ScalarType"})
      free_.reserve(own);
    for (const auto &[index, parameter] : llvm::enumerate(launchParametersOf(kernel_)))
      add(parameter, index);
    if (!kernel_.grid())
      for (const char *axis : {"grid_x", "grid_y", "grid_z"}) {
        const std::string argument = free_.take(axis);
        arguments_.push_back({argument, "SymInt " + argument, "int64_t"});
        grid_.push_back(argument);
      }
  }

  const std::string &name() const { return name_; }
  std::string schema() const {
    std::vector<std::string> all;
    for (const Argument &argument : arguments_) all.push_back(argument.schema);
    return name_ + "(" + llvm::join(all, ", ") + ") -> ()";
  }

  std::string definition() const {
    std::string text;
    llvm::SmallVector<llvm::StringRef> lines;
    const std::string &comment = launcher_.comment.empty() ? kernel_.comment : launcher_.comment;
    llvm::StringRef(comment).split(lines, '\n', -1, false);
    for (llvm::StringRef line : lines) text += ("// " + line + "\n").str();
    std::vector<std::string> parameters;
    for (const Argument &argument : arguments_)
      parameters.push_back(argument.type + " " + argument.name);
    text += fmt::format("template <bool RUNS>\nvoid {}_operator({}) {{\n", name_,
                        llvm::join(parameters, ", "));
    text += fmt::format("operator_call call(\"{}\", {{{}}});\n", name_, llvm::join(tensors_, ", "));
    text += "if constexpr (RUNS) {\ncall.enter_device();\n" + structs_ + launch() + "}\n}\n";
    return text;
  }

 private:
  std::string schemaName(const std::string &name) {
    return schemaNames_.take(withoutKeyword(name));
  }

  // Whether every kernel asks if this pointer is null.
  bool mayBeNull(unsigned index) const {
    return llvm::all_of(launcher_.candidates, [&](const Kernel *kernel) {
      const Value *pointer = kernel->body.argument(index);
      return llvm::any_of(pointer->users, [&](const Op *user) {
        if (user->kind != OpKind::Eq && user->kind != OpKind::Ne) return false;
        const Value *other = user->operand(user->operand(0) == pointer ? 1 : 0);
        return other->definition && other->definition->kind == OpKind::Constant;
      });
    });
  }

  void add(const Parameter &parameter, unsigned index) {
    const std::string name = free_.take(identifierOf(parameter));
    Argument argument{name, "", ""};
    std::string value;
    const Scalar scalar = parameter.type.scalar();
    if (parameter.type.isPointer()) {
      const std::string alias =
          parameter.type.element().pointeeConst ? "" : "(" + nextAlias() + "!)";
      const bool isOptional = mayBeNull(index);
      argument.schema = "Tensor" + alias + (isOptional ? "? " : " ") + schemaName(name);
      argument.type = isOptional ? "const std::optional<Tensor>&" : "const Tensor&";
      tensors_.push_back(
          fmt::format("{{\"{0}\", {0}, ScalarType::{1}}}", name, elementsOf(parameter.type).str()));
      value = "pointer(" + name + ")";
    } else if (scalar == Scalar::Bool) {
      argument.schema = "bool " + schemaName(name);
      argument.type = "bool";
      value = name;
    } else if (isFloat(scalar)) {
      argument.schema = "float " + schemaName(name);
      argument.type = "double";
      value = scalar == Scalar::F64   ? name
              : scalar == Scalar::F32 ? "float(" + name + ")"
                                      : "rounded{" + name + "}";
    } else {
      argument.schema = "SymInt " + schemaName(name);
      argument.type = "int64_t";
      value = fmt::format("call.number<{}>({}, \"{}\")", cppType(scalar), name, name);
    }
    arguments_.push_back(std::move(argument));
    pass(parameter, value);
  }

  // p.sizes[2] -> p_sizes_2
  static std::string identifierOf(const Parameter &parameter) {
    std::string text;
    for (const char c : parameter.name)
      if (c != ']') text += llvm::isAlnum(c) || c == '_' ? c : '_';
    return text;
  }

  // The value is an argument of the launcher, or a member of one.
  void pass(const Parameter &parameter, const std::string &value) {
    if (parameter.record.empty()) {
      values_.push_back(value);
      object_.clear();
      return;
    }
    const std::string object = parameter.object().str();
    if (object != object_) {
      object_ = object;
      struct_ = free_.take(object);
      structs_ += fmt::format("::{} {}{{}};\n", parameter.record, struct_);
      values_.push_back(struct_);
    }
    structs_ +=
        fmt::format("assign({}{}, {});\n", struct_, parameter.name.substr(object.size()), value);
  }

  std::string nextAlias() {
    const int number = aliases_++;
    return std::string(1, char('a' + number % 26)) +
           (number < 26 ? "" : std::to_string(number / 26));
  }

  std::string launch() const {
    const std::string launcher =
        "::" + (launcher_.nameSpace.empty() ? "" : launcher_.nameSpace + "::") + launcher_.name;
    std::vector<std::string> values = values_;
    if (grid_.empty()) {
      values.push_back("call.stream()");
      return fmt::format("call.check({}({}));\n", launcher, llvm::join(values, ", "));
    }
    std::vector<std::string> cpu = grid_, sizes;
    cpu.insert(cpu.begin(), launcher);
    cpu.insert(cpu.end(), values_.begin(), values_.end());
    for (const std::string &axis : grid_)
      sizes.push_back(fmt::format("call.number<unsigned>({0}, \"{0}\")", axis));
    values.push_back("dim3(" + llvm::join(sizes, ", ") + ")");
    values.push_back("call.stream()");
    return fmt::format(
        "#ifdef "
        "TILE2CU_TORCH_CPU\ncall.check(launch_grid({}));\n#else\ncall.check({}({}));\n#endif\n",
        llvm::join(cpu, ", "), launcher, llvm::join(values, ", "));
  }

  const Launcher &launcher_;
  const Kernel &kernel_;
  const std::string name_;
  FreeNames free_, schemaNames_;
  std::vector<Argument> arguments_;
  std::vector<std::string> tensors_;  // {"in", in, ScalarType::Float}
  std::vector<std::string> values_;   // what the launcher is called with
  std::vector<std::string> grid_;
  std::string structs_;          // the statements that fill structs
  std::string object_, struct_;  // of the last parameter: its struct in the source, and here
  int aliases_ = 0;
};

// The launcher's name, below its namespaces if another launcher has the name, too.
std::vector<Operator> operatorsOf(const Module &module) {
  FreeNames free;
  std::vector<Operator> all;
  for (const Launcher &launcher : module.launchers) {
    const bool isAlone = llvm::count_if(module.launchers, [&](const Launcher &other) {
                           return other.name == launcher.name;
                         }) == 1;
    std::string name = isAlone || launcher.nameSpace.empty() ? "" : launcher.nameSpace + "::";
    name += launcher.name;
    for (size_t at; (at = name.find("::")) != std::string::npos;) name.replace(at, 2, "_");
    all.emplace_back(launcher, free.take(name));
  }
  return all;
}

// softmax of softmax.tile.cpp
std::string libraryOf(const EmitOptions &options) {
  return identifier(llvm::StringRef(options.sourceName).split('.').first);
}

// Where the launchers come from.
std::string includes(const EmitOptions &options) {
  return fmt::format(R"(
#ifndef TILE2CU_TORCH_CPU
#define USE_CUDA  // for aoti_torch_get_current_cuda_stream
#endif
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TILE2CU_TORCH_CPU
#define TILE2CU_CUDA_NAMES
#include "{0}"
#else
#include "{1}"
#endif

#ifndef TILE2CU_TORCH_LIBRARY
#define TILE2CU_TORCH_LIBRARY {2}
#endif

)",
                     options.sourceName, options.headerName, libraryOf(options));
}

std::string title(const EmitOptions &options, llvm::ArrayRef<Operator> operators) {
  std::string text =
      fmt::format("// Operators of PyTorch generated by tile2cu from {}: torch.ops.{}.\n//\n",
                  options.sourceName, libraryOf(options));
  for (const Operator &one : operators) text += "//   " + one.name() + "\n";
  text +=
      "//\n// Compile it together with the CUDA file; or alone with -DTILE2CU_TORCH_CPU and the "
      "folders of the\n"
      "// source and of tile2cu/tile.h, for operators that run the source on the CPU. It takes the "
      "stable\n"
      "// ABI of torch 2.10 or newer.\n";
  return text;
}

// The operators of kernels without a grid, on the CPU.
constexpr const char *kLaunchGrid = R"(
#ifdef TILE2CU_TORCH_CPU
// The first configuration that takes the arguments, with x * y * z programs.
template <class... P, class... Argument>
cudaError_t launch_grid(const tl::instance<P...>& launcher, int64_t x, int64_t y, int64_t z,
                        const Argument&... arguments) {
  return tl::launch_grid(launcher.kernel, x, y, z, arguments...);
}
template <int N, class... P, class... Argument>
cudaError_t launch_grid(const tl::selection<N, P...>& launcher, int64_t x, int64_t y, int64_t z,
                        const Argument&... arguments) {
  for (const auto& candidate : launcher.candidates)
    if (tl::launch_grid(candidate.kernel, x, y, z, arguments...) == cudaSuccess) return cudaSuccess;
  return cudaErrorInvalidValue;
}
#endif

)";

// The registrations. Calls with tensors of another kind of device arrive, too, so that the check
// can say what is wrong.
std::string registrations(llvm::ArrayRef<Operator> operators) {
  std::string text =
      "}  // namespace\n\n"
      "// The macros of torch make identifiers of the library's name; these replace it first.\n"
      "#define TILE2CU_TORCH_FRAGMENT(library, m) STABLE_TORCH_LIBRARY_FRAGMENT(library, m)\n"
      "#define TILE2CU_TORCH_IMPL(library, key, m) STABLE_TORCH_LIBRARY_IMPL(library, key, m)\n\n"
      "TILE2CU_TORCH_FRAGMENT(TILE2CU_TORCH_LIBRARY, m) {\n";
  for (const Operator &one : operators) text += fmt::format("m.def(\"{}\");\n", one.schema());
  text += "}\n";
  for (const auto &[key, runs] : {std::pair("CPU", "true"), {"CUDA", "true"}, {"Meta", "false"}}) {
    const bool isMeta = key == llvm::StringRef("Meta");
    if (isMeta)
      text +=
          "\n// These take the sizes that torch.compile has seen for constants; tile2cu.torch "
          "registers others.\n"
          "#ifndef TILE2CU_TORCH_NO_META";
    text += fmt::format("\nTILE2CU_TORCH_IMPL(TILE2CU_TORCH_LIBRARY, {}, m) {{\n", key);
    for (const Operator &one : operators)
      text += fmt::format("m.impl(\"{0}\", TORCH_BOX((&{0}_operator<{1}>)));\n", one.name(), runs);
    text += isMeta ? "}\n#endif\n" : "}\n";
  }
  return text + "\n}  // namespace tile2cu::operators\n";
}

}  // namespace

std::string torchOperators(const Module &module, const EmitOptions &options) {
  const std::vector<Operator> operators = operatorsOf(module);
  std::string text = title(options, operators) + includes(options) + kCall.str();
  if (llvm::any_of(module.launchers,
                   [](const Launcher &launcher) { return !launcher.candidates.front()->grid(); }))
    text += kLaunchGrid;
  for (const Operator &one : operators) text += "\n" + one.definition();
  return formatCuda(text + "\n" + registrations(operators));
}

}  // namespace tile2cu::emit
