#include "frontend/lower/ast_to_ir.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/lower_stmt.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/struct_parameter.h"

namespace tile2cu::frontend {

static bool isLambda(const clang::TemplateArgument &argument) {
  clang::QualType type = argument.getKind() == clang::TemplateArgument::Type
                             ? argument.getAsType()
                             : argument.getNonTypeTemplateArgumentType();
  const clang::CXXRecordDecl *record =
      type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

static void addTemplateArgument(ir::Kernel &kernel, const std::string &name,
                                const clang::TemplateArgument &argument,
                                const clang::ASTContext &context) {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    unsigned index = 0;
    for (const clang::TemplateArgument &element : argument.pack_elements())
      addTemplateArgument(kernel, name + "_" + std::to_string(index++), element, context);
    return;
  }
  ir::TemplateArgument entry;
  entry.name = name;
  if (isLambda(argument)) {
    entry.value = "lambda";  // it has no name, and Clang prints it with a path
  } else if (argument.getKind() == clang::TemplateArgument::Type) {
    entry.value = spellType(argument.getAsType(), context);
  } else {
    llvm::raw_string_ostream os(entry.value);
    argument.print(context.getPrintingPolicy(), os, false);
  }
  if (argument.getKind() == clang::TemplateArgument::Integral)
    entry.integer = argument.getAsIntegral().tryExtValue();
  kernel.templateArguments.push_back(std::move(entry));
}

static void addTemplateArguments(ir::Kernel &kernel, const clang::FunctionDecl *function,
                                 const clang::ASTContext &context) {
  const clang::FunctionTemplateDecl *head = function->getPrimaryTemplate();
  const clang::TemplateArgumentList *arguments = function->getTemplateSpecializationArgs();
  if (!head || !arguments) return;
  for (unsigned i = 0; i < arguments->size(); ++i)
    addTemplateArgument(kernel, head->getTemplateParameters()->getParam(i)->getNameAsString(),
                        arguments->get(i), context);
}

// Parameters become the arguments of the body; returns false if one has a type that kernels do not
// take.
static bool addParameters(Lowering &l, const clang::FunctionDecl *function,
                          std::vector<ir::Record> &records) {
  bool ok = true;
  for (const clang::ParmVarDecl *declaration : function->parameters()) {
    const clang::QualType type = declaration->getType();
    const bool isStruct = !type->isReferenceType() && asRecord(type);
    std::string why = isStruct ? whyUnsupportedStruct(l, type) : whyUnsupportedParameter(type);
    if (!why.empty()) {
      l.error(ir::DiagId::KernelParameter, declaration->getLocation(),
              {declaration->getNameAsString(), why});
      ok = false;
      continue;
    }
    if (isStruct) {
      Val object = addStructParameter(l, declaration, records);
      l.env.bind(declaration, l.env.declare(declaration->getNameAsString(), std::move(object),
                                            neverChanges(type)));
      continue;
    }
    const std::string name = declaration->getNameAsString();
    Val value = addParameter(l, type, name, "", name);
    l.env.bind(declaration, l.env.declare(name, std::move(value), type.isConstQualified()));
  }
  return ok;
}

void lowerKernel(clang::ASTContext &context, SourceText &source, const KernelRequest &request,
                 ir::Kernel &kernel, std::vector<ir::Record> &records, bool checks,
                 ir::Diagnostics &diagnostics) {
  const clang::FunctionDecl *function = request.function, *definition = nullptr;
  const clang::Stmt *body = function->getBody(definition);
  kernel.name = function->getNameAsString();
  kernel.nameSpace = namespaceOf(function);
  kernel.loc = source.locate(function->getLocation());
  kernel.options = request.options;

  Lowering lowering(context, source, kernel, diagnostics);
  lowering.checks = checks;
  Frame frame;
  frame.function = definition ? definition : function;
  lowering.frame = &frame;
  if (!llvm::all_of(kernel.name, [](char c) { return clang::isASCII(c); }))
    lowering.error(ir::DiagId::KernelName, definition ? definition->getLocation() : request.loc,
                   {kernel.name});
  if (!body) {
    lowering.error(ir::DiagId::NoBody, request.loc, {kernel.name});
    return;
  }
  kernel.comment = source.commentAbove(beginOf(definition, context.getSourceManager()));
  addTemplateArguments(kernel, function, context);
  if (!addParameters(lowering, definition, records)) return;
  lowering.builder.loc = kernel.loc;
  try {
    lowerStmt(lowering, body);
  } catch (const Lowering::GivenUp &) {
    return;  // an error was reported
  }
  kernel.explicitGrid = !kernel.grid();
  if (!kernel.explicitGrid) return;
  bool isNumbered = false;
  ir::walk(kernel.body, [&](const ir::Op *op) {
    isNumbered |= op->kind == ir::OpKind::ProgramId || op->kind == ir::OpKind::NumPrograms;
  });
  if (!isNumbered) diagnostics.report(ir::DiagId::NoGrid, kernel.loc, {kernel.name});
}

}  // namespace tile2cu::frontend
