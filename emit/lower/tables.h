// The constant arrays of a file: __device__ variables above the kernels.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// Arrays of one name, type and contents are one variable. All are in the global namespace, under
// names that no parameter, launcher or namespace of the file has.
//
// They are in global memory, not in __constant__ memory. The threads of a warp may ask for
// different elements, which constant memory would return one after the other. The caches hold a
// small array.
class Tables {
 public:
  explicit Tables(const ir::Module &module);

  Expr nameOf(const ir::TableOp &table) const;
  const std::vector<Stmts> &all() const { return tables_; }

 private:
  void takeNames(const ir::Module &module);
  void add(const ir::TableOp &table);

  std::set<std::string> taken_;
  std::string suffix_;  // of each name, where the user's headers may have the names of the source
  std::map<std::string, std::string> names_;  // by keyOf
  std::vector<Stmts> tables_;
};

}  // namespace tile2cu::emit
