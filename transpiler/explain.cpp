#include "transpiler/explain.h"

#include <map>

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "passes/ir/diagnostics/explanations.h"
#include "passes/ir/diagnostics/remarks.h"
#include "transpiler/wrap_text.h"

namespace tile2cu::transpiler {
namespace {

constexpr unsigned kIndent = 10;  // after "  T2C102  "

// The lines of the files of a module.
class SourceLines {
 public:
  explicit SourceLines(const ir::Module &module) : files_(module.files) {}

  // Without the spaces around it; empty if the file cannot be read.
  llvm::StringRef line(const ir::Location &loc) {
    std::unique_ptr<llvm::MemoryBuffer> &buffer = buffers_[loc.file];
    if (!buffer) {
      auto read = llvm::MemoryBuffer::getFile(files_[loc.file]);
      buffer = read ? std::move(*read) : llvm::MemoryBuffer::getMemBuffer("");
    }
    llvm::StringRef rest = buffer->getBuffer();
    for (unsigned line = 1; line < loc.line; ++line) rest = rest.split('\n').second;
    return rest.split('\n').first.trim();
  }

 private:
  const std::vector<std::string> &files_;
  std::map<unsigned, std::unique_ptr<llvm::MemoryBuffer>> buffers_;
};

// The advice for a remark about a loss; empty if nothing is to be done.
std::string adviceOn(const ir::Remark &remark, const ir::Explanation &explanation) {
  if (const ir::Reason *reason = ir::reasonIn(remark.message, explanation))
    return ir::plainText(reason->advice);
  const bool saysReason = explanation.helps.starts_with("The reason follows");
  return explanation.isLoss && !saysReason ? ir::plainText(explanation.helps) : "";
}

void printRemark(llvm::raw_ostream &out, const ir::Remark &remark) {
  const ir::Explanation *explanation = ir::explanationOf(remark.id);
  if (!explanation) return;
  out << "  " << llvm::left_justify(explanation->name(), kIndent - 2);
  const std::string who = remark.who.empty() ? "" : remark.who + ": ";
  printWrapped(out, who + remark.message, kIndent);
  const std::string advice = adviceOn(remark, *explanation);
  if (advice.empty() || llvm::StringRef(advice).starts_with("Nothing")) return;
  out.indent(kIndent);
  printWrapped(out, "what helps: " + advice, kIndent + 2);
}

}  // namespace

std::string explainText(const ir::Module &module, llvm::ArrayRef<ir::Decision> decisions) {
  std::string text;
  llvm::raw_string_ostream out(text);
  SourceLines sources(module);
  std::pair<unsigned, unsigned> last;
  for (const ir::Remark &remark : ir::remarksOf(module, decisions, ir::Merge::ButForNumbers)) {
    if (remark.loc.line == 0 || remark.loc.file >= module.files.size()) continue;
    const std::pair here(unsigned(remark.loc.file), unsigned(remark.loc.line));
    if (here != last) {
      if (last.second) out << '\n';
      out << module.files[here.first] << ':' << here.second << ": " << sources.line(remark.loc)
          << '\n';
      last = here;
    }
    printRemark(out, remark);
  }
  if (text.empty()) return "no decisions to explain\n";
  out << "\ntile2cu --explain-id=T2C102 says what the remark of that number means.\n";
  return text;
}

}  // namespace tile2cu::transpiler
