//! The table of codes: what can be reported, in which group, and how serious it is by default.
//!
//! Adding a code means adding a line to the table and a page `docs/diagnostics/<code>.md`.

use std::fmt;

/// How serious a finding is. The order is from the worst down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

impl Severity {
    /// The word used in JSON and text output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "information",
            Severity::Hint => "hint",
        }
    }
}

/// What a code is about; groups can be silenced or denied as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    AddressSpace,
    Language,
    Attribute,
    Type,
    Library,
    Performance,
    Abi,
    Migration,
    FunctionPointer,
}

impl Group {
    /// Every group.
    pub const ALL: &[Group] = &[
        Group::AddressSpace,
        Group::Language,
        Group::Attribute,
        Group::Type,
        Group::Library,
        Group::Performance,
        Group::Abi,
        Group::Migration,
        Group::FunctionPointer,
    ];

    /// The group with this name.
    pub fn parse(text: &str) -> Option<Group> {
        Group::ALL.iter().copied().find(|group| group.as_str() == text)
    }

    /// The name as written in configuration and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Group::AddressSpace => "address-space",
            Group::Language => "language",
            Group::Attribute => "attribute",
            Group::Type => "type",
            Group::Library => "library",
            Group::Performance => "performance",
            Group::Abi => "abi",
            Group::Migration => "migration",
            Group::FunctionPointer => "function-pointer",
        }
    }
}

/// What a finding says of the code that it stands at, beyond its severity; editors show such code in a way of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// It can be left out.
    Unnecessary,
    /// It is there for older programs only.
    Deprecated,
}

impl Code {
    /// What findings of this code say of the code that they stand at.
    pub const fn tag(self) -> Option<Tag> {
        match self {
            Code::UnusedVariable | Code::UnreachableCode | Code::UnusedAllow => Some(Tag::Unnecessary),
            Code::DeprecatedName => Some(Tag::Deprecated),
            _ => None,
        }
    }
}

macro_rules! codes {
    ($($variant:ident $text:literal $group:ident $default:expr, $summary:literal;)*) => {
        /// A diagnostic's code. Codes are never renamed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($variant),* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }

            /// The group.
            pub const fn group(self) -> Group {
                match self { $(Code::$variant => Group::$group),* }
            }

            /// The severity unless the configuration says otherwise; `None` is off.
            pub const fn default_severity(self) -> Option<Severity> {
                use Severity::*;
                match self { $(Code::$variant => $default),* }
            }

            /// One line that says what is wrong.
            pub const fn summary(self) -> &'static str {
                match self { $(Code::$variant => $summary),* }
            }

            /// The code with this name.
            pub fn parse(text: &str) -> Option<Code> {
                Code::ALL.iter().copied().find(|code| code.as_str() == text)
            }
        }
    };
}

