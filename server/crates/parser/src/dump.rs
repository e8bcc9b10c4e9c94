//! A readable form of trees, for tests and for people who look into the parser.
//!
//! One declaration or statement a line, nested ones indented; expressions as S-expressions; types from the outside in
//! (`ptr device float` is a pointer to `device float`). Ranges are left out, so that trees of the same code in
//! different layers compare equal.

use std::fmt::Write;

use crate::ast::{
    Ast, AttrId, AttrSyntax, BinaryOp, BuiltinType, Capture, CaptureMode, Condition, DeclId, DeclKind, ExprId,
    ExprKind, Function, FunctionBody, FunctionRole, Init, MemInit, NamedCast, OverloadedOp, Path, Quals, RecordKey,
    RefQualifier, SizeofOp, SpaceWord, Specs, StmtId, StmtKind, TemplateArg, TemplateArgKind, TemplateId, TypeId,
    TypeKind, UnaryOp, UnqualName, Unroll, Variable,
};

/// How deeply a dump follows the tree; below it stands `…`.
const MAX_DEPTH: usize = 400;

/// The declarations of a list.
pub fn dump_decls(ast: &Ast, decls: &[DeclId]) -> String {
    let mut dumper = Dumper { ast, out: String::new(), indent: 0, depth: 0 };
    for &decl in decls {
        dumper.decl(decl);
    }
    dumper.out
}

/// A statement and what it holds.
pub fn dump_stmt(ast: &Ast, stmt: StmtId) -> String {
    let mut dumper = Dumper { ast, out: String::new(), indent: 0, depth: 0 };
    dumper.stmt(stmt);
    dumper.out
}

/// Member initialisers, one a line.
pub fn dump_inits(ast: &Ast, inits: &[MemInit]) -> String {
    let mut dumper = Dumper { ast, out: String::new(), indent: 0, depth: 0 };
    for init in inits {
        let target = dumper.ty(init.target);
        let value = dumper.init(&init.init);
        let expansion = if init.expansion { "..." } else { "" };
        dumper.line(&format!("init {target}{value}{expansion}"));
    }
    dumper.out
}

/// An expression.
pub fn dump_expr(ast: &Ast, expr: ExprId) -> String {
    Dumper { ast, out: String::new(), indent: 0, depth: 0 }.expr(expr)
}

/// A name without qualifiers.
pub fn dump_name(ast: &Ast, name: UnqualName) -> String {
    Dumper { ast, out: String::new(), indent: 0, depth: 0 }.unqual(name)
}

/// A type.
pub fn dump_type(ast: &Ast, ty: TypeId) -> String {
    Dumper { ast, out: String::new(), indent: 0, depth: 0 }.ty(ty)
}

struct Dumper<'a> {
    ast: &'a Ast,
    out: String,
    indent: usize,
    depth: usize,
}

