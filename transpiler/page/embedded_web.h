// The text of the files of transpiler/page/web, built in (transpiler/page/embed_web.cmake).
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tile2cu::page {

// The text of a file, such as "page.css". A file that is not there is an internal error.
llvm::StringRef webFile(llvm::StringRef name);

}  // namespace tile2cu::page
