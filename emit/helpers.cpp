#include "emit/helpers.h"

#include <algorithm>
#include <map>

#include "emit/embedded_helpers.h"
#include "emit/expr.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
namespace {

struct Section {
  std::vector<std::string> needs, includes;
  std::string text;
  size_t order = 0;
};

// device.cuh explains the markers: // @helper <name>[, <name>...] [needs <name>, ...] [include <header>, ...]
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
  std::vector<size_t> order;
  std::set<size_t> seen;
  std::set<std::string> includes;

  void add(const std::string &name) {
    auto it = library().byName.find(name);
    if (it == library().byName.end()) T2C_UNREACHABLE(("no device helper named " + name).c_str());
    if (!seen.insert(it->second).second) return;
    const Section &section = library().sections[it->second];
    for (const std::string &need : section.needs) add(need);
    includes.insert(section.includes.begin(), section.includes.end());
    order.push_back(it->second);
  }
};

}  // namespace

PastedHelpers pasteHelpers(const std::string &text, const std::set<std::string> &more) {
  Collector collector;
  std::set<std::string> names = more;
  for (size_t at = text.find("tile2cu::"); at != std::string::npos;
       at = text.find("tile2cu::", at + 1)) {
    size_t begin = at + 9, end = begin;
    auto word = [&](size_t i) { return i < text.size() && isWordCharacter(text[i]); };
    while (word(end)) ++end;
    std::string name = text.substr(begin, end - begin);
    if (name == "precise") {
      size_t inner = end + 2;
      end = inner;
      while (word(end)) ++end;
      name = "precise." + text.substr(inner, end - inner);
    }
    names.insert(name);
  }
  for (const std::string &name : names) collector.add(name);
  PastedHelpers result;
  for (size_t index : collector.order) {
    std::string section = library().sections[index].text;
    while (!section.empty() && section.back() == '\n') section.pop_back();
    result.text += section + "\n\n";
  }
  result.includes.assign(collector.includes.begin(), collector.includes.end());
  return result;
}

}  // namespace tile2cu::emit
