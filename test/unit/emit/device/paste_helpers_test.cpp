// Device helpers are cut out of the library: what is used, after what it needs, once, and no more.
// What the file names is declared before its kernels, and the rest follows them.
#include "emit/device/paste_helpers.h"

#include <gtest/gtest.h>

#include <sstream>

#include "emit/device/wgmma_helpers.h"

namespace tile2cu::emit {
namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
size_t count(const std::string &text, const std::string &part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Helpers, NothingForNothing) {
  PastedHelpers pasted = pasteHelpers({"int", "__syncthreads", "std::min<int64_t>"}, {});
  EXPECT_EQ(pasted.declarations, "");
  EXPECT_EQ(pasted.definitions, "");
  EXPECT_TRUE(pasted.includes.empty());
}

TEST(Helpers, NeedsComeFirstAndOnce) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::block_reduce", "tile2cu::warp_reduce"}, {});
  const std::string &text = pasted.definitions;
  EXPECT_EQ(count(text, "T block_reduce("), 1u);
  EXPECT_EQ(count(text, "T warp_reduce("), 1u);
  EXPECT_LT(text.find("T warp_reduce("), text.find("T block_reduce("));
  EXPECT_LT(text.find("warp_shuffle_xor(T"), text.find("T warp_reduce("));
  for (const std::string &all : {pasted.declarations, text}) {
    EXPECT_FALSE(contains(all, "load_if"));
    EXPECT_FALSE(contains(all, "@helper"));
    EXPECT_FALSE(contains(all, "@end"));
  }
}

// Declared once, with the default arguments; defined once, without. What only helpers use has no
// declaration.
TEST(Helpers, DeclaredFirst) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::block_reduce", "tile2cu::warp_reduce"}, {});
  EXPECT_EQ(
      pasted.declarations,
      "template <int LANES = 32, int STRIDE = 1, class T, class Op>  // Reduces over groups of "
      "LANES lanes\n"
      "__device__ __forceinline__ T warp_reduce(T value, Op op);\n"
      "template <int WARPS, class T, class Op>  // Reduces one value per thread; all threads get "
      "the result\n"
      "__device__ __forceinline__ T block_reduce(T value, Op op, T (&partial)[WARPS]);\n");
  EXPECT_TRUE(contains(pasted.definitions,
                       "template <int LANES, int STRIDE, class T, class Op>\n"
                       "__device__ T warp_reduce(T value, Op op) {\n"));
  EXPECT_TRUE(contains(pasted.definitions, "__device__ __forceinline__ T exchange_words("));
}

// What a declaration or a type on top mentions stands there as well.
TEST(Helpers, TypesOfDeclarations) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::load_if"}, {"load.cs"});
  for (const char *needed : {"enum class cache {", "struct alignas", "using same =", "load_if("})
    EXPECT_TRUE(contains(pasted.declarations, needed)) << needed;
  EXPECT_FALSE(contains(pasted.declarations, "load_words"));
  EXPECT_TRUE(contains(pasted.definitions, "load_words("));
  EXPECT_LT(pasted.declarations.find("enum class cache {"), pasted.declarations.find("load_if("));
}

// Of overloads with sections of their own, only those that the file uses, and those that they need.
TEST(Helpers, OverloadsByDimensions) {
  PastedHelpers pasted =
      pasteHelpers({"tile2cu::tma_load_multicast<CLUSTER>", "tile2cu::tma_store"},
                   {"tma_load_multicast.2", "tma_store.3"});
  for (const char *declared : {"tma_load_multicast(", "tma_store("})
    EXPECT_TRUE(contains(pasted.declarations, declared)) << declared;
  // tma_load_multicast.2 calls tma_load.2.
  for (const char *defined : {"tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes ",
                              ".multicast::cluster [%0], [%1, {%3, %4}]", "tensor.3d.global"})
    EXPECT_TRUE(contains(pasted.definitions, defined)) << defined;
  for (const char *other : {"tensor.1d", "tensor.3d.shared", "tensor.2d.global", "int c3"})
    EXPECT_FALSE(contains(pasted.definitions, other)) << other;
}

// Overloads for doubles, if the file has doubles.
TEST(Helpers, OverloadsForDoubles) {
  EXPECT_FALSE(contains(pasteHelpers({"tile2cu::exp"}, {}).declarations, "double"));
  EXPECT_TRUE(contains(pasteHelpers({"tile2cu::exp", "double"}, {}).declarations,
                       "double exp(double x) { return ::exp(x); }"));
  // to_double_rz has no other overloads, and its result is a double.
  EXPECT_TRUE(contains(pasteHelpers({"tile2cu::exp", "tile2cu::to_double_rz"}, {}).declarations,
                       "double exp(double x)"));
}

// What only launchers name is declared above them. Each type and declaration stands once.
TEST(Helpers, OfLaunchers) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::load_if"}, {"load.cs"},
                                      {"tile2cu::tuner", "tile2cu::cdiv", "tile2cu::load_if"});
  EXPECT_TRUE(contains(pasted.declarations, "using same ="));
  for (const char *needed : {"class tuner {", "cdiv("}) {
    EXPECT_FALSE(contains(pasted.declarations, needed)) << needed;
    EXPECT_TRUE(contains(pasted.launcherDeclarations, needed)) << needed;
  }
  for (const char *once : {"using same =", "load_if("})
    EXPECT_FALSE(contains(pasted.launcherDeclarations, once)) << once;
  EXPECT_TRUE(contains(pasted.definitions, "cudaError_t tuner<CANDIDATES, KEYS>::pin("));
}

