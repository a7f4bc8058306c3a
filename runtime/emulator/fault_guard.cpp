#include "fault_guard.h"

#include <ucontext.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>

#include "device_call.h"

namespace emulate {

#ifdef __x86_64__

namespace {

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS};
struct sigaction previous[2];
stack_t previous_stack;
alignas(16) char signal_stack[64 << 10];
// The report is made on this stack, because the fiber's own stack may be the problem.
alignas(16) char report_stack[256 << 10];
std::uintptr_t bad_address;

[[noreturn]] void reportFault() {
  const DeviceCall device(*Machine::active);
  MachineContext& context = device->context;
  char address[32];
  std::snprintf(address, sizeof(address), "%#lx", static_cast<unsigned long>(bad_address));
  context.fail(
      report::kind::out_of_bounds, context.lastAccess(),
      context.threadText() +
          (device->scheduler.stacks().contains(bad_address)
               ? " has used up its stack or left it, after this access (options::stack_bytes)"
               : std::string(" accesses memory that does not exist, at ") + address),
      cudaErrorIllegalAddress);
}

void handle(int, siginfo_t* info, void* data) {
  auto& registers = static_cast<ucontext_t*>(data)->uc_mcontext.gregs;
  if (Machine::active == nullptr) {
    for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &previous[i], nullptr);
    return;  // the access is repeated, and faults again
  }
  bad_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  // Continues in reportFault(), as if it had been called at the top of report_stack.
  registers[REG_RSP] =
      greg_t(reinterpret_cast<std::uintptr_t>(report_stack + sizeof(report_stack)) - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&reportFault);
}

}  // namespace

FaultGuard::FaultGuard() {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof(signal_stack);
  sigaltstack(&stack, &previous_stack);
  struct sigaction action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &action, &previous[i]);
}

FaultGuard::~FaultGuard() {
  for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &previous[i], nullptr);
  sigaltstack(&previous_stack, nullptr);
}

#else

FaultGuard::FaultGuard() = default;
FaultGuard::~FaultGuard() = default;

#endif

}  // namespace emulate
