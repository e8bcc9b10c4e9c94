//! Scanning: reading ahead, without building anything, to decide between a declaration and an expression.
//!
//! The functions take and return positions. They share a budget ([`Parser::scan_fuel`]), so that nested ambiguities
//! cost no more than a fixed number of steps a token; when it is used up, every question is answered with "no".

use msl_preproc::{Keyword, Punct, TokenFlags, TokenKind};

use crate::ast::{BuiltinType, SpaceWord, UnqualName};
use crate::lookup::{self, NameClass, QualifierScope};
use crate::parser::Parser;

/// How deeply declarators may be nested for scanning to follow them.
const MAX_SCAN_DEPTH: u32 = 48;

/// Whether a declarator must, may or must not have a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameMode {
    Required,
    Optional,
    Forbidden,
}

/// The address space that a keyword names.
pub(crate) fn space_of_keyword(keyword: Keyword) -> Option<SpaceWord> {
    match keyword {
        Keyword::Thread => Some(SpaceWord::Thread),
        Keyword::Threadgroup => Some(SpaceWord::Threadgroup),
        Keyword::Device => Some(SpaceWord::Device),
        Keyword::Constant => Some(SpaceWord::Constant),
        _ => None,
    }
}

/// Whether a keyword is a type or a part of one: `unsigned`, `int`, `float`.
pub(crate) fn is_type_keyword(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Void
            | Keyword::Bool
            | Keyword::Char
            | Keyword::Short
            | Keyword::Int
            | Keyword::Long
            | Keyword::Float
            | Keyword::Double
            | Keyword::Signed
            | Keyword::Unsigned
            | Keyword::Wchar
            | Keyword::Char16
            | Keyword::Char32
    )
}

/// Whether a keyword qualifies a declaration or a type without being one.
pub(crate) fn is_specifier_keyword(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Const
            | Keyword::Volatile
            | Keyword::Restrict
            | Keyword::Constexpr
            | Keyword::Static
            | Keyword::Inline
            | Keyword::Extern
            | Keyword::Friend
            | Keyword::Explicit
            | Keyword::Virtual
            | Keyword::Typedef
            | Keyword::Mutable
            | Keyword::ThreadLocal
            | Keyword::Register
    )
}