impl Dumper<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn nested(&mut self, body: impl FnOnce(&mut Self)) {
        self.indent += 1;
        self.depth += 1;
        if self.depth < MAX_DEPTH {
            body(self);
        } else {
            self.line("…");
        }
        self.depth -= 1;
        self.indent -= 1;
    }

    fn decl(&mut self, id: DeclId) {
        let decl = &self.ast[id];
        let mut head = String::new();
        for &header in &decl.templates {
            let _ = write!(head, "{} ", self.header(header));
        }
        head.push_str(&self.attrs(&decl.attrs));
        head.push_str(&specs(decl.specs));
        match &decl.kind {
            DeclKind::Empty => self.line(&format!("{head}empty")),
            DeclKind::Namespace { name, inline, decls, .. } => {
                let inline = if *inline { "inline " } else { "" };
                self.line(&format!("{head}{inline}namespace {name}"));
                self.nested(|dumper| decls.iter().for_each(|&decl| dumper.decl(decl)));
            }
            DeclKind::NamespaceAlias { name, target } => {
                let target = self.path(target);
                self.line(&format!("{head}namespace {name} = {target}"));
            }
            DeclKind::UsingDirective { target } => {
                let target = self.path(target);
                self.line(&format!("{head}using namespace {target}"));
            }
            DeclKind::UsingDecl { target, typename } => {
                let target = self.path(target);
                let typename = if *typename { "typename " } else { "" };
                self.line(&format!("{head}using {typename}{target}"));
            }
            DeclKind::TypeAlias { name, ty } => {
                let ty = self.ty(*ty);
                self.line(&format!("{head}alias {name} = {ty}"));
            }
            DeclKind::StaticAssert { cond, message } => {
                let cond = self.expr(*cond);
                let message = message.map(|message| format!(" {}", self.expr(message))).unwrap_or_default();
                self.line(&format!("{head}static_assert {cond}{message}"));
            }
            DeclKind::Variable(variable) => {
                let text = self.variable(variable);
                self.line(&format!("{head}{text}"));
            }
            DeclKind::Function(function) => {
                let text = self.function(function);
                self.line(&format!("{head}{text}"));
            }
            DeclKind::Record(record) => {
                let key = key(record.key);
                let name = self.qualified(&record.qualifier, &record.name.to_string(), &record.name_args);
                let bases: Vec<String> = record
                    .bases
                    .iter()
                    .map(|base| {
                        let virtual_ = if base.is_virtual { "virtual " } else { "" };
                        let expansion = if base.expansion { "..." } else { "" };
                        format!("{virtual_}{}{expansion}", self.ty(base.ty))
                    })
                    .collect();
                let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
                let declared = if record.scope.is_none() { " declared" } else { "" };
                self.line(&format!("{head}{key} {name}{bases}{declared}"));
                self.nested(|dumper| record.members.iter().for_each(|&member| dumper.decl(member)));
            }
            DeclKind::Enum(data) => {
                let scoped = if data.scoped { "class " } else { "" };
                let name = self.qualified(&data.qualifier, &data.name.to_string(), &None);
                let underlying = data.underlying.map(|ty| format!(" : {}", self.ty(ty))).unwrap_or_default();
                self.line(&format!("{head}enum {scoped}{name}{underlying}"));
                self.nested(|dumper| data.enumerators.iter().for_each(|&enumerator| dumper.decl(enumerator)));
            }
            DeclKind::Enumerator { name, value } => {
                let value = value.map(|value| format!(" = {}", self.expr(value))).unwrap_or_default();
                self.line(&format!("{head}{name}{value}"));
            }
            DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } => {
                let text = self.template_parameter(id);
                self.line(&format!("{head}{text}"));
            }
            DeclKind::StructuredBinding { ty, names, init } => {
                let names: Vec<String> = names.iter().map(|&name| self.name_of(name)).collect();
                let ty = self.ty(*ty);
                let init = init.map(|init| format!(" = {}", self.expr(init))).unwrap_or_default();
                self.line(&format!("{head}binding [{}]: {ty}{init}", names.join(", ")));
            }
            DeclKind::DeductionGuide { name, ty, .. } => {
                let ty = self.ty(*ty);
                self.line(&format!("{head}guide {name}: {ty}"));
            }
            DeclKind::FriendType(ty) => {
                let ty = self.ty(*ty);
                self.line(&format!("{head}friend {ty}"));
            }
            DeclKind::Asm => self.line(&format!("{head}asm")),
            DeclKind::Label(name) => self.line(&format!("{head}label {name}")),
        }
    }

    fn name_of(&self, decl: DeclId) -> String {
        match &self.ast[decl].kind {
            DeclKind::Variable(variable) => self.unqual(variable.name),
            _ => "?".to_owned(),
        }
    }

    fn qualified(&mut self, qualifier: &Option<Path>, name: &str, args: &Option<Box<[TemplateArg]>>) -> String {
        let qualifier = qualifier.as_ref().map(|path| format!("{}::", self.path(path))).unwrap_or_default();
        let args = args.as_deref().map(|args| self.template_args(args)).unwrap_or_default();
        format!("{}{name}{args}", if qualifier == "::::" { "::" } else { &qualifier })
    }

    fn variable(&mut self, variable: &Variable) -> String {
        let name = self.unqual(variable.name);
        let name = self.qualified(&variable.qualifier, &name, &variable.name_args);
        let ty = self.ty(variable.ty);
        let width = variable.bit_width.map(|width| format!(" width {}", self.expr(width))).unwrap_or_default();
        let init = self.init(&variable.init);
        format!("var {name}: {ty}{width}{init}")
    }

    fn init(&mut self, init: &Init) -> String {
        match init {
            Init::None | Init::Implied => String::new(),
            Init::Assign(expr) => format!(" = {}", self.expr(*expr)),
            Init::Paren(args) => format!(" ({})", self.exprs(args)),
            Init::Brace(list) => format!(" {}", self.expr(*list)),
        }
    }

    fn function(&mut self, function: &Function) -> String {
        let name = self.unqual(function.name);
        let name = self.qualified(&function.qualifier, &name, &function.name_args);
        let role = match function.role {
            FunctionRole::Plain => "fn",
            FunctionRole::Constructor => "ctor",
            FunctionRole::Destructor => "dtor",
            FunctionRole::Conversion => "conv",
        };
        let ty = self.ty(function.ty);
        let inits = if function.inits.is_empty() { "" } else { " inits" };
        let body = match function.body {
            FunctionBody::None => "",
            FunctionBody::Deferred(_) | FunctionBody::Inline(_) => " body",
            FunctionBody::Defaulted => " default",
            FunctionBody::Deleted => " delete",
        };
        format!("{role} {name}: {ty}{inits}{body}")
    }

    fn header(&mut self, header: TemplateId) -> String {
        let params: Vec<String> = self.ast[header].params.iter().map(|&param| self.template_parameter(param)).collect();
        format!("<{}>", params.join(", "))
    }

    fn template_parameter(&mut self, param: DeclId) -> String {
        match &self.ast[param].kind {
            DeclKind::TypeParam { name, pack, default } => {
                let pack = if *pack { "..." } else { "" };
                let default = default.map(|default| format!(" = {}", self.ty(default))).unwrap_or_default();
                format!("type{pack} {name}{default}")
            }
            DeclKind::TemplateParam { name, pack, header, default } => {
                let pack = if *pack { "..." } else { "" };
                let header = self.header(*header);
                let default = default.map(|default| format!(" = {}", self.ty(default))).unwrap_or_default();
                format!("template {header}{pack} {name}{default}")
            }
            DeclKind::Variable(variable) => {
                let name = self.unqual(variable.name);
                let ty = self.ty(variable.ty);
                let init = self.init(&variable.init);
                format!("{name}: {ty}{init}")
            }
            _ => "?".to_owned(),
        }
    }

    fn attrs(&mut self, attrs: &[AttrId]) -> String {
        let mut text = String::new();
        for &attr in attrs {
            let attr = &self.ast[attr];
            let namespace = attr.namespace.map(|namespace| format!("{namespace}::")).unwrap_or_default();
            let args = if attr.has_args { format!("({})", self.exprs(&attr.args)) } else { String::new() };
            let name = attr.name;
            let _ = match attr.syntax {
                AttrSyntax::Brackets => write!(text, "[[{namespace}{name}{args}]] "),
                AttrSyntax::Gnu => write!(text, "__attribute__(({namespace}{name}{args})) "),
                AttrSyntax::Alignas => write!(text, "alignas{args} "),
            };
        }
        text
    }

    fn unqual(&self, name: UnqualName) -> String {
        match name {
            UnqualName::Ident(name) => name.to_string(),
            UnqualName::Operator(op) => match op {
                OverloadedOp::Punct(punct) => format!("operator{}", punct.text()),
                OverloadedOp::Call => "operator()".to_owned(),
                OverloadedOp::Index => "operator[]".to_owned(),
                OverloadedOp::New => "operator new".to_owned(),
                OverloadedOp::Delete => "operator delete".to_owned(),
                OverloadedOp::NewArray => "operator new[]".to_owned(),
                OverloadedOp::DeleteArray => "operator delete[]".to_owned(),
            },
            UnqualName::Conversion(ty) => format!("operator {}", dump_type(self.ast, ty)),
            UnqualName::Destructor(name) => format!("~{name}"),
            UnqualName::Literal(name) => format!("operator\"\"{name}"),
            UnqualName::Missing => "?".to_owned(),
        }
    }

    fn path(&mut self, path: &Path) -> String {
        let mut text = String::new();
        if let Some(operand) = path.decltype {
            let _ = write!(text, "decltype({})", self.expr(operand));
            if !path.segments.is_empty() {
                text.push_str("::");
            }
        } else if path.global {
            text.push_str("::");
        }
        for (index, segment) in path.segments.iter().enumerate() {
            if index > 0 {
                text.push_str("::");
            }
            if segment.template_keyword {
                text.push_str("template ");
            }
            text.push_str(&self.unqual(segment.name));
            if let Some(args) = &segment.args {
                text.push_str(&self.template_args(args));
            }
        }
        text
    }

    fn template_args(&mut self, args: &[TemplateArg]) -> String {
        let args: Vec<String> = args
            .iter()
            .map(|arg| {
                let text = match arg.kind {
                    TemplateArgKind::Type(ty) => self.ty(ty),
                    TemplateArgKind::Expr(expr) => format!("#{}", self.expr(expr)),
                };
                format!("{text}{}", if arg.expansion { "..." } else { "" })
            })
            .collect();
        format!("<{}>", args.join(", "))
    }

    fn ty(&mut self, id: TypeId) -> String {
        if self.depth > MAX_DEPTH {
            return "…".to_owned();
        }
        self.depth += 1;
        let text = match &self.ast[id].kind {
            TypeKind::Error => "<error>".to_owned(),
            TypeKind::None => "<none>".to_owned(),
            TypeKind::Builtin(builtin) => builtin_name(*builtin).to_owned(),
            TypeKind::Auto => "auto".to_owned(),
            TypeKind::DecltypeAuto => "decltype(auto)".to_owned(),
            TypeKind::Decltype(expr) => format!("decltype({})", self.expr(*expr)),
            TypeKind::Path { path, typename } => {
                let typename = if *typename { "typename " } else { "" };
                format!("{typename}{}", self.path(path))
            }
            TypeKind::Elaborated { key: record_key, path } => format!("{} {}", key(*record_key), self.path(path)),
            TypeKind::ElaboratedEnum { path } => format!("enum {}", self.path(path)),
            TypeKind::Record(decl) => match &self.ast[*decl].kind {
                DeclKind::Record(record) => format!("{{{} {}}}", key(record.key), record.name),
                _ => "?".to_owned(),
            },
            TypeKind::Enum(decl) => match &self.ast[*decl].kind {
                DeclKind::Enum(data) => format!("{{enum {}}}", data.name),
                _ => "?".to_owned(),
            },
            TypeKind::Qualified { inner, quals } => {
                let quals = self.quals(quals);
                format!("{quals}{}", self.ty(*inner))
            }
            TypeKind::Pointer(inner) => format!("ptr {}", self.ty(*inner)),
            TypeKind::LRef(inner) => format!("ref {}", self.ty(*inner)),
            TypeKind::RRef(inner) => format!("rref {}", self.ty(*inner)),
            TypeKind::Array { elem, len } => {
                let len = len.map(|len| self.expr(len)).unwrap_or_default();
                format!("array[{len}] {}", self.ty(*elem))
            }
            TypeKind::Function(function) => {
                let mut params: Vec<String> = function
                    .params
                    .iter()
                    .map(|&param| {
                        let decl = &self.ast[param];
                        let attrs = self.attrs(&decl.attrs);
                        match &decl.kind {
                            DeclKind::Variable(variable) => {
                                let ty = self.ty(variable.ty);
                                let init = self.init(&variable.init);
                                match variable.name {
                                    UnqualName::Missing => format!("{attrs}{ty}{init}"),
                                    name => format!("{attrs}{}: {ty}{init}", self.unqual(name)),
                                }
                            }
                            _ => "?".to_owned(),
                        }
                    })
                    .collect();
                if function.variadic {
                    params.push("...".to_owned());
                }
                let quals = self.quals(&function.this_quals);
                let reference = match function.this_ref {
                    RefQualifier::None => "",
                    RefQualifier::LValue => "& ",
                    RefQualifier::RValue => "&& ",
                };
                let arrow = if function.trailing_return { "~>" } else { "->" };
                format!("({}) {quals}{reference}{arrow} {}", params.join(", "), self.ty(function.ret))
            }
            TypeKind::MemberPointer { class, pointee } => {
                format!("memptr {} {}", self.path(class), self.ty(*pointee))
            }
            TypeKind::Pack(inner) => format!("pack {}", self.ty(*inner)),
            TypeKind::Transform { name, arg } => format!("{name}({})", self.ty(*arg)),
        };
        self.depth -= 1;
        text
    }

    fn quals(&mut self, quals: &Quals) -> String {
        let mut text = String::new();
        for (space, _) in &quals.spaces {
            text.push_str(match space {
                SpaceWord::Thread => "thread ",
                SpaceWord::Threadgroup => "threadgroup ",
                SpaceWord::ThreadgroupImageblock => "threadgroup_imageblock ",
                SpaceWord::Device => "device ",
                SpaceWord::Constant => "constant ",
                SpaceWord::ObjectData => "object_data ",
                SpaceWord::RayData => "ray_data ",
            });
        }
        for (set, word) in [
            (quals.is_const, "const "),
            (quals.is_volatile, "volatile "),
            (quals.is_restrict, "restrict "),
            (quals.coherent.is_some(), "coherent "),
        ] {
            if set {
                text.push_str(word);
            }
        }
        text
    }

    fn exprs(&mut self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&mut self, id: ExprId) -> String {
        if self.depth > MAX_DEPTH {
            return "…".to_owned();
        }
        self.depth += 1;
        let text = self.expr_unchecked(id);
        self.depth -= 1;
        text
    }

    fn expr_unchecked(&mut self, id: ExprId) -> String {
        match &self.ast[id].kind {
            ExprKind::Error => "<error>".to_owned(),
            ExprKind::Int(name) | ExprKind::Float(name) | ExprKind::Char(name) => name.to_string(),
            ExprKind::String(parts) => parts.iter().map(|part| part.to_string()).collect::<Vec<_>>().join(" "),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Nullptr => "nullptr".to_owned(),
            ExprKind::This => "this".to_owned(),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Paren(inner) => format!("({})", self.expr(*inner)),
            ExprKind::Unary { op, operand, .. } => format!("({} {})", unary_name(*op), self.expr(*operand)),
            ExprKind::Binary { op, lhs, rhs, .. } => {
                format!("({} {} {})", binary_name(*op), self.expr(*lhs), self.expr(*rhs))
            }
            ExprKind::Assign { op, lhs, rhs, .. } => {
                format!("({}= {} {})", op.map_or("", binary_name), self.expr(*lhs), self.expr(*rhs))
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                format!("(? {} {} {})", self.expr(*cond), self.expr(*then), self.expr(*otherwise))
            }
            ExprKind::Call { callee, args } => format!("(call {}{})", self.expr(*callee), self.list(args)),
            ExprKind::Index { base, args } => format!("(index {}{})", self.expr(*base), self.list(args)),
            ExprKind::Member { base, arrow, member } => {
                format!("({} {} {})", if *arrow { "->" } else { "." }, self.expr(*base), self.path(member))
            }
            ExprKind::CCast { ty, operand } => format!("(cast [{}] {})", self.ty(*ty), self.expr(*operand)),
            ExprKind::Construct { ty, args, .. } => format!("(new [{}]{})", self.ty(*ty), self.list(args)),
            ExprKind::NamedCast { cast, ty, operand } => {
                let name = match cast {
                    NamedCast::Static => "static_cast",
                    NamedCast::Reinterpret => "reinterpret_cast",
                    NamedCast::Const => "const_cast",
                    NamedCast::Dynamic => "dynamic_cast",
                    NamedCast::AddrSpace => "addrspace_cast",
                    NamedCast::AsType => "as_type",
                };
                format!("({name} [{}] {})", self.ty(*ty), self.expr(*operand))
            }
            ExprKind::InitList(elements) => format!("{{{}}}", self.exprs(elements)),
            ExprKind::Designated { field, index, last, value, .. } => {
                let target = match (field, index, last) {
                    (Some(field), ..) => format!(".{field}"),
                    (None, Some(first), Some(last)) => format!("[{} ... {}]", self.expr(*first), self.expr(*last)),
                    (None, Some(index), None) => format!("[{}]", self.expr(*index)),
                    (None, None, _) => ".?".to_owned(),
                };
                format!("{target} = {}", self.expr(*value))
            }
            ExprKind::Lambda(lambda) => {
                let mut captures: Vec<String> = Vec::new();
                captures.extend(lambda.default_capture.map(|mode| capture_mode(mode, "=").to_owned()));
                for capture in &lambda.captures {
                    captures.push(match capture {
                        Capture::This { by_copy, .. } => if *by_copy { "*this" } else { "this" }.to_owned(),
                        Capture::Name { name, mode, expansion, .. } => {
                            format!("{}{name}{}", capture_mode(*mode, ""), if *expansion { "..." } else { "" })
                        }
                        Capture::Init { decl, mode } => match &self.ast[*decl].kind {
                            DeclKind::Variable(variable) => {
                                let init = self.init(&variable.init);
                                format!("{}{}{init}", capture_mode(*mode, ""), self.unqual(variable.name))
                            }
                            _ => "?".to_owned(),
                        },
                    });
                }
                let attrs = self.attrs(&lambda.attrs);
                let mutable = if lambda.is_mutable { " mutable" } else { "" };
                let ty = self.ty(lambda.ty);
                let body = self.inline_stmt(lambda.body);
                format!("(lambda [{}] {attrs}{ty}{mutable} {body})", captures.join(", "))
            }
            ExprKind::SizeofType { op, ty } => format!("({} [{}])", sizeof_name(*op), self.ty(*ty)),
            ExprKind::SizeofExpr { op, operand } => format!("({} {})", sizeof_name(*op), self.expr(*operand)),
            ExprKind::SizeofPack { pack, .. } => format!("(sizeof... {pack})"),
            ExprKind::TypeTrait { name, args } => {
                let args: Vec<String> = args.iter().map(|&arg| format!("[{}]", self.ty(arg))).collect();
                format!("(trait {name} {})", args.join(" "))
            }
            ExprKind::Noexcept(operand) => format!("(noexcept {})", self.expr(*operand)),
            ExprKind::Fold { op, lhs, rhs } => {
                let lhs = lhs.map(|lhs| self.expr(lhs)).unwrap_or_else(|| "_".to_owned());
                let rhs = rhs.map(|rhs| self.expr(rhs)).unwrap_or_else(|| "_".to_owned());
                format!("(fold {} {lhs} {rhs})", binary_name(*op))
            }
            ExprKind::Expansion(inner) => format!("{}...", self.expr(*inner)),
            ExprKind::StmtExpr(body) => format!("(stmt {})", self.inline_stmt(*body)),
            ExprKind::Removed { what, operands, ty } => {
                let ty = ty.map(|ty| format!(" [{}]", self.ty(ty))).unwrap_or_default();
                format!("(removed {what:?}{ty}{})", self.list(operands))
            }
        }
    }

    fn list(&mut self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&expr| format!(" {}", self.expr(expr))).collect()
    }

    /// A statement on one line.
    fn inline_stmt(&mut self, stmt: StmtId) -> String {
        let mut inner = Dumper { ast: self.ast, out: String::new(), indent: 0, depth: self.depth };
        inner.stmt(stmt);
        inner.out.lines().map(str::trim).collect::<Vec<_>>().join("; ")
    }

    fn condition(&mut self, condition: Condition) -> String {
        match condition {
            Condition::Expr(expr) => self.expr(expr),
            Condition::Decl(decl) => match &self.ast[decl].kind {
                DeclKind::Variable(variable) => self.variable(variable),
                _ => "?".to_owned(),
            },
            Condition::Error => "<error>".to_owned(),
        }
    }

    fn sub(&mut self, label: &str, stmt: Option<StmtId>) {
        let Some(stmt) = stmt else { return };
        if !label.is_empty() {
            self.line(label);
        }
        self.nested(|dumper| dumper.stmt(stmt));
    }

    fn stmt(&mut self, id: StmtId) {
        let stmt = &self.ast[id];
        let attrs = self.attrs(&stmt.attrs);
        match &stmt.kind {
            StmtKind::Error => self.line(&format!("{attrs}<error>")),
            StmtKind::Null => self.line(&format!("{attrs}null")),
            StmtKind::Compound { stmts, .. } => {
                self.line(&format!("{attrs}block"));
                self.nested(|dumper| stmts.iter().for_each(|&stmt| dumper.stmt(stmt)));
            }
            StmtKind::Expr(expr) => {
                let expr = self.expr(*expr);
                self.line(&format!("{attrs}{expr}"));
            }
            StmtKind::Decl(decls) => decls.iter().for_each(|&decl| self.decl(decl)),
            StmtKind::If { is_constexpr, init, cond, then, otherwise, .. } => {
                let constexpr = if *is_constexpr { " constexpr" } else { "" };
                let cond = self.condition(*cond);
                self.line(&format!("{attrs}if{constexpr} {cond}"));
                self.sub("init", *init);
                self.sub("", Some(*then));
                self.sub("else", *otherwise);
            }
            StmtKind::Switch { init, cond, body, .. } => {
                let cond = self.condition(*cond);
                self.line(&format!("{attrs}switch {cond}"));
                self.sub("init", *init);
                self.sub("", Some(*body));
            }
            StmtKind::Case { value, end, stmt } => {
                let value = self.expr(*value);
                let end = end.map(|end| format!(" ... {}", self.expr(end))).unwrap_or_default();
                self.line(&format!("{attrs}case {value}{end}"));
                self.sub("", Some(*stmt));
            }
            StmtKind::Default { stmt } => {
                self.line(&format!("{attrs}default"));
                self.sub("", Some(*stmt));
            }
            StmtKind::While { cond, body, unroll, .. } => {
                let cond = self.condition(*cond);
                self.line(&format!("{attrs}while{} {cond}", unroll_name(*unroll)));
                self.sub("", Some(*body));
            }
            StmtKind::Do { body, cond, unroll } => {
                let cond = self.expr(*cond);
                self.line(&format!("{attrs}do{} while {cond}", unroll_name(*unroll)));
                self.sub("", Some(*body));
            }
            StmtKind::For { init, cond, step, body, unroll, .. } => {
                let cond = cond.map(|cond| self.condition(cond)).unwrap_or_default();
                let step = step.map(|step| self.expr(step)).unwrap_or_default();
                self.line(&format!("{attrs}for{} ; {cond} ; {step}", unroll_name(*unroll)));
                self.sub("init", *init);
                self.sub("", Some(*body));
            }
            StmtKind::RangeFor { init, var, range, body, unroll, .. } => {
                let range = self.expr(*range);
                self.line(&format!("{attrs}for{} in {range}", unroll_name(*unroll)));
                self.sub("init", *init);
                let var = *var;
                self.nested(|dumper| dumper.decl(var));
                self.sub("", Some(*body));
            }
            StmtKind::Return(value) => {
                let value = value.map(|value| format!(" {}", self.expr(value))).unwrap_or_default();
                self.line(&format!("{attrs}return{value}"));
            }
            StmtKind::Break => self.line(&format!("{attrs}break")),
            StmtKind::Continue => self.line(&format!("{attrs}continue")),
            StmtKind::Goto(name) => self.line(&format!("{attrs}goto {name}")),
            StmtKind::Label { name, stmt } => {
                self.line(&format!("{attrs}label {name}"));
                self.sub("", Some(*stmt));
            }
            StmtKind::Try { body, handlers } => {
                self.line(&format!("{attrs}try"));
                self.sub("", Some(*body));
                for &handler in handlers {
                    self.sub("catch", Some(handler));
                }
            }
            StmtKind::Asm => self.line(&format!("{attrs}asm")),
        }
    }
}

