// How much code statements are.
#include "emit/transform/count_rows.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

const Stmt kAssigned{Assign{named("x"), "=", integer(1)}};

Stmt loop(Stmts body, const char *unroll = "") {
  For result = unrolledLoop("i", integer(4));
  result.unroll = unroll;
  result.body = std::move(body);
  return {std::move(result)};
}

TEST(CountRows, Statements) {
  EXPECT_EQ(countRows(Stmts{kAssigned, {Blank{}}, {Comment{"one\ntwo"}}}), 4u);
  EXPECT_EQ(countRows(Stmts{loop({kAssigned})}), 2u);
  EXPECT_EQ(countRows(Stmts{loop({kAssigned}, "unroll")}), 3u);
  EXPECT_EQ(countRows(Stmts{loop({kAssigned, kAssigned})}), 4u);  // and a brace
  EXPECT_EQ(countRows(Stmts{{Section{"part", {kAssigned, kAssigned}}}}), 2u);
  EXPECT_EQ(countRows(Stmts{shortIf(named("x"), kAssigned)}), 1u);
}

// Long names and comments count like short ones, large expressions do not.
TEST(CountRows, NodesCount) {
  const Stmt wide{Assign{named(Symbol(std::string(200, 'x'))), "=", integer(1)}};
  EXPECT_EQ(countRows(Stmts{wide, {Comment{std::string(200, 'x')}}}), 2u);
  Expr large = named("x");
  for (int i = 0; i < 10; ++i) large = sum(large, named("x"));
  EXPECT_EQ(countRows(Stmts{{Assign{named("x"), "=", large}}}), 2u);
}

}  // namespace
}  // namespace tile2cu::emit
