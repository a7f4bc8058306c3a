#include "transpiler/compile_commands.h"

#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "fmt/format.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tile2cu::transpiler {
namespace {

std::string absolute(llvm::StringRef path, llvm::StringRef directory) {
  llvm::SmallString<256> full(path);
  llvm::sys::fs::make_absolute(directory, full);
  return std::string(full);
}

// "-Ilib" -> "-I/build/lib", and the same for "-I", "lib".
void makeAbsolute(std::vector<std::string> &flags, llvm::StringRef directory) {
  for (size_t i = 0; i < flags.size(); ++i) {
    for (llvm::StringRef flag : {"-isystem", "-iquote", "-include", "-I"}) {
      llvm::StringRef value = flags[i];
      if (!value.consume_front(flag)) continue;
      if (!value.empty()) {
        flags[i] = flag.str() + absolute(value, directory);
      } else if (++i < flags.size()) {
        if (flag != "-include" || llvm::sys::fs::exists(absolute(flags[i], directory))) {
          flags[i] = absolute(flags[i], directory);
        }
      }
      break;
    }
  }
}

}  // namespace

std::optional<std::vector<std::string>> flagsFromBuild(llvm::StringRef buildDir,
                                                       llvm::StringRef file, std::string &problem) {
  using namespace clang::tooling;
  auto database = CompilationDatabase::loadFromDirectory(buildDir, problem);
  if (!database) {
    problem = "-p: there is no usable compile_commands.json in '" + buildDir.str() + "'";
    return std::nullopt;
  }
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  std::vector<CompileCommand> commands = database->getCompileCommands(path);
  if (commands.empty()) {
    problem = fmt::format("-p: compile_commands.json in '{}' has no entry for '{}'", buildDir.str(),
                          file.str());
    return std::nullopt;
  }
  auto adjust =
      combineAdjusters(getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster());
  std::vector<std::string> line = adjust(commands[0].CommandLine, commands[0].Filename);
  std::vector<std::string> flags;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == "-c" || line[i] == "--" ||
        absolute(line[i], commands[0].Directory) ==
            absolute(commands[0].Filename, commands[0].Directory)) {
      continue;
    }
    flags.push_back(line[i]);
  }
  makeAbsolute(flags, commands[0].Directory);
  return flags;
}

}  // namespace tile2cu::transpiler
