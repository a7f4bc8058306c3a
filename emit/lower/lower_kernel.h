// Writes one kernel: the statements of its body, the constants it names and the shared memory it needs.
//
// Each file defines the methods for one job: lower_kernel.cpp (blocks, constants, comments),
// lower_scalar.cpp, declare_storage.cpp (variables and arrays), remembered_text.cpp (statements, and
// whether the remembered expression of a value still holds), lower_loop_nest.cpp (loops over
// registers), vector_runs.cpp (how values change along vectors), assign_storage.cpp (the variables of
// results), lower_access.cpp (memory), layout_index.cpp (layouts as arithmetic), lower_async_copy.cpp
// and lower_ring.cpp (copies ahead of loops), lower_thread_reduction.cpp and
// lower_cross_thread_reduction.cpp (in a thread, between threads), lower_shuffle.cpp (between lanes),
// lower_scan.cpp, lower_dot.cpp, lower_mma.cpp, lower_mma_fragments.cpp and lower_wgmma.cpp (matrix
// products), lower_control.cpp (loops, branches), lower_functor.cpp (combine functions).
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emit/cuda/builder.h"
#include "emit/cuda/symbols.h"
#include "emit/cuda/text_words.h"
#include "llvm/ADT/StringMap.h"
#include "passes/analysis/layout/lane_transpose.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/layout/warp_shuffle.h"
#include "passes/ir/layout.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// A named number of the kernel. Values differ between the configurations of one kernel text; derivations do not.
struct Constant {
  std::string name;
  int64_t value = 0;
  Expr derivation;  // BLOCK / (NUM_THREADS * VEC); none: given by the configuration
  std::string comment;
  std::string axis = {};  // which registers a loop over them runs over; empty: another constant
  bool isLoop() const { return !axis.empty(); }
};

// A combine function: `comment`, then struct `name` { `members` };
struct Functor {
  std::string name, comment;
  Stmts members;
};

struct KernelText {
  std::vector<Functor> functors;  // combine functions, at namespace scope
  Stmts sharedMembers;            // members of struct Smem; empty: no shared memory
  Stmts body;
  Stmts producer;                    // of one more warp, in parallel with the body; empty: none
  Stmts ringStart;                   // the start of the barriers between the two
  std::vector<Constant> constants;   // configuration first, then derived ones, in order of use
  std::vector<std::string> layouts;  // "x [BLOCK]: col = ...": for the contract comment
  std::set<std::string>
      helpers;  // dotted helper names that no identifier in the text shows (load.cs)
};

struct KernelOptions {
  bool preciseMath = false;
  std::set<std::string> unitAxes;  // of loops that run once: neither loop nor array is written
  std::string sourceName;          // the input's name without folders
};

// argmax and argmin combine a value and an index.
bool isIndexed(const ir::Op *op);
// "value" or "index": where result `i` of a reduction or scan stands in the combined value.
std::string memberName(const ir::Op *op, unsigned i);

// smem.x; of a tile in stages smem.x[stage]
Expr sharedTile(const ir::SharedBuffer &buffer, const Expr &stage = {});

// Whether a literal is zero, which `= {}` says for every element.
bool isZero(const Expr &e);

// A statement as a comment shows it: long lambdas left out.
std::string shortened(const std::string &statement);

class KernelEmitter {
 public:
  KernelEmitter(const ir::Kernel &kernel, const KernelOptions &options);
  KernelText run();

  // ---- where values are
  struct Storage {
    std::string name;        // the variable or array
    std::string member;      // "value" of a tuple reduction
    ir::LayoutRef layout;    // of the array
    bool isVector = false;   // the last axis is inside a tile2cu::vec
    bool oneVector = false;  // only that axis: a vector of the loop's body
    // For each axis of the array that of the value's layout, where they differ (a reduction's result).
    std::optional<llvm::SmallVector<int, 4>> axes;

    // The variable, or an element of the array at these indices.
    Expr at(llvm::ArrayRef<Expr> indices = {}) const {
      const Expr e = subscript(named(name), indices);
      return member.empty() ? e : emit::member(e, member);
    }
  };

 private:
  friend class FunctorWriter;
  using Vars = std::vector<Expr>;  // for each register axis of a layout its variable, or 0
  enum class Level : uint8_t { Vector, Element };
  enum class Run : uint8_t { Same, Counts, Varies };  // along the vector axis
  using AxisRefs =
      llvm::SmallVector<int, 4>;  // axis of a value's layout -> axis of the nest, -1: index 0

