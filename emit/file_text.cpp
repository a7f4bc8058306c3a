#include "emit/file_text.h"

#include "emit/cuda/format.h"
#include "emit/cuda/printer.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
using namespace ir;

void Pieces::enter(const std::string &nameSpace) {
  if (nameSpace == nameSpace_) return;
  if (!nameSpace_.empty()) all_.emplace_back(NamespaceEdge{nameSpace_, true});
  if (!nameSpace.empty()) all_.emplace_back(NamespaceEdge{nameSpace});
  nameSpace_ = nameSpace;
}

namespace {

// Adds pieces one by one, so that the number of each row is known.
class Layout {
 public:
  Layout(const std::string &head, const Module &module, const EmitOptions &options,
         std::vector<RowSource> *sources)
      : module_(module), options_(options), sources_(sources) {
    append(head);
  }

  void operator()(const std::string &text) { append(formatCuda(text)); }
  void operator()(const NamespaceEdge &edge) {
    append(edge.isEnd ? "}  // namespace " + edge.name + "\n" : "namespace " + edge.name + " {\n");
  }
  void operator()(const Stmts &variables) { append(formatCuda(emit::textOf(variables))); }
  // The rows of the text stay as they are.
  void operator()(const TextFunction &function) {
    std::string head = formatCuda(declarationOf(function.head), kColumns - 1);
    head.resize(head.rfind(';'));
    append(head + " {\n" + function.text + "\n}\n");
  }
  template <class T>
  void operator()(const T &declaration) {
    std::string text;
    TextSources sources;
    if (!options_.lineDirectives || !declaration.source) {
      print(declaration, text, {}, sources_ ? &sources : nullptr);
      return append(text, kColumns, sources);
    }
    print(declaration, text, module_.files, sources_ ? &sources : nullptr);
    append(text, 0, sources);
    append(lineDirective(rows_ + 3, options_.outputName));  // after an empty row and its own
  }
  std::string take() { return std::move(text_); }

 private:
  void append(const std::string &text) {
    const size_t before = text_.size();
    if (!text_.empty()) text_ += '\n';
    text_ += text;
    rows_ += llvm::StringRef(text_).substr(before).count('\n');
  }

  // Lays the text out first.
  void append(const std::string &text, size_t columns, const TextSources &sources) {
    std::vector<size_t> places;
    for (const TextSource &each : sources) places.push_back(each.offset);
    const std::string formatted = formatCuda(text, columns, &places);
    size_t row = rows_ + !text_.empty(), at = 0;
    for (auto [place, each] : llvm::zip_equal(places, sources)) {
      row += llvm::StringRef(formatted).slice(at, place).count('\n');
      at = std::max(at, place);
      if (sources_->empty() || sources_->back().row != row)
        sources_->push_back({row, each.source.file, each.source.line});
    }
    append(formatted);
  }

  std::string text_;
  size_t rows_ = 0;
  const Module &module_;
  const EmitOptions &options_;
  std::vector<RowSource> *sources_;
};

}  // namespace

std::string layOut(std::string head, const Pieces &pieces, const Module &module,
                   const EmitOptions &options, std::vector<RowSource> *sources) {
  Layout layout(head, module, options, sources);
  for (const Piece &piece : pieces.all()) std::visit(layout, piece);
  return layout.take();
}

}  // namespace tile2cu::emit
