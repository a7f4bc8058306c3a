#include "frontend/kernels/tuning.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::frontend {

using ir::DiagId;

namespace {

struct Reader {
  SourceText &source;
  const clang::FunctionDecl *kernel;
  ir::Diagnostics &diagnostics;
  bool ok = true;

  void report(DiagId id, clang::SourceLocation loc, std::vector<std::string> arguments = {}) {
    diagnostics.report(id, source.locate(loc), arguments);
    ok = false;
  }

  // The location of a name, if it is a literal.
  static clang::SourceLocation placeOf(const clang::APValue &name,
                                       clang::SourceLocation otherwise) {
    const auto *e = name.getLValueBase().dyn_cast<const clang::Expr *>();
    return e ? e->getBeginLoc() : otherwise;
  }

  // The type of the parameter x, or of the member p.x of one; null if there is none.
  clang::QualType typeOf(llvm::StringRef path) const {
    llvm::SmallVector<llvm::StringRef, 4> names;
    path.split(names, '.');
    const auto *parameter = llvm::find_if(kernel->parameters(), [&](const clang::ParmVarDecl *p) {
      return p->getName() == names.front();
    });
    if (parameter == kernel->param_end()) return {};
    clang::QualType type = (*parameter)->getType();
    for (const llvm::StringRef name : llvm::drop_begin(names)) {
      const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
      const clang::FieldDecl *member = nullptr;
      if (record && record->hasDefinition())
        for (const clang::FieldDecl *field : record->getDefinition()->fields())
          if (field->getName() == name) member = field;
      if (!member) return {};
      type = member->getType();
    }
    return type;
  }

  // The parameter with a name.
  std::string parameter(const clang::APValue &name, clang::SourceLocation loc, bool isPointer) {
    const std::optional<std::string> wanted = textAt(name);
    if (!wanted) {
      report(DiagId::OptionNotConstant, loc);
      return "";
    }
    const clang::QualType found = typeOf(*wanted);
    loc = placeOf(name, loc);
    if (found.isNull())
      report(DiagId::TuneNoParameter, loc, {kernel->getNameAsString(), *wanted});
    else if (isPointer && !found->isPointerType())
      report(DiagId::TuneNotPointer, loc, {*wanted});
    else if (!isPointer && !found->isIntegerType())
      report(DiagId::TuneNotInteger, loc, {*wanted});
    return *wanted;
  }

  // tl::key: { names and a null pointer }.
  void readKey(const clang::APValue &key, clang::SourceLocation loc, ir::Tuning &tuning) {
    const clang::APValue &names = key.getStructField(0);
    for (unsigned i = 0; i + 1 < names.getArraySize(); ++i)
      tuning.key.push_back(parameter(elementOf(names, i), loc, false));
  }

  // tl::detail::Preserved: { pointer, { { name or null pointer, number }, ... } }.
  void readPreserved(const MemoryValue &preserved, ir::Tuning &tuning) {
    ir::Tuning::Memory &memory = tuning.preserved.emplace_back();
    memory.pointer = parameter(preserved.value.getStructField(0), preserved.loc, true);
    memory.loc = source.locate(preserved.loc);
    const clang::APValue &sizes = preserved.value.getStructField(1);
    for (unsigned i = 0; i < sizes.getArraySize(); ++i) {
      const clang::APValue &size = elementOf(sizes, i);
      memory.sizes.push_back(size.getStructField(0).isNullPointer()
                                 ? std::to_string(size.getStructField(1).getInt().getExtValue())
                                 : parameter(size.getStructField(0), preserved.loc, false));
    }
  }
};

}  // namespace

std::optional<ir::Tuning> tuningOf(const LauncherValue &launcher, const clang::FunctionDecl *kernel,
                                   SourceText &source, ir::Diagnostics &diagnostics) {
  Reader reader{source, kernel, diagnostics};
  ir::Tuning tuning;
  reader.readKey(*launcher.key, launcher.keyLoc, tuning);
  for (const MemoryValue &memory : launcher.preserved) reader.readPreserved(memory, tuning);
  if (!reader.ok) return std::nullopt;
  return tuning;
}

}  // namespace tile2cu::frontend
