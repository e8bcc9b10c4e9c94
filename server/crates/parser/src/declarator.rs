//! Declarators: names wrapped in pointers, arrays and parameter lists, folded into types.
//!
//! A declarator is read into *chunks*, ordered from the name outward as one would say it ("array of four pointers
//! to"), and then applied to the type of the specifiers from the last chunk to the first.

use msl_preproc::{Keyword, Punct, TokenKind};
use smallvec::SmallVec;

use crate::ast::{
    AttrId, BuiltinType, Decl, DeclId, DeclKind, ExprId, FunctionType, Init, Path, Quals, RefQualifier, ScopeId,
    Segment, Specs, TokenRange, TypeId, TypeKind, UnqualName, Variable, VariableKind,
};
use crate::lookup::{NameClass, QualifierScope};
use crate::name::{ParsedPath, PathUse};
use crate::parser::Parser;
use crate::scan::{NameMode, space_of_keyword};
use crate::scope::ScopeKind;
use crate::types::SpecifierPlace;

/// What a declarator may look like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeclaratorMode {
    /// A declaration: a name is due, and parentheses behind it may hold parameters or an initialiser.
    Declaration,
    /// A parameter: the name may be missing, and parentheses hold parameters.
    Parameter,
    /// A type-id: no name.
    Abstract,
}

/// A declarator, folded.
pub(crate) struct Declarator {
    pub(crate) name: Option<ParsedPath>,
    pub(crate) name_token: u32,
    pub(crate) ty: TypeId,
    /// Present if the entity is a function.
    pub(crate) function: Option<FunctionParts>,
    pub(crate) attrs: Vec<AttrId>,
    /// `...` stands before the name.
    pub(crate) pack: bool,
}

/// What a function's declarator holds besides its type.
#[derive(Clone, Copy)]
pub(crate) struct FunctionParts {
    pub(crate) scope: ScopeId,
    pub(crate) specs: Specs,
}

enum Chunk {
    Pointer { quals: Quals, end: u32 },
    LRef { quals: Quals, end: u32 },
    RRef { quals: Quals, end: u32 },
    MemberPointer { class: Path, quals: Quals, end: u32 },
    Array { len: Option<ExprId>, end: u32 },
    Function { parts: FunctionParts, ty: Box<FunctionChunk>, end: u32 },
}

struct FunctionChunk {
    params: Box<[DeclId]>,
    variadic: bool,
    this_quals: Quals,
    this_ref: RefQualifier,
    trailing: Option<TypeId>,
}

type Chunks = SmallVec<[Chunk; 4]>;

/// The parts of a declarator that are not chunks.
struct Core {
    name: Option<ParsedPath>,
    name_token: u32,
    attrs: Vec<AttrId>,
    pack: bool,
}

