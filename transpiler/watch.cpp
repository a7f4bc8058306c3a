#include "transpiler/watch.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <tuple>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "transpiler/driver.h"

namespace tile2cu::transpiler {
namespace {

// The inode of a file (editors replace files), its size and time. All 0 if there is none.
using Stamp = std::tuple<ino_t, off_t, time_t, long>;
using Stamps = std::map<std::string, Stamp>;

Stamp stampOf(const std::string &file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Stamps stampsOf(const List &files) {
  Stamps stamps;
  for (const std::string &file : files) stamps[file] = stampOf(file);
  return stamps;
}

// A file that has changed, when all of them have been the same for a moment: a program that writes
// one may not have finished.
std::string waitForChange(const List &files, const Stamps &before) {
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  Stamps now = stampsOf(files);
  while (now == before) {
    sleep();
    now = stampsOf(files);
  }
  const auto changed =
      llvm::find_if(now, [&](const auto &each) { return before.at(each.first) != each.second; });
  const std::string name = changed == now.end() ? "" : changed->first;
  for (Stamps next;; now = next) {
    sleep();
    next = stampsOf(files);
    if (next == now) return name;
  }
}

void append(List &files, const List &more) {
  for (const std::string &file : more)
    if (!llvm::is_contained(files, file)) files.push_back(file);
}

// Writes the names with a 0 after each.
void send(int pipe, const List &files) {
  std::string text;
  for (const std::string &file : files) text.append(file.c_str(), file.size() + 1);
  for (llvm::StringRef left = text; !left.empty();) {
    const ssize_t written = write(pipe, left.data(), left.size());
    if (written < 0) return;
    left = left.drop_front(written);
  }
}

List receive(int pipe) {
  std::string text;
  char part[4096];
  for (ssize_t count; (count = read(pipe, part, sizeof part)) > 0;) text.append(part, count);
  List files;
  for (llvm::StringRef name : llvm::split(text, '\0'))
    if (!name.empty()) files.push_back(name.str());
  return files;
}

// The exit code of `once`, in a process of its own: memory of Clang and of passes is not freed, and
// an internal error ends the process. The files that it reads are added to `files`. Less than 0 if
// there is no process.
int runApart(List &files, llvm::function_ref<int(List &)> once) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  llvm::outs().flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    List read;
    const int code = once(read);
    send(ends[1], read);
    llvm::outs().flush();
    _exit(code);
  }
  close(ends[1]);
  if (child > 0) append(files, receive(ends[0]));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : int(kInternalError);
}

}  // namespace

int watch(const List &inputs, bool says, llvm::function_ref<int(List &)> once) {
  const auto say = [&](const std::string &text) {
    if (says) llvm::errs() << "tile2cu: " << text << '\n';
  };
  List files = inputs;
  std::string why = "reading " + llvm::join(inputs, ", ");
  while (true) {
    say(why);
    // The stamps are older than the reading: a file that changes meanwhile is read again.
    Stamps before = stampsOf(files);
    const int code = runApart(files, once);
    if (code < 0) {
      llvm::errs() << "tile2cu: error: --watch cannot start a process: " << std::strerror(errno)
                   << '\n';
      return kUserError;
    }
    for (const std::string &file : files) before.try_emplace(file, stampOf(file));
    say(fmt::format("{}; waiting for a change of {}", code == kDone ? "done" : "failed",
                    files.size() == 1 ? files[0] : fmt::format("{} files", files.size())));
    why = "reading again: " + waitForChange(files, before) + " has changed";
  }
}

}  // namespace tile2cu::transpiler
