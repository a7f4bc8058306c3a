// The meaning of the remarks of -Rtile, and what to write instead: explanations.def.
#pragma once
#include <optional>
#include <string>

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {

// Texts are Markdown.
struct Explanation {
  unsigned number;
  DiagId id;
  bool isLoss;              // the kernel would be faster with another decision
  llvm::StringRef section;  // the part of the manual's tables
  llvm::StringRef reasons;  // the table of reasons that may follow its colon; empty: none
  llvm::StringRef form;     // the remark, with ... for what differs
  llvm::StringRef helps;
  llvm::StringRef page;

  std::string name() const;  // T2C102
};

struct Reason {
  llvm::StringRef table;
  llvm::SmallVector<llvm::StringRef, 2> texts;  // ... stands for what differs
  llvm::StringRef advice;
};

llvm::ArrayRef<Explanation> explanations();
llvm::ArrayRef<Reason> reasons();

// Null for a message that is not a remark of -Rtile.
const Explanation *explanationOf(DiagId id);
// By T2C102, t2c102 or 102; null if there is none.
const Explanation *explanationNamed(llvm::StringRef name);
// The reason that a remark gives; null if the table has none of its words.
const Reason *reasonIn(llvm::StringRef message, const Explanation &explanation);

// Whether a remark tells of a loss that another source would avoid.
bool isLoss(DiagId id, llvm::StringRef message);

// Without the marks of Markdown: the text of a link stands for it.
std::string plainText(llvm::StringRef markdown);

}  // namespace tile2cu::ir
