// Host side: launch functions and the launchers that users call.
#include "emit/kernel_group.h"
#include "emit/scalar_text.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {
const Op *throughCasts(const Value *value) {
  while (value->definition && value->definition->kind == OpKind::Cast)
    value = value->definition->operand(0);
  return value->definition;
}
// a / b + (a % b > 0): how cdiv rounds up. Sets a and b.
bool isCdiv(const Value *value, const Value *&a, const Value *&b) {
  const Op *add = throughCasts(value);
  if (!add || add->kind != OpKind::Add) return false;
  const Op *div = throughCasts(add->operand(0)), *more = throughCasts(add->operand(1));
  if (!div || !more || div->kind != OpKind::Div || more->kind != OpKind::Gt ||
      constantInt(more->operand(1)) != 0)
    return false;
  const Op *rem = throughCasts(more->operand(0));
  if (!rem || rem->kind != OpKind::Rem) return false;
  a = div->operand(0);
  b = div->operand(1);
  auto same = [](const Value *x, const Value *y) {
    return x == y || (constantInt(x) && constantInt(x) == constantInt(y));
  };
  return same(a, rem->operand(0)) && same(b, rem->operand(1));
}
}  // namespace

std::string gridText(const Value *value, const Kernel &kernel) {
  const Value *a, *b;
  if (isCdiv(value, a, b)) {
    std::string divisor = gridText(b, kernel);
    for (const TemplateArgument &argument : kernel.templateArguments)
      if (argument.integer && constantInt(b) == argument.integer &&
          (b->name.empty() || throughCasts(b)->result()->name == argument.name))
        divisor = argument.name;
    return "cdiv(" + gridText(a, kernel) + ", " + divisor + ")";
  }
  std::string text = hostExpr(value, kernel).text;
  if (text.rfind("int64_t(", 0) == 0 && text.find(')') == text.size() - 1)
    return text.substr(8, text.size() - 9);
  return text;
}

Expr hostExpr(const Value *value, const Kernel &kernel) {
  const Value *dividend, *divisor;
  if (isCdiv(value, dividend, divisor)) {
    if (auto by = constantInt(divisor); by && *by > 0)
      return binary(Prec::Multiplicative, "/",
                    sum(hostExpr(dividend, kernel), literal(Scalar::I64, *by - 1)),
                    literal(Scalar::I64, *by));
  }
  if (value->isArgument()) {
    const Parameter &parameter = kernel.parameters[value->index];
    bool widen = isInteger(parameter.type.scalar()) && bitWidth(parameter.type.scalar()) <= 32 &&
                 !parameter.type.isPointer();
    return widen ? call("int64_t", {primary(parameter.name)}) : primary(parameter.name);
  }
  const Op *op = value->definition;
  Scalar type = value->type.scalar();
  if (op->kind == OpKind::Constant) {
    if (isFloat(type)) return literal(type, op->getDouble("value"));
    return literal(type == Scalar::Bool ? type : Scalar::I64, op->getInt("value"));
  }
  if (op->kind == OpKind::NumSms) return primary("num_sms");
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 3> operands;
  for (Value *operand : op->operands()) operands.push_back(hostExpr(operand, kernel));
  // Everything is 64 bits wide here: widening casts say nothing.
  if (op->kind == OpKind::Cast && isInteger(type) && isInteger(op->operand(0)->type.scalar()))
    return operands[0];
  if ((op->kind == OpKind::Minimum || op->kind == OpKind::Maximum) && isInteger(type))
    return call(op->kind == OpKind::Minimum ? "std::min<int64_t>" : "std::max<int64_t>", operands);
  // A comparison of the arguments themselves needs no width.
  if (isComparison(op->kind))
    for (Expr &e : operands)
      if (e.text.rfind("int64_t(", 0) == 0 && e.text.find(')') == e.text.size() - 1)
        e = primary(e.text.substr(8, e.text.size() - 9));
  return hostElementwise(op, operands);
}

namespace {

bool usesSms(const Value *value) {
  if (!value || value->isArgument()) return false;
  if (value->definition->kind == OpKind::NumSms) return true;
  for (const Value *operand : value->definition->operands())
    if (usesSms(operand)) return true;
  return false;
}

const Op *gridOf(const Kernel &kernel) {
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Grid) return op.get();
  return nullptr;
}

std::string cleanCasts(std::string text) {
  // int64_t(n) by itself is n.
  if (text.rfind("int64_t(", 0) == 0 && text.find(')') == text.size() - 1)
    return text.substr(8, text.size() - 9);
  return text;
}

}  // namespace

// A name for a local of a host function that no parameter of the kernel has.
std::string localName(const Kernel &kernel, std::string name) {
  auto taken = [&](const Parameter &parameter) { return parameter.name == name; };
  while (std::any_of(kernel.parameters.begin(), kernel.parameters.end(), taken))
    name = "launch_" + name;
  return name;
}

std::string launchName(const KernelGroup &group) {
  return "launch_" + group.name.substr(0, group.name.size() - 7);
}