  // ---- text
  // Adds a statement, which changes the variables that it assigns.
  void add(Stmt stmt);
  // Adds one that assigns no variable: it writes to memory through a pointer.
  void addStore(Stmt stmt);
  // Begins a loop, branch, function or part, which `close` ends.
  void open(Stmt stmt);
  void openElse() { out_.openElse(); }
  // The same for a part, whose ends leave no trace in the text.
  void openPart(const std::string &role) { out_.open(section(role)); }
  void closePart() { out_.close(); }
  void close();
  void blank() { add({Blank{}}); }
  void declareConstant(const Expr &type, const std::string &name, const Expr &init,
                       llvm::StringRef note = "") {
    add(constant(type, name, init, note));
  }
  // `target` = e, which may be written as a compound assignment.
  void assign(const Expr &target, const Expr &e) { add(assignment(target, e)); }
  void set(const Expr &target, const Expr &e) { add({Assign{target, "=", e}}); }
  void comment(const std::string &text);
  const ir::Statement *statementOf(int index) const;  // null if there is none
  // Once for each statement: the user's comment above it, and the statement, unless its text is `printed` itself.
  void statementComment(const ir::Op *op, const std::string &printed = "");
  void statementComments(const ir::Op *nest);
  void reductionComment(const ir::Op *reduceThread);

  // ---- constants (lower_kernel.cpp)
  std::string constantName(const std::string &name, int64_t value);
  const std::string &extentName(const ir::Layout &layout, unsigned axis);
  std::string newExtentName(const ir::Layout &layout, unsigned axis);
  static std::string structureOf(const ir::Layout &layout, unsigned axis);
  Expr number(int64_t value, ir::Scalar type = ir::Scalar::I32, int64_t least = 16);
  std::optional<Expr> numberAsProduct(int64_t value);

  // ---- what is remembered of values (remembered_text.cpp)
  // The text of a value, and what that reads.
  struct Remembered {
    Expr expr;
    Reads reads;
  };
  Remembered remembered(Expr e) const;
  void remember(const ir::Value *value, Expr e) { scalars_[value] = remembered(std::move(e)); }
  // The text again, which has to hold still.
  const Expr &recalled(const ir::Value *value, const Remembered &known) const;
  void requireCurrent(const ir::Value *value, const Reads &reads) const;
  // The variable or array of a value that has been computed.
  void hold(const ir::Value *value);
  void holdResults(const ir::Op *op);
  const Storage &stored(const ir::Value *value) const;
  // The sides of a branch, one of which runs. After the branch all changes that they return count.
  struct Sides {
    Names::Place start = 0;
    std::vector<unsigned> changed = {};
  };
  void endSide(Sides &sides, const ir::Block &side);
  void endSides(const Sides &sides);

  // ---- blocks and scalars
  void block(const ir::Block &block);
  void op(ir::Op *op);
  void scalarOp(ir::Op *op);
  Expr scalar(const ir::Value *value);
  void bindScalar(ir::Op *op, ir::Value *value, Expr e, bool mustName = false);
  const std::string &hintOf(const ir::Value *value) const;
  std::string roleName(const ir::Op *op);
  // The source of a widening cast that the usual arithmetic conversions make anyway: row * stride with an int64_t row.
  const ir::Value *implicitSource(const ir::Op *op, unsigned operand) const;
  bool widensInPlace(const ir::Op *op) const;
  void chooseLoopNames();
  Expr dereference(const ir::Value *pointer);
  void gridOp(ir::Op *op);
  Stmts sharedMembers();
  void scalarLoad(ir::Op *op);
  void shareScalar(ir::Op *op, const Expr &value);
  void scalarStore(ir::Op *op);
  Expr storedValue(const ir::Op *op);
  Expr loneThread();
  void deviceAssert(const ir::Op *op);

  // ---- storage
  Stmt declare(const ir::Type &type, const std::string &name, const Expr &init = {});
  // The same for elements of any type; without vectors if not `asVectors`.
  Stmt declareArray(const Expr &element, const ir::Layout &layout, const std::string &name,
                    bool asVectors, const Expr &init = {});
  // tile2cu::vec<element, ...> of the nest's vectors
  Expr vectorType(const Expr &element);
  // The vector axis, unless vectors have one element in every kernel of this text.
  std::optional<passes::VectorAxis> vectorAxisOf(const ir::Layout &layout);
  // Whether the array has no such axis, because its extent is 1 and the text says so nowhere.
  bool isDropped(const ir::Layout &layout, unsigned axis);
  bool isOneVariable(const ir::Layout &layout);  // no loops, no array
  Storage makeStorage(const ir::Type &type, const std::string &wanted);
  Expr storageRef(const Storage &storage, llvm::ArrayRef<Expr> vars, bool wholeVector = false);
  void copyStorage(const Storage &to, const Storage &from);
  bool usesVec(const ir::Layout &layout) { return vectorAxisOf(layout).has_value(); }

