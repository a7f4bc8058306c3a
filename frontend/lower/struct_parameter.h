// Parameters of kernels that are structs. Each member is a parameter of the IR, so that alignment,
// strides, null pointers and __restrict__ mean for it what they mean for any other.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// Adds a number or pointer to the kernel's parameters, and returns its value. `path`: the
// parameter, or the member of one, as C++ writes it. `record`: the struct that it is a member of,
// if any.
Val addParameter(Lowering &lowering, clang::QualType type, const std::string &path,
                 const std::string &record, llvm::StringRef valueName);

// Why a kernel cannot take the struct, as in "a struct with a base class; ..."; empty if it can.
std::string whyUnsupportedStruct(const Lowering &lowering, clang::QualType type);

// Adds the members to the kernel's parameters, and the struct and those in it to `records` if they
// are not there. Returns the object.
Val addStructParameter(Lowering &lowering, const clang::ParmVarDecl *parameter,
                       std::vector<ir::Record> &records);

}  // namespace tile2cu::frontend
