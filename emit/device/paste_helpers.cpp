#include "emit/device/paste_helpers.h"

#include <map>
#include <memory>
#include <utility>

#include "emit/cuda/format.h"
#include "emit/cuda/text_words.h"
#include "emit/device/embedded_helpers.h"
#include "emit/device/fit_helper.h"
#include "emit/device/helper_text.h"
#include "emit/device/wgmma_helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
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

// The sections that a file needs, each after those that it needs.
class Collector {
 public:
  // `dotted`: names that no word shows, load.cs, and widths of helpers, load.cs.16.
  Collector(const std::set<std::string> &dotted, const Architecture &written)
      : architecture_(written) {
    const auto &byName = library().byName;
    std::vector<std::string> named;
    for (const std::string &name : dotted) {
      const auto [helper, number] = llvm::StringRef(name).rsplit('.');
      int bytes = 0;
      if (byName.count(name) || number.getAsInteger(10, bytes))
        named.push_back(name);
      else
        widths_[find(helper.str())].insert(bytes);
      isDefault_ &= !isPolicy(name) || name == "load.read_only" || name == "store.write_back";
    }
    for (const std::string &name : named) add(name);
  }

  void add(const std::string &name) {
    const auto [known, isNew] = byName_.try_emplace(name);
    if (!isNew) return;
    const Section *section = find(name);
    known->second = section;
    if (texts_.count(section)) return;
    const std::string &text = texts_[section] = fitted(*section);
    // Not what only a branch named that is gone.
    for (const std::string &need : section->needs)
      if (!mentions(section->text, need) || mentions(text, need)) add(need);
    includes_.insert(section->includes.begin(), section->includes.end());
    if (!helperMacro(text)) order_.push_back(section);
  }

  // The headers that the sections so far need.
  const std::set<std::string> &includes() const { return includes_; }

  // `named`: the helpers to declare, `later`: those to declare for the launchers, `words`: all that
  // the file names outside of helpers.
  PastedHelpers pasted(const std::set<std::string> &named, const std::set<std::string> &later,
                       const std::set<std::string> &words) const {
    std::map<const Section *, std::vector<HelperItem>> items;
    PastedHelpers result;
    for (const Section *section : order_)
      items[section] =
          splitHelpers(withoutGuards(texts_.at(section), architecture_, result.needed),
                       [&](llvm::StringRef word) { return byName_.count(word.str()) != 0; });
    dropDoubles(words, items);
    dropEnumerators(words, items);
    const std::set<const Section *> first = declared(named, items), second = declared(later, items);
    for (const Section *section : order_)
      for (const HelperItem &item : items[section]) {
        if (!first.count(section) && !second.count(section)) {
          result.definitions += item.whole() + "\n";
          continue;
        }
        const bool isFirst = first.count(section) != 0;
        if (!isFirst && isShort(item)) {
          append(item.whole(), true, result.launcherDeclarations);
          continue;
        }
        if (!item.isMember)
          appendDeclaration(item, isFirst ? result.declarations : result.launcherDeclarations);
        if (item.isSplit() || item.isMember) result.definitions += item.later() + "\n";
      }
    result.includes = includes_;
    return result;
  }

 private:
  static bool isPolicy(llvm::StringRef name) {
    return (name.starts_with("load.") || name.starts_with("store.")) && name.count('.') == 1;
  }

  // The text of the section for this file.
  std::string fitted(const Section &section) {
    std::string text = section.text;
    const bool isCall = llvm::StringRef(text).starts_with("TILE2CU_");
    if (isCall) {
      // It needs one section, the macro that it calls.
      const Section *needed = find(section.needs.front());
      const HelperMacro macro = *helperMacro(needed->text);
      const bool isFirst = expanded_.insert(needed).second;
      text = (isFirst ? macro.comment : "") + expanded(macro, text);
    }
    if (isDefault_) text = withoutPolicies(text);
    if (const auto widths = widths_.find(&section); widths != widths_.end())
      text = withWidths(text, widths->second);
    return isCall ? formatCuda(text) : text;
  }

  const Section *find(const std::string &name) {
    auto it = library().byName.find(name);
    if (it != library().byName.end()) return &library().sections[it->second];
    std::optional<WgmmaHelper> wgmma = wgmmaHelper(name);
    if (!wgmma) T2C_UNREACHABLE(("no device helper named " + name).c_str());
    written_.push_back(
        std::make_unique<Section>(Section{wgmma->needs, wgmma->includes, wgmma->text, 0}));
    return written_.back().get();
  }

  // Whether the code names the type, other than to ask whether its template argument is double.
  static bool makesDoubles(llvm::StringRef code) {
    bool names = false;
    for (const llvm::StringRef part : llvm::split(code, "std::is_same_v<T, double>"))
      forEachWord(part, [&](llvm::StringRef word) { names |= word == "double"; });
    return names;
  }

  // Drops overloads for doubles, if neither the file nor another function has any.
  static void dropDoubles(const std::set<std::string> &words,
                          std::map<const Section *, std::vector<HelperItem>> &items) {
    bool isUsed = words.count("double") != 0;
    for (const auto &[section, all] : items)
      for (const HelperItem &item : all)
        if (!item.takesDoubles) isUsed |= makesDoubles(item.code);
    if (isUsed) return;
    for (auto &[section, all] : items) {
      std::set<std::string> others;  // functions with an overload for another type
      for (const HelperItem &item : all)
        if (!item.takesDoubles) others.insert(item.name);
      llvm::erase_if(all, [&](const HelperItem &item) {
        return item.takesDoubles && others.count(item.name) != 0;
      });
    }
  }

