#include "frontend/session/advice.h"

#include "clang/AST/DeclarationName.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"

namespace tile2cu::frontend {

using clang::Diagnostic;
using clang::DiagnosticsEngine;

using Texts = llvm::StringMap<llvm::StringRef>;

// The text of a row of advice.def, by its kind and its name.
static llvm::StringRef textOf(llvm::StringRef kind, llvm::StringRef name) {
  static const Texts texts = {
#define NAME(identifier, advice) {"NAME " #identifier, advice},
#define STD(identifier, advice) {"STD " #identifier, advice},
#define OF_TILE(identifier, advice) {"OF_TILE " #identifier, advice},
#define ARGUMENT(identifier, advice) {"ARGUMENT " #identifier, advice},
#define FORM(operation, forms) {"FORM " #operation, forms},
#define MEMBER(operation, forms) {"FORM ." #operation, forms},
#include "frontend/session/advice.def"
  };
  return texts.lookup((kind + " " + name).str());
}

llvm::StringRef adviceOnStd(llvm::StringRef name) { return textOf("STD", name); }
llvm::StringRef formsOf(llvm::StringRef operation) { return textOf("FORM", operation); }

// An implicit constructor that rejects the number would make float16 ambiguous with float.
llvm::StringRef narrowedType(llvm::StringRef message) {
  if (!message.starts_with("no viable conversion")) return {};
  for (llvm::StringRef type : {"bfloat16", "float16"})
    if (message.ends_with((type + "'").str())) return type;
  return {};
}

std::string nameIn(const Diagnostic &diagnostic) {
  if (diagnostic.getNumArgs() == 0) return {};
  switch (diagnostic.getArgKind(0)) {
    case DiagnosticsEngine::ak_identifierinfo:
      return diagnostic.getArgIdentifier(0)->getName().str();
    case DiagnosticsEngine::ak_declarationname:
      return clang::DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0)).getAsString();
    case DiagnosticsEngine::ak_std_string:
      return diagnostic.getArgStdStr(0);
    default:
      return {};
  }
}

Missing missingName(unsigned id) {
  namespace diag = clang::diag;
  switch (id) {
    case diag::err_undeclared_use:
    case diag::err_undeclared_use_suggest:
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest:
    case diag::err_unknown_typename:
    case diag::err_unknown_typename_suggest:
    case diag::err_no_template:
    case diag::err_no_template_suggest:
      return Missing::Anywhere;
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_member_template:
    case diag::err_no_member_template_suggest:
    case diag::err_typename_nested_not_found:
    case diag::err_unknown_nested_typename_suggest:
      return Missing::InContext;
    default:
      return Missing::No;
  }
}

// Whether `= value` follows, as after the name of an argument in Python.
static bool isNamedArgument(const Diagnostic &diagnostic) {
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  const auto next =
      clang::Lexer::findNextToken(diagnostic.getLocation(), sources, clang::LangOptions());
  return next && next->is(clang::tok::equal);
}

// Some operations of Triton's tiles and of torch's tensors are members there.
static std::string adviceOnMemberOfTile(llvm::StringRef name) {
  if (llvm::StringRef advice = textOf("OF_TILE", name); !advice.empty()) return advice.str();
  if (llvm::StringRef advice = textOf("NAME", name); !advice.empty()) return advice.str();
  const llvm::StringRef form = formsOf(name).split("; ").first;
  return form.empty() ? "the operations of tiles are functions, as sum(x)"
                      : ("write " + form).str();
}

static std::string adviceOnMissing(const Diagnostic &diagnostic, Missing missing) {
  const std::string name = nameIn(diagnostic);
  if (missing == Missing::InContext) {
    llvm::SmallString<256> message;
    diagnostic.FormatDiagnostic(message);
    if (message.str().contains("in namespace 'std'")) return adviceOnStd(name).str();
    if (message.str().contains("in 'tl::tile<")) return adviceOnMemberOfTile(name);
  }
  if (llvm::StringRef advice = textOf("ARGUMENT", name);
      !advice.empty() && isNamedArgument(diagnostic))
    return advice.str();
  return textOf("NAME", name).str();
}

