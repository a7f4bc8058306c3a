// Names of scalars that the user did not name: by what they are made of.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::emit {

class ScalarNames {
 public:
  // `parameters`: the kernel's, with their names in the text.
  explicit ScalarNames(const std::vector<ir::Parameter> &parameters) : parameters_(parameters) {}

  // The name that a value has in the IR, or that its role in the text gave it; may be empty.
  const std::string &hintOf(const ir::Value *value) const;
  void setHint(const ir::Value *value, std::string hint) { hints_[value] = std::move(hint); }
  // A name for the result of an operation, from what it is made of.
  std::string roleName(const ir::Op *op) const;
  // The same for where that name is taken; empty: none.
  std::string secondName(const ir::Op *op) const;
  // A name for a tile that is stored, from where it is stored; empty: none.
  std::string storedName(const ir::Value *value) const;
  // The parameter that a pointer is made of; empty: none.
  std::string parameterOf(const ir::Value *pointer) const;

 private:
  std::string pointerName(const ir::Op *addptr) const;
  std::string placeName(const ir::Value *pointer) const;
  std::string whereOf(const ir::Value *offset) const;
  std::string arithmeticName(const ir::Op *op) const;
  std::string termName(const ir::Op *op, const ir::Value *operand) const;

  const std::vector<ir::Parameter> &parameters_;
  std::map<const ir::Value *, std::string> hints_;
};

}  // namespace tile2cu::emit