// A short function that only launchers name stands above them as a whole; one for kernels does not.
TEST(Helpers, ShortOnesOfLaunchers) {
  const PastedHelpers pasted = pasteHelpers({"tile2cu::as_vec"}, {}, {"tile2cu::aligned"});
  EXPECT_TRUE(contains(pasted.launcherDeclarations, "inline bool aligned(const P*... pointers) {"));
  EXPECT_FALSE(contains(pasted.definitions, "aligned("));
  EXPECT_TRUE(contains(pasted.declarations, "as_vec(T* p);"));
  EXPECT_TRUE(contains(pasted.definitions, "as_vec(T* p) {"));
}

// A definition is laid out again: its head is shorter than the declaration's.
TEST(Helpers, DefinitionsAreLaidOut) {
  const PastedHelpers pasted = pasteHelpers({"tile2cu::mma_m16n8k16_f16"}, {});
  EXPECT_TRUE(contains(pasted.definitions,
                       "__device__ void mma_m16n8k16_f16(float (&d)[4], const uint32_t (&a)[4], "
                       "const uint32_t (&b)[2]) {\n"));
}

// Only the caching policies that the file or a helper names.
TEST(Helpers, UsedEnumerators) {
  PastedHelpers pasted =
      pasteHelpers({"tile2cu::load_if", "tile2cu::cache::evict_last"}, {"load.evict_last"});
  EXPECT_TRUE(
      contains(pasted.declarations,
               "enum class cache {\n"
               "  // Loads of data that nothing writes while the kernel runs (ld.global.nc): "
               "they may pass stores.\n  read_only,\n"
               "  // Loads that stay in program order with stores; also for stores.\n"
               "  evict_last,  // last to leave\n};\n"));
}

// The functions of a class template follow the kernels; the class stands before them.
TEST(Helpers, MembersFollow) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::tuner"}, {});
  EXPECT_TRUE(contains(pasted.declarations, "class tuner {"));
  EXPECT_TRUE(contains(pasted.declarations, "struct memory_range {"));
  EXPECT_FALSE(contains(pasted.declarations, "tuner<CANDIDATES, KEYS>::"));
  EXPECT_TRUE(contains(pasted.definitions, "cudaError_t tuner<CANDIDATES, KEYS>::pin("));
  EXPECT_TRUE(contains(pasted.definitions, "class stopwatch {"));
}

TEST(Helpers, DottedNames) {
  auto textOf = [](const char *word) {
    const PastedHelpers pasted = pasteHelpers({word}, {});
    return pasted.declarations + pasted.definitions;
  };
  EXPECT_TRUE(contains(textOf("tile2cu::exp"), "ex2.approx"));
  EXPECT_FALSE(contains(textOf("tile2cu::exp"), "namespace precise"));
  EXPECT_TRUE(contains(textOf("tile2cu::precise::exp"), "precise"));
  EXPECT_FALSE(contains(textOf("tile2cu::precise::exp"), "ex2.approx"));
}

// The template arguments of a word, and the members of a type, are none of its helper's name.
TEST(Helpers, NamesInWords) {
  const std::string text = pasteHelpers({"tile2cu::minimum"}, {}).definitions;
  EXPECT_TRUE(contains(text, "T minimum("));
  EXPECT_EQ(pasteHelpers({"tile2cu::minimum<__half>"}, {}).definitions, text);
  EXPECT_TRUE(contains(pasteHelpers({"tile2cu::cache::cs"}, {}).declarations, "enum class cache"));
}

// Those that are in no file are written, of each width and type.
TEST(Helpers, ProductsOfAWarpgroup) {
  std::set<std::string> use{"tile2cu::wgmma_m64n24k32_s8_u8", "tile2cu::major::k",
                            "tile2cu::wgmma_m64n8k16_f16_acc_f16"};
  PastedHelpers pasted = pasteHelpers(use, {});
  const std::string &first = pasted.declarations, &text = pasted.definitions;
  EXPECT_LT(first.find("enum class major"), first.find("void wgmma_m64n24k32_s8_u8("));
  EXPECT_LT(first.find("struct alignas"), first.find("void wgmma_m64n8k16_f16_acc_f16("));
  EXPECT_TRUE(contains(text, "register_of(acc[1])"));
  EXPECT_TRUE(contains(text, "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8 {"));
  EXPECT_EQ(count(text, "void wgmma_m64n24k32_s8_u8("), 2u);       // A in registers too
  EXPECT_EQ(count(text, "void wgmma_m64n8k16_f16_acc_f16("), 4u);  // acc of one column too
  // With the included header only these.
  use.insert("tile2cu::exp");
  const std::string unfiled = pasteUnfiledHelpers(use);
  EXPECT_EQ(count(unfiled, "void wgmma_m64n24k32_s8_u8("), 2u);
  EXPECT_FALSE(contains(unfiled, "enum class major"));
  EXPECT_EQ(pasteUnfiledHelpers({"tile2cu::exp"}), "");
}

TEST(Helpers, WidthsOfProducts) {
  const std::vector<std::string> names = wgmmaNames();
  EXPECT_EQ(names.size(), 8u * 32 + 4u * 18);
  for (const std::string &name : names) EXPECT_TRUE(wgmmaHelper(name)) << name;
  for (const char *name : {"wgmma_m64n0k16_f16", "wgmma_m64n264k16_f16", "wgmma_m64n12k16_f16",
                           "wgmma_m64n40k32_s8", "wgmma_m64n8k8_f16", "wgmma_wait"})
    EXPECT_FALSE(wgmmaHelper(name)) << name;
  // Lines are as long as those of a file.
  for (const std::string &name : names) {
    std::istringstream lines(wgmmaHelper(name)->text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

}  // namespace
}  // namespace tile2cu::emit
