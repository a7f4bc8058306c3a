#include "transpiler/annotate.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/ir/diagnostics/explanations.h"
#include "passes/ir/diagnostics/remarks.h"
#include "transpiler/wrap_text.h"

namespace tile2cu::transpiler {
namespace {

using Place = std::pair<unsigned, unsigned>;  // file and line

// Comments about the decisions of a place, as rows.
class DecisionComments {
 public:
  DecisionComments(const ir::Module &module, llvm::ArrayRef<ir::Decision> decisions) {
    for (ir::Remark &remark : ir::remarksOf(module, decisions, ir::Merge::ButForNumbers))
      remarks_[{remark.loc.file, remark.loc.line}].push_back(std::move(remark));
  }

  // Prints those of a place, indented as the row that follows.
  void print(llvm::raw_ostream &out, Place place, unsigned indent) {
    const auto found = remarks_.find(place);
    if (found == remarks_.end()) return;
    for (const ir::Remark &remark : found->second) {
      const ir::Explanation *explanation = ir::explanationOf(remark.id);
      if (!explanation) continue;
      const std::string who = remark.who.empty() ? "" : remark.who + ": ";
      comment(out, explanation->name() + ": " + who + remark.message, indent, "// ");
      if (explained_.insert(explanation->number).second)
        comment(out, explanation->page, indent, "//   ");
    }
  }

 private:
  static void comment(llvm::raw_ostream &out, llvm::StringRef text, unsigned indent,
                      llvm::StringRef begin) {
    const unsigned used = indent + begin.size();
    std::string wrapped;
    llvm::raw_string_ostream stream(wrapped);
    printWrapped(stream, text, 0, used < 60 ? 100 - used : 40);
    for (llvm::StringRef row : llvm::split(llvm::StringRef(wrapped).rtrim('\n'), '\n')) {
      out.indent(indent);
      out << begin << row << '\n';
    }
  }

  std::map<Place, std::vector<ir::Remark>> remarks_;
  std::set<unsigned> explained_;  // the numbers whose pages the file has
};

// The row that the comments about `row` stand above: after the comments that stand there, and not
// between a #pragma and its loop.
size_t rowFor(llvm::ArrayRef<llvm::StringRef> rows, size_t row) {
  while (row + 1 < rows.size() && rows[row].ltrim().starts_with("//")) ++row;
  while (row > 0 && rows[row - 1].ltrim().starts_with("#pragma")) --row;
  return row;
}

}  // namespace

std::string withDecisions(const emit::CudaText &cuda, const ir::Module &module,
                          llvm::ArrayRef<ir::Decision> decisions) {
  llvm::SmallVector<llvm::StringRef, 0> rows;
  llvm::StringRef(cuda.file).split(rows, '\n');
  std::map<size_t, std::vector<Place>> places;  // by the row that they stand above
  std::set<Place> said;                         // in this function
  size_t seen = 0;
  for (const emit::RowSource &source : cuda.sources) {
    for (; seen < source.row && seen < rows.size(); ++seen)
      if (rows[seen].starts_with("}")) said.clear();
    const Place place(source.file, source.line);
    if (said.insert(place).second) places[rowFor(rows, source.row)].push_back(place);
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  DecisionComments comments(module, decisions);
  for (const auto &[row, line] : llvm::enumerate(rows)) {
    if (const auto here = places.find(row); here != places.end())
      for (const Place &place : here->second)
        comments.print(out, place, unsigned(line.size() - line.ltrim().size()));
    out << line;
    if (row + 1 < rows.size()) out << '\n';
  }
  return text;
}

// The size of the literal or comment that a text begins with; 0 if it begins with neither.
static size_t sizeOfLiteral(llvm::StringRef text) {
  if (text.starts_with("R\"")) {
    const size_t open = text.find('(');
    const std::string end = (")" + text.slice(2, open) + "\"").str();
    const size_t close = text.find(end, open);
    return close == llvm::StringRef::npos ? text.size() : close + end.size();
  }
  if (text[0] != '"' && text[0] != '\'') return 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[0])
      return i + 1;
  }
  return text.size();
}

std::string withoutComments(llvm::StringRef text) {
  const auto [first, rest] = text.split('\n');
  std::string code;
  for (size_t at = 0; at < rest.size();) {
    const llvm::StringRef here = rest.drop_front(at);
    // 1'000 is one number.
    const bool isInWord = at > 0 && (llvm::isAlnum(rest[at - 1]) || rest[at - 1] == '_');
    if (here.starts_with("//")) {
      at += std::min(here.find('\n'), here.size());
      code += '\1';
    } else if (here.starts_with("/*")) {
      at += std::min(here.find("*/", 2), here.size() - 2) + 2;
      code += '\1';
    } else if (const size_t size = isInWord ? 0 : sizeOfLiteral(here)) {
      code += here.take_front(size);
      at += size;
    } else {
      code += rest[at++];
    }
  }
  // Rows that were only comments go, and of several empty rows one stays.
  std::string result = (first + "\n").str();
  bool wasEmpty = false;
  llvm::SmallVector<llvm::StringRef, 0> rows;
  llvm::StringRef(code).split(rows, '\n');
  for (const auto &[i, row] : llvm::enumerate(rows)) {
    std::string kept = row.str();
    llvm::erase(kept, '\1');
    kept = llvm::StringRef(kept).rtrim(' ').str();
    const bool wasComment = row.contains('\1') && kept.empty();
    if (wasComment || (kept.empty() && wasEmpty && i + 1 < rows.size())) continue;
    wasEmpty = kept.empty();
    result += kept;
    if (i + 1 < rows.size()) result += '\n';
  }
  return result;
}

}  // namespace tile2cu::transpiler
