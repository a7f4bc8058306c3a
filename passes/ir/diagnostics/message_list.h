// Messages as data, for editors and other programs: --diagnostics-format.
#pragma once
#include <string>
#include <vector>

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {

// "note", "remark", "warning", "error"
llvm::StringRef kindOf(Severity severity);

struct Message {
  Severity severity = Severity::Error;
  std::string text;
  std::string option = {};  // "-Wunused-kernel"; empty: no option turns it off
  std::string file = {};    // empty: the message is not about a place
  unsigned line = 0, column = 0;
  std::vector<Message> notes = {};
  std::string number = {};  // "T2C102", of a remark (explanations.h)
};

// The messages that would be printed, in order.
class MessageList {
 public:
  // A note belongs to the last message. Names in brackets at the end of the text, as in
  // "... [-Wunused-kernel]" or "... [-Rtile,T2C102]", become Message::option and Message::number.
  void add(Message message);
  // GCC's form (-fdiagnostics-format=json): an array of messages.
  std::string asJson() const;
  // SARIF 2.1.0 with one run of tile2cu of this version.
  std::string asSarif(const std::string &version) const;

 private:
  std::vector<Message> all_;
};

}  // namespace tile2cu::ir
