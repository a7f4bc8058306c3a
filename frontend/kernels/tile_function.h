// Finds the kernels of a file and the configurations in which to build them.
#pragma once
#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "frontend/clang/source_text.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::frontend {

// A kernel with its options: one ir::Kernel.
struct KernelRequest {
  const clang::FunctionDecl *function = nullptr;  // instantiated
  ir::Options options;
  clang::SourceLocation loc;  // where it is requested
};

// A variable `name = instantiate(...)`, `select(...)` or `tune(...)`, or a kernel that is not a
// template.
struct LauncherRequest {
  std::string name, nameSpace, comment;
  clang::SourceLocation loc;
  std::vector<KernelRequest> candidates;
  std::optional<ir::Tuning> tuning;
};

// In source order. Reports kernels whose signatures break the rules, and templates that nothing
// instantiates.
std::vector<LauncherRequest> findLaunchers(clang::ASTContext &context, SourceText &source,
                                           const ir::Options &defaults,
                                           ir::Diagnostics &diagnostics);

// "a::b" for a declaration inside namespaces a and b; unnamed ones are left out.
std::string namespaceOf(const clang::Decl *declaration);
// The start of the declaration, including its template head and attributes.
clang::SourceLocation beginOf(const clang::FunctionDecl *function,
                              const clang::SourceManager &sources);

}  // namespace tile2cu::frontend