  // ---- nests (lower_loop_nest.cpp)
  struct NestText;
  void nest(ir::Op *op);
  bool fillNest(ir::Op *op);
  void openLoops(const ir::Layout &layout, bool withVector, Vars &vars);
  void closeLoops(const ir::Layout &layout, bool withVector);
  bool hasLoops(const ir::Layout &layout, bool withVector);
  Expr valueAt(const ir::Value *value, const AxisRefs &refs, Level level);
  Expr computeAt(const ir::Op *op, const AxisRefs &refs, Level level);
  Run runOf(const ir::Value *value, const AxisRefs &refs);
  Run runFrom(const ir::Value *value, const AxisRefs &refs);
  bool readsRegisters(const ir::Value *value, const AxisRefs &refs);
  AxisRefs identityRefs(const ir::Layout &layout) const;
  AxisRefs operandRefs(const ir::Op *op, const ir::Value *operand, const AxisRefs &refs);
  bool wantsLocal(const ir::Value *value);
  std::string indexName(const ir::Layout &range) const;
  void vectorLocals(const ir::Value *value, const AxisRefs &refs);
  const char *vectorConversion(const ir::Op *op);
  bool isVectorAccess(const ir::Op *op);
  bool isSharedVector(const ir::Op *op);
  // smem.x[...]: the element of a shared tile at these coordinates.
  Expr swizzled(const ir::SharedBuffer &shared, llvm::ArrayRef<int64_t> strides,
                llvm::ArrayRef<Expr> at);
  Expr rowPitch(const ir::SharedBuffer &shared);
  Expr sharedElement(int64_t buffer, const Expr &stage, int64_t offset,
                     llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at);
  Expr sharedPlace(const ir::Op *op, llvm::ArrayRef<Expr> vars);
  void vectorAccess(ir::Op *op);
  struct Step;
  bool readsResult(const ir::Op *access, const std::set<const ir::Op *> &steps) const;
  bool isComputedBehind(const ir::Op *op) const;
  std::vector<Step> inOrder(const ir::Op *nest, std::vector<Step> steps) const;
  // Whether the last statement declares the variable.
  bool isDeclaredLast(const Expr &variable) const;
  void elementSegment(llvm::ArrayRef<ir::Op *> ops);
  void elementOp(ir::Op *op);
  void elementAccess(ir::Op *op);
  void sharedAccess(ir::Op *op);
  void startPartial(
      ir::Op *op);  // of reduce_thread: declared and set to the identity, before the loops
  void reduceThread(ir::Op *op);
  Storage localVector(const std::string &name);
  std::vector<ir::Op *> readersOf(const ir::Value *value) const;
  ir::Value *carriedArgument(ir::Op *loop, size_t i, std::vector<ir::Op *> &readers) const;
  ir::Value *carriedTarget(ir::Op *nest, ir::Value *outer, std::vector<ir::Op *> &readers);
  const Storage *branchVariable(const ir::Op *nest, const ir::Value *outer) const;
  void prepareResults(ir::Op *nest);
  void describeLayout(const Storage &storage);
  bool declareWith(const ir::Value *value, const Expr &e);
  Expr vectorOperand(const ir::Value *value);
  int64_t sharedPiece(const ir::Op *op);
  Expr sharedVector(const ir::Op *op);
  bool isInPieces(const ir::Op *op);
  void forPieces(const ir::Op *op, const Expr &vector,
                 llvm::function_ref<void(const Expr &place, const Expr &part)> access);
  void loadPieces(const ir::Op *op);
  void storeSharedVector(const ir::Op *op);
  void storeVector(const ir::Op *op);
  Expr loadedVector(const ir::Op *op);
  Expr pointerAt(const ir::Op *op, Level level);
  Expr cacheArgument(const ir::Op *op);
  Expr maskAt(const ir::Op *op, Level level);
  static Expr atomicHelper(const ir::Op *op, const char *relaxed, const char *ordered);
  Expr elementHelper(const ir::Op *op);
  void giveElement(const ir::Value *result, const char *role, const Expr &e);