fn specs(specs: Specs) -> String {
    let mut text = String::new();
    for (spec, word) in [
        (Specs::EXTERN_TEMPLATE, "extern-template "),
        (Specs::INSTANTIATION, "instantiate "),
        (Specs::FRIEND, "friend "),
        (Specs::EXTERN, "extern "),
        (Specs::STATIC, "static "),
        (Specs::INLINE, "inline "),
        (Specs::VIRTUAL, "virtual "),
        (Specs::EXPLICIT, "explicit "),
        (Specs::CONSTEXPR, "constexpr "),
        (Specs::MUTABLE, "mutable "),
        (Specs::THREAD_LOCAL, "thread_local "),
        (Specs::REGISTER, "register "),
        (Specs::KERNEL, "kernel "),
        (Specs::VERTEX, "vertex "),
        (Specs::FRAGMENT, "fragment "),
        (Specs::NOEXCEPT, "noexcept "),
        (Specs::OVERRIDE, "override "),
        (Specs::FINAL, "final "),
        (Specs::PURE, "pure "),
    ] {
        if specs.contains(spec) {
            text.push_str(word);
        }
    }
    text
}

fn key(key: RecordKey) -> &'static str {
    match key {
        RecordKey::Struct => "struct",
        RecordKey::Class => "class",
        RecordKey::Union => "union",
    }
}