namespace {

// The text of one launch function, piece by piece.
struct LaunchText {
  const KernelGroup &group;
  const EmitOptions &options;
  const Kernel &kernel = group.first();
  const Op *grid = gridOf(kernel);
  std::string function = group.name + group.templateNames();
  std::string threads = group.threads(), perBlock = group.warps(), smem = sharedSize();
  std::string programs = local("programs"), error = local("error"), device = local("device");
  std::string text = {};

  std::string local(const std::string &name) const { return localName(kernel, name); }

  std::string sharedSize() const {
    if (group.smem.empty()) return "0";
    std::string one = "sizeof(" + group.smemType() + ")";
    return kernel.packed() ? perBlock + " * " + one : one;
  }

  // programs, or programs_x and so on; returns their product.
  std::string countPrograms() {
    std::vector<std::string> names;
    const char *const kAxes[] = {"_x", "_y", "_z"};
    std::string negative, zero;
    for (unsigned i = 0; i < grid->numOperands(); ++i) {
      std::string name = grid->numOperands() == 1 ? programs : programs + kAxes[i];
      text += "const int64_t " + name + " = " +
              cleanCasts(hostExpr(grid->operand(i), kernel).text) + ";\n";
      negative += (i ? " || " : "") + name + " < 0";
      zero += (i ? " || " : "") + name + " == 0";
      names.push_back(name);
    }
    text += "if (" + negative + ") return cudaErrorInvalidValue;\n";
    text += "if (" + zero + ") return cudaSuccess;\n";
    // Each product is checked before it is made.
    std::string total = names[0];
    for (size_t i = 1; i < names.size(); ++i) {
      text += "if (" + total + " > INT_MAX / " + names[i] + ") return cudaErrorInvalidValue;\n";
      total += " * " + names[i];
    }
    return total;
  }

  bool usesNumSms() const {
    return llvm::any_of(grid->operands(), [](const Value *extent) { return usesSms(extent); });
  }

  void askDevice() {
    text += "int " + device + " = 0, num_sms = 0;\ncudaError_t " + error + " = cudaGetDevice(&" +
            device + ");\nif (" + error + " != cudaSuccess) return " + error + ";\n" + error +
            " = cudaDeviceGetAttribute(&num_sms, cudaDevAttrMultiProcessorCount, " + device +
            ");\nif (" + error + " != cudaSuccess) return " + error + ";\n";
  }

  // More than 48 KiB of shared memory has to be asked for, once for each device.
  void askShared() {
    int64_t most = 0;
    for (const KernelInstance &instance : group.instances)
      most = std::max<int64_t>(
          most, instance.sharedBytes * (kernel.packed() ? instance.kernel->programsPerBlock : 1));
    if (most <= 48 * 1024) return;
    const std::string asked = local("asked"), current = local("current"), set = local("set");
    text += "static std::atomic<uint64_t> " + asked + "{0};\nint " + current +
            " = 0;\ncudaError_t " + set + " = cudaGetDevice(&" + current + ");\n" + "if (" + set +
            " != cudaSuccess) return " + set + ";\n" + "if (!(" + asked +
            ".load(std::memory_order_relaxed) >> (" + current + " % 64) & 1)) {\n" + set +
            " = cudaFuncSetAttribute(" + function +
            ", cudaFuncAttributeMaxDynamicSharedMemorySize, int(" + smem + "));\n" + "if (" + set +
            " != cudaSuccess) return " + set + ";\n" + asked + ".fetch_or(uint64_t{1} << (" +
            current + " % 64), std::memory_order_relaxed);\n}\n";
  }

  // The number of blocks, an expression.
  std::string countBlocks(const std::string &total) {
    const std::string blocks = local("blocks");
    std::string needed = total;
    if (kernel.packed()) needed = "(" + total + " + " + perBlock + " - 1) / " + perBlock;
    if (grid->getBool("persistent")) {
      if (!usesNumSms()) askDevice();
      const std::string resident = local("resident");
      text +=
          "// Not more blocks than the device runs at a time: each takes several programs.\nint " +
          resident + " = 0;\n" + error + " = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&" +
          resident + ", " + function + ", " + threads + ", " + smem + ");\nif (" + error +
          " != cudaSuccess) return " + error + ";\nconst int64_t " + blocks +
          " = std::min<int64_t>(" + needed + ", int64_t(num_sms) * " + resident + ");\n";
      return blocks;
    }
    if (kernel.packed()) {
      text += "const int64_t " + blocks + " = " + needed + ";\n";
      needed = blocks;
    }
    if (grid->numOperands() == 1)
      text += "if (" + needed + " > INT_MAX) return cudaErrorInvalidValue;\n";
    return needed;
  }