  // Leaves the enumerators that the file or another item mentions.
  static void dropEnumerators(const std::set<std::string> &words,
                              std::map<const Section *, std::vector<HelperItem>> &items) {
    std::set<std::string> used;
    auto use = [&](llvm::StringRef text) {
      forEachWord(text, [&](llvm::StringRef word) { used.insert(word.str()); });
    };
    for (const std::string &word : words) use(word);
    for (const auto &[section, all] : items)
      for (const HelperItem &item : all)
        if (!llvm::StringRef(item.code).starts_with("enum ")) use(item.code);
    for (auto &[section, all] : items)
      for (HelperItem &item : all)
        item.code = withUsedEnumerators(
            item.code, [&](llvm::StringRef name) { return used.count(name.str()) != 0; });
  }

  // The sections of these names, and those that their types and declarations mention.
  std::set<const Section *> declared(
      const std::set<std::string> &named,
      const std::map<const Section *, std::vector<HelperItem>> &items) const {
    std::set<const Section *> first;
    std::vector<const Section *> open;
    auto reach = [&](const std::string &name) {
      const auto known = byName_.find(name);
      if (known != byName_.end() && first.insert(known->second).second)
        open.push_back(known->second);
    };
    for (const std::string &name : named) reach(name);
    while (!open.empty()) {
      const Section *section = open.back();
      open.pop_back();
      for (const HelperItem &item : items.at(section))
        if (!item.isMember)
          forEachWord(item.isSplit() ? item.declaration : item.code,
                      [&](llvm::StringRef word) { reach(word.str()); });
    }
    return first;
  }

  // Above the launchers, a function of one statement stands as a whole: its declaration would be no
  // shorter.
  static bool isShort(const HelperItem &item) {
    return item.isSplit() && !item.callsHelpers && llvm::StringRef(item.code).count('\n') <= 3;
  }

  // Declarations stand below each other, types between empty lines.
  static void appendDeclaration(const HelperItem &item, std::string &text) {
    const std::string added = item.legend();
    append(added, !item.isSplit() && llvm::StringRef(added).count('\n') > 2, text);
  }
  static void append(const std::string &added, bool isLong, std::string &text) {
    if (isLong && !text.empty() && !llvm::StringRef(text).ends_with("\n\n")) text += "\n";
    text += added;
    if (isLong) text += "\n";
  }

  std::map<std::string, const Section *> byName_;
  std::map<const Section *, std::string> texts_;
  std::vector<const Section *> order_;
  std::map<const Section *, Widths> widths_;
  std::set<const Section *> expanded_;             // macros
  bool isDefault_ = true;                          // no access names its caching policy
  std::vector<std::unique_ptr<Section>> written_;  // those that are in no file
  std::set<std::string> includes_;
  Architecture architecture_;  // what the file is written for
};

// The helper that a word names: name of tile2cu::name and tile2cu::name<...>, precise.name of
// tile2cu::precise::name. Empty if none.
std::string helperOf(llvm::StringRef word) {
  if (!word.consume_front("tile2cu::")) return "";
  const bool isPrecise = word.consume_front("precise::");
  return (isPrecise ? "precise." : "") + word.take_while(isWordCharacter).str();
}

// Whether each overload has a section of its own: tma_load.1, tma_load.2, ...
bool isFamily(const std::string &name) {
  const auto &byName = library().byName;
  const auto next = byName.lower_bound(name);
  return next != byName.end() && llvm::StringRef(next->first).starts_with(name + ".");
}

// The sections that words name. The members of a family come from `more`: no word shows which.
std::set<std::string> helpersOf(const std::set<std::string> &words,
                                const std::set<std::string> &more) {
  std::set<std::string> names;
  for (const std::string &word : words) {
    const std::string name = helperOf(word);
    if (name.empty()) continue;
    if (!isFamily(name)) {
      names.insert(name);
      continue;
    }
    for (const std::string &each : more)
      if (llvm::StringRef(each).starts_with(name + ".")) names.insert(each);
  }
  return names;
}

}  // namespace

PastedHelpers pasteHelpers(const std::set<std::string> &words, const std::set<std::string> &more,
                           const std::set<std::string> &launcherWords,
                           const Architecture &written) {
  const std::set<std::string> named = helpersOf(words, more),
                              later = helpersOf(launcherWords, more);
  std::set<std::string> all = words;
  all.insert(launcherWords.begin(), launcherWords.end());
  Collector collector(more, written);
  for (const std::string &name : named) collector.add(name);
  const std::set<std::string> includes = collector.includes();
  for (const std::string &name : later) collector.add(name);
  PastedHelpers result = collector.pasted(named, later, all);
  result.launcherIncludes = std::exchange(result.includes, includes);
  for (const std::string &name : includes) result.launcherIncludes.erase(name);
  return result;
}

PastedHelpers pasteWholeHelpers(const std::set<std::string> &words,
                                const std::set<std::string> &more, const Architecture &written) {
  Collector collector(more, written);
  for (const std::string &name : helpersOf(words, more)) collector.add(name);
  return collector.pasted({}, {}, words);
}

std::string pasteUnfiledHelpers(const std::set<std::string> &words) {
  std::string result;
  for (const std::string &name : helpersOf(words, {}))
    if (std::optional<WgmmaHelper> wgmma = wgmmaHelper(name)) result += wgmma->text + "\n";
  return result;
}

}  // namespace tile2cu::emit
