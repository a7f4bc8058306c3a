// The pass runner holds passes to what they say that they keep.
#include "transpiler/pass_runner.h"

#include "passes/ir/builder.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::transpiler {
namespace {

// Asks for the axes of all kernels, and then adds an operation to each.
llvm::LogicalResult addOperations(ir::Module &module, passes::PassContext &context) {
  for (ir::Kernel &kernel : module.kernels) {
    context.analyses.axes(kernel, {});
    ir::Builder::before(kernel.body.front()).constant(ir::Scalar::I32, 4);
  }
  return llvm::success();
}

llvm::LogicalResult addOperationsAndSaySo(ir::Module &module, passes::PassContext &context) {
  if (failed(addOperations(module, context))) return llvm::failure();
  for (ir::Kernel &kernel : module.kernels) context.analyses.invalidate(kernel);
  return llvm::success();
}

void run(PassFunction function, passes::Keeps keeps) {
  ir::Module module;
  test::parseOrFail(test::kernelText("%n: i32", "  %x = add %n, %n : i32\n"), module);
  ir::Diagnostics diagnostics;
  passes::PassContext context{diagnostics};
  Options options;
  options.verify = true;
  Stopwatch stopwatch;
  const NamedPass pass{"added", ir::Level::Tile, ir::Level::Tile, keeps, "", function};
  ASSERT_TRUE(succeeded(runPasses(pass, module, context, options, stopwatch, llvm::errs())));
  ASSERT_EQ(context.analyses.findStale(module), "");
}

TEST(PassRunner, DropsWhatAPassDoesNotKeep) { run(addOperations, passes::Keeps::Nothing); }
TEST(PassRunner, TakesInvalidationForGranted) { run(addOperationsAndSaySo, passes::Keeps::Axes); }
TEST(PassRunnerDeathTest, FindsAWrongKeeps) {
  EXPECT_DEATH(run(addOperations, passes::Keeps::Axes),
               "the pass 'added' does not keep the axes of @k, though passes.def says so");
}

}  // namespace
}  // namespace tile2cu::transpiler
