#include "frontend/session/precompiled.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/InMemoryModuleCache.h"
#include "frontend/session/runtime_headers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace tile2cu::frontend {
namespace {

namespace fs = llvm::sys::fs;

// The file: lines of text, an empty line, zeros up to a multiple of 8 bytes, then Clang's part.
//   the version of the format and of Clang
//   the hash of all that follows this line
//   search DIR                    where system headers are searched for
//   name NAME                     what was found there: a file or a folder
//   file SIZE TIME HASH PATH      a file that was read; relative paths are below the header folder
std::string versionLine() {
  return "tile2cu precompiled header 1, " + clang::getClangFullVersion() + "\n";
}

std::string hashOf(llvm::StringRef bytes) {
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/false, /*Width=*/16);
}

int64_t timeOf(const fs::file_status &status) {
  return status.getLastModificationTime().time_since_epoch().count();
}

std::string below(llvm::StringRef folder, llvm::StringRef path) {
  llvm::SmallString<256> full(folder);
  llvm::sys::path::append(full, path);
  return std::string(full);
}

// ---- whether it may be used

// The location of the header's name if the first tokens of `source` are #include and that name.
std::optional<unsigned> findInclude(llvm::StringRef source, bool &quoted) {
  clang::LangOptions language;
  language.CPlusPlus = language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation(), language, source.begin(), source.begin(),
                     source.end());
  clang::Token hash, word;
  lexer.LexFromRawLexer(hash);
  if (hash.isNot(clang::tok::hash)) return std::nullopt;
  lexer.LexFromRawLexer(word);
  if (word.isNot(clang::tok::raw_identifier) || word.isAtStartOfLine() ||
      word.getRawIdentifier() != "include") {
    return std::nullopt;
  }
  llvm::StringRef rest = source.drop_front(lexer.getCurrentBufferOffset()).ltrim(" \t");
  const unsigned offset = source.size() - rest.size();
  quoted = rest.starts_with("\"");
  if (!rest.consume_front("<tile2cu/tile.h>") && !rest.consume_front("\"tile2cu/tile.h\"")) {
    return std::nullopt;
  }
  rest = rest.take_until([](char c) { return c == '\n' || c == '\r'; }).trim(" \t");
  if (!rest.empty() && !rest.starts_with("//")) return std::nullopt;
  if (rest.ends_with("\\") || rest.ends_with("?\?/")) return std::nullopt;
  return offset;
}

// Flags that do not affect the meaning of headers.
bool areHarmless(llvm::ArrayRef<std::string> flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    if (flag == "-I" || flag == "-isystem") {
      ++i;
      continue;
    }
    if (flag.starts_with("-I") || flag.starts_with("-isystem") || flag == "-w") continue;
    // -Wp,-D and similar flags are for other tools; the last one enables warnings in system
    // headers.
    if (flag.starts_with("-R") || (flag.starts_with("-W") && !flag.contains(',') &&
                                   flag != "-Wsystem-headers" && flag != "-Weverything")) {
      continue;
    }
    return false;
  }
  return true;
}

struct Contents {
  std::vector<llvm::StringRef> search, names, files;
  llvm::StringRef ast;
};

std::optional<Contents> split(llvm::StringRef bytes) {
  llvm::StringRef rest = bytes;
  if (!rest.consume_front(versionLine())) return std::nullopt;
  llvm::StringRef hash;
  std::tie(hash, rest) = rest.split('\n');
  if (hash != hashOf(rest)) return std::nullopt;
  Contents contents;
  while (!rest.starts_with("\n")) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("search ")) contents.search.push_back(line);
    if (line.consume_front("name ")) contents.names.push_back(line);
    if (line.consume_front("file ")) contents.files.push_back(line);
    if (rest.empty()) return std::nullopt;
  }
  const size_t begin = bytes.size() - rest.size() + 1;
  contents.ast = bytes.drop_front(llvm::alignTo(begin, 8));
  return contents;
}

