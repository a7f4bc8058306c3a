#include "transpiler/output_files.h"

#include <optional>

#include "fmt/format.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tile2cu::transpiler {
namespace {

namespace fs = llvm::sys::fs;

// Text in a temporary file next to its destination.
struct Pending {
  std::string path;
  std::string reportedPath;
  fs::TempFile file;
};

bool alreadyHolds(llvm::StringRef path, llvm::StringRef text) {
  uint64_t size = 0;
  if (fs::file_size(path, size) || size != text.size()) return false;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && (*buffer)->getBuffer() == text;
}

// Standard output, or a file that cannot be replaced by renaming (/dev/null, a pipe).
bool writeInPlace(const OutputFile &output, std::string &problem) {
  std::error_code error;
  llvm::raw_fd_ostream out(output.path, error);
  if (!error) {
    out << output.text;
    out.flush();
    error = out.error();
    out.clear_error();
  }
  if (!error) return true;
  problem = fmt::format("cannot write '{}': {}", output.path, error.message());
  return false;
}

std::optional<Pending> writeBeside(const OutputFile &output, std::string &problem) {
  // A symbolic link is kept: its target is replaced.
  llvm::SmallString<256> real;
  std::string path = fs::real_path(output.path, real) ? output.path : std::string(real);
  auto temporary = fs::TempFile::create(path + ".%%%%%%.tmp", fs::all_read | fs::all_write);
  if (!temporary) {
    problem = fmt::format("cannot write '{}': {}", output.path,
                          llvm::errorToErrorCode(temporary.takeError()).message());
    return std::nullopt;
  }
  llvm::raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  out << output.text;
  out.flush();
  if (std::error_code error = out.error()) {
    out.clear_error();
    llvm::consumeError(temporary->discard());
    problem = fmt::format("cannot write '{}': {}", output.path, error.message());
    return std::nullopt;
  }
  return Pending{path, output.path, std::move(*temporary)};
}

std::string escapeForMake(llvm::StringRef path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

bool writeFiles(llvm::ArrayRef<OutputFile> files, std::string &problem) {
  std::vector<Pending> pending;
  auto discardAll = [&] {
    for (Pending &one : pending) llvm::consumeError(one.file.discard());
  };
  std::vector<const OutputFile *> inPlace;
  for (const OutputFile &output : files) {
    fs::file_status status;
    bool exists = output.path != "-" && !fs::status(output.path, status);
    if (exists && fs::is_directory(status)) {
      problem = "cannot write '" + output.path + "': it is a directory";
      discardAll();
      return false;
    }
    if (output.path == "-" || (exists && !fs::is_regular_file(status))) {
      inPlace.push_back(&output);
    } else if (exists && fs::access(output.path, fs::AccessMode::Write)) {
      problem = "cannot write '" + output.path + "': permission denied";
      discardAll();
      return false;
    } else if (!exists || !alreadyHolds(output.path, output.text)) {
      auto one = writeBeside(output, problem);
      if (!one) {
        discardAll();
        return false;
      }
      pending.push_back(std::move(*one));
    }
  }
  for (Pending &one : pending) {
    if (llvm::Error error = one.file.keep(one.path)) {
      problem = fmt::format("cannot write '{}': {}", one.reportedPath,
                            llvm::errorToErrorCode(std::move(error)).message());
      discardAll();
      return false;
    }
  }
  for (const OutputFile *output : inPlace) {
    if (!writeInPlace(*output, problem)) return false;
  }
  return true;
}

std::string makeRule(llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> prerequisites,
                     bool phony) {
  std::string text;
  for (const std::string &target : targets)
    text += (text.empty() ? "" : " ") + escapeForMake(target);
  text += ':';
  for (const std::string &file : prerequisites) text += " \\\n  " + escapeForMake(file);
  text += '\n';
  if (phony) {
    for (const std::string &file : prerequisites.drop_front()) {
      text += '\n' + escapeForMake(file) + ":\n";
    }
  }
  return text;
}

}  // namespace tile2cu::transpiler
