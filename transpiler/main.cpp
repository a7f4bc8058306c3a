// The tile2cu program.
#include <exception>
#include <optional>

#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include "transpiler/crash.h"
#include "transpiler/driver.h"
#include "transpiler/options.h"

int main(int argc, char **argv) {
  using namespace tile2cu::transpiler;
  // Clang, the passes and the emitter recurse over expressions: a sum of a few thousand terms needs
  // more than the 8 MiB of the main thread. Memory is only taken as the stack grows.
  constexpr unsigned kStackBytes = 512u << 20;
  int exitCode = kInternalError;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
    reportCrashes();  // the stack for signals belongs to a thread
    try {
      CommandLine commandLine = parseCommandLine(argc, argv);
      exitCode = commandLine.stop ? commandLine.exitCode : run(commandLine.options);
      if (commandLine.stop)
        (exitCode == kDone ? llvm::outs() : llvm::errs()) << commandLine.message;
    } catch (const std::exception &error) {
      exitCode = reportInternalError(error.what());
    }
  });
  worker.join();
  return exitCode;
}
