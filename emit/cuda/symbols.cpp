#include "emit/cuda/symbols.h"

#include <algorithm>

#include "emit/cuda/builder.h"
#include "emit/cuda/free_names.h"
#include "emit/cuda/text_words.h"

namespace tile2cu::emit {

static constexpr char kMark = kSymbolMark, kGenerated = 'g';

// row, a mark, row_of_x, a mark, g17: the wanted name, the second one, a number.
bool isSymbol(llvm::StringRef name) { return name.contains(kMark); }
llvm::StringRef wantedName(llvm::StringRef name) { return name.split(kMark).first; }
llvm::StringRef secondName(llvm::StringRef symbol) {
  return symbol.split(kMark).second.split(kMark).first;
}
llvm::StringRef freeName(llvm::StringRef symbol, llvm::function_ref<bool(llvm::StringRef)> isFree) {
  const llvm::StringRef wanted = wantedName(symbol), second = secondName(symbol);
  return !second.empty() && !isFree(wanted) && isFree(second) ? second : wanted;
}
bool isGenerated(llvm::StringRef symbol) {
  return symbol.split(kMark).second.split(kMark).second.starts_with(kGenerated);
}

static std::string symbolFor(llvm::StringRef wanted, llvm::StringRef second, bool isGenerated,
                             const std::string &number) {
  return wanted.str() + kMark + second.str() + kMark +
         (isGenerated ? std::string(1, kGenerated) : "") + number;
}

std::string renumbered(llvm::StringRef symbol, size_t number) {
  return symbolFor(wantedName(symbol), secondName(symbol), isGenerated(symbol),
                   "=" + std::to_string(number));
}

static llvm::StringRef lastWord(llvm::StringRef text) {
  size_t begin = text.size();
  while (begin > 0 && isWordCharacter(text[begin - 1])) --begin;
  return text.substr(begin);
}

static std::string withSymbols(llvm::StringRef text,
                               llvm::function_ref<llvm::StringRef(llvm::StringRef)> nameOf) {
  std::string result;
  for (size_t mark; (mark = text.find(kMark)) != llvm::StringRef::npos;) {
    const size_t number = text.find(kMark, mark + 1) + 1;
    const size_t end = std::min(text.find_first_not_of("g=0123456789", number), text.size());
    const size_t begin = mark - lastWord(text.take_front(mark)).size();
    result += text.take_front(begin);
    result += nameOf(text.slice(begin, end));
    text = text.drop_front(end);
  }
  return result + text.str();
}

std::string withNames(llvm::StringRef text, const NameMap &names) {
  return withSymbols(text, [&](llvm::StringRef symbol) {
    const auto name = names.find(symbol);
    return name == names.end() ? symbol : llvm::StringRef(name->second);
  });
}

std::string withWantedNames(llvm::StringRef text) { return withSymbols(text, wantedName); }

Names::Names() { open(); }

std::string Names::symbol(llvm::StringRef wanted, const Hint &hint) {
  return symbolFor(identifier(wanted), hint.second.empty() ? "" : identifier(hint.second),
                   hint.origin == Origin::Generated, std::to_string(next_++));
}

std::string Names::take(llvm::StringRef wanted, const Hint &hint) {
  std::string name = symbol(wanted, hint);
  variables_[name] = changes_.size();
  scopes_.back().push_back(changes_.size());
  changes_.push_back(++lastChange_);
  names_.push_back(name);
  return name;
}

void Names::open() {
  scopes_.emplace_back();
  constants_.emplace_back();
}

void Names::close() {
  for (const unsigned variable : scopes_.back()) changes_[variable] = kEnded;
  scopes_.pop_back();
  constants_.pop_back();
}

void Names::release(const std::string &name) { changes_[variables_.lookup(name)] = kEnded; }

const Names::Constant *Names::constant(const Expr &type, const Expr &initializer) const {
  for (const auto &scope : constants_)
    for (const Constant &known : scope)
      if (known.type == type && known.initializer == initializer &&
          firstChanged(known.reads).empty())
        return &known;
  return nullptr;
}

void Names::rememberConstant(const Expr &type, const Expr &initializer, const std::string &name) {
  Reads reads = readsOf(initializer);
  reads.append(readsOf(named(name)));
  constants_.back().push_back({name, type, initializer, std::move(reads)});
}

// ---- changes of variables

void Names::change(unsigned variable) {
  if (changes_[variable] == kEnded) return;
  log_.push_back({variable, changes_[variable]});
  changes_[variable] = ++lastChange_;
}

void Names::change(const std::string &name) {
  if (const auto variable = variables_.find(name); variable != variables_.end())
    change(variable->second);
}

void Names::change(llvm::ArrayRef<unsigned> variables) {
  for (unsigned variable : variables) change(variable);
}

Reads Names::readsOf(const Expr &e) const {
  Reads reads;
  walk(e, [&](const Expr &node) {
    if (!node.isName()) return;
    if (const auto variable = variables_.find(node.spelling()); variable != variables_.end())
      reads.push_back({variable->second, changes_[variable->second]});
  });
  return reads;
}

Reads Names::readsOf(const Stmts &stmts) const {
  Reads reads;
  forEachName(stmts, [&](llvm::StringRef name) {
    if (const auto variable = variables_.find(name); variable != variables_.end())
      reads.push_back({variable->second, changes_[variable->second]});
  });
  return reads;
}

std::string Names::firstChanged(const Reads &reads) const {
  for (const Read &read : reads)
    if (changes_[read.variable] != read.change) return wantedName(names_[read.variable]).str();
  return "";
}

std::vector<unsigned> Names::changedSince(Place place) const {
  std::vector<unsigned> variables;
  for (size_t i = place; i < log_.size(); ++i)
    if (changes_[log_[i].variable] != kEnded) variables.push_back(log_[i].variable);
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::vector<unsigned> Names::takeBack(Place place) {
  std::vector<unsigned> variables = changedSince(place);
  for (; log_.size() > place; log_.pop_back())
    if (unsigned &change = changes_[log_.back().variable]; change != kEnded)
      change = log_.back().before;
  return variables;
}

bool Names::areOthers(llvm::ArrayRef<unsigned> variables, llvm::ArrayRef<std::string> names) const {
  return std::any_of(variables.begin(), variables.end(), [&](unsigned variable) {
    return std::find(names.begin(), names.end(), names_[variable]) == names.end();
  });
}

}  // namespace tile2cu::emit