// Whether header files are searched for in the same folders, or in others that do not contain them.
bool isSameSearch(const Contents &contents, const clang::HeaderSearchOptions &search,
                  llvm::StringRef root) {
  for (llvm::StringRef folder : contents.search) {
    if (llvm::none_of(search.UserEntries, [&](const auto &entry) { return entry.Path == folder; }))
      return false;
  }
  for (const clang::HeaderSearchOptions::Entry &entry : search.UserEntries) {
    if (entry.Path == root || llvm::is_contained(contents.search, entry.Path)) continue;
    // A -I folder that is also a system folder counts as a system folder.
    if (entry.Group == clang::frontend::Angled && fs::equivalent(entry.Path, root)) continue;
    if (fs::exists(below(entry.Path, "tile2cu/tile.h"))) return false;
    for (llvm::StringRef name : contents.names)
      if (fs::exists(below(entry.Path, name))) return false;
  }
  return true;
}

// Whether a file is unchanged; its contents are compared if its time has changed.
bool isUnchanged(llvm::StringRef file, llvm::StringRef root, std::string &path) {
  auto [sizeText, rest] = file.split(' ');
  auto [timeText, rest2] = rest.split(' ');
  auto [hash, name] = rest2.split(' ');
  path = llvm::sys::path::is_absolute(name) ? name.str() : below(root, name);
  uint64_t size = 0;
  int64_t time = 0;
  fs::file_status status;
  if (sizeText.getAsInteger(10, size) || timeText.getAsInteger(10, time)) return false;
  if (fs::status(path, status) || status.getSize() != size) return false;
  if (timeOf(status) == time) return true;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && hashOf((*buffer)->getBuffer()) == hash;
}

}  // namespace

std::unique_ptr<Precompiled> openPrecompiled(const FrontendOptions &options,
                                             const clang::HeaderSearchOptions &search,
                                             llvm::StringRef name, llvm::StringRef source) {
  bool quoted = false;
  if (options.precompiledHeader.empty() || !areHarmless(options.clangArgs)) return nullptr;
  std::optional<unsigned> include = findInclude(source, quoted);
  if (!include) return nullptr;
  if (quoted && fs::exists(below(llvm::sys::path::parent_path(name), "tile2cu/tile.h"))) {
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(options.precompiledHeader, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) return nullptr;
  std::optional<Contents> contents = split((*buffer)->getBuffer());
  if (!contents || !isSameSearch(*contents, search, options.runtimeInclude)) return nullptr;
  auto result = std::make_unique<Precompiled>();
  for (llvm::StringRef file : contents->files) {
    std::string path;
    if (!isUnchanged(file, options.runtimeInclude, path)) return nullptr;
    if (isRuntimeHeader(path, options.runtimeInclude)) result->files.push_back(path);
  }
  result->ast = contents->ast;
  result->file = std::move(*buffer);
  result->root = options.runtimeInclude;
  result->includeOffset = *include;
  return result;
}

// ---- reading

namespace {

class ParseAfter : public clang::SyntaxOnlyAction {
 public:
  explicit ParseAfter(const Precompiled &header) : header_(header) {}

 protected:
  // Clang reads its own precompiled headers right after this call. Doing it here allows us to set
  // the location of the include (for "In file included from") and to read from memory.
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    clang::DiagnosticsEngine &engine = compiler.getDiagnostics();
    std::unique_ptr<clang::DiagnosticConsumer> client = engine.takeClient();
    clang::IgnoringDiagConsumer silent;
    engine.setClient(&silent, /*ShouldOwnClient=*/false);
    const bool good = read(compiler);
    engine.setClient(client.release(), /*ShouldOwnClient=*/true);
    if (!good) engine.Reset(/*soft=*/true);
    return good ? clang::SyntaxOnlyAction::CreateASTConsumer(compiler, file) : nullptr;
  }

 private:
  bool read(clang::CompilerInstance &compiler) {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    clang::ASTContext &context = compiler.getASTContext();
    llvm::IntrusiveRefCntPtr<clang::ASTReader> reader(
        new clang::ASTReader(preprocessor, compiler.getModuleCache(), &context,
                             compiler.getPCHContainerReader(), {}, header_.root));
    llvm::StringRef name = "<tile2cu/tile.h, precompiled>";
    reader->addInMemoryBuffer(name, llvm::MemoryBuffer::getMemBuffer(
                                        header_.ast, name, /*RequiresNullTerminator=*/false));
    context.setExternalSource(reader);
    clang::SourceManager &sources = compiler.getSourceManager();
    clang::SourceLocation include = sources.getLocForStartOfFile(sources.getMainFileID())
                                        .getLocWithOffset(header_.includeOffset);
    if (reader->ReadAST(name, clang::serialization::MK_PCH, include, clang::ASTReader::ARR_None) !=
        clang::ASTReader::Success) {
      context.setExternalSource(nullptr);
      return false;
    }
    preprocessor.setPredefines(reader->getSuggestedPredefines());
    compiler.setASTReader(reader);
    return true;
  }

  const Precompiled &header_;
};

// ---- writing

class AllFiles : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool, bool, bool, bool missing) override {
    return !name.starts_with("<") && !missing;
  }
};

