// Host side: functions that launch a kernel, and the launchers that users call.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/builder.h"
#include "emit/emit.h"
#include "emit/kernel/kernel_group.h"

namespace tile2cu::emit {

// The host function that launches a kernel of the group: launch_softmax<BLOCK, VEC>(arguments,
// stream).
Function launchFunction(const KernelGroup &group, const EmitOptions &options);
std::string launchName(const KernelGroup &group);

// The declarations that a launcher needs.
struct LauncherCode {
  Stmts tuner;  // a variable; empty: none
  Function launcher;
  std::vector<Function> others;  // that users call, too
};

// The function that users call: checks, choice of candidate and variant.
LauncherCode launcherCode(const ir::Launcher &launcher, const std::vector<KernelGroup> &groups,
                          const EmitOptions &options);
// The functions of a launcher without their bodies: cudaError_t softmax(const float* in, ...,
// cudaStream_t stream = nullptr), without the default if it is the definition.
Function launcherHead(const ir::Launcher &launcher, const EmitOptions &options, bool definition);
// cudaError_t softmax_pin(int candidate), of launchers that are tuned
Function pinHead(const ir::Launcher &launcher, const EmitOptions &options);

// ---- common to both

// The parameters of a launcher and of its launch function: const float* in, cudaStream_t stream
std::vector<FunctionParameter> launchParameters(const ir::Kernel &kernel);
// Their names.
std::vector<Expr> argumentsOf(const ir::Kernel &kernel);
// Whether the number of multiprocessors is part of the value.
bool usesSms(const ir::Value *value);
// Calls that return a cudaError_t, with one variable of the host function: `error`.
class ErrorChecks {
 public:
  ErrorChecks(const ir::Kernel &kernel, Builder &out) : kernel_(kernel), out_(out) {}
  // error = call; for each, until one fails; then `if (error != cudaSuccess) return error;`.
  void check(std::vector<Expr> calls);
  // Declares num_sms.
  void countMultiprocessors();

 private:
  const ir::Kernel &kernel_;
  Builder &out_;
  bool isDeclared_ = false;
};
// if (condition) return result;
Stmt returnIf(const Expr &condition, const Expr &result);
// cudaErrorInvalidValue
Expr invalidValue();

}  // namespace tile2cu::emit
