#include "transpiler/crash.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "llvm/Support/ErrorHandling.h"
#include "transpiler/driver.h"

namespace tile2cu::transpiler {
namespace {

// In a signal handler, only write and _exit are safe.
void say(const char *text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

void report(const char *what) {
  say("tile2cu: internal error: ");
  say(what);
  say("\nplease report this with the input file and the command line\n");
}

void onSignal(int signal) {
  report(signal == SIGSEGV || signal == SIGBUS ? "invalid memory access or stack overflow"
                                               : "fatal signal");
  _exit(kInternalError);
}

}  // namespace

int reportInternalError(const char *what) {
  report(what);
  return kInternalError;
}

void reportCrashes() {
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    report(reason);
    _exit(kInternalError);
  });
  static char stack[64 * 1024];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
#if !__has_feature(address_sanitizer)
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(signal, &action, nullptr);
#endif
}

}  // namespace tile2cu::transpiler
