// The implementation of Session: Clang's compiler instance, which parses once and is kept.
#pragma once
#include <memory>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "frontend/clang/source_text.h"
#include "frontend/frontend.h"
#include "frontend/session/precompiled.h"
#include "frontend/session/warning_groups.h"

namespace tile2cu::frontend {

class IncludeList;

struct Session::Impl {
  explicit Impl(FrontendOptions options);
  ~Impl();

  // Parses the input; false if Clang found errors (which it has printed).
  bool parse();
  // Writes tile2cu/tile.h, which is the input.
  bool precompile(const std::string &path);
  // The name of the input in Clang's messages.
  const std::string &mainName() const { return mainName_; }
  // Reports one of our diagnostics through Clang's engine.
  void show(const ir::Diagnostic &diagnostic);

  FrontendOptions options;
  WarningGroups groups;
  std::unique_ptr<clang::CompilerInstance> compiler;
  std::unique_ptr<clang::FrontendAction> action;
  std::shared_ptr<IncludeList> includes;
  std::unique_ptr<Precompiled> precompiled;  // replaced tile.h, if it is not null
  std::unique_ptr<SourceText> text;          // made by lowerToIr, for the module's file list
  size_t shown = 0;                          // diagnostics printed so far
  unsigned errors = 0, warnings = 0;

 private:
  bool createCompiler();
  void setInput();
  bool begin(std::unique_ptr<clang::FrontendAction> how);
  void startAgain();
  std::string mainName_;
  bool parsed_ = false;  // whether the action has begun
};

}  // namespace tile2cu::frontend