// Whether an operator at a place is a compound assignment, as +=.
static bool isCompoundAssignment(const Diagnostic &diagnostic) {
  bool invalid = false;
  llvm::StringRef text =
      diagnostic.getSourceManager().getCharacterData(diagnostic.getLocation(), &invalid);
  if (invalid) return false;
  const llvm::StringRef op =
      text.take_while([](char c) { return llvm::StringRef("+-*/%&|^<>=").contains(c); });
  return op.size() > 1 && op.ends_with("=") && !llvm::StringRef("<=>=").contains(op);
}

// Whether the text that ends before a place is `<<`, as in a launch of CUDA: kernel<<<1, 128>>>(x).
static bool followsTwoLess(const Diagnostic &diagnostic) {
  bool invalid = false;
  const char *const at =
      diagnostic.getSourceManager().getCharacterData(diagnostic.getLocation(), &invalid);
  const unsigned offset = diagnostic.getSourceManager().getFileOffset(diagnostic.getLocation());
  return !invalid && offset >= 2 && at[0] == '<' && at[-1] == '<' && at[-2] == '<';
}

std::string adviceOn(const Diagnostic &diagnostic, llvm::StringRef message) {
  namespace diag = clang::diag;
  if (const Missing missing = missingName(diagnostic.getID()); missing != Missing::No)
    return adviceOnMissing(diagnostic, missing);
  if (llvm::StringRef type = narrowedType(message); !type.empty())
    return ("narrowing is explicit: write " + type + "(x)").str();
  if (message.starts_with("no viable conversion")) {
    const auto [from, to] = message.split(" to '");
    if (from.contains("tile<"))
      return "a tile is not a number; sum(x), max(x) or any(x) make one of it";
    if (to.contains("tile<")) return "a number is not a tile; write full<T, D...>(value)";
  }
  if (message.starts_with("assigning to") &&
      message.split("incompatible type").second.contains("tile<"))
    return "a variable keeps its type; begin with a tile, as zeros<float, 64>()";
  if (message.starts_with("switch condition") && message.contains("tile<"))
    return "a tile is not a number; where(condition, a, b) chooses for each element";
  switch (diagnostic.getID()) {
    case diag::err_expected_expression:
      if (!followsTwoLess(diagnostic)) return {};
      return "a kernel is launched by a launcher: constexpr auto run = instantiate(kernel); "
             "run(arguments..., stream)";
    case diag::err_break_not_in_loop_or_switch:
      return "the body of static_for is a function, which return ends; break ends a loop over "
             "static_range<N>()";
    case diag::err_typecheck_indirection_requires_pointer:
      return message.contains("tile<") ? "write load(p), or store(p, x)" : "";
    case diag::err_expected_namespace_name:
      return "the operations are in namespace tl";
    case diag::err_constexpr_if_condition_expression_is_not_constant:
      return "the index of static_for<N>([&](auto i) { ... }) is a constant, that of static_range "
             "is "
             "not; an if without constexpr is decided at compile time as well";
    case diag::err_constexpr_var_requires_const_init:
      return "what a kernel computes is known when it runs: write const, or make it a template "
             "parameter";
    case diag::err_ovl_no_viable_object_call:
      return "map(f, x) calls a function of numbers for each element of a tile";
    case diag::err_ref_non_value:
      return "a type is a template argument, as in cast<float16>(x)";
    case diag::err_ovl_no_viable_subscript:
      if (message.ends_with("*'") || message.ends_with("*__restrict'"))
        return "a pointer has one element at an index; for a tile i of indices, write load(p + i) "
               "or store(p + i, value)";
      return {};
    case diag::err_typecheck_invalid_operands:
      if (message.contains("'volatile ") || message.contains("volatile'"))
        return "a tile function has no volatile values; load(p, cache::cv) reads memory that other "
               "programs write";
      if (const auto [left, right] = message.split("' and '");
          isCompoundAssignment(diagnostic) && !left.contains("tile<") && right.contains("tile<"))
        return "a variable keeps its type; begin with a tile, as zeros<float, 64>()";
      return {};
    default:
      return {};
  }
}

}  // namespace tile2cu::frontend
