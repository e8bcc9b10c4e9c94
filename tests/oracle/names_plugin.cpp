// A clang plugin that writes down what clang knows about every name of the main file.
//
// One line for each fact, fields separated by tabs, offsets in bytes from 0:
//
//   R offset name type canonical-type kind target-file target-offset     a use of a name, as one instance sees it
//   F begin end                                                          a function of the main file
//   A name type                                                          what a typedef stands for
//
// `type` is taken apart as clang's own dump does it (outermost alias only), `canonical-type` all the way.
// A place in a macro's argument is where it is spelled, a place in a macro's body is where the macro is used.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

#include <set>
#include <string>

using namespace clang;

namespace {

class Names : public RecursiveASTVisitor<Names> {
public:
  Names(ASTContext &Context, std::set<std::string> &Lines)
      : Context(Context), Sources(Context.getSourceManager()), Policy(Context.getPrintingPolicy()), Lines(Lines) {
    Policy.SuppressTagKeyword = true;
    Policy.SuppressDefaultTemplateArgs = false;
    Policy.AnonymousTagLocations = false;
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *E) { return reference(E->getLocation(), E, E->getDecl()); }
  bool VisitMemberExpr(MemberExpr *E) { return reference(E->getMemberLoc(), E, E->getMemberDecl()); }
  bool VisitMSPropertyRefExpr(MSPropertyRefExpr *E) { return reference(E->getMemberLoc(), E, E->getPropertyDecl()); }

  bool VisitFunctionDecl(FunctionDecl *D) {
    SourceLocation Begin = place(D->getBeginLoc()), End = place(D->getEndLoc());
    if (Sources.isInMainFile(Begin) && Sources.isInMainFile(End))
      line("F\t" + number(Begin) + "\t" + number(End));
    return true;
  }

  bool VisitTypedefNameDecl(TypedefNameDecl *D) {
    line("A\t" + D->getNameAsString() + "\t" + text(D->getUnderlyingType().getSingleStepDesugaredType(Context)));
    line("A\t" + D->getNameAsString() + "\t" + text(D->getUnderlyingType().getDesugaredType(Context)));
    return true;
  }

private:
  SourceLocation place(SourceLocation Location) const {
    if (!Location.isMacroID())
      return Location;
    if (Sources.isMacroArgExpansion(Location)) {
      SourceLocation Spelled = Sources.getSpellingLoc(Location);
      if (Sources.getFileEntryRefForID(Sources.getFileID(Spelled))) // and not text that was pasted together
        return Spelled;
    }
    return Sources.getExpansionLoc(Location);
  }

  std::string number(SourceLocation Location) const { return std::to_string(Sources.getFileOffset(Location)); }

  std::string text(QualType Type) const { return Type.getAsString(Policy); }

  bool reference(SourceLocation Location, Expr *E, NamedDecl *Target) {
    SourceLocation Use = place(Location);
    if (Target == nullptr || Use.isInvalid() || !Sources.isInMainFile(Use) || Target->getLocation().isInvalid())
      return true;
    SourceLocation Declared = place(Target->getLocation());
    auto File = Sources.getFileEntryRefForID(Sources.getFileID(Declared));
    std::string Path = File ? File->getName().str() : "<scratch space>";
    QualType Type = E->getType();
    std::string Written = Type.isNull() ? "" : text(Type.getDesugaredType(Context));
    std::string Canonical = Type.isNull() ? "" : text(Type.getCanonicalType());
    line("R\t" + number(Use) + "\t" + Target->getNameAsString() + "\t" + Written + "\t" + Canonical + "\t" +
         Target->getDeclKindName() + "Decl\t" + Path + "\t" + number(Declared));
    return true;
  }

  void line(const std::string &Text) { Lines.insert(Text); }

  ASTContext &Context;
  SourceManager &Sources;
  PrintingPolicy Policy;
  std::set<std::string> &Lines;
};

class Consumer : public ASTConsumer {
public:
  explicit Consumer(std::string Out) : Out(std::move(Out)) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    std::set<std::string> Lines;
    Names(Context, Lines).TraverseDecl(Context.getTranslationUnitDecl());
    std::error_code Error;
    llvm::raw_fd_ostream Stream(Out, Error);
    for (const std::string &Line : Lines)
      Stream << Line << '\n';
  }

private:
  std::string Out;
};

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<Consumer>(Out);
  }

  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &Arguments) override {
    if (Arguments.size() != 1)
      return false;
    Out = Arguments[0];
    return true;
  }

  ActionType getActionType() override { return ReplaceAction; }

private:
  std::string Out;
};

FrontendPluginRegistry::Add<Action> Registration("msl-names", "writes down what every name of the main file means");

} // namespace