impl Parser<'_> {
    /// Reads a declarator and applies it to `base`, the type of specifiers that start at token `start`. `name` is a
    /// name that was read with the specifiers; `reserved` says that a reserved word stands for the name.
    pub(crate) fn parse_declarator(
        &mut self,
        base: TypeId,
        start: u32,
        mode: DeclaratorMode,
        name: Option<ParsedPath>,
        reserved: bool,
    ) -> Declarator {
        let mut chunks = Chunks::new();
        let mut core = Core { name: None, name_token: self.number(), attrs: Vec::new(), pack: false };
        self.parse_chunks(&mut chunks, &mut core, mode, name, reserved);
        let function = match chunks.first() {
            Some(Chunk::Function { parts, .. }) => Some(*parts),
            _ => None,
        };
        let ty = self.fold(base, start, chunks);
        Declarator { name: core.name, name_token: core.name_token, ty, function, attrs: core.attrs, pack: core.pack }
    }

    /// The rest of a type-id.
    pub(crate) fn parse_abstract_declarator(&mut self, base: TypeId) -> TypeId {
        let start = self.ast[base].range.start;
        self.parse_declarator(base, start, DeclaratorMode::Abstract, None, false).ty
    }

    /// `*`, `&` and their qualifiers, without parentheses behind.
    pub(crate) fn parse_pointer_operators_onto(&mut self, base: TypeId) -> TypeId {
        let start = self.ast[base].range.start;
        let mut chunks = Chunks::new();
        self.parse_pointer_operators(&mut chunks, &mut Vec::new(), DeclaratorMode::Abstract);
        chunks.reverse();
        self.fold(base, start, chunks)
    }

    fn fold(&mut self, base: TypeId, start: u32, chunks: Chunks) -> TypeId {
        let mut ty = base;
        for chunk in chunks.into_iter().rev() {
            let (kind, quals, end) = match chunk {
                Chunk::Pointer { quals, end } => (TypeKind::Pointer(ty), quals, end),
                Chunk::LRef { quals, end } => (TypeKind::LRef(ty), quals, end),
                Chunk::RRef { quals, end } => (TypeKind::RRef(ty), quals, end),
                Chunk::MemberPointer { class, quals, end } => {
                    (TypeKind::MemberPointer { class, pointee: ty }, quals, end)
                }
                Chunk::Array { len, end } => (TypeKind::Array { elem: ty, len }, Quals::default(), end),
                Chunk::Function { ty: chunk, end, .. } => {
                    let function = FunctionType {
                        ret: chunk.trailing.unwrap_or(ty),
                        params: chunk.params,
                        variadic: chunk.variadic,
                        this_quals: chunk.this_quals,
                        this_ref: chunk.this_ref,
                        trailing_return: chunk.trailing.is_some(),
                    };
                    (TypeKind::Function(function), Quals::default(), end)
                }
            };
            let range = TokenRange::new(start.min(end), end);
            ty = self.ty(kind, range);
            ty = self.qualified(ty, quals, range);
        }
        ty
    }

    fn parse_chunks(
        &mut self,
        chunks: &mut Chunks,
        core: &mut Core,
        mode: DeclaratorMode,
        name: Option<ParsedPath>,
        reserved: bool,
    ) {
        let mut prefix = Chunks::new();
        if name.is_none() {
            self.parse_pointer_operators(&mut prefix, &mut core.attrs, mode);
        }
        if mode != DeclaratorMode::Abstract && self.at(Punct::Ellipsis) {
            self.bump();
            core.pack = true;
        }
        core.name_token = self.number();
        if let Some(name) = name {
            core.name_token = name.path.last().map_or(name.start, |segment| segment.token);
            self.enter_qualifier(&name);
            core.name = Some(name);
        } else if self.at(Punct::LParen) && self.parenthesised_declarator(mode) {
            let open = self.bump();
            self.nested(
                |parser| parser.parse_chunks(chunks, core, mode, None, false),
                |parser| parser.skip_to_closing(open),
            );
            self.expect_closing(Punct::RParen, open);
        } else if mode != DeclaratorMode::Abstract {
            self.parse_declarator_name(core, mode, reserved);
        }
        if core.name.is_some() && self.at_attribute() {
            self.parse_attributes(&mut core.attrs);
        }
        self.parse_suffixes(chunks, core, mode);
        prefix.reverse();
        chunks.append(&mut prefix);
    }

    /// Whether the `(` at the cursor opens a nested declarator, not a parameter list.
    fn parenthesised_declarator(&mut self, mode: DeclaratorMode) -> bool {
        let position = self.position;
        if mode == DeclaratorMode::Declaration {
            // `void (int x) { … }` is a function whose name is missing.
            return self.scan_parameter_clause(position).is_none()
                || self.scan_declarator(position, NameMode::Required).is_some();
        }
        match self.kind_at(position + 1) {
            TokenKind::Punct(Punct::RParen | Punct::Ellipsis) => false,
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::LParen) => {
                self.scan_parameter_clause(position).is_none()
            }
            TokenKind::Ident if self.member_pointer_at(position + 1).is_some() => true,
            TokenKind::Ident if mode == DeclaratorMode::Parameter => self.scan_parameter_clause(position).is_none(),
            TokenKind::Keyword(keyword) if space_of_keyword(keyword).is_some() => {
                self.scan_parameter_clause(position).is_none()
            }
            _ => false,
        }
    }

    fn parse_declarator_name(&mut self, core: &mut Core, mode: DeclaratorMode, reserved: bool) {
        match self.kind() {
            TokenKind::Ident
            | TokenKind::Punct(Punct::ColonColon | Punct::Tilde)
            | TokenKind::Keyword(Keyword::Operator) => {
                if reserved && self.kind() == TokenKind::Ident {
                    // In front of attributes compilers take `kernel`, `vertex` and `fragment` for specifiers, not for a name.
                    let name = self.peek().name;
                    let message = format!("the reserved word `{name}` cannot be used as a name");
                    self.report(crate::diagnostic::SyntaxErrorKind::ReservedWord(name), self.here(), message);
                }
                let parsed = self.parse_path(PathUse::Declarator);
                core.name_token = parsed.path.last().map_or(parsed.start, |segment| segment.token);
                self.enter_qualifier(&parsed);
                core.name = Some(parsed);
            }
            TokenKind::Keyword(_) if reserved || self.keyword_stands_for_name(mode) => {
                let start = self.number();
                let name = UnqualName::Ident(self.parse_reserved_name());
                let segment = Segment { name, args: None, token: start, template_keyword: false };
                let path = Path { global: false, decltype: None, segments: Box::new([segment]) };
                core.name = Some(ParsedPath { path, start, class: NameClass::Unknown, qualifier: None });
            }
            _ => {}
        }
    }

    /// Whether the keyword at the cursor is followed by what follows a declared name.
    fn keyword_stands_for_name(&self, mode: DeclaratorMode) -> bool {
        match self.nth(1).kind {
            TokenKind::Punct(Punct::Eq | Punct::Semi) => true,
            TokenKind::Punct(Punct::Comma | Punct::RParen) => mode == DeclaratorMode::Parameter,
            TokenKind::Punct(Punct::LBracket) => mode == DeclaratorMode::Parameter || !self.nth_is(2, Punct::LBracket),
            TokenKind::Punct(Punct::LParen) => mode == DeclaratorMode::Declaration && !self.at_line_start(),
            _ => false,
        }
    }

    /// Behind `S::f` names are looked up in `S`, also those of the parameters (C++ [basic.lookup.unqual]/8).
    fn enter_qualifier(&mut self, name: &ParsedPath) {
        let Some(QualifierScope::Scope(target)) = name.qualifier else { return };
        if !matches!(self.ast[target].kind, ScopeKind::Record | ScopeKind::Namespace | ScopeKind::Global) {
            return;
        }
        let mut outermost = None;
        let mut scope = self.scope;
        while self.ast[scope].kind == ScopeKind::Template && self.ast.owns_scope(scope) {
            outermost = Some(scope);
            match self.ast[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        match outermost {
            // The template headers of the definition stand inside the class for lookup.
            Some(header) if !self.is_inside(target, header) => self.ast[header].parent = Some(target),
            Some(_) => {}
            None => self.scope = target,
        }
    }

    /// Whether `inner` lies in `outer`.
    fn is_inside(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let mut next = Some(inner);
        while let Some(scope) = next {
            if scope == outer {
                return true;
            }
            next = self.ast[scope].parent;
        }
        false
    }

    fn parse_pointer_operators(&mut self, chunks: &mut Chunks, attrs: &mut Vec<AttrId>, mode: DeclaratorMode) {
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Star) => {
                    self.bump();
                    let quals = self.parse_pointer_qualifiers(attrs, mode);
                    chunks.push(Chunk::Pointer { quals, end: self.range_from(0).end });
                }
                TokenKind::Punct(Punct::Amp) => {
                    self.bump();
                    let quals = self.parse_pointer_qualifiers(attrs, mode);
                    chunks.push(Chunk::LRef { quals, end: self.range_from(0).end });
                }
                TokenKind::Punct(Punct::AmpAmp) => {
                    self.bump();
                    let quals = self.parse_pointer_qualifiers(attrs, mode);
                    chunks.push(Chunk::RRef { quals, end: self.range_from(0).end });
                }
                TokenKind::Ident if self.member_pointer_at(self.position).is_some() => {
                    let class = self.parse_path(PathUse::Type).path;
                    self.bump();
                    self.bump();
                    let quals = self.parse_pointer_qualifiers(attrs, mode);
                    chunks.push(Chunk::MemberPointer { class, quals, end: self.range_from(0).end });
                }
                _ => return,
            }
        }
    }

    fn parse_pointer_qualifiers(&mut self, attrs: &mut Vec<AttrId>, mode: DeclaratorMode) -> Quals {
        let mut quals = Quals::default();
        let mut spaces = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Const) => quals.is_const = true,
                TokenKind::Keyword(Keyword::Volatile) => quals.is_volatile = true,
                TokenKind::Keyword(Keyword::Restrict) => quals.is_restrict = true,
                TokenKind::Keyword(keyword)
                    if mode == DeclaratorMode::Abstract || !self.keyword_stands_for_name(mode) =>
                {
                    let Some(space) = space_of_keyword(keyword) else { break };
                    spaces.push((space, self.number()));
                }
                TokenKind::Ident if self.space_word_at(self.position).is_some() => {
                    let Some(space) = self.space_word_at(self.position) else { break };
                    spaces.push((space, self.number()));
                }
                TokenKind::Ident if self.at_word(self.words.restrict) && self.nth(1).kind == TokenKind::Ident => {
                    quals.is_restrict = true;
                }
                TokenKind::Ident if self.coherent_at(self.position) => {
                    quals.coherent = Some(self.bump());
                    if self.at(Punct::LParen) {
                        self.bump();
                        self.bump();
                        self.expect(Punct::RParen);
                    }
                    continue;
                }
                TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) => {
                    self.parse_attributes(attrs);
                    continue;
                }
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.parse_attributes(attrs);
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        quals.spaces = spaces.into_boxed_slice();
        quals
    }

    fn parse_suffixes(&mut self, chunks: &mut Chunks, core: &mut Core, mode: DeclaratorMode) {
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) => {
                    if core.name.is_none() {
                        return;
                    }
                    self.parse_attributes(&mut core.attrs);
                }
                TokenKind::Punct(Punct::LBracket) => {
                    let open = self.bump();
                    while matches!(
                        self.kind(),
                        TokenKind::Keyword(Keyword::Static | Keyword::Const | Keyword::Restrict)
                    ) {
                        self.bump();
                    }
                    let len = (!self.at(Punct::RBracket)).then(|| self.in_brackets(Self::parse_expr));
                    self.expect_closing(Punct::RBracket, open);
                    chunks.push(Chunk::Array { len, end: self.range_from(0).end });
                }
                TokenKind::Punct(Punct::LParen) if self.opens_parameters(core, mode) => {
                    let chunk = self.parse_function_suffix(&mut core.attrs);
                    chunks.push(chunk);
                }
                _ => return,
            }
        }
    }

    /// Whether the `(` at the cursor opens a parameter list and not an initialiser.
    fn opens_parameters(&mut self, core: &Core, mode: DeclaratorMode) -> bool {
        if mode != DeclaratorMode::Declaration {
            return true;
        }
        let Some(name) = &core.name else { return true };
        if !matches!(name.path.last().map(|segment| segment.name), Some(UnqualName::Ident(_))) {
            return true;
        }
        let position = self.position;
        // `f<int>(…)` specialises or instantiates a function; variables of this form have other initialisers.
        if name.path.last().is_some_and(|segment| segment.args.is_some()) {
            return true;
        }
        let in_block =
            matches!(self.ast[self.declaring_scope()].kind, ScopeKind::Block | ScopeKind::Function | ScopeKind::Lambda);
        let Some(close) = self.partner_of(position) else {
            return !in_block || position + 1 >= self.tokens.len() || self.type_starts_at(position + 1);
        };
        if self.scan_parameter_clause(position).is_some() {
            return true;
        }
        // A list with a mistake in it is still a parameter list if a body follows.
        !in_block
            && matches!(
                self.kind_at(close + 1),
                TokenKind::Body
                    | TokenKind::Punct(Punct::LBrace | Punct::Arrow | Punct::Colon)
                    | TokenKind::Keyword(Keyword::Const | Keyword::Noexcept | Keyword::Thread | Keyword::Device)
            )
    }

    /// A parameter list and what belongs to it.
    fn parse_function_suffix(&mut self, attrs: &mut Vec<AttrId>) -> Chunk {
        let scope = self.new_scope(ScopeKind::Function);
        let (params, variadic) = self.in_scope(scope, |parser| {
            parser.nested(Self::parse_parameters, |parser| {
                let open = parser.bump();
                parser.skip_to_closing(open);
                parser.eat(Punct::RParen);
                (Box::default(), false)
            })
        });
        let mut this_quals = Quals::default();
        let mut spaces = Vec::new();
        let mut this_ref = RefQualifier::None;
        let mut specs = Specs::empty();
        let mut trailing = None;
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Const) => this_quals.is_const = true,
                TokenKind::Keyword(Keyword::Volatile) => this_quals.is_volatile = true,
                TokenKind::Keyword(Keyword::Restrict) => this_quals.is_restrict = true,
                TokenKind::Keyword(keyword)
                    if space_of_keyword(keyword).is_some() && !self.at_line_start_declaration() =>
                {
                    let Some(space) = space_of_keyword(keyword) else { break };
                    spaces.push((space, self.number()));
                }
                TokenKind::Ident if self.trailing_space_word().is_some() => {
                    let Some(space) = self.trailing_space_word() else { break };
                    spaces.push((space, self.number()));
                }
                TokenKind::Punct(Punct::Amp) => this_ref = RefQualifier::LValue,
                TokenKind::Punct(Punct::AmpAmp) => this_ref = RefQualifier::RValue,
                TokenKind::Keyword(Keyword::Noexcept) => {
                    specs |= Specs::NOEXCEPT;
                    self.bump();
                    if self.at(Punct::LParen) {
                        self.in_scope(scope, Self::parse_parenthesised_operand);
                    }
                    continue;
                }
                TokenKind::Keyword(Keyword::Throw) => {
                    self.bump();
                    let open = self.number();
                    if self.eat(Punct::LParen) {
                        self.skip_to_closing(open);
                        self.eat(Punct::RParen);
                    }
                    continue;
                }
                TokenKind::Ident if self.at_word(self.words.override_) => specs |= Specs::OVERRIDE,
                TokenKind::Ident if self.at_word(self.words.final_) => specs |= Specs::FINAL,
                TokenKind::Ident if self.at_word(self.words.coherent) => {
                    this_quals.coherent = Some(self.bump());
                    if self.at(Punct::LParen) {
                        self.bump();
                        self.bump();
                        self.expect(Punct::RParen);
                    }
                    continue;
                }
                TokenKind::Punct(Punct::LBracket) if self.nth_is(1, Punct::LBracket) => {
                    self.parse_attributes(attrs);
                    continue;
                }
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.parse_attributes(attrs);
                    continue;
                }
                TokenKind::Punct(Punct::Arrow) => {
                    self.bump();
                    trailing = Some(self.in_scope(scope, Self::parse_type_id));
                    continue;
                }
                _ => break,
            }
            self.bump();
        }
        this_quals.spaces = spaces.into_boxed_slice();
        let ty = Box::new(FunctionChunk { params, variadic, this_quals, this_ref, trailing });
        Chunk::Function { parts: FunctionParts { scope, specs }, ty, end: self.range_from(0).end }
    }

    /// A word that is an address space behind a parameter list.
    fn trailing_space_word(&self) -> Option<crate::ast::SpaceWord> {
        if self.at_line_start() {
            return None;
        }
        let name = self.peek().name;
        if name == self.words.object_data {
            Some(crate::ast::SpaceWord::ObjectData)
        } else if name == self.words.ray_data {
            Some(crate::ast::SpaceWord::RayData)
        } else if name == self.words.threadgroup_imageblock {
            Some(crate::ast::SpaceWord::ThreadgroupImageblock)
        } else {
            None
        }
    }

    /// `(…)`: parameters, declared in the current scope.
    pub(crate) fn parse_parameters(&mut self) -> (Box<[DeclId]>, bool) {
        let open = self.bump();
        self.in_brackets(|parser| {
            let mut params = Vec::new();
            let mut variadic = false;
            while !matches!(parser.kind(), TokenKind::Punct(Punct::RParen) | TokenKind::Eof) {
                if parser.at(Punct::Ellipsis) {
                    parser.bump();
                    variadic = true;
                    break;
                }
                if parser.breaks_list() {
                    break;
                }
                let before = parser.position;
                let param = parser.parse_parameter();
                params.push(param);
                if parser.at(Punct::Ellipsis) {
                    parser.bump();
                    variadic = true;
                }
                if parser.eat(Punct::Comma) {
                    if parser.at(Punct::RParen) {
                        parser.expected("a parameter");
                    }
                    continue;
                }
                if parser.at(Punct::RParen) {
                    break;
                }
                if parser.position == before || !parser.recover_in_parameters() {
                    break;
                }
            }
            parser.expect_closing(Punct::RParen, open);
            if let [only] = params[..]
                && parser.is_void_parameter(only)
            {
                params.clear();
            }
            (params.into_boxed_slice(), variadic)
        })
    }

    /// Behind a broken parameter: reports it and goes on at the next comma, if the list has a partner.
    fn recover_in_parameters(&mut self) -> bool {
        if self.at_line_start_declaration()
            || matches!(self.kind(), TokenKind::Punct(Punct::LBrace | Punct::Semi) | TokenKind::Body)
        {
            return false;
        }
        if matches!(self.kind(), TokenKind::Ident | TokenKind::Keyword(_)) && self.type_starts_at(self.position) {
            // `float x float y`.
            self.missing("`,` or `)`");
            return true;
        }
        self.expected("`,` or `)`");
        while !matches!(
            self.kind(),
            TokenKind::Punct(Punct::Comma | Punct::RParen | Punct::Semi | Punct::LBrace | Punct::RBrace)
                | TokenKind::Body
                | TokenKind::Eof
        ) {
            if self.at_line_start_declaration() {
                return false;
            }
            match self.partner_of(self.position) {
                Some(close) => self.position = close + 1,
                None => {
                    self.bump();
                }
            }
        }
        self.eat(Punct::Comma)
    }

    /// `(void)` is an empty list.
    fn is_void_parameter(&self, param: DeclId) -> bool {
        let decl = &self.ast[param];
        let DeclKind::Variable(variable) = &decl.kind else { return false };
        variable.name == UnqualName::Missing
            && decl.attrs.is_empty()
            && self.ast[variable.ty].kind == TypeKind::Builtin(BuiltinType::Void)
    }

    fn parse_parameter(&mut self) -> DeclId {
        let start = self.number();
        let mut specifiers = self.parse_specifiers(SpecifierPlace::Parameter, None);
        let mut declarator =
            self.parse_declarator(specifiers.ty, start, DeclaratorMode::Parameter, None, specifiers.reserved_name);
        self.parse_attributes(&mut declarator.attrs);
        let mut attrs = std::mem::take(&mut specifiers.attrs);
        attrs.append(&mut declarator.attrs);
        let (name, qualifier) = match declarator.name {
            Some(parsed) => match parsed.path.last() {
                Some(segment) => (segment.name, None),
                None => (UnqualName::Missing, None::<Path>),
            },
            None => (UnqualName::Missing, None),
        };
        let pack = declarator.pack;
        let mut ty = declarator.ty;
        if pack {
            let range = self.range_from(start);
            ty = self.ty(TypeKind::Pack(ty), range);
        }
        let variable = Variable {
            name,
            qualifier,
            name_args: None,
            ty,
            init: Init::None,
            kind: VariableKind::Param,
            bit_width: None,
            pack,
        };
        let decl = Decl {
            kind: DeclKind::Variable(variable),
            range: self.range_from(start),
            name_token: if name == UnqualName::Missing { start } else { declarator.name_token },
            scope: self.scope,
            attrs: attrs.into_boxed_slice(),
            specs: specifiers.specs,
            templates: Box::default(),
        };
        let id = self.ast.alloc_decl(decl);
        if let UnqualName::Ident(name) = name {
            self.declare_in(self.scope, name, id);
        }
        if self.eat(Punct::Eq) {
            let value = self.parse_initialiser_clause();
            let range = self.range_from(start);
            let decl = &mut self.ast[id];
            decl.range = range;
            if let DeclKind::Variable(variable) = &mut decl.kind {
                variable.init = Init::Assign(value);
            }
        }
        id
    }
}