  // ---- indices (layout_index.cpp)
  Expr coordinate(const ir::Layout &layout, unsigned dim, llvm::ArrayRef<Expr> vars);
  std::string layoutText(const ir::Layout &layout, unsigned dim);
  Expr unitPart(const ir::Digit &digit);
  Expr ownerCondition(const ir::Layout &layout);
  std::string threadWord();

  // ---- reductions and scans
  void reduceAcross(ir::Op *op);
  struct Across;
  Storage acrossStorage(ir::Op *op);
  void bindReduced(const Across &across, const ir::LayoutRef &layout);
  void reduceLanes(const Across &across, const Expr &target);
  Expr meetingPlace(const Across &across, const Expr &warp, const Expr &rest);
  void shareWarpResults(const Across &across);
  void combineWarpResults(Across &across);
  void scan(ir::Op *op);
  Expr combiner(ir::Op *op);     // the functor expression of a reduce or scan
  Expr valueTypeOf(ir::Op *op);  // the type it combines
  Expr sharedIndex(const ir::Layout &layout, const ir::Layout &written, unsigned axis,
                   llvm::ArrayRef<Expr> vars);

  // ---- copies ahead of a loop (lower_async_copy.cpp)
  Expr stagesName(int64_t stages);
  std::string argumentName(ir::Op *phase, unsigned i);
  void phase(ir::Op *op);
  void invoke(ir::Op *op);
  void asyncWait(ir::Op *op);
  void asyncCopy(ir::Op *op, Level level);

  // ---- ring buffers that TMA copies fill (lower_ring.cpp)
  Expr ringBarrier(const ir::Op *op, const char *which, const Expr &stage);
  Expr ringBytes(const ir::SharedRing &ring, const Expr &stage);
  Expr nextStage(ir::Op *op, const char *method, const char *barrier, llvm::StringRef why);
  void ringOp(ir::Op *op);
  void releaseStage(const ir::Op *op);
  void tensorCopy(ir::Op *op);
  void tensorCopyOut(ir::Op *op);
  void forPanels(const ir::SharedBuffer &buffer, const Expr &stage, const Expr &row,
                 const Expr &first,
                 llvm::function_ref<void(const Expr &place, const Expr &start)> copy);
  // A number that is declared only if somebody reads it.
  void declareScalar(const Expr &type, const std::string &name, const Expr &init);
  Stmts ringVariables();
  Stmts ringMembers();
  Stmts ringStart();
  bool isPaired(const ir::SharedRing &ring) const;
  void copyPart(ir::Op *op, const Expr &stage);
  llvm::SmallVector<Expr, 4> startsFrom(const ir::Op *op, unsigned first, int64_t rowOperand,
                                        const Expr &row);
  void writeProducer(KernelText &text);

  // ---- movements within each warp
  void moveInWarp(ir::Op *op);
  void moveInWarp(ir::Op *op, unsigned result);
  void pairInThread(ir::Op *op);
  void exchangeLanes(ir::Op *op, const passes::LaneExchange &exchange);
  Expr movedPart(const passes::MovedPart &part, const ir::Layout &layout,
                 llvm::ArrayRef<Expr> vars);