impl Parser<'_> {
    fn burn(&mut self) -> Option<()> {
        self.scan_fuel = self.scan_fuel.checked_sub(1)?;
        Some(())
    }

    pub(crate) fn kind_at(&self, position: usize) -> TokenKind {
        self.token_at(position).kind
    }

    pub(crate) fn punct_at(&self, position: usize, punct: Punct) -> bool {
        self.kind_at(position) == TokenKind::Punct(punct)
    }

    /// The address space that an identifier at `position` names, if it stands where a specifier can stand.
    pub(crate) fn space_word_at(&self, position: usize) -> Option<SpaceWord> {
        let token = self.token_at(position);
        let space = match token.kind {
            TokenKind::Keyword(keyword) => return space_of_keyword(keyword),
            TokenKind::Ident if token.name == self.words.object_data => SpaceWord::ObjectData,
            TokenKind::Ident if token.name == self.words.ray_data => SpaceWord::RayData,
            TokenKind::Ident if token.name == self.words.threadgroup_imageblock => SpaceWord::ThreadgroupImageblock,
            _ => return None,
        };
        // The word is an ordinary name unless a type or a declarator follows.
        match self.kind_at(position + 1) {
            TokenKind::Ident => Some(space),
            TokenKind::Keyword(keyword) => (is_type_keyword(keyword)
                || is_specifier_keyword(keyword)
                || space_of_keyword(keyword).is_some()
                || matches!(keyword, Keyword::Struct | Keyword::Typename | Keyword::Auto | Keyword::Decltype))
            .then_some(space),
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) if position > 0 => {
                // Behind a type, as in `Payload object_data *p`.
                let before = self.kind_at(position - 1);
                matches!(before, TokenKind::Ident | TokenKind::Keyword(_) | TokenKind::Punct(Punct::Gt | Punct::Shr))
                    .then_some(space)
            }
            _ => None,
        }
    }

    /// Whether the word `coherent` at `position` is the qualifier.
    pub(crate) fn coherent_at(&self, position: usize) -> bool {
        let token = self.token_at(position);
        if token.kind != TokenKind::Ident || token.name != self.words.coherent {
            return false;
        }
        match self.kind_at(position + 1) {
            TokenKind::Ident => true,
            TokenKind::Keyword(keyword) => {
                is_type_keyword(keyword) || is_specifier_keyword(keyword) || space_of_keyword(keyword).is_some()
            }
            TokenKind::Punct(Punct::LParen) => {
                matches!(self.kind_at(position + 2), TokenKind::Keyword(keyword) if space_of_keyword(keyword).is_some())
            }
            _ => false,
        }
    }

    /// Whether the word at `position` is `kernel`, `vertex` or `fragment` in its special meaning: in front of more
    /// specifiers or of the name that is declared.
    pub(crate) fn stage_word_at(&self, position: usize) -> bool {
        let token = self.token_at(position);
        if token.kind != TokenKind::Ident || !self.words.is_stage(token.name) {
            return false;
        }
        match self.kind_at(position + 1) {
            TokenKind::Ident | TokenKind::Punct(Punct::ColonColon) => true,
            TokenKind::Keyword(keyword) => {
                is_type_keyword(keyword)
                    || is_specifier_keyword(keyword)
                    || space_of_keyword(keyword).is_some()
                    || matches!(
                        keyword,
                        Keyword::Struct
                            | Keyword::Class
                            | Keyword::Enum
                            | Keyword::Union
                            | Keyword::Typename
                            | Keyword::Auto
                            | Keyword::Decltype
                            | Keyword::Attribute
                            | Keyword::Alignas
                    )
            }
            TokenKind::Punct(Punct::LBracket) => self.punct_at(position + 2, Punct::LBracket),
            _ => false,
        }
    }

    /// Whether `[[` stands at `position`.
    pub(crate) fn attribute_at(&self, position: usize) -> bool {
        self.punct_at(position, Punct::LBracket) && self.punct_at(position + 1, Punct::LBracket)
    }

    /// Behind the attributes at `position`.
    pub(crate) fn scan_attributes(&mut self, mut position: usize) -> Option<usize> {
        loop {
            self.burn()?;
            if self.attribute_at(position) {
                position = self.partner_of(position)? + 1;
            } else if matches!(self.kind_at(position), TokenKind::Keyword(Keyword::Attribute | Keyword::Alignas)) {
                position = self.partner_of(position + 1)? + 1;
            } else {
                return Some(position);
            }
        }
    }

    /// Whether a type can start at the current token.
    pub(crate) fn at_type_start(&mut self) -> bool {
        self.type_starts_at(self.position)
    }

    /// Whether a type can start at `position`: a type name, or a word that only a type can follow.
    pub(crate) fn type_starts_at(&mut self, position: usize) -> bool {
        match self.kind_at(position) {
            TokenKind::Keyword(keyword) => {
                is_type_keyword(keyword)
                    || space_of_keyword(keyword).is_some()
                    || matches!(
                        keyword,
                        Keyword::Const
                            | Keyword::Volatile
                            | Keyword::Struct
                            | Keyword::Class
                            | Keyword::Union
                            | Keyword::Enum
                            | Keyword::Typename
                            | Keyword::Decltype
                            | Keyword::Auto
                    )
            }
            TokenKind::Ident => {
                let name = self.token_at(position).name;
                if self.space_word_at(position).is_some() || self.coherent_at(position) {
                    return true;
                }
                if name == self.words.half || name == self.words.bfloat || self.words.typeof_names.contains(&name) {
                    return true;
                }
                if self.transform_at(position) {
                    return true;
                }
                matches!(self.scan_path(position), Some((_, class)) if class.is_type())
            }
            TokenKind::Punct(Punct::ColonColon) => {
                matches!(self.scan_path(position), Some((_, class)) if class.is_type())
            }
            _ => false,
        }
    }

    /// Whether a built-in type transformation such as `__underlying_type(T)` stands at `position`.
    pub(crate) fn transform_at(&self, position: usize) -> bool {
        let token = self.token_at(position);
        if token.kind != TokenKind::Ident || !self.punct_at(position + 1, Punct::LParen) {
            return false;
        }
        let text = token.name.bytes();
        text.starts_with(b"__")
            && (text == b"__underlying_type"
                || text == b"__decay"
                || [&b"__remove_"[..], b"__add_", b"__make_"].iter().any(|prefix| text.starts_with(prefix)))
    }

    /// Behind the path at `position`, and what it names.
    pub(crate) fn scan_path(&mut self, mut position: usize) -> Option<(usize, NameClass)> {
        let mut qualifier = None;
        if self.punct_at(position, Punct::ColonColon) {
            qualifier = Some(QualifierScope::Scope(lookup::global_scope(&self.ast, self.scope)));
            position += 1;
        }
        loop {
            self.burn()?;
            let template_keyword = self.kind_at(position) == TokenKind::Keyword(Keyword::Template);
            if template_keyword {
                position += 1;
            }
            let token = self.token_at(position);
            if token.kind != TokenKind::Ident {
                return None;
            }
            let class = self.classify_segment(qualifier, token.name);
            position += 1;
            if self.punct_at(position, Punct::Lt) {
                let opens = template_keyword || class.is_template() || class == NameClass::Type;
                let opens = opens
                    || matches!(class, NameClass::Unknown | NameClass::Dependent)
                        && self.unknown_args_at(position, class, false);
                if opens {
                    position = self.scan_angles(position)?;
                }
            }
            let goes_on = self.punct_at(position, Punct::ColonColon)
                && matches!(self.kind_at(position + 1), TokenKind::Ident | TokenKind::Keyword(Keyword::Template));
            if !goes_on {
                return Some((position, class));
            }
            qualifier = Some(self.scope_behind(qualifier, UnqualName::Ident(token.name)));
            position += 1;
        }
    }

    /// Whether the `<` at the current position, behind a name that nothing is known of, opens template arguments.
    pub(crate) fn scan_unknown_template_args(&mut self, class: NameClass, type_place: bool) -> bool {
        self.unknown_args_at(self.position, class, type_place)
    }

    fn unknown_args_at(&mut self, position: usize, class: NameClass, type_place: bool) -> bool {
        let Some(end) = self.scan_angles(position) else { return false };
        if type_place {
            return true;
        }
        if matches!(self.kind_at(end), TokenKind::Punct(Punct::ColonColon | Punct::LBrace)) {
            return true;
        }
        if self.punct_at(position + 1, Punct::Gt) {
            return true;
        }
        // `unknown < int > (x)`: only a type can stand there. A lone literal is compared with nothing twice.
        // With a dependent name it is compared all the same.
        let lone_literal =
            class == NameClass::Unknown && self.kind_at(position + 1) == TokenKind::Int && end == position + 3;
        lone_literal || self.type_starts_at(position + 1)
    }

    /// Behind the `>` that closes the `<` at `position`; at the token itself if only its first character does.
    pub(crate) fn scan_angles(&mut self, mut position: usize) -> Option<usize> {
        let mut depth = 1u32;
        position += 1;
        loop {
            self.burn()?;
            match self.kind_at(position) {
                TokenKind::Eof | TokenKind::Body => return None,
                TokenKind::Punct(punct) => match punct {
                    Punct::Semi | Punct::RBrace | Punct::RParen | Punct::RBracket => return None,
                    Punct::LParen | Punct::LBracket | Punct::LBrace => position = self.partner_of(position)?,
                    Punct::Lt => {
                        let before = self.token_at(position - 1);
                        let opens = match before.kind {
                            TokenKind::Ident => {
                                let class = self.classify_name(before.name);
                                class.is_template()
                                    || class != NameClass::Value
                                    || self.kind_at(position - 2) == TokenKind::Keyword(Keyword::Template)
                            }
                            TokenKind::Keyword(
                                Keyword::StaticCast | Keyword::ConstCast | Keyword::ReinterpretCast | Keyword::Template,
                            ) => true,
                            _ => false,
                        };
                        depth += u32::from(opens);
                    }
                    Punct::Gt => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(position + 1);
                        }
                    }
                    Punct::Shr => {
                        if depth == 1 {
                            return Some(position);
                        }
                        depth -= 2;
                        if depth == 0 {
                            return Some(position + 1);
                        }
                    }
                    Punct::GtEq | Punct::ShrEq if depth == 1 => return Some(position),
                    _ => {}
                },
                _ => {}
            }
            position += 1;
        }
    }

    /// Behind declaration specifiers at `position` that hold a type; `None` if there is no type.
    pub(crate) fn scan_specifiers(&mut self, mut position: usize) -> Option<usize> {
        let mut seen_type = false;
        loop {
            self.burn()?;
            match self.kind_at(position) {
                TokenKind::Keyword(keyword) => {
                    if is_type_keyword(keyword) || keyword == Keyword::Auto {
                        seen_type = true;
                        position += 1;
                    } else if space_of_keyword(keyword).is_some() || is_specifier_keyword(keyword) {
                        position += 1;
                    } else {
                        match keyword {
                            Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum => {
                                position = self.scan_attributes(position + 1)?;
                                if self.kind_at(position) == TokenKind::Ident {
                                    position = self.scan_path(position)?.0;
                                }
                                if keyword == Keyword::Enum && self.punct_at(position, Punct::Colon) {
                                    position = self.scan_specifiers(position + 1)?;
                                }
                                if self.punct_at(position, Punct::LBrace) {
                                    position = self.partner_of(position)? + 1;
                                }
                                seen_type = true;
                            }
                            Keyword::Typename => {
                                position = self.scan_path(position + 1)?.0;
                                seen_type = true;
                            }
                            Keyword::Decltype => {
                                position = self.partner_of(position + 1)? + 1;
                                seen_type = true;
                            }
                            Keyword::Attribute | Keyword::Alignas => position = self.scan_attributes(position)?,
                            _ => break,
                        }
                    }
                }
                TokenKind::Punct(Punct::LBracket) if self.attribute_at(position) => {
                    position = self.scan_attributes(position)?;
                }
                TokenKind::Ident | TokenKind::Punct(Punct::ColonColon) => {
                    if self.space_word_at(position).is_some() {
                        position += 1;
                        continue;
                    }
                    if self.coherent_at(position) {
                        position = self.partner_of(position + 1).map_or(position, |close| close) + 1;
                        continue;
                    }
                    if seen_type {
                        break;
                    }
                    let name = self.token_at(position).name;
                    if name == self.words.half || name == self.words.bfloat {
                        seen_type = true;
                        position += 1;
                        continue;
                    }
                    if self.transform_at(position) || self.words.typeof_names.contains(&name) {
                        position = self.partner_of(position + 1)? + 1;
                        seen_type = true;
                        continue;
                    }
                    let (end, class) = self.scan_path(position)?;
                    let is_type = class.is_type()
                        || matches!(class, NameClass::Unknown | NameClass::Dependent) && self.names_declared_at(end);
                    if !is_type {
                        return None;
                    }
                    seen_type = true;
                    position = end;
                }
                _ => break,
            }
        }
        seen_type.then_some(position)
    }

    /// Whether what stands at `position`, behind an unknown name, makes that name a type: `unknown x`, `unknown *x,`.
    pub(crate) fn names_declared_at(&self, position: usize) -> bool {
        match self.kind_at(position) {
            TokenKind::Ident => !self.token_at(position).flags.has(TokenFlags::LINE_START),
            TokenKind::Keyword(keyword) => {
                is_type_keyword(keyword) || space_of_keyword(keyword).is_some() || keyword == Keyword::Const
            }
            TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => {
                self.kind_at(position + 1) == TokenKind::Ident
                    && (matches!(
                        self.kind_at(position + 2),
                        TokenKind::Punct(Punct::Comma | Punct::RParen | Punct::Semi | Punct::Eq)
                    ) || self.attribute_at(position + 2))
            }
            _ => false,
        }
    }

    /// Behind pointer operators at `position`.
    fn scan_pointer_operators(&mut self, mut position: usize) -> Option<usize> {
        loop {
            self.burn()?;
            match self.kind_at(position) {
                TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => position += 1,
                TokenKind::Keyword(Keyword::Const | Keyword::Volatile | Keyword::Restrict) => position += 1,
                TokenKind::Keyword(keyword) if space_of_keyword(keyword).is_some() => position += 1,
                TokenKind::Punct(Punct::LBracket) if self.attribute_at(position) => {
                    position = self.scan_attributes(position)?;
                }
                TokenKind::Ident if self.space_word_at(position).is_some() => position += 1,
                TokenKind::Ident
                    if matches!(self.kind_at(position + 1), TokenKind::Punct(Punct::ColonColon | Punct::Lt)) =>
                {
                    match self.member_pointer_at(position) {
                        Some(end) => position = end,
                        None => return Some(position),
                    }
                }
                _ => return Some(position),
            }
        }
    }

    /// Behind `C::*` at `position`.
    pub(crate) fn member_pointer_at(&mut self, position: usize) -> Option<usize> {
        if !matches!(self.kind_at(position + 1), TokenKind::Punct(Punct::ColonColon | Punct::Lt)) {
            return None;
        }
        let (end, _) = self.scan_path(position)?;
        (self.punct_at(end, Punct::ColonColon) && self.punct_at(end + 1, Punct::Star)).then_some(end + 2)
    }

    /// Behind the declarator at `position`.
    pub(crate) fn scan_declarator(&mut self, position: usize, mode: NameMode) -> Option<usize> {
        self.scan_declarator_at(position, mode, 0)
    }

    fn scan_declarator_at(&mut self, position: usize, mode: NameMode, depth: u32) -> Option<usize> {
        if depth > MAX_SCAN_DEPTH {
            return None;
        }
        let mut position = self.scan_pointer_operators(position)?;
        let mut named = false;
        match self.kind_at(position) {
            TokenKind::Ident if mode != NameMode::Forbidden => {
                let qualified = matches!(self.kind_at(position + 1), TokenKind::Punct(Punct::ColonColon | Punct::Lt));
                position = if qualified { self.scan_path(position)?.0 } else { position + 1 };
                named = true;
            }
            TokenKind::Punct(Punct::Ellipsis) => {
                position += 1;
                if self.kind_at(position) == TokenKind::Ident && mode != NameMode::Forbidden {
                    position += 1;
                    named = true;
                }
            }
            TokenKind::Punct(Punct::LParen) => {
                let close = self.partner_of(position)?;
                let is_parameters = self.punct_at(position + 1, Punct::RParen)
                    || mode != NameMode::Required && self.scan_parameter_clause_at(position, depth + 1).is_some();
                let inner = if is_parameters {
                    None
                } else {
                    let inner = self.scan_declarator_at(position + 1, mode, depth + 1);
                    inner.filter(|&end| end == close && end > position + 1)
                };
                match inner {
                    Some(_) => {
                        position = close + 1;
                        named = true;
                    }
                    None if mode == NameMode::Required => return None,
                    None => {}
                }
            }
            _ => {}
        }
        if mode == NameMode::Required && !named {
            return None;
        }
        loop {
            self.burn()?;
            match self.kind_at(position) {
                TokenKind::Punct(Punct::LBracket) => position = self.partner_of(position)? + 1,
                TokenKind::Punct(Punct::LParen) => match self.scan_parameter_clause_at(position, depth + 1) {
                    Some(end) => position = self.scan_function_trailer(end)?,
                    None if mode == NameMode::Required => return Some(position),
                    None => return None,
                },
                _ => return Some(position),
            }
        }
    }

    /// Behind `const`, address spaces, `noexcept` and a trailing return type.
    fn scan_function_trailer(&mut self, mut position: usize) -> Option<usize> {
        loop {
            self.burn()?;
            match self.kind_at(position) {
                TokenKind::Keyword(Keyword::Const | Keyword::Volatile) => position += 1,
                TokenKind::Keyword(keyword) if space_of_keyword(keyword).is_some() => position += 1,
                TokenKind::Keyword(Keyword::Noexcept) => {
                    position += 1;
                    if self.punct_at(position, Punct::LParen) {
                        position = self.partner_of(position)? + 1;
                    }
                }
                TokenKind::Punct(Punct::Arrow) => {
                    position = self.scan_specifiers(position + 1)?;
                    position = self.scan_pointer_operators(position)?;
                }
                _ => return Some(position),
            }
        }
    }

    /// Behind the parameter list whose `(` is at `position`; `None` if it cannot be one.
    pub(crate) fn scan_parameter_clause(&mut self, position: usize) -> Option<usize> {
        self.scan_parameter_clause_at(position, 0)
    }

    fn scan_parameter_clause_at(&mut self, position: usize, depth: u32) -> Option<usize> {
        if depth > MAX_SCAN_DEPTH {
            return None;
        }
        let close = self.partner_of(position)?;
        let mut position = position + 1;
        if position == close {
            return Some(close + 1);
        }
        loop {
            self.burn()?;
            if self.punct_at(position, Punct::Ellipsis) && position + 1 == close {
                return Some(close + 1);
            }
            position = self.scan_specifiers(position)?;
            position = self.scan_declarator_at(position, NameMode::Optional, depth + 1)?;
            position = self.scan_attributes(position)?;
            if self.punct_at(position, Punct::Eq) {
                while position < close && !self.punct_at(position, Punct::Comma) {
                    self.burn()?;
                    position = match self.kind_at(position) {
                        TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                            self.partner_of(position)? + 1
                        }
                        TokenKind::Punct(Punct::Lt) => self.scan_angles(position).unwrap_or(position + 1),
                        _ => position + 1,
                    };
                }
            }
            if self.punct_at(position, Punct::Ellipsis) {
                position += 1;
            }
            if position == close {
                return Some(close + 1);
            }
            if !self.punct_at(position, Punct::Comma) {
                return None;
            }
            position += 1;
        }
    }

    /// Whether `position` ends a type-id in a template argument, a cast or `sizeof`.
    pub(crate) fn ends_type_id(&self, position: usize) -> bool {
        matches!(
            self.kind_at(position),
            TokenKind::Punct(
                Punct::Comma
                    | Punct::Gt
                    | Punct::Shr
                    | Punct::GtEq
                    | Punct::ShrEq
                    | Punct::Ellipsis
                    | Punct::RParen
                    | Punct::RBracket
            ) | TokenKind::Eof
        )
    }

    /// Whether the rest of a type-id stands at `position`, behind its specifiers.
    pub(crate) fn abstract_declarator_at(&mut self, position: usize) -> bool {
        matches!(self.scan_declarator(position, NameMode::Forbidden), Some(end) if self.ends_type_id(end))
    }
}

