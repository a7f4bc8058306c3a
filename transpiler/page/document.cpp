// The document of a page. README.md has its form.
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/ir/diagnostics/message_list.h"
#include "passes/target/occupancy.h"
#include "transpiler/page/page.h"

namespace tile2cu::page {
using namespace ir;
namespace {

class Writer {
 public:
  Writer(const Inputs &inputs, llvm::raw_ostream &out) : in_(inputs), json_(out) {}

  void write() {
    json_.object([&] {
      json_.attribute("form", 1);
      json_.attribute("version", in_.version);
      list("targets", in_.targets, [&](const std::string &each) { json_.value(each); });
      json_.attribute("main", in_.mainFile);
      list("files", in_.files, [&](const SourceFile &file) {
        json_.object([&] {
          text("name", file.name);
          if (!file.text.empty()) text("text", file.text);
        });
      });
      json_.attributeObject("cuda", [&] { cuda(); });
      json_.attributeArray("remarks", [&] { remarks(); });
      json_.attributeArray("kernels", [&] { kernels(); });
      list("layouts", layouts_,
           [&](const LayoutRef &layout) { json_.object([&] { write(*layout); }); });
      json_.attributeObject("ir", [&] { trace(); });
    });
  }

 private:
  template <class List, class Each>
  void list(llvm::StringRef name, const List &all, Each each) {
    json_.attributeArray(name, [&] {
      for (const auto &one : all) each(one);
    });
  }

  // JSON has Unicode only; a source file may have any bytes in its comments.
  void text(llvm::StringRef name, llvm::StringRef value) {
    json_.attribute(name, llvm::json::fixUTF8(value));
  }

  void cuda() {
    text("name", in_.cudaName);
    text("text", in_.cuda.file);
    list("sources", in_.cuda.sources, [&](const emit::RowSource &source) {
      json_.array([&] {
        json_.value(int64_t(source.row));
        json_.value(source.file);
        json_.value(source.line);
      });
    });
  }

  void place(Location loc) {
    if (loc.line == 0) return;
    json_.attribute("file", loc.file);
    json_.attribute("line", loc.line);
    json_.attribute("column", loc.column);
  }
  void remarks() {
    for (const Diagnostic &one : in_.diagnostics.all)
      json_.object([&] {
        json_.attribute("severity", kindOf(one.severity));
        place(one.loc);
        text("text", one.message);
        if (one.notes.empty()) return;
        list("notes", one.notes, [&](const std::pair<Location, std::string> &note) {
          json_.object([&] {
            place(note.first);
            text("text", note.second);
          });
        });
      });
  }

  void trace() {
    list("lines", in_.trace.lines(),
         [&](const std::string &line) { json_.value(llvm::json::fixUTF8(line)); });
    list("passes", in_.trace.steps(), [&](const Trace::Step &step) {
      json_.object([&] {
        json_.attribute("name", step.pass);
        json_.attribute("does", step.description);
        json_.attribute("level", name(step.level));
        if (step.isChanged)
          list("lines", step.lines, [&](unsigned number) { json_.value(number); });
      });
    });
  }