codes! {
    SyntaxError "syntax-error" Language Some(Error), "the text is not valid Metal";
    PreprocessorError "preprocessor-error" Language Some(Error), "a directive or macro cannot be carried out";
    PreprocessorWarning "preprocessor-warning" Language Some(Warning), "a directive or macro does something unexpected";
    IncludeNotFound "include-not-found" Language Some(Error), "an included file was not found";
    FrameworkNotFound "framework-not-found" Language Some(Information), "a header of Apple's SDK is included, which is not at hand";
    UndeclaredIdentifier "undeclared-identifier" Language Some(Error), "a name is used that nothing declares";
    UnknownMember "unknown-member" Type Some(Error), "a type has no member of this name";
    MissingAddressSpace "missing-address-space" AddressSpace Some(Error), "a pointer or reference needs an address space before Metal 4.1";
    AddressSpaceMismatch "address-space-mismatch" AddressSpace Some(Error), "a pointer or reference to one address space is used as one to another";
    GenericToConcrete "generic-to-concrete" AddressSpace Some(Error), "a generic pointer needs a cast to become one to a named address space";
    ConstantToGeneric "constant-to-generic" AddressSpace Some(Error), "generic pointers do not cover this address space";
    EntryPointAddressSpace "entry-point-address-space" AddressSpace Some(Error), "an entry point's pointer needs an address space that its stage allows";
    MisplacedAddressSpace "misplaced-address-space" AddressSpace Some(Error), "an address space stands where none is allowed";
    ProgramScopeVariable "program-scope-variable" AddressSpace Some(Error), "a program-scope variable must be in the constant address space";
    NoMatchingFunction "no-matching-function" Type Some(Error), "no candidate fits the arguments of a call";
    AmbiguousCall "ambiguous-call" Type Some(Error), "several candidates fit a call equally well";
    TypeMismatch "type-mismatch" Type Some(Error), "a value has a type that cannot be used here";
    ReadOnlyAssignment "read-only-assignment" Type Some(Error), "something that cannot be changed is written to";
    RequiresNewerLanguageVersion "requires-newer-language-version" Language Some(Error), "this needs a newer version of the language";
    RemovedLanguageFeature "removed-language-feature" Language Some(Error), "Metal does not have this feature of C++";
    NotAConstant "not-a-constant" Language Some(Error), "something must be known at compile time and is not";
    StaticAssertionFailed "static-assertion-failed" Language Some(Error), "a static assertion does not hold";
    Recursion "recursion" Language Some(Error), "functions call themselves where Metal has no recursion";
    NotCopyable "not-copyable" Type Some(Error), "an object is copied that cannot be copied";
    SamplerDeclaration "sampler-declaration" Library Some(Error), "a sampler is declared in a way that Metal does not have";
    LibraryArgument "library-argument" Library Some(Error), "an argument is not what the function of the library asks for";
    DeprecatedName "deprecated-name" Library Some(Warning), "a name of the library is deprecated";
    ThreadgroupInitializer "threadgroup-initializer" AddressSpace Some(Hint), "a variable in threadgroup memory is initialised";
    StandardHeader "standard-header" Language Some(Warning), "a header of the C++ standard library is included, which Metal does not have";
    BarrierInDivergentFlow "barrier-in-divergent-flow" Library Some(Warning), "not all threads of a group reach a call that all of them have to reach";
    MissingTextureFence "missing-texture-fence" Library Some(Warning), "a texture is read after the same thread wrote to it, with no fence in between";
    NanTestUnderFastMath "nan-test-under-fast-math" Library None, "fast math may fold a test for NaN or infinity to `false`";
    PaddedVectorInBuffer "padded-vector-in-buffer" Performance None, "a buffer holds vectors of three components, which are padded to four";
    FloatLiteralInHalfArithmetic "float-literal-in-half-arithmetic" Performance Some(Hint), "a float literal makes half arithmetic float";
    Redefinition "redefinition" Language Some(Error), "something is declared twice in ways that cannot both hold";
    MisplacedJump "misplaced-jump" Language Some(Error), "a `break`, `continue`, `case` or `default` stands where it belongs to nothing";
    DuplicateCase "duplicate-case" Language Some(Error), "a `switch` has two labels for the same value";
    MissingReturn "missing-return" Language Some(Warning), "a function that has to return a value can end without one";
    UninitializedVariable "uninitialized-variable" Language Some(Warning), "a variable is read before anything gives it a value";
    IndexOutOfBounds "index-out-of-bounds" Language Some(Warning), "a constant index names an element that the array does not have";
    DivisionByZero "division-by-zero" Language Some(Warning), "an integer is divided by a constant zero";
    ShiftCount "shift-count" Language Some(Warning), "a shift by more than the width of the value, or by a negative number";
    ConstantConversion "constant-conversion" Language Some(Warning), "a constant becomes another value where it is converted";
    ConstantComparison "constant-comparison" Language Some(Warning), "a comparison always comes out the same way";
    AssignmentInCondition "assignment-in-condition" Language Some(Warning), "a condition assigns where it may have to compare";
    OperatorPrecedence "operator-precedence" Language Some(Warning), "an operator binds tighter than it looks";
    SelfAssignment "self-assignment" Language Some(Warning), "an object is assigned to itself";
    EmptyBody "empty-body" Language Some(Warning), "a `;` is all that a condition or loop decides about";
    UnusedValue "unused-value" Language Some(Warning), "a value is computed and nothing uses it";
    UnusedVariable "unused-variable" Language Some(Hint), "a local variable that nothing uses";
    UnreachableCode "unreachable-code" Language Some(Hint), "statements that are never reached";
    MissingInitializer "missing-initializer" Type Some(Error), "a variable that has to be initialised is not";
    TemplateArgumentMismatch "template-argument-mismatch" Type Some(Error), "template arguments do not fit the parameters of the template";
    InaccessibleMember "inaccessible-member" Type Some(Error), "a private or protected member is used outside of its class";
    AttributeMisuse "attribute-misuse" Attribute Some(Error), "an attribute does not fit where it stands";
    ResourceIndex "resource-index" Attribute Some(Error), "a resource index is out of range or taken twice";
    ArgumentBuffer "argument-buffer" Attribute Some(Error), "a structure cannot be an argument buffer, or needs to be one";
    EntryPointSignature "entry-point-signature" Attribute Some(Error), "an entry point's result or parameters are not what its stage allows";
    FrameworkSignature "framework-signature" Attribute Some(Warning), "a framework does not call functions of this form";
    FunctionConstant "function-constant" Attribute Some(Error), "a function constant is declared or used in a way that its late value does not allow";
    ImplicitResourceIndex "implicit-resource-index" Attribute Some(Hint), "a resource has no index of its own";
    StageInputOutput "stage-input-output" Attribute Some(Error), "a structure does not fit what a stage takes or gives";
    LimitReached "limit-reached" Language Some(Warning), "a limit of the analysis was reached";
    InternalError "internal-error" Language Some(Error), "the analyser failed on this file: a bug of msl-analyzer";
    UnusedAllow "unused-allow" Language Some(Warning), "a silencing comment silences nothing";
    GenericPointerInHotLoop "generic-pointer-in-hot-loop" Performance Some(Warning), "a loop pays for a generic pointer at each access";
    UnresolvedGenericPointer "unresolved-generic-pointer" Performance Some(Hint), "the compiler cannot resolve this generic pointer";
    InvalidAddressSpaceCast "invalid-address-space-cast" AddressSpace Some(Warning), "a pointer is cast to an address space that it cannot point to";
    UncheckedAddrspaceCast "unchecked-addrspace-cast" AddressSpace Some(Warning), "the result of addrspace_cast is used without a test for null";
    ConstantAddressSpaceTest "constant-address-space-test" AddressSpace Some(Warning), "a test of an address space always has the same result";
    UnannotatedMemberFunction "unannotated-member-function" Migration None, "a member function has no address space for `this`";
    BecomesGenericIn41 "becomes-generic-in-4.1" Migration None, "`this` becomes generic under Metal 4.1";
    BreaksIn41 "breaks-in-4.1" Migration Some(Hint), "this will not compile under Metal 4.1";
    ConsolidatableOverloads "consolidatable-overloads" Migration Some(Hint), "overloads differ only in address spaces";
    FunctionPointerMisuse "function-pointer-misuse" FunctionPointer Some(Error), "a visible function, a table or a group is used where it cannot be";
    FunctionNotVisible "function-not-visible" FunctionPointer Some(Warning), "a function is used through a handle or by name and is not visible";
    SimilarGroupName "similar-group-name" FunctionPointer Some(Hint), "the name of a function group is almost that of another";
    UncheckedFunctionTable "unchecked-function-table" FunctionPointer None, "a table is called through without a test whether it is there";
    DivergentFunctionPointer "divergent-function-pointer" FunctionPointer Some(Information), "threads of a SIMD group call different functions";
    GenericPointerAcrossLink "generic-pointer-across-link" FunctionPointer Some(Hint), "a generic pointer crosses a link boundary, where nothing resolves it";
    UnknownFunctionName "unknown-function-name" FunctionPointer Some(Warning), "host code names a function that no shader defines";
    FunctionGroupMismatch "function-group-mismatch" FunctionPointer Some(Warning), "shader and host code disagree about a function group";
    UnlinkedVisibleFunction "unlinked-visible-function" FunctionPointer None, "no host code links a visible function";
    FunctionTableIndex "function-table-index" FunctionPointer Some(Warning), "a function is stored behind the end of its table";
    UnsupportedBinaryFunctions "unsupported-binary-functions" FunctionPointer Some(Warning), "functions are added to a pipeline that does not support it";
    CallStackDepth "call-stack-depth" FunctionPointer Some(Warning), "calls through function pointers nest deeper than the pipeline allows";
    AbiVersionMismatch "abi-version-mismatch" Abi Some(Warning), "code of Metal 4.0 or older and of 4.1 or newer is linked together";
    AbiVersionUnknown "abi-version-unknown" Abi Some(Information), "the language version of a linked part is unknown";
    AbiDeploymentTarget "abi-deployment-target" Abi Some(Warning), "a language version needs a newer system than the deployment target";
    AbiEmptyLibrary "abi-empty-library" Abi Some(Warning), "a library has no functions";
    AbiInconsistentBinary "abi-inconsistent-binary" Abi Some(Warning), "a compiled library contradicts itself or is damaged";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_and_found_again() {
        for &code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(code));
            assert_eq!(Group::parse(code.group().as_str()), Some(code.group()));
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b)));
        }
    }
}
