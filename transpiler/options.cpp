#include "transpiler/options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include "passes/ir/limits.h"
#include "transpiler/explain.h"
#include "transpiler/option_rows.h"

namespace tile2cu::transpiler {
namespace {

// Whether CLI11 would read "-MF" as "-M F": its short options have one letter.
bool isLongWithOneDash(llvm::StringRef name) {
  return name.size() > 2 && name[0] == '-' && name[1] != '-';
}

// The names with one dash and several letters, as in "-isystem".
llvm::ArrayRef<llvm::StringRef> oneDashNames() {
  static const llvm::SmallVector<llvm::StringRef> names = [] {
    llvm::SmallVector<llvm::StringRef> all, found;
#define OPTION(Type, field, names, ...) llvm::StringRef(names).split(all, ',');
#include "transpiler/options.def"
    llvm::copy_if(all, std::back_inserter(found), isLongWithOneDash);
    return found;
  }();
  return names;
}

// The argument in CLI11's spelling: a second dash for "-MF" and "-std=c++20", a value for
// "--header" and "--torch".
std::string normalize(llvm::StringRef argument) {
  if (argument == "--header" || argument == "--torch") return argument.str() + "=auto";
  auto [name, value] = argument.split('=');
  return llvm::is_contained(oneDashNames(), name) ? "-" + argument.str() : argument.str();
}

// The arguments with each @file replaced by its contents, also in such files. Nothing if one cannot
// be read.
bool expandResponseFiles(llvm::StringRef argument, unsigned depth, List &out,
                         std::string &problem) {
  if (!argument.starts_with("@")) {
    out.push_back(argument.str());
    return true;
  }
  auto buffer = llvm::MemoryBuffer::getFile(argument.drop_front());
  if (!buffer || depth == 8) {
    problem = fmt::format("cannot read the response file '{}': {}", argument.drop_front().str(),
                          buffer ? "it includes itself" : buffer.getError().message());
    return false;
  }
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), saver, words);
  for (llvm::StringRef word : words) {
    if (!expandResponseFiles(word, depth + 1, out, problem)) return false;
  }
  return true;
}

void addOption(CLI::App &app, const std::string &names, bool &field, llvm::StringRef) {
  app.add_flag(names, field);
}
void addOption(CLI::App &app, const std::string &names, int &field, llvm::StringRef) {
  app.add_option(names, field);
}
void addOption(CLI::App &app, const std::string &names, List &field, llvm::StringRef) {
  app.add_option(names, field)->allow_extra_args(false);
}
void addOption(CLI::App &app, const std::string &names, ForClang &, llvm::StringRef) {
  app.add_option(names)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("ForClang");
}
void addOption(CLI::App &app, const std::string &names, std::string &field, llvm::StringRef meta) {
  CLI::Option *option = app.add_option(names, field);
  std::vector<std::string> choices;
  for (llvm::StringRef choice : llvm::split(meta, '|')) choices.push_back(choice.str());
  if (choices.size() > 1 && !meta.contains(',')) option->check(CLI::IsMember(choices));
}

std::string normalizeNames(llvm::StringRef names) {
  llvm::SmallVector<std::string> parts;
  for (llvm::StringRef name : llvm::split(names, ',')) {
    parts.push_back(isLongWithOneDash(name) ? "-" + name.str() : name.str());
  }
  return llvm::join(parts, ",");
}

// Checks that involve several options. Returns the error, or an empty string.
std::string validate(const Options &options) {
  bool depfileDetails =
      !options.depfilePath.empty() || !options.depfileTargets.empty() || options.depfilePhony;
  if (depfileDetails && !options.depfile) return "-MF, -MT and -MP need -MD";
  if (options.depfile && options.depfilePath.empty() && options.output == "-") {
    return "-MD needs -MF when the output goes to standard output";
  }
  if (options.header == "auto" && options.output == "-") {
    return "--header needs a file name when the output goes to standard output: --header=FILE";
  }
  const bool isCuda = !writesIr(options) && options.emit != "emulator";
  if (options.annotate != "brief" && (options.lineDirectives || !options.html.empty()))
    return "--annotate=" + options.annotate + " changes the rows that " +
           (options.html.empty() ? "--line-directives" : "--html") + " speaks of";
  if (!options.html.empty() && !isCuda)
    return std::string("--html shows CUDA; it does not go with --emit=") +
           (writesIr(options) ? "ir and --passes" : "emulator");
  if (!options.torch.empty() && options.output == "-")
    return "--torch needs an output file: what it writes includes the header next to it";
  if (!options.torch.empty() && !options.emit.empty() && options.emit != "cu")
    return "--torch calls launchers of CUDA, so it does not go with --emit=" + options.emit;
  if (options.explain && options.output == "-")
    return "--explain and the output would both go to standard output; -o takes a file";
  if (options.watch && llvm::is_contained(options.inputs, "-"))
    return "--watch takes files, not standard input";
  const bool isFolder = writesIntoFolder(options);
  if (isFolder && llvm::is_contained(options.inputs, "-"))
    return "-o takes a file when the input is standard input, not a folder";
  if (options.inputs.size() > 1) {
    if (llvm::is_contained(options.inputs, "-"))
      return "standard input (-) cannot be one of several inputs";
    if ((!options.output.empty() || writesIr(options)) && !isFolder)
      return "with several inputs, -o takes a folder: -o DIR/";
    for (const auto &[name, isGiven] :
         {std::pair("--header=FILE", !options.header.empty() && options.header != "auto"),
          std::pair("--html", !options.html.empty()),
          std::pair("--torch=FILE", !options.torch.empty() && options.torch != "auto"),
          std::pair("-MF", !options.depfilePath.empty()),
          std::pair("-MT", !options.depfileTargets.empty())})
      if (isGiven)
        return fmt::format("{} is for one input, not for {}", name, options.inputs.size());
  }
  int limit = 0;
  if (!options.errorLimit.empty() && (!llvm::to_integer(options.errorLimit, limit) || limit < 0))
    return fmt::format("-ferror-limit takes a number, not '{}'", options.errorLimit);
  if (options.numWarps < 1 || options.numWarps > ir::kMostWarps)
    return "--num-warps takes 1 to " + std::to_string(ir::kMostWarps);
  if (options.numStages < 1 || options.numStages > ir::kMostStages)
    return "--num-stages takes 1 to " + std::to_string(ir::kMostStages);
  for (const std::string &request : options.instantiate)
    if (request.find('<') == std::string::npos)
      return fmt::format(
          "--instantiate needs the template arguments: --instantiate='{0}<...>'; a kernel that is "
          "not a template has a launcher without this option",
          request);
  return "";
}