  // Those that are left of the kernels whose tiles were recorded.
  void kernels() {
    for (const PlacedKernel &placed : in_.trace.kernels())
      for (const Kernel &kernel : in_.module.kernels)
        if (&kernel == placed.kernel) json_.object([&] { write(kernel, placed); });
  }
  void write(const Kernel &kernel, const PlacedKernel &placed) {
    json_.attribute("name", kernel.name);
    list("arguments", kernel.templateArguments, [&](const TemplateArgument &argument) {
      json_.object([&] {
        json_.attribute("name", argument.name);
        json_.attribute("value", argument.value);
      });
    });
    json_.attribute("warps", kernel.options.numWarps);
    json_.attribute("stages", kernel.options.numStages);
    json_.attribute("forHopper", kernel.forHopper);
    json_.attribute("isFallback", llvm::any_of(in_.module.kernels, [&](const Kernel &other) {
                      return isFallbackOf(kernel, other);
                    }));
    json_.attribute("threads", passes::blockThreads(kernel));
    json_.attribute("programsPerBlock", kernel.programsPerBlock);
    json_.attribute("sharedBytes", passes::sharedBytes(kernel));
    json_.attribute("registers", passes::launchedRegisters(kernel));
    for (const Work &work : in_.trace.work())
      if (work.kernel == &kernel) json_.attributeObject("work", [&] { write(work); });
    list("shared", kernel.shared,
         [&](const SharedBuffer &buffer) { json_.object([&] { write(buffer); }); });
    list("rings", kernel.rings, [&](const SharedRing &ring) {
      json_.object([&] {
        json_.attribute("stages", ring.stages);
        list("buffers", ring.buffers, [&](int64_t buffer) { json_.value(buffer); });
      });
    });
    list("tiles", placed.tiles, [&](const Tile &tile) { json_.object([&] { write(tile); }); });
    list("accesses", placed.accesses,
         [&](const Access &access) { json_.object([&] { write(access); }); });
  }
  void write(const Work &work) {
    list("loops", work.loops, [&](const WorkLoop &loop) {
      json_.object([&] {
        place(loop.loc);
        if (loop.iterations >= 0) json_.attribute("iterations", loop.iterations);
        json_.attribute("around", loop.around);
      });
    });
    list("items", work.items, [&](const WorkItem &item) {
      json_.object([&] {
        json_.attribute("op", item.op);
        place(item.loc);
        json_.attribute("loop", item.loop);
        json_.attribute("bytes", item.bytes);
        json_.attribute("flops", item.flops);
        json_.attribute("isDot", item.isDot);
      });
    });
  }
  void write(const SharedBuffer &buffer) {
    int64_t bytes = 0;
    for (const Scalar member : buffer.members) bytes += byteWidth(member);
    json_.attribute("name", buffer.name);
    json_.attribute("bytes", bytes);
    list("shape", buffer.shape, [&](const Dim &size) { json_.value(int64_t(size)); });
    json_.attribute("stages", buffer.stages);
    json_.attribute("swizzled", buffer.swizzled);
    json_.attribute("panel", buffer.panel);
    json_.attribute("total", buffer.bytes());
  }
  void write(const Tile &tile) {
    json_.attribute("name", tile.name);
    json_.attribute("element", tile.element);
    json_.attribute("bytes", tile.bytes);
    place(tile.loc);
    json_.attribute("layout", numberOf(tile.layout));
  }
  void write(const Access &access) {
    json_.attribute("op", access.op);
    json_.attribute("name", access.name);
    json_.attribute("bytes", access.bytes);
    json_.attribute("vector", access.vector);
    place(access.loc);
    json_.attribute("layout", numberOf(access.layout));
    if (!access.strides) return;
    list("strides", *access.strides, [&](const Stride &stride) {
      json_.object([&] {
        json_.attribute("factor", stride.factor);
        list("names", stride.names, [&](const std::string &name) { json_.value(name); });
      });
    });
  }

  // Many tiles have the same layout.
  int64_t numberOf(const LayoutRef &layout) {
    const auto [entry, isNew] = numbers_.try_emplace(layout->str(), layouts_.size());
    if (isNew) layouts_.push_back(layout);
    return entry->second;
  }
  void write(const Layout &layout) {
    json_.attribute("warps", layout.numWarps());
    list("axes", layout.registerAxes(), [&](int64_t extent) { json_.value(extent); });
    list("dims", layout.dims(), [&](const LayoutDim &dim) {
      json_.object([&] {
        json_.attribute("size", int64_t(dim.size));
        if (dim.size.formula()) json_.attribute("formula", dim.size.formula()->str());
        list("digits", dim.digits, [&](const Digit &digit) { write(digit); });
      });
    });
    const std::optional<BlockedSpec> rule = ruleOf(layout);
    if (!rule) return;
    json_.attributeObject("rule", [&] {
      json_.attribute("vector", rule->vector);
      list("order", rule->order, [&](unsigned d) { json_.value(d); });
      json_.attribute("scalar", rule->scalar);
      json_.attribute("scanAxis", rule->scanAxis);
      json_.attribute("exactAxis", rule->exactAxis);
    });
  }
  void write(const Digit &digit) {
    json_.object([&] {
      json_.attribute("unit", digit.unit == Unit::Register ? "register"
                              : digit.unit == Unit::Lane   ? "lane"
                                                           : "warp");
      json_.attribute("axis", digit.axis);
      json_.attribute("stride", int64_t(digit.stride));
      json_.attribute("extent", digit.extent);
    });
  }

  std::vector<LayoutRef> layouts_;          // in the order of their numbers
  std::map<std::string, int64_t> numbers_;  // by their texts
  const Inputs &in_;
  llvm::json::OStream json_;
};

}  // namespace

std::string document(const Inputs &inputs) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Writer(inputs, out).write();
  // No text of the document may end the element of the page in which it stands. In JSON, < occurs
  // in strings only.
  std::string safe;
  for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace tile2cu::page
