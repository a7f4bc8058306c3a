// The tile2cu program.
#include <exception>

#include "llvm/Support/raw_ostream.h"
#include "transpiler/crash.h"
#include "transpiler/driver.h"
#include "transpiler/options.h"

int main(int argc, char **argv) {
  using namespace tile2cu::transpiler;
  reportCrashes();
  try {
    CommandLine commandLine = parseCommandLine(argc, argv);
    if (!commandLine.stop) return run(commandLine.options);
    (commandLine.exitCode == kDone ? llvm::outs() : llvm::errs()) << commandLine.message;
    return commandLine.exitCode;
  } catch (const std::exception &error) {
    return reportInternalError(error.what());
  }
}