/// The built-in type of a run of keywords, or what is wrong with the run.
#[derive(Clone, Copy, Default)]
pub(crate) struct BuiltinWords {
    pub(crate) signed: bool,
    pub(crate) unsigned: bool,
    pub(crate) short: bool,
    pub(crate) long: u8,
    pub(crate) base: Option<Keyword>,
    pub(crate) any: bool,
}

impl BuiltinWords {
    /// Adds a keyword; `false` if it does not fit to those before it.
    pub(crate) fn add(&mut self, keyword: Keyword) -> bool {
        self.any = true;
        match keyword {
            Keyword::Signed => !std::mem::replace(&mut self.signed, true) && !self.unsigned,
            Keyword::Unsigned => !std::mem::replace(&mut self.unsigned, true) && !self.signed,
            Keyword::Short => !std::mem::replace(&mut self.short, true) && self.long == 0,
            Keyword::Long => {
                self.long = self.long.saturating_add(1);
                self.long <= 2 && !self.short
            }
            _ => self.base.replace(keyword).is_none(),
        }
    }

    /// Whether a keyword does not fit to those before it.
    pub(crate) fn conflicts(mut self, keyword: Keyword) -> bool {
        !self.add(keyword)
    }

    /// The type of the whole run.
    pub(crate) fn resolve(self) -> BuiltinType {
        match self.base {
            Some(Keyword::Void) => BuiltinType::Void,
            Some(Keyword::Bool) => BuiltinType::Bool,
            Some(Keyword::Float) => BuiltinType::Float,
            Some(Keyword::Double) if self.long > 0 => BuiltinType::LongDouble,
            Some(Keyword::Double) => BuiltinType::Double,
            Some(Keyword::Wchar) => BuiltinType::Wchar,
            Some(Keyword::Char16) => BuiltinType::Char16,
            Some(Keyword::Char32) => BuiltinType::Char32,
            Some(Keyword::Char) if self.unsigned => BuiltinType::UChar,
            Some(Keyword::Char) if self.signed => BuiltinType::SChar,
            Some(Keyword::Char) => BuiltinType::Char,
            _ => match (self.short, self.long, self.unsigned) {
                (true, _, true) => BuiltinType::UShort,
                (true, _, false) => BuiltinType::Short,
                (_, 0, true) => BuiltinType::UInt,
                (_, 0, false) => BuiltinType::Int,
                (_, 1, true) => BuiltinType::ULong,
                (_, 1, false) => BuiltinType::Long,
                (_, _, true) => BuiltinType::ULongLong,
                (_, _, false) => BuiltinType::LongLong,
            },
        }
    }
}
