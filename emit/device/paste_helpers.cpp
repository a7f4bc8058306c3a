#include "emit/device/paste_helpers.h"

#include <algorithm>
#include <map>
#include <memory>

#include "emit/cuda/text_words.h"
#include "emit/device/embedded_helpers.h"
#include "emit/device/wgmma_helpers.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

struct Section {
  std::vector<std::string> needs, includes;
  std::string text;
  size_t order = 0;
};

// device.cuh explains the marker lines: // @helper <name>[, <name>...] [needs <name>, ...] [include
// <header>, ...]
struct Library {
  std::vector<Section> sections;
  std::map<std::string, size_t> byName;

  Library() {
    for (const EmbeddedFile &file : embeddedDeviceHelpers()) parse(file.text);
  }

  void parse(llvm::StringRef text) {
    Section *open = nullptr;
    while (!text.empty()) {
      auto [row, rest] = text.split('\n');
      text = rest;
      if (row.starts_with("// @end")) {
        open = nullptr;
      } else if (row.consume_front("// @helper ")) {
        auto [beforeInclude, include] = row.split(" include ");
        auto [names, needs] = beforeInclude.split(" needs ");
        sections.emplace_back();
        open = &sections.back();
        open->order = sections.size() - 1;
        auto list = [](llvm::StringRef words) {
          std::vector<std::string> result;
          llvm::SmallVector<llvm::StringRef, 8> parts;
          words.split(parts, ',', -1, false);
          for (llvm::StringRef part : parts)
            if (!part.trim().empty()) result.push_back(part.trim().str());
          return result;
        };
        open->needs = list(needs);
        open->includes = list(include);
        for (const std::string &name : list(names)) byName[name] = open->order;
      } else if (open) {
        open->text += row.str() + "\n";
      }
    }
  }
};

const Library &library() {
  static const Library instance;
  return instance;
}

struct Collector {
  std::vector<const Section *> order;
  std::vector<std::unique_ptr<Section>> written;  // those that are in no file
  std::set<std::string> seen;
  std::set<std::string> includes;

  const Section *find(const std::string &name) {
    auto it = library().byName.find(name);
    if (it != library().byName.end()) return &library().sections[it->second];
    std::optional<WgmmaHelper> wgmma = wgmmaHelper(name);
    if (!wgmma) T2C_UNREACHABLE(("no device helper named " + name).c_str());
    written.push_back(
        std::make_unique<Section>(Section{wgmma->needs, wgmma->includes, wgmma->text, 0}));
    return written.back().get();
  }

  void add(const std::string &name) {
    if (!seen.insert(name).second) return;
    const Section *section = find(name);
    if (std::find(order.begin(), order.end(), section) != order.end()) return;
    for (const std::string &need : section->needs) add(need);
    includes.insert(section->includes.begin(), section->includes.end());
    order.push_back(section);
  }

  PastedHelpers pasted() const {
    PastedHelpers result;
    for (const Section *one : order) {
      std::string text = one->text;
      while (!text.empty() && text.back() == '\n') text.pop_back();
      result.text += text + "\n\n";
    }
    result.includes.assign(includes.begin(), includes.end());
    return result;
  }
};

// The helper that a word names: name of tile2cu::name and tile2cu::name<...>, precise.name of
// tile2cu::precise::name. Empty if none.
std::string helperOf(llvm::StringRef word) {
  if (!word.consume_front("tile2cu::")) return "";
  const bool isPrecise = word.consume_front("precise::");
  return (isPrecise ? "precise." : "") + word.take_while(isWordCharacter).str();
}

std::set<std::string> helpersOf(const std::set<std::string> &words) {
  std::set<std::string> names;
  for (const std::string &word : words)
    if (std::string name = helperOf(word); !name.empty()) names.insert(std::move(name));
  return names;
}

}  // namespace

PastedHelpers pasteHelpers(const std::set<std::string> &words, const std::set<std::string> &more) {
  Collector collector;
  std::set<std::string> names = helpersOf(words);
  names.insert(more.begin(), more.end());
  for (const std::string &name : names) collector.add(name);
  return collector.pasted();
}

std::string pasteUnfiledHelpers(const std::set<std::string> &words) {
  std::string result;
  for (const std::string &name : helpersOf(words))
    if (std::optional<WgmmaHelper> wgmma = wgmmaHelper(name)) result += wgmma->text + "\n";
  return result;
}

}  // namespace tile2cu::emit
