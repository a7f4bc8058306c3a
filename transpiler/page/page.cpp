#include "transpiler/page/page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "transpiler/page/embedded_web.h"

namespace tile2cu::page {
namespace {

// In the order in which they need each other.
constexpr const char *kScripts[] = {"highlight.js", "diff.js",   "code.js",     "layout.js",
                                    "tiles.js",     "memory.js", "pipeline.js", "resources.js",
                                    "passes.js",    "words.js",  "page.js"};

std::string forHtml(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream out(escaped);
  llvm::printHTMLEscaped(text, out);
  return escaped;
}

}  // namespace

std::string page(const std::string &title, const std::string &document) {
  std::string scripts;
  for (const char *name : kScripts) scripts += webFile(name);
  std::string text;
  // The template names what stands in its place: {{style}}.
  llvm::StringRef rest = webFile("page.html");
  while (!rest.empty()) {
    const auto [before, after] = rest.split("{{");
    text += before;
    const auto [name, next] = after.split("}}");
    if (name == "title") text += forHtml(title);
    if (name == "style") text += webFile("page.css");
    if (name == "document") text += document;
    if (name == "scripts") text += scripts;
    rest = next;
  }
  return text;
}

}  // namespace tile2cu::page