// Clang's part, to memory, with paths relative to a folder and no times: we compare files
// ourselves.
class Generate : public clang::GeneratePCHAction {
 public:
  explicit Generate(std::string root) : root_(std::move(root)) {}
  llvm::StringRef bytes() const {
    return buffer_->IsComplete ? llvm::StringRef(buffer_->Data.data(), buffer_->Data.size()) : "";
  }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(
        compiler.getPreprocessor(), compiler.getModuleCache(), "", root_, buffer_,
        llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(),
        /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

 private:
  std::string root_;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

// "search", "name" and "file" lines; nothing if a file cannot be read.
std::optional<std::string> describe(const clang::HeaderSearchOptions &search,
                                    llvm::ArrayRef<std::string> files, llvm::StringRef root) {
  std::string text;
  std::vector<std::string> names;
  for (const clang::HeaderSearchOptions::Entry &entry : search.UserEntries)
    if (entry.Path != root) text += "search " + entry.Path + "\n";
  for (llvm::StringRef path : files) {
    fs::file_status status;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer || fs::status(path, status)) return std::nullopt;
    llvm::StringRef name = path;
    if (name.consume_front(root)) name.consume_front("/");
    text += llvm::formatv("file {0} {1} {2} {3}\n", status.getSize(), timeOf(status),
                          hashOf((*buffer)->getBuffer()), name);
    if (name.starts_with("tile2cu/")) continue;
    for (const clang::HeaderSearchOptions::Entry &entry : search.UserEntries) {
      llvm::StringRef found = path;
      if (!found.consume_front(entry.Path) || !found.consume_front("/")) continue;
      std::string first = found.split('/').first.str();
      if (!llvm::is_contained(names, first)) names.push_back(first);
    }
  }
  for (const std::string &name : names) text += "name " + name + "\n";
  return text;
}

}  // namespace

std::unique_ptr<clang::FrontendAction> parseAfter(const Precompiled &header) {
  return std::make_unique<ParseAfter>(header);
}

bool writePrecompiled(clang::CompilerInstance &compiler, const std::string &root,
                      const std::string &header, const std::string &path) {
  auto files = std::make_shared<AllFiles>();
  compiler.addDependencyCollector(files);
  Generate action(root);
  clang::FrontendInputFile input(header, clang::InputKind(clang::Language::CXX),
                                 /*IsSystem=*/true);
  if (!action.BeginSourceFile(compiler, input)) return false;
  llvm::consumeError(action.Execute());
  action.EndSourceFile();
  if (compiler.getDiagnostics().hasErrorOccurred() || action.bytes().empty()) return false;
  auto lines = describe(compiler.getHeaderSearchOpts(), files->getDependencies(), root);
  if (!lines) return false;
  const size_t before = versionLine().size() + 17;
  std::string rest = *lines + "\n";
  rest.append(llvm::offsetToAlignment(before + rest.size(), llvm::Align(8)), '\0');
  rest += action.bytes();
  // A process that is reading the old file keeps reading it.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << versionLine() << hashOf(rest) << "\n" << rest;
    return llvm::Error::success();
  });
  if (!error) return true;
  llvm::consumeError(std::move(error));
  return false;
}

}  // namespace tile2cu::frontend
