// The IR of one input file: kernels, the configurations to build them in, and their source text.
#pragma once
#include <list>
#include <set>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/op.h"

namespace tile2cu::ir {

// One statement of the user's source, for the comments of the emitted file.
struct Statement {
  Location loc;
  std::string text;  // one line: the statement as written, white space collapsed
  // The user's comment above or after it, without slashes; lines separated by \n.
  std::string comment;
};

// A struct that launchers take by value. Kernels take its members, each as a parameter of its own.
struct Record {
  struct Member {
    std::string name;
    Type type;                              // none: the struct `record`
    std::string record;                     // as Record::qualifiedName names it
    llvm::SmallVector<int64_t, 2> extents;  // of an array
    std::string comment;
    std::string init;  // its default in C++'s spelling: "16", "nullptr", "{}"; empty: none
    bool operator==(const Member &) const = default;
  };
  std::string name;
  std::string nameSpace;  // "a::b", empty for the global one
  std::string comment;    // the user's comment above it
  // The header that defines it, as the source includes it: "params.h" or <params.h>, with quotes or
  // brackets. Empty: the emitted file does.
  std::string header;
  Location loc;
  std::vector<Member> members;
  std::string qualifiedName() const { return nameSpace.empty() ? name : nameSpace + "::" + name; }
};

// A kernel parameter, or a member of one; its value is the block argument of the same index.
struct Parameter {
  std::string name;               // x; of a member, as C++ writes it: p.x, p.inner.sizes[2]
  std::string record;             // the struct of `p`, as Record::qualifiedName names it; or empty
  Type type;                      // scalar or pointer
  bool isRestrict = false;        // __restrict__
  bool isReadAndWritten = false;  // by this kernel; mark_read_only finds it
  int64_t alignment = 0;          // bytes promised by assume_aligned in the source, 0 if none
  int64_t divisibility = 1;       // promised by assume_divisible
  // The user's spelling of the type, for the launcher: "const float*", "int64_t".
  std::string spelling;
  // Its name as one word: p_x
  std::string identifier() const;
  // The parameter of the source that it is, or that it is a member of: p
  llvm::StringRef object() const;
};

// The options of `instantiate` and `candidate`; 0 lets the compiler choose.
struct Options {
  int numWarps = 4;
  int numStages = 3;
  int programsPerBlock = 0;
  int residentThreads = 0;
  int minBlocks = 0;
  bool persistent = false;
};

// A template argument of the instantiated kernel: BLOCK = 1024.
struct TemplateArgument {
  std::string name;
  std::string value;               // in C++'s spelling
  std::optional<int64_t> integer;  // when it is a number
};

// Assumptions that a launcher checks before it uses a variant.
struct Assumptions {
  std::map<unsigned, int64_t> divisibility;  // parameter index -> divisor (pointers: bytes)
  std::set<unsigned> ones;                   // strides that are 1: parameter indices
  bool empty() const { return divisibility.empty() && ones.empty(); }
  auto operator<=>(const Assumptions &) const = default;
};

// A tile (or one value per thread or warp) in shared memory.
struct SharedBuffer {
  std::string name;             // a member of struct Smem
  std::vector<Scalar> members;  // element type: a scalar, or a struct of several (tuple reductions)
  Shape shape;
  int alignment = 0;  // in bytes; 0: that of the elements
  // The 16-byte chunks of a row (the last dimension) are permuted by tile2cu::swizzle.
  bool swizzled = false;
  // Swizzled: the tile consists of panels with rows of so many elements; 0: whole rows.
  int panel = 0;
  int stages = 1;               // copies of it, for iterations of a loop that are in flight
  int slot = -1;                // the stacks of one slot share memory (a union)
  int stack = 0;                // of the slot: its buffers lie one after another
  int64_t numElements() const;  // of one stage
  int64_t bytes() const;        // of all stages
  int64_t placeBytes() const;   // the same, rounded up to where the next buffer may start
  int leastAlignment() const;   // in bytes: that of the elements, if no other is asked for
};

// A ring buffer: stages that TMA fills ahead of their readers. Its buffers are filled together.
struct SharedRing {
  // The suffix of its barriers `full` and `empty` in struct Smem; empty if it is the only ring.
  std::string name;
  int stages = 1;
  llvm::SmallVector<int64_t, 2> buffers;
};

// One instantiation of a tile function, with its own body.
struct Kernel {
  std::string name;       // the tile function's name
  std::string nameSpace;  // "a::b", empty for the global one
  Location loc;
  std::string comment;  // the user's comment above the function
  std::vector<TemplateArgument> templateArguments;
  std::vector<Parameter> parameters;
  Options options;
  bool explicitGrid = false;  // uses program_id: the launcher takes a dim3
  std::vector<Statement> statements;
  Block body;  // arguments: the parameters

