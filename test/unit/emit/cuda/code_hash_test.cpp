// The number that stands for a kernel's code: what changes it, and what does not.
#include "emit/cuda/code_hash.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

uint64_t hashOf(Stmts body, const Symbol &parameter = "x") {
  Function function;
  function.name = "f";
  function.parameters = {{word("int"), parameter}, {word("int"), "y"}};
  function.body = std::move(body);
  CodeHash hash;
  hash.add(function);
  return hash.value();
}

Stmts loopOver(const Symbol &variable, const Expr &bound) {
  For loop = unrolledLoop(variable, bound);
  loop.body = {evaluate(call("use", {named(variable)}))};
  return {{std::move(loop)}};
}

TEST(CodeHash, NamesAndCommentsDoNotMatter) {
  const uint64_t plain = hashOf(loopOver("i", named("x")));
  EXPECT_EQ(plain, hashOf(loopOver("j", named("x"))));
  EXPECT_EQ(plain, hashOf(loopOver("i", named("z")), "z"));
  Stmts explained{{Comment{"Says why."}}, {Blank{}}};
  const Stmts loop = loopOver("i", named("x"));
  explained.insert(explained.end(), loop.begin(), loop.end());
  explained.back().note = "a note";
  EXPECT_EQ(plain, hashOf(explained));
  Section section;
  section.role = "copies";
  section.body = loop;
  EXPECT_EQ(plain, hashOf({{section}}));
}

TEST(CodeHash, CodeMatters) {
  const uint64_t plain = hashOf(loopOver("i", named("x")));
  EXPECT_NE(plain, hashOf(loopOver("i", named("y"))));
  EXPECT_NE(plain, hashOf(loopOver("i", integer(4))));
  Stmts unrolled = loopOver("i", named("x"));
  unrolled.front().as<For>()->unroll = "unroll 1";
  EXPECT_NE(plain, hashOf(unrolled));
  // A statement in the loop, or after it.
  Stmts inside = loopOver("i", named("x")), after = inside;
  const Stmt more = evaluate(call("use", {named("x")}));
  inside.front().as<For>()->body.push_back(more);
  after.push_back(more);
  EXPECT_NE(hashOf(inside), hashOf(after));
}

// Functions of a struct share its constants: which of them they use matters, not what it is called.
TEST(CodeHash, ConstantsOfStructs) {
  const auto hashOfStruct = [](const Symbol &first, const Symbol &second, const Symbol &used) {
    Struct record;
    record.name = "S";
    record.members = {variable(word("static constexpr int"), first, integer(8)),
                      variable(word("static constexpr int"), second, integer(8))};
    Function function;
    function.name = "f";
    function.body = {constant(word("int"), "x", named(used)), evaluate(named("x"))};
    record.functions = {function, function};
    CodeHash hash;
    hash.add(record);
    return hash.value();
  };
  const uint64_t plain = hashOfStruct("M", "N", "M");
  EXPECT_EQ(plain, hashOfStruct("ROWS", "COLUMNS", "ROWS"));
  EXPECT_NE(plain, hashOfStruct("M", "N", "N"));
}

}  // namespace
}  // namespace tile2cu::emit
