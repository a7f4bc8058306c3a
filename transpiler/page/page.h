// The page that --html writes: one HTML file, without anything from the network, that shows how a
// tile source became CUDA. README.md describes the document that the page reads.
#pragma once
#include <string>
#include <vector>

#include "emit/emit.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"
#include "transpiler/page/trace.h"

namespace tile2cu::page {

struct SourceFile {
  std::string name;  // as messages name it
  std::string text;
};

// The contents of a page. The references have to stay valid while it is written.
struct Inputs {
  const ir::Module &module;  // after all passes
  const emit::CudaText &cuda;
  std::string cudaName;                // "softmax.cu"
  std::vector<SourceFile> files;       // by Module::files; without text: not shown
  unsigned mainFile = 0;               // which of them is the input
  std::vector<std::string> targets;    // "sm_80", the oldest first
  const ir::Diagnostics &diagnostics;  // whose remarks and warnings the page shows
  const Trace &trace;
  std::string version;  // of tile2cu
};

// The document as JSON: README.md has its form.
std::string document(const Inputs &inputs);

// The page around a document.
std::string page(const std::string &title, const std::string &document);

}  // namespace tile2cu::page
