#include "transpiler/install_paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tile2cu::transpiler {

// The folder that holds bin, include and so on.
static std::string prefix() {
  static const char anchor = 0;
  std::string program = llvm::sys::fs::getMainExecutable("tile2cu", const_cast<char *>(&anchor));
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)).str();
}

std::string runtimeIncludeDir() {
  llvm::SmallString<256> dir(prefix());
  llvm::sys::path::append(dir, T2C_INCLUDE_DIR);
  llvm::SmallString<256> header(dir);
  llvm::sys::path::append(header, "tile2cu", "tile.h");
  return llvm::sys::fs::exists(header) ? std::string(dir) : T2C_SOURCE_INCLUDE_DIR;
}

std::string clangResourceDir() {
  llvm::SmallString<256> dir(prefix());
  llvm::sys::path::append(dir, T2C_LIB_DIR, "tile2cu", "clang");
  llvm::SmallString<256> headers(dir);
  llvm::sys::path::append(headers, "include");
  return llvm::sys::fs::exists(headers) ? std::string(dir) : "";
}

std::string precompiledHeader() {
  llvm::SmallString<256> path(prefix());
  llvm::sys::path::append(path, T2C_LIB_DIR, "tile2cu", "tile.h.pch");
  return std::string(path);
}

}  // namespace tile2cu::transpiler