// The ForClang options in the order of the command line, as Clang spells them.
List clangFlags(const CLI::App &app) {
  List flags;
  std::map<const CLI::Option *, size_t> seen;
  for (const CLI::Option *option : app.parse_order()) {
    if (option->get_group() != "ForClang") continue;
    std::string value = option->results()[seen[option]++];
    std::string name =
        option->get_lnames().empty() ? option->get_snames()[0] : option->get_lnames()[0];
    if (name == "isystem" || name == "include") {
      flags.insert(flags.end(), {"-" + name, value});
    } else {
      flags.push_back("-" + name + (name == "std" ? "=" : "") + value);
    }
  }
  return flags;
}

// "there is no option '--haeder'; did you mean '--header'?"
std::string unknownOption(llvm::StringRef argument) {
  llvm::StringRef given = argument.split('=').first, closest;
  unsigned best = given.size() < 5 ? 2 : 3;
  auto consider = [&](llvm::StringRef names) {
    for (llvm::StringRef name : llvm::split(names, ',')) {
      unsigned distance = given.edit_distance(name, /*AllowReplacements=*/true, best);
      if (name.size() > 2 && given.size() > 2 && distance < best) {
        best = distance;
        closest = name;
      }
    }
  };
#define OPTION(Type, field, names, ...) consider(names);
#include "transpiler/options.def"
  std::string text = "there is no option '" + given.str() + "'";
  if (!closest.empty()) text += "; did you mean '" + closest.str() + "'?";
  return text;
}

CommandLine usageError(const std::string &problem) {
  return {{}, true, 2, "tile2cu: error: " + problem + "\ntry 'tile2cu --help'\n"};
}

}  // namespace

bool writesIr(const Options &options) {
  return options.emit == "ir" || (options.emit.empty() && options.passes != "all");
}

bool writesIntoFolder(const Options &options) {
  return llvm::StringRef(options.output).ends_with("/");
}

CommandLine parseCommandLine(int argc, const char *const *argv) {
  List arguments, forCli, afterDashes;
  std::string problem;
  CommandLine result;
  Options &options = result.options;
  for (int i = 1; i < argc; ++i) {
    if (llvm::StringRef(argv[i]) == "--") {
      afterDashes.assign(argv + i + 1, argv + argc);
      break;
    }
    if (!expandResponseFiles(argv[i], 0, arguments, problem)) return usageError(problem);
  }
  for (llvm::StringRef argument : arguments)
    if (argument.starts_with("--") && argument.ends_with("="))
      return usageError(argument.drop_back().str() + " needs a value");
  // CLI11 takes a vector of arguments in reverse.
  for (const std::string &argument : llvm::reverse(arguments))
    forCli.push_back(normalize(argument));

  CLI::App app;
  app.set_help_flag();
  app.allow_windows_style_options(false);
  List inputs;
  app.add_option("input", inputs);
#define OPTION(Type, field, names, fallback, group, meta, help) \
  addOption(app, normalizeNames(names), options.field, meta);
#include "transpiler/options.def"
  app.allow_extras();
  try {
    app.parse(forCli);
  } catch (const CLI::ArgumentMismatch &error) {
    return usageError(llvm::StringRef(error.what()).split(':').first.str() + " needs a value");
  } catch (const CLI::ParseError &error) {
    problem = error.what();
    problem[0] = llvm::toLower(problem[0]);
    return usageError(problem);
  }
  for (llvm::StringRef extra : app.remaining()) return usageError(unknownOption(extra));
  for (const char *name : {"--num-warps", "--num-stages"})
    if (app.count(name) && options.instantiate.empty())
      return usageError(fmt::format(
          "{0} is for --instantiate; a launcher of the source has {{.{1} = N}} as its options",
          name, name == llvm::StringRef("--num-warps") ? "num_warps" : "num_stages"));

  options.clangFlags = clangFlags(app);
  options.clangFlags.insert(options.clangFlags.end(), afterDashes.begin(), afterDashes.end());
  if (options.help) return {{}, true, 0, helpText()};
  if (options.version) {
    return {{}, true, 0, "tile2cu " T2C_VERSION " (Clang " LLVM_VERSION_STRING ")\n"};
  }
  if (!options.explainId.empty()) {
    const auto page = explainPage(options.explainId);
    if (page) return {{}, true, 0, *page};
    return usageError(
        fmt::format("--explain-id: there is no remark '{}'; runtime/doc/remarks.md has all",
                    options.explainId));
  }
  if (!options.generate.empty()) return {{}, true, 0, generatedText(options.generate)};
  if (options.listOps || options.listPasses || options.listTunables ||
      !options.precompileHeader.empty())
    return result;
  if (inputs.empty()) return usageError("no input file");
  options.inputs = inputs;
  problem = validate(options);
  return problem.empty() ? result : usageError(problem);
}

}  // namespace tile2cu::transpiler
