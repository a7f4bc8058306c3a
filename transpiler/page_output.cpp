#include "transpiler/page_output.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace tile2cu::transpiler {
namespace {

// The files that the page shows: the input, and those that emitted rows or messages come from.
std::vector<page::SourceFile> shownFiles(const ir::Module &module, unsigned main,
                                         const Source &source, const emit::CudaText &cuda,
                                         const ir::Diagnostics &diagnostics) {
  std::set<unsigned> shown;
  for (const emit::RowSource &row : cuda.sources) shown.insert(row.file);
  for (const ir::Diagnostic &one : diagnostics.all)
    if (one.loc.line > 0) shown.insert(one.loc.file);
  std::vector<page::SourceFile> files;
  for (unsigned i = 0; i < module.files.size(); ++i) {
    page::SourceFile file{module.files[i], ""};
    if (i != main && shown.count(i))
      if (const auto buffer = llvm::MemoryBuffer::getFile(file.name))
        file.text = (*buffer)->getBuffer().str();
    files.push_back(std::move(file));
  }
  if (main == files.size()) files.push_back({source.files().front(), ""});
  files[main].text = source.inputText().str();
  return files;
}

}  // namespace

OutputFile pageOutput(const PageContext &context, const ir::Module &module,
                      const emit::CudaText &cuda, const std::string &cudaName,
                      const ir::Diagnostics &diagnostics) {
  const std::string input = context.options.input == "-" ? "<stdin>" : context.options.input;
  const unsigned main = llvm::find(module.files, input) - module.files.begin();
  std::vector<std::string> targets;
  for (const passes::Target &target : context.targets) targets.push_back(target.name());
  const page::Inputs inputs{module,
                            cuda,
                            llvm::sys::path::filename(cudaName).str(),
                            shownFiles(module, main, context.source, cuda, diagnostics),
                            main,
                            targets,
                            diagnostics,
                            context.trace,
                            T2C_VERSION};
  const std::string title = llvm::sys::path::filename(input).str();
  return {context.options.html, page::page(title, page::document(inputs))};
}

}  // namespace tile2cu::transpiler