fn capture_mode(mode: CaptureMode, copy: &'static str) -> &'static str {
    match mode {
        CaptureMode::Copy => copy,
        CaptureMode::Ref => "&",
    }
}

fn sizeof_name(op: SizeofOp) -> &'static str {
    match op {
        SizeofOp::Sizeof => "sizeof",
        SizeofOp::Alignof => "alignof",
    }
}

fn unroll_name(unroll: Unroll) -> String {
    match unroll {
        Unroll::Unspecified => String::new(),
        Unroll::Full => " unroll".to_owned(),
        Unroll::Disable => " nounroll".to_owned(),
        Unroll::Count(count) => format!(" unroll({count})"),
    }
}

fn builtin_name(builtin: BuiltinType) -> &'static str {
    match builtin {
        BuiltinType::Void => "void",
        BuiltinType::Bool => "bool",
        BuiltinType::Char => "char",
        BuiltinType::SChar => "schar",
        BuiltinType::UChar => "uchar",
        BuiltinType::Short => "short",
        BuiltinType::UShort => "ushort",
        BuiltinType::Int => "int",
        BuiltinType::UInt => "uint",
        BuiltinType::Long => "long",
        BuiltinType::ULong => "ulong",
        BuiltinType::LongLong => "longlong",
        BuiltinType::ULongLong => "ulonglong",
        BuiltinType::Half => "__half",
        BuiltinType::BFloat => "__bf16",
        BuiltinType::Float => "float",
        BuiltinType::Double => "double",
        BuiltinType::LongDouble => "longdouble",
        BuiltinType::Wchar => "wchar_t",
        BuiltinType::Char16 => "char16_t",
        BuiltinType::Char32 => "char32_t",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Deref => "deref",
        UnaryOp::AddrOf => "addr",
        UnaryOp::PreInc => "++_",
        UnaryOp::PreDec => "--_",
        UnaryOp::PostInc => "_++",
        UnaryOp::PostDec => "_--",
        UnaryOp::Extension => "extension",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Comma => ",",
        BinaryOp::MemberPointer => ".*",
        BinaryOp::ArrowMemberPointer => "->*",
        BinaryOp::Assign => "=",
    }
}