  // ---- set by passes
  Assumptions assumptions;  // the assumptions of this variant; may be empty
  // Used if the assumptions do not hold. Where strides are assumed to be 1, it may have assumptions
  // and a variant of its own.
  Kernel *scalarVariant = nullptr;
  // In a file for Hopper and other GPUs: the variant for Hopper, used if its assumptions hold.
  Kernel *hopperVariant = nullptr;
  bool forHopper = false;    // whether this is such a variant
  int programsPerBlock = 1;  // one-warp programs that share a block
  // Whether a program is a warp of its block.
  bool packed() const { return options.numWarps == 1 && !explicitGrid; }
  std::vector<SharedBuffer> shared;
  std::vector<SharedRing> rings;
  // The code of the producer warp, which fills the rings. Arguments: the parameters. May be null.
  std::unique_ptr<Block> producer;

  Op *grid() const;  // null: the caller defines the launch

  Kernel() = default;
  Kernel(const Kernel &) = delete;
};

// Whether `kernel` is used, sooner or later, if the assumptions of `other` do not hold.
inline bool isFallbackOf(const Kernel &kernel, const Kernel &other) {
  const Kernel *next = other.scalarVariant;
  while (next && next != &kernel) next = next->scalarVariant;
  return next != nullptr;
}
// Whether `kernel` is a variant of one of `others`, so that an error in both is reported once.
inline bool isVariantOf(const Kernel &kernel, llvm::ArrayRef<const Kernel *> others) {
  return llvm::any_of(others, [&](const Kernel *other) { return isFallbackOf(kernel, *other); });
}

// The arguments of `tune` for a launcher. All names are names of parameters (Parameter::name).
struct Tuning {
  struct Memory {
    std::string pointer;
    // Integer parameters and constants; their product is the number of elements.
    std::vector<std::string> sizes;
    Location loc;
  };
  std::vector<std::string> key;   // integer parameters
  std::vector<Memory> preserved;  // memory that is restored before every run of a candidate
  bool timed = true;              // set by check_tuning: whether a candidate may run several times
};

// A launcher: runs the first kernel whose requirements hold (`select`), or the fastest (`tune`).
struct Launcher {
  std::string name;
  std::string nameSpace;
  std::string comment;
  Location loc;
  std::vector<Kernel *> candidates;
  std::optional<Tuning> tuning;
};

// The progress of the passes. passes.def says which level each pass needs and leaves.
enum class Level : uint8_t {
  Tile,    // no layouts
  Placed,  // every tile has a layout
  Thread,  // loop nests over a thread's registers
};
llvm::StringRef name(Level level);  // "tile", "placed", "thread"

class Module {
 public:
  Level level = Level::Tile;
  // The pass that ran last, if exactly the passes of the pipeline up to it have run, in its order:
  // "cse_dce 2" is the second cse_dce. Otherwise empty.
  std::string after;
  Location afterLoc;               // of textual IR
  std::vector<std::string> files;  // files[i] as the user spelled it; Location::file indexes here
  std::vector<Record> records;     // each after those that it has as members
  std::list<Kernel> kernels;       // addresses are stable
  std::vector<Launcher> launchers;
  Kernel &addKernel() { return kernels.emplace_back(); }
};

}  // namespace tile2cu::ir
