// The completion of command lines for bash, zsh and fish, from the rows of options.def.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "transpiler/option_rows.h"

namespace tile2cu::transpiler {
namespace {

bool isFile(const OptionRow &row) { return row.meta == "FILE" || row.meta == "DIR"; }

// The text with a backslash before each of `special`.
std::string escaped(llvm::StringRef text, llvm::StringRef special) {
  std::string result;
  for (char c : text) {
    if (special.contains(c)) result += '\\';
    result += c;
  }
  return result;
}

// The text as a word of zsh or, with `isFish`, of fish, in single quotes.
std::string quoted(llvm::StringRef text, bool isFish = false) {
  std::string result;
  for (char c : text) {
    if (c == '\'') {
      result += isFish ? "\\'" : "'\\''";
    } else {
      result += c;
    }
  }
  return "'" + result + "'";
}

constexpr llvm::StringRef kBashHead =
    R"(# bash completion of tile2cu. Written by `tile2cu --generate=bash`.

# The file names that begin with the word, of the kind that compgen's flags say.
_tile2cu_files() {
  local name
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$@" -- "$word")
  compopt -o filenames
}

_tile2cu() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # "--math=fast" is three words where "=" is in COMP_WORDBREAKS, as it is by default.
  if [[ $word = "=" ]]; then
    option+="=" word=
  elif [[ $option = "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}=
  elif [[ $word = -*=* ]]; then
    option=${word%%=*}= word=${word#*=}
  fi
  case $option in
)";

constexpr llvm::StringRef kBashTail = R"(
  if [[ $word = -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    if [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]]; then compopt -o nospace; fi
    return
  fi
  _tile2cu_files -f -X '!*.cpp'
  _tile2cu_files -f -X '!*.t2ir'
  _tile2cu_files -d
}
complete -F _tile2cu tile2cu
)";

}  // namespace

std::string bashCompletion() {
  std::string text, options;
  llvm::SmallVector<std::string> withoutWords;
  llvm::raw_string_ostream out(text);
  out << kBashHead;
  for (const OptionRow &row : optionRows()) {
    if (!row.isListed()) continue;
    llvm::SmallVector<std::string> patterns;
    for (llvm::StringRef name : row.names()) {
      const ValueForm form = valueForm(row, name);
      const bool hasEquals = form == ValueForm::AfterEquals || form == ValueForm::MaybeAfterEquals;
      if (form != ValueForm::AfterEquals) options += name.str() + " ";
      if (hasEquals) options += name.str() + "= ";
      if (hasEquals || form == ValueForm::Separate)
        patterns.push_back(name.str() + (hasEquals ? "=" : ""));
    }
    if (isFile(row)) {
      out << "    " << llvm::join(patterns, " | ") << ")\n      _tile2cu_files "
          << (row.meta == "DIR" ? "-d" : "-f") << "\n      return ;;\n";
    } else if (!row.choices().empty()) {
      out << "    " << llvm::join(patterns, " | ") << ")\n      COMPREPLY=($(compgen -W '"
          << llvm::join(row.choices(), " ") << "' -- \"$word\"))\n      return ;;\n";
    } else {
      // "*=" is the case of those that end with it.
      llvm::copy_if(patterns, std::back_inserter(withoutWords),
                    [](llvm::StringRef pattern) { return !pattern.ends_with("="); });
    }
  }
  out << "    *= | " << llvm::join(withoutWords, " | ") << ")\n      return ;;\n  esac\n"
      << "  local options='" << llvm::StringRef(options).rtrim() << "'" << kBashTail;
  return text;
}

std::string zshCompletion() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "#compdef tile2cu\n# Written by `tile2cu --generate=zsh`.\n\n_arguments -S \\\n";
  for (const OptionRow &row : optionRows()) {
    if (!row.isListed()) continue;
    const auto names = row.names();
    for (llvm::StringRef name : names) {
      std::string spec;
      if (row.isRepeated()) {
        spec = "*";
      } else if (names.size() > 1) {
        spec = "(" + llvm::join(names, " ") + ")";
      }
      spec += name;
      const ValueForm form = valueForm(row, name);
      if (form == ValueForm::AfterEquals || form == ValueForm::MaybeAfterEquals) spec += "=";
      if (form == ValueForm::Attached) spec += "-";
      if (form == ValueForm::Separate) spec += name.size() == 2 ? "+" : "";
      spec += "[" + escaped(row.help, "\\[]:") + "]";
      if (row.takesValue()) {
        spec += form == ValueForm::MaybeAfterEquals ? "::" : ":";
        spec += escaped(row.meta.trim('\''), "\\:") + ":";
        if (isFile(row)) spec += row.meta == "DIR" ? "_files -/" : "_files";
        if (!row.choices().empty()) spec += "(" + llvm::join(row.choices(), " ") + ")";
      }
      out << "  " << quoted(spec) << " \\\n";
    }
  }
  out << "  '*:FILE:_files -g \"*.(cpp|t2ir)\"'\n";
  return text;
}

std::string fishCompletion() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# fish completion of tile2cu. Written by `tile2cu --generate=fish`.\n";
  for (const OptionRow &row : optionRows()) {
    if (!row.isListed()) continue;
    out << "complete -c tile2cu";
    for (llvm::StringRef name : row.names()) {
      const llvm::StringRef kind = name.starts_with("--") ? "-l" : name.size() == 2 ? "-s" : "-o";
      out << ' ' << kind << ' ' << name.ltrim('-');
    }
    if (row.takesValue() && valueForm(row, row.names()[0]) != ValueForm::MaybeAfterEquals) {
      out << (isFile(row) ? " -r -F" : " -x");
      if (!row.choices().empty()) out << " -a '" << llvm::join(row.choices(), " ") << "'";
    }
    out << " -d " << quoted(row.help, /*isFish=*/true) << '\n';
  }
  return text;
}

}  // namespace tile2cu::transpiler
