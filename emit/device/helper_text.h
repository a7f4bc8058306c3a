// The declarations of a device helper's text, so that a file can declare its helpers at its start
// and define them at its end.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

// A type, a function, a variable or a macro, with the comment above it.
struct HelperItem {
  std::string comment;        // its rows, with their `//`; may be empty
  std::string code;           // all of it
  std::string declaration;    // of a function that may be defined later
  std::string head, body;     // the function after that declaration: without default arguments
  bool isMember = false;      // the definition of a member; its class has the declaration
  std::string name;           // of a function
  bool takesDoubles = false;  // the function has a parameter of type double
  bool callsHelpers = false;  // its body names other helpers

  bool isSplit() const { return !declaration.empty(); }
  // The declaration with the first sentence of the comment; all of an item that is not split.
  std::string legend() const;
  // A definition, with the comment if that has more than one sentence.
  std::string later() const;
  // The comment and the code.
  std::string whole() const { return comment + code + "\n"; }
};

// Says whether a word is the name of a helper.
using IsHelper = llvm::function_ref<bool(llvm::StringRef)>;

// The items of a section of device/*.cuh, in their order. A function is split unless it is
// constexpr, its return type is deduced, or it is one line that names no helper.
std::vector<HelperItem> splitHelpers(llvm::StringRef text, IsHelper isHelper);

// An enum without the enumerators of which `isUsed` is false, and without comments on groups of
// enumerators that are gone; other code as it is.
std::string withUsedEnumerators(llvm::StringRef code,
                                llvm::function_ref<bool(llvm::StringRef)> isUsed);

// Calls `visit` for each identifier, keyword and number that is in no comment or string.
void forEachWord(llvm::StringRef code, llvm::function_ref<void(llvm::StringRef)> visit);

}  // namespace tile2cu::emit
