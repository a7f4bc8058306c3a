#include "passes/ir/diagnostics/explanations.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::ir {

// The rows stand in sections, so that each row takes the title of the last one.
llvm::ArrayRef<Explanation> explanations() {
  static const std::vector<Explanation> rows = [] {
    std::vector<Explanation> result;
    llvm::StringRef section;
#define SECTION(title) section = title;
#define EXPLAIN(number, Id, isLoss, reasons, form, helps, page) \
  result.push_back({number, DiagId::Id, isLoss, section, reasons, form, helps, page});
#include "passes/ir/diagnostics/explanations.def"
    return result;
  }();
  return rows;
}

llvm::ArrayRef<Reason> reasons() {
  static const std::vector<Reason> rows = [] {
    std::vector<Reason> result;
    llvm::StringRef table;
    [[maybe_unused]] auto add = [&](llvm::StringRef texts, llvm::StringRef advice) {
      Reason &row = result.emplace_back(Reason{table, {}, advice});
      texts.split(row.texts, '|');
    };
#define REASONS(title) table = title;
#define REASON(texts, advice) add(texts, advice);
#include "passes/ir/diagnostics/explanations.def"
    return result;
  }();
  return rows;
}

std::string Explanation::name() const { return "T2C" + std::to_string(number); }

const Explanation *explanationOf(DiagId id) {
  for (const Explanation &row : explanations())
    if (row.id == id) return &row;
  return nullptr;
}

const Explanation *explanationNamed(llvm::StringRef name) {
  if (name.starts_with_insensitive("T2C")) name = name.drop_front(3);
  unsigned number = 0;
  if (name.getAsInteger(10, number)) return nullptr;
  for (const Explanation &row : explanations())
    if (row.number == number) return &row;
  return nullptr;
}

// Whether a message has the parts of a text, in their order.
static bool says(llvm::StringRef message, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 2> parts;
  text.split(parts, " ... ");
  for (llvm::StringRef part : parts) {
    const size_t at = message.find(part);
    if (at == llvm::StringRef::npos) return false;
    message = message.drop_front(at + part.size());
  }
  return true;
}

const Reason *reasonIn(llvm::StringRef message, const Explanation &explanation) {
  for (const Reason &row : reasons())
    if (row.table == explanation.reasons &&
        llvm::any_of(row.texts, [&](llvm::StringRef text) { return says(message, text); }))
      return &row;
  return nullptr;
}

bool isLoss(DiagId id, llvm::StringRef message) {
  const Explanation *explanation = explanationOf(id);
  if (!explanation || !explanation->isLoss) return false;
  const Reason *reason = reasonIn(message, *explanation);
  return !reason || !reason->advice.contains_insensitive("nothing");
}

std::string plainText(llvm::StringRef markdown) {
  std::string result;
  while (!markdown.empty()) {
    // A link: [text](target).
    const size_t open = markdown.find('[');
    const size_t middle = markdown.find("](", open);
    const size_t close = markdown.find(')', middle);
    if (close == llvm::StringRef::npos) break;
    result += markdown.take_front(open);
    result += markdown.slice(open + 1, middle);
    markdown = markdown.drop_front(close + 1);
  }
  return result + markdown.str();
}

}  // namespace tile2cu::ir