  // ---- matrix products (lower_dot.cpp), on tensor cores (lower_mma.cpp, lower_mma_fragments.cpp)
  void productOp(ir::Op *op);
  Storage accumulator(ir::Op *op);
  struct Fragments;
  Expr operandElement(const ir::Op *op, unsigned which, const Expr &stage, llvm::ArrayRef<Expr> at);
  void dotShared(ir::Op *op);
  void zeroShared(ir::Op *op);
  void mmaShared(ir::Op *op, const Storage &storage);
  void mmaAhead(ir::Op *op, const Storage &storage);
  void firstFragments(ir::Op *op);
  void mmaComment(const ir::Op *dot);
  Stmt fragmentArrays(const ir::Op *dot, const std::string &a, const std::string &b,
                      const Expr &sets);
  void multiply(const ir::Op *dot, const Storage &storage, const Fragments &fragments);
  void multiplyTripled(const ir::Op *dot, const Storage &storage, const Fragments &fragments);
  void openMatrices(const ir::Layout &layout, unsigned axis, const std::string &var,
                    int64_t by = 1);
  void closeMatrices(const ir::Layout &layout, unsigned axis);
  Expr matrixOf(const Expr &array, const ir::Layout &layout, unsigned axis, const std::string &var);
  void loadOperands(const ir::Op *dot, const Fragments &fragments);
  void loadFirst(const ir::Op *dot, const Fragments &fragments, const std::string &i);
  void loadFirstInPlace(const ir::Op *dot, const Fragments &fragments, const std::string &i);
  void loadSecond(const ir::Op *dot, const Fragments &fragments, const std::string &j);
  Expr sumsOf(const Storage &storage, const ir::Layout &layout, const Fragments &of,
              const std::string &i, const std::string &j);
  Expr matrixElement(const ir::Op *dot, unsigned which, const Fragments &of, const Expr &row,
                     const Expr &column);
  void gather(const ir::Op *dot, unsigned which, const Fragments &fragments, const Expr &into,
              const Expr &across, const Expr &k);
  Expr stepsOfK(const ir::Op *dot);
  // A product that several places start: a function of its stages in shared memory.
  struct GroupProduct {
    const ir::Block *home;  // where it is declared
    std::string function;
    Stmts body;
    std::vector<std::string> stages;
  };
  void multiplyInGroups(const ir::Op *op, const Storage &storage);
  void groupSteps(const ir::Op *op, const Storage &storage, const Expr &fragments);
  bool areWritten(const ir::Op *dot, const Storage &storage) const;
  bool isRepeated(const ir::Op *op);
  llvm::SmallVector<const ir::Value *, 2> stageValues(const ir::Op *dot) const;
  llvm::SmallVector<Expr, 2> stagesOf(const ir::Op *dot);
  Stmts productBody(const ir::Op *dot, const Storage &storage, llvm::ArrayRef<std::string> names);
  const GroupProduct *knownProduct(const ir::Op *dot, const Storage &storage);
  std::string defineProduct(const ir::Op *dot, const Storage &storage, const std::string &note);
  void dotWait(const ir::Op *op);
  void packFirst(const ir::Op *dot, const std::string &fragments);
  Expr groupRow(const ir::Layout &layout, const std::string &i);
  static const ir::Value *stageValue(const ir::Op *dot, unsigned which);
  Expr stageOf(const ir::Op *dot, unsigned which);
  Expr groupOperand(const ir::Op *dot, unsigned which, const Expr &across, const Expr &k);
  void barrier(const ir::Op *op);
  Expr barrierCall() const;
  Expr matrixIndex(const ir::Layout &layout, unsigned dim, unsigned axis, const std::string &var);

  // ---- control
  // How a `for` begins, and its variable's value where the text counts something else.
  struct LoopHead {
    For loop;
    Expr index;
  };
  static bool isCounted(const ir::Op *loop);
  Expr namedBound(const ir::Value *value, const std::string &name);
  Assign advance(const ir::Op *loop, const std::string &var, const Expr &step);
  LoopHead usualHead(const ir::Op *loop, const std::string &var, const Expr &begin, const Expr &end,
                     const Expr &step);
  std::optional<LoopHead> distanceHead(const ir::Op *loop, const std::string &var,
                                       const Expr &begin, const Expr &end);
  LoopHead stepsHead(const ir::Op *loop, const std::string &var, const Expr &begin, const Expr &end,
                     const Expr &step);
  LoopHead countedHead(const ir::Op *loop, const std::string &var, const Expr &begin,
                       const Expr &end, const Expr &step);
  void forLoop(ir::Op *op);
  static ir::Op *entryOf(const ir::Op *loop);
  static bool isEntry(const ir::Op *branch);
  void openEntry(ir::Op *entry);
  void closeEntry();
  void whileLoop(ir::Op *op);
  // The variables of a loop: those that its next step starts with, and those that are read behind it. The latter have no name
  // where nobody reads them.
  struct LoopVariables {
    std::vector<Storage> next, results;
    Names::Place start = 0;  // of the loop's body
    unsigned outside = 0;    // variables that are there before it
    std::vector<unsigned> changedAtExits = {};
    std::vector<std::string> names() const;
  };
  void startLoop(LoopVariables &variables);
  void endLoop(const LoopVariables &variables);
  std::vector<Storage> whileResults(ir::Op *op, llvm::ArrayRef<Storage> carried);
  void assignAtExit(const LoopVariables &loop, llvm::ArrayRef<ir::Value *> values);
  void branch(ir::Op *op);
  void vote(ir::Op *op);
  ir::Value *branchTarget(ir::Op *op, unsigned result);
  bool isTaken(const ir::Op *branch, const ir::Value *target) const;
  const ir::Block *quietSide(const ir::Op *branch);
  bool handsOnTargets(const ir::Op *branch, const ir::Op &yield, bool starts) const;
  void assignResults(llvm::ArrayRef<Storage> results, const ir::Op &yield);
  void assignCarried(llvm::ArrayRef<Storage> targets, llvm::ArrayRef<ir::Value *> values);
  Storage carriedStorage(const ir::Op *loop, ir::Value *init, const std::string &name);
  bool isTile(const ir::Value *value) const { return value->type.isTile(); }

