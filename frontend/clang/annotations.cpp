#include "frontend/clang/annotations.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"

namespace tile2cu::frontend {
namespace {

// The first annotation that starts with `prefix`, without it. If a specialisation has none, that of
// its template's pattern.
std::optional<llvm::StringRef> annotation(const clang::Decl *declaration, llvm::StringRef prefix) {
  if (!declaration) return std::nullopt;
  for (const auto *attribute : declaration->specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef text = attribute->getAnnotation();
    if (text.consume_front(prefix)) return text;
  }
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  const clang::FunctionDecl *pattern =
      function ? function->getTemplateInstantiationPattern() : nullptr;
  return pattern && pattern != function ? annotation(pattern, prefix) : std::nullopt;
}

}  // namespace

llvm::StringRef operationOf(const clang::Decl *declaration) {
  return annotation(declaration, "tile2cu:op:").value_or("");
}

bool isKernel(const clang::FunctionDecl *function) {
  return annotation(function, "tile2cu:global").has_value();
}

bool isTileFunction(const clang::FunctionDecl *function) {
  return annotation(function, "tile2cu:tile").has_value();
}

bool isDeviceFunction(const clang::FunctionDecl *function) {
  return annotation(function, "tile2cu:device").has_value();
}

bool isLanguageName(const clang::Decl *declaration, llvm::StringRef name) {
  const auto *named = llvm::dyn_cast_or_null<clang::NamedDecl>(declaration);
  if (!named || !named->getIdentifier() || named->getName() != name) return false;
  const auto *space =
      llvm::dyn_cast<clang::NamespaceDecl>(named->getDeclContext()->getEnclosingNamespaceContext());
  return space && space->getIdentifier() && space->getName() == "tl" &&
         space->getParent()->isTranslationUnit();
}

}  // namespace tile2cu::frontend
