// The page of --html.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "passes/target/target.h"
#include "transpiler/options.h"
#include "transpiler/output_files.h"
#include "transpiler/page/page.h"
#include "transpiler/source.h"

namespace tile2cu::transpiler {

// The state of a run whose CUDA has been written.
struct PageContext {
  const Options &options;
  const Source &source;
  llvm::ArrayRef<passes::Target> targets;
  const page::Trace &trace;
  llvm::ArrayRef<ir::Decision> decisions;  // of all passes
};

OutputFile pageOutput(const PageContext &context, const ir::Module &module,
                      const emit::CudaText &cuda, const std::string &cudaName,
                      const ir::Diagnostics &diagnostics);

}  // namespace tile2cu::transpiler
