#include "transpiler/install_paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tile2cu::transpiler {

std::string runtimeIncludeDir() {
  static const char anchor = 0;
  std::string program = llvm::sys::fs::getMainExecutable("tile2cu", const_cast<char *>(&anchor));
  llvm::SmallString<256> dir(llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)));
  llvm::sys::path::append(dir, T2C_INCLUDE_DIR);
  llvm::SmallString<256> header(dir);
  llvm::sys::path::append(header, "tile2cu", "tile.h");
  return llvm::sys::fs::exists(header) ? std::string(dir) : T2C_SOURCE_INCLUDE_DIR;
}

}  // namespace tile2cu::transpiler
