#include "passes/ir/diagnostics/message_list.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace tile2cu::ir {

llvm::StringRef kindOf(Severity severity) {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Remark:
      return "remark";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  T2C_UNREACHABLE("severity");
}

namespace {

namespace json = llvm::json;

// Sources may have any bytes.
json::Value valid(const std::string &text) {
  return json::isUTF8(text) ? json::Value(text) : json::Value(json::fixUTF8(text));
}

std::string textOf(json::Value value) { return llvm::formatv("{0:2}\n", value).str(); }

// ---- GCC's form

json::Object gccMessage(const Message &message) {
  json::Object result{{"kind", kindOf(message.severity)}, {"message", valid(message.text)}};
  if (!message.option.empty()) result["option"] = message.option;
  json::Array locations, children;
  if (!message.file.empty()) {
    json::Object caret{
        {"file", valid(message.file)}, {"line", message.line}, {"column", message.column}};
    locations.push_back(json::Object{{"caret", std::move(caret)}});
  }
  for (const Message &note : message.notes) children.push_back(gccMessage(note));
  result["locations"] = std::move(locations);
  result["children"] = std::move(children);
  result["column-origin"] = 1;
  return result;
}

// ---- SARIF

// A path as a URI reference: relative as it is, absolute as file:///...
std::string uriOf(const std::string &path) {
  std::string text = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (const char c : path) {
    const bool isPlain = llvm::isAlnum(c) || llvm::StringRef("/._-~+,@").contains(c);
    text += isPlain ? std::string(1, c) : llvm::formatv("%{0:X-2}", uint8_t(c)).str();
  }
  return text;
}

json::Object sarifLocation(const Message &message) {
  json::Object region{{"startLine", message.line}};
  if (message.column) region["startColumn"] = message.column;
  json::Object place{{"artifactLocation", json::Object{{"uri", uriOf(message.file)}}}};
  if (message.line) place["region"] = std::move(region);
  return json::Object{{"physicalLocation", std::move(place)}};
}

// The most exact name: T2C102 rather than -Rtile.
const std::string &ruleOf(const Message &message) {
  return message.number.empty() ? message.option : message.number;
}

json::Object sarifResult(const Message &message) {
  const bool isNote = message.severity == Severity::Note || message.severity == Severity::Remark;
  json::Object result{{"level", isNote ? "note" : kindOf(message.severity)},
                      {"message", json::Object{{"text", valid(message.text)}}}};
  if (!ruleOf(message).empty()) result["ruleId"] = ruleOf(message);
  json::Array locations, related;
  if (!message.file.empty()) locations.push_back(sarifLocation(message));
  for (const Message &note : message.notes) {
    json::Object one = note.file.empty() ? json::Object() : sarifLocation(note);
    one["message"] = json::Object{{"text", valid(note.text)}};
    related.push_back(std::move(one));
  }
  result["locations"] = std::move(locations);
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  return result;
}

}  // namespace

void MessageList::add(Message message) {
  const llvm::StringRef text = message.text;
  const size_t bracket = text.ends_with("]") ? text.rfind(" [-") : llvm::StringRef::npos;
  if (bracket != llvm::StringRef::npos) {
    const llvm::StringRef options = text.substr(bracket).drop_front(2).drop_back(1);
    llvm::SmallVector<llvm::StringRef, 3> parts;
    options.split(parts, ',');
    for (llvm::StringRef part : parts)
      (part.starts_with("-") ? message.option : message.number) = part.str();
    message.text = text.take_front(bracket).str();
  }
  if (message.severity == Severity::Note && !all_.empty())
    all_.back().notes.push_back(std::move(message));
  else
    all_.push_back(std::move(message));
}

std::string MessageList::asJson() const {
  json::Array messages;
  for (const Message &message : all_) messages.push_back(gccMessage(message));
  return textOf(std::move(messages));
}

std::string MessageList::asSarif(const std::string &version) const {
  json::Array results, rules;
  std::vector<std::string> named;
  for (const Message &message : all_) {
    results.push_back(sarifResult(message));
    const std::string &rule = ruleOf(message);
    if (rule.empty() || llvm::is_contained(named, rule)) continue;
    named.push_back(rule);
    rules.push_back(json::Object{{"id", rule}});
  }
  json::Object driver{{"name", "tile2cu"}, {"version", version}, {"rules", std::move(rules)}};
  json::Object run{{"tool", json::Object{{"driver", std::move(driver)}}},
                   {"results", std::move(results)}};
  return textOf(json::Object{{"$schema",
                              "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                              "sarif-schema-2.1.0.json"},
                             {"version", "2.1.0"},
                             {"runs", json::Array{std::move(run)}}});
}

}  // namespace tile2cu::ir
