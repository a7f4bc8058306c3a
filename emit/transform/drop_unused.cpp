// Takes out declarations of numbers that nobody reads.
#include "emit/transform/drop_unused.h"

#include <vector>

#include "emit/cuda/expr.h"
#include "emit/cuda/text_lines.h"
#include "emit/transform/merge_kernels.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;

// The text below a line, which is read from the end.
class TextBelow {
 public:
  // Adds the line above, which begins at `begin` of the whole text.
  void add(StringRef line, size_t begin) {
    for (size_t end = line.size(); end > 0;) {
      const char c = line[end - 1];
      if (!isWordCharacter(c)) {
        if (c == '}') closings_.push_back(begin + end - 1);
        if (c == '{' && !closings_.empty()) closings_.pop_back();
        --end;
        continue;
      }
      size_t start = end - 1;
      while (start > 0 && isWordCharacter(line[start - 1])) --start;
      const StringRef before = line.take_front(start);
      // Members have the same names: major::k.
      if (!before.ends_with("::") && !before.ends_with("."))
        next_[line.slice(start, end)] = begin + start;
      end = start;
    }
  }
  // Whether the block that is open at the beginning of this text mentions the variable.
  bool mentions(StringRef name) const {
    const auto found = next_.find(name);
    return found != next_.end() && (closings_.empty() || found->second < closings_.back());
  }

 private:
  llvm::StringMap<size_t> next_;  // word -> where this text mentions it first
  std::vector<size_t> closings_;  // braces that close what is opened above this text
};

// The lines that stay, as a chain.
class Lines {
 public:
  explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {
    for (size_t i = 0; i < lines_.size(); ++i) {
      above_.push_back(i);
      below_.push_back(i + 1);
    }
    above_.push_back(lines_.size());
  }

  // Takes out a line, with the comments that stand above it alone.
  void erase(size_t i) {
    const size_t next = below_[i];
    const bool isLast = next == lines_.size();
    const StringRef behind = isLast ? "" : StringRef(lines_[next]);
    const bool standsAlone = behind.empty() || behind[0] == '}' || isComment(behind);
    size_t last = above_[i];  // one more than the line above; 0: there is none
    while (standsAlone && last > 0 && isComment(lines_[last - 1])) last = above_[last - 1];
    above_[next] = last;
    (last > 0 ? below_[last - 1] : first_) = next;
  }

  std::string text() const {
    std::string text;
    for (size_t i = first_; i < lines_.size(); i = below_[i]) text += lines_[i] + "\n";
    return text;
  }

 private:
  static bool isComment(StringRef line) { return line.starts_with("//"); }

  std::vector<std::string> lines_;
  std::vector<size_t> above_,
      below_;  // of each line, one more than the line above, and the line below
  size_t first_ = 0;
};

}  // namespace

// Each variable is declared above its readers. A pass from the end upwards therefore sees each line
// once, after all its readers.
std::string dropUnused(const std::string &text, const llvm::StringMap<std::string> &declarations) {
  if (declarations.empty()) return text;
  const std::vector<std::string> code = splitLines(withoutComments(text));
  Lines lines(splitLines(text));
  size_t begin = 0;
  for (const std::string &line : code) begin += line.size() + 1;
  TextBelow below;
  for (size_t i = code.size(); i-- > 0;) {
    begin -= code[i].size() + 1;
    const auto declared = declarations.find(code[i]);
    if (declared != declarations.end() && !below.mentions(declared->second))
      lines.erase(i);
    else
      below.add(code[i], begin);
  }
  return lines.text();
}

}  // namespace tile2cu::emit