  // ---- functors
  Expr functor(ir::Op *op, llvm::StringRef role);

  const ir::Kernel &kernel_;
  KernelOptions options_;
  std::vector<ir::TemplateArgument> templateArguments_;  // with their names in the text
  std::vector<ir::Parameter> parameters_;                // as well
  std::map<const ir::Value *, std::string> roleNames_;   // of values without a name in the IR
  Names names_;
  std::set<std::string> userNames_;  // what numbers and tiles are called, which nothing else is
  Builder out_;
  KernelText text_;
  std::map<const ir::Value *, Remembered> scalars_;
  std::map<const ir::Value *, Storage> storage_;
  std::map<const ir::Value *, Reads> held_;  // what a value's storage was when it got the value
  std::map<const ir::Op *, Remembered> functors_;   // reduce, scan, map -> functor expression
  std::map<std::string, std::string> extentNames_;  // digit structure -> constant
  std::map<std::pair<const ir::Layout *, unsigned>, std::string> axisNames_;  // found there
  std::map<std::pair<const ir::Layout *, unsigned>, bool> droppedAxes_;
  std::vector<ir::LayoutRef> ownLayouts_;  // made here: no other may take their address
  std::set<int> commented_;                // statements whose comment is out
  int statement_ = -1;                     // of the operation that is being written
  bool commentOpen_ = false;               // the last line is a statement's comment
  std::set<std::string> describedLayouts_;
  bool singleWarp_ = false;
  struct PhaseFunction {
    std::string name;
    Reads reads;  // variables of the kernel that its statements mention
  };
  std::map<int64_t, PhaseFunction> phases_;  // the statements that are invoked
  bool inPhase_ = false;
  // Of products whose fragments are loaded ahead: the arrays, and the function that fills them.
  struct AheadNames {
    std::string a, b, load;
  };
  std::map<int64_t, AheadNames> ahead_;
  std::vector<GroupProduct> products_;
  std::string vectorVar_ = "v";  // the loop variable of vector elements; `e` where the user has a v
  std::vector<std::string> loopVars_;  // those of other registers, from the outermost on
  const std::string &loopVar(unsigned depth) const { return loopVars_[depth % loopVars_.size()]; }

  std::map<int64_t, Expr> bufferTypes_;  // element types of shared buffers of tuple reductions
  std::set<std::string> variables_;      // scalars that are assigned more than once
  std::vector<LoopVariables> loops_;     // the enclosing ones

  // The nest being written.
  const ir::Op *nest_ = nullptr;
  Vars vars_;  // a variable for each axis of its layout
  int vectorAxis_ = -1;
  std::map<const ir::Value *, Remembered> vectorExprs_, elementExprs_;
  std::map<const ir::Value *, bool>
      inPlace_;  // results written over a carried value; true: at once, false: last
  std::map<std::pair<const ir::Op *, unsigned>, ir::Value *>
      branchTargets_;  // results of branches that are written over a tile from before
  std::set<const ir::Value *>
      undeclared_;  // results of a nest that are declared by their assignment
  // An assignment at the end of the element loop. Where nothing stands between a name's declaration and its only use here, the
  // name can go.
  struct Deferred {
    Expr target;
    Expr value;
    bool isOnlyUse;  // of `value`, which is a name
    Expr declared;   // as what
    const ir::Value *of;
    Reads reads;  // of `value`
  };
  std::vector<Deferred> deferred_;
  std::set<const ir::Op *> segmentOps_;
  std::map<std::pair<const ir::Value *, AxisRefs>, Run> runs_;  // of this nest
  std::set<std::pair<const ir::Value *, AxisRefs>>
      vectorLocalsOf_;  // seen for this run of elements
  std::vector<std::vector<ir::Op *>> segments_;
  std::set<const ir::Value *> kept_;         // of the nest: in variables, not computed again
  std::set<const ir::Op *> behindElements_;  // accesses to vectors below a run of elements
};

}  // namespace tile2cu::emit
