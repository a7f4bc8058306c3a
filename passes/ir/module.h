// What one input file becomes: kernels, the configurations to build them in, and the text they came from.
#pragma once
#include <list>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/op.h"

namespace tile2cu::ir {

// One statement of the user's source, for the comments of the emitted file.
struct Statement {
  Location loc;
  std::string text;  // one line: the statement as written, white space collapsed
  std::string
      comment;  // the user's own comment above or beside it, without the slashes; lines separated by \n
};

// A kernel parameter; its value is the block argument of the same index.
struct Parameter {
  std::string name;
  Type type;                 // scalar or pointer
  bool isRestrict = false;   // __restrict__
  int64_t alignment = 0;     // bytes promised by assume_aligned in the source, 0 if none
  int64_t divisibility = 1;  // promised by assume_divisible
  std::string
      spelling;  // the type as the user wrote it, for the launcher: "const float*", "int64_t"
};

// The options of `instantiate` and `candidate` (language.md); 0 = by rule.
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
  std::string value;               // as C++ spells it
  std::optional<int64_t> integer;  // when it is a number
};

// What a launcher checks before it takes a variant: parameter index -> what divides it (pointers: bytes; integers: the value).
struct Facts {
  std::map<unsigned, int64_t> divisibility;
  bool empty() const { return divisibility.empty(); }
};

// A tile (or one value a thread or warp) in shared memory.
struct SharedBuffer {
  std::string name;             // a member of struct Smem
  std::vector<Scalar> members;  // element type: a scalar, or a struct of several (tuple reductions)
  llvm::SmallVector<int64_t, 4> shape;
  int alignment = 0;  // in bytes; 0: that of the elements
  bool swizzled =
      false;  // chunks of 16 bytes of a row (the last dimension) change places, as tile2cu::swizzle has it
  int panel =
      0;  // swizzled: elements of a row; parts of the tile that wide stand behind each other. 0: whole rows
  int stages = 1;  // copies of it, of steps of a loop that are on their way
  int slot = -1;   // stacks of one slot are alternatives (a union): never alive together
  int stack = 0;   // of the slot: its buffers stand behind each other
  int64_t numElements() const;  // of one stage
  int64_t bytes() const;        // of all stages
  int64_t placeBytes() const;   // the same up to where its neighbour may begin
};

// Stages that bulk copies fill ahead of their readers: buffers that are filled together.
struct SharedRing {
  std::string
      name;  // of its barriers in struct Smem, behind full and empty; empty if it is the only one
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
  Facts facts;                      // what this variant relies on; empty: nothing
  Kernel *scalarVariant = nullptr;  // taken when the facts do not hold
  // In a file for Hopper (sm_90a) and other GPUs: the form that is taken on Hopper when its facts hold. It has no variants.
  Kernel *hopperVariant = nullptr;
  bool forHopper = false;    // is such a form
  int programsPerBlock = 1;  // one-warp programs that share a block
  bool packed() const {
    return options.numWarps == 1 && !explicitGrid;
  }  // a program is a warp of its block
  std::vector<SharedBuffer> shared;
  std::vector<SharedRing> rings;
  // What one more warp does beside the body: it fills the rings. Arguments: the parameters. Null: nothing.
  std::unique_ptr<Block> producer;

  Op *grid() const;  // where the programs are counted; null: the caller launches it

  Kernel() = default;
  Kernel(const Kernel &) = delete;
};

// Whether `kernel` is what one of `others` becomes where its facts do not hold: what is wrong with both is said once.
inline bool isVariantOf(const Kernel &kernel, llvm::ArrayRef<const Kernel *> others) {
  return llvm::any_of(others, [&](const Kernel *other) { return other->scalarVariant == &kernel; });
}

// What `tune` says of a launcher. All names are those of parameters.
struct Tuning {
  struct Memory {
    std::string pointer;
    std::vector<std::string>
        sizes;  // integer parameters and numbers, whose product counts elements
    Location loc;
  };
  std::vector<std::string> key;   // integer parameters
  std::vector<Memory> preserved;  // what every run of a candidate begins with
  bool timed = true;              // set by check_tuning: whether a candidate may run several times
};

// One launcher to emit: `name` runs the first kernel whose requirements hold (`select`), the fastest (`tune`), or the only one.
struct Launcher {
  std::string name;
  std::string nameSpace;
  std::string comment;
  Location loc;
  std::vector<Kernel *> candidates;
  std::optional<Tuning> tuning;
};

// How far the passes have come. passes.def says which level each pass needs and leaves.
enum class Level : uint8_t {
  Tile,    // no layouts
  Placed,  // every tile has a layout
  Thread,  // loops over registers, and barriers
};
llvm::StringRef name(Level level);  // "tile", "placed", "thread"

class Module {
 public:
  Level level = Level::Tile;
  std::vector<std::string> files;  // files[i] as the user spelled it; Location::file indexes here
  std::list<Kernel> kernels;       // addresses are stable
  std::vector<Launcher> launchers;
  Kernel &addKernel() { return kernels.emplace_back(); }
};

}  // namespace tile2cu::ir