  std::string run() {
    const std::string stream = local("stream");
    text = group.templateHead() + "static cudaError_t " + launchName(group) + "(" +
           parameterList(kernel, false) + (grid ? "" : ", dim3 grid") + ", cudaStream_t " + stream +
           ") {\n";
    std::string blocks = "grid";
    if (grid) {
      if (usesNumSms()) askDevice();
      std::string total = countPrograms();
      askShared();
      blocks = "unsigned(" + countBlocks(total) + ")";
    } else {
      askShared();
    }
    std::string arguments = argumentList(kernel);
    if (options.emulator)
      text += "return emulate::launch(" + function + ", dim3(" + blocks + "), dim3(" + threads +
              "), " + smem + ", " + stream + (arguments.empty() ? "" : ", " + arguments) + ");\n";
    else
      text += function + "<<<" + blocks + ", " + threads + ", " + smem + ", " + stream + ">>>(" +
              arguments + ");\nreturn cudaGetLastError();\n";
    return text + "}\n\n";
  }
};

}  // namespace

std::string launchText(const KernelGroup &group, const EmitOptions &options) {
  return LaunchText{group, options}.run();
}

std::string launcherSignature(const Launcher &launcher, const EmitOptions &options,
                              bool definition) {
  const Kernel &kernel = *launcher.candidates.front();
  bool explicitGrid = !gridOf(kernel);
  std::string parameters = parameterList(kernel, false);
  if (explicitGrid) parameters += (parameters.empty() ? "" : ", ") + std::string("dim3 grid");
  parameters += std::string(parameters.empty() ? "" : ", ") + "cudaStream_t " +
                localName(kernel, "stream") +
                (definition && !options.headerName.empty() ? "" : " = nullptr");
  return std::string(options.externC ? "extern \"C\" " : "") + "cudaError_t " + launcher.name +
         "(" + parameters + ")";
}

std::string launcherText(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options) {
  auto invocation = [&](const Kernel *kernel) {
    for (const KernelGroup &group : groups)
      for (size_t i = 0; i < group.instances.size(); ++i) {
        if (group.instances[i].kernel != kernel) continue;
        std::string arguments = argumentList(*kernel);
        if (!gridOf(*kernel)) arguments += (arguments.empty() ? "" : ", ") + std::string("grid");
        return launchName(group) + group.templateValues(i) + "(" + arguments +
               (arguments.empty() ? "" : ", ") + localName(*kernel, "stream") + ")";
      }
    T2C_UNREACHABLE("a launcher's kernel has no text");
  };
  auto factsOf = [&](const Kernel *kernel) {
    std::map<int64_t, std::string> aligned;
    std::string condition;
    for (auto &[index, divisor] : kernel->facts.divisibility) {
      const Parameter &parameter = kernel->parameters[index];
      if (parameter.type.isPointer())
        aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    }
    for (auto &[bytes, names] : aligned)
      condition += (condition.empty() ? "" : " && ") + std::string("tile2cu::aligned<") +
                   std::to_string(bytes) + ">(" + names + ")";
    for (auto &[index, divisor] : kernel->facts.divisibility) {
      const Parameter &parameter = kernel->parameters[index];
      if (!parameter.type.isPointer())
        condition += (condition.empty() ? "" : " && ") + parameter.name + " % " +
                     std::to_string(divisor) + " == 0";
    }
    return condition;
  };
  std::string text = launcher.comment.empty() ? "" : "// " + launcher.comment + "\n";
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 4))
    text.insert(at + 1, "// ");
  text += launcherSignature(launcher, options, true) + " {\n";
  // The condition under which accesses may be whole vectors, once if it is the same for all candidates.
  std::string shared;
  const std::string vectors = localName(*launcher.candidates.front(), "vectors");
  bool same = true, any = false;
  for (const Kernel *kernel : launcher.candidates) {
    std::string facts = factsOf(kernel);
    if (facts.empty()) continue;
    if (any && facts != shared) same = false;
    shared = facts;
    any = true;
  }
  if (any && same)
    text +=
        "// Whole vectors where addresses and sizes allow it, else element by element.\nconst "
        "bool " +
        vectors + " = " + shared + ";\n";
  bool exhausted = true;
  for (const Kernel *kernel : launcher.candidates) {
    std::string needs;
    for (auto &op : kernel->body.ops)
      if (op->kind == OpKind::Require) {
        Expr e = hostExpr(op->operand(0), *kernel);
        needs += (needs.empty() ? "" : " && ") +
                 (e.prec >= Prec::And && !needs.empty() ? "(" + e.text + ")" : e.text);
      }
    std::string facts = factsOf(kernel), start;
    if (facts.empty() || !kernel->scalarVariant) {
      start = "return " + invocation(kernel) + ";\n";
    } else {
      start = "return " + (same ? vectors : facts) + " ? " + invocation(kernel) + " : " +
              invocation(kernel->scalarVariant) + ";\n";
    }
    if (needs.empty()) {
      text += start;
      exhausted = false;
      break;
    }
    text += "if (" + needs + ") {\n" + start + "}\n";
  }
  if (exhausted) text += "return cudaErrorInvalidValue;\n";
  return text + "}\n\n";
}

}  // namespace tile2cu::emit
