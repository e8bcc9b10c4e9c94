"""The kinds of faults. Each takes a `Source` and yields `Mutant`s: every place where it could be injected.

A fault is one edit that a careful reader would call wrong, at a place where the compiler has to notice it.
"""

import re
from dataclasses import dataclass, field

SPACES = ("device", "constant", "threadgroup", "thread")
IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")


@dataclass
class Mutant:
    """An edit of the text, the lines (from 1) of which one must get an error, and those that may get one as well."""

    kind: str
    begin: int
    end: int
    new: str
    lines: set
    allowed: set = field(default_factory=set)

    def apply(self, text):
        return text[: self.begin] + self.new.encode() + text[self.end :]


def is_use(source, name):
    """Whether a name refers to something declared elsewhere."""
    return name.definitions and all(offset != name.offset for _, offset in name.definitions)


def before(source, offset, count=2):
    return source.code[:offset].rstrip()[-count:]


def after(source, offset, count=1):
    return source.code[offset:].lstrip()[:count]


def uses(source, *kinds):
    for name in source.names:
        if name.kind in kinds and is_use(source, name) and source.in_checked_code(name.offset):
            yield name


def misspelled(source, kind, names):
    for name in names:
        yield Mutant(kind, name.end, name.end, "_zz", {source.line(name.offset)})


def misspell_variable(source):
    found = (name for name in uses(source, "variable", "parameter") if not before(source, name.offset).endswith((b".", b"->", b"::")))
    yield from misspelled(source, "misspell-variable", found)


def misspell_function(source):
    yield from misspelled(source, "misspell-function", (name for name in uses(source, "function") if after(source, name.end) == b"("))


def misspell_member(source):
    found = (name for name in uses(source, "field") if before(source, name.offset).endswith((b".", b"->")))
    yield from misspelled(source, "misspell-member", found)


def misspell_method(source):
    found = (
        name
        for name in uses(source, "method")
        if before(source, name.offset).endswith((b".", b"->")) and after(source, name.end) == b"("
    )
    yield from misspelled(source, "misspell-method", found)


def misspell_type(source):
    for name in uses(source, "type"):
        declared = re.match(rb"\s+([A-Za-z_]\w*)\s*[=;]", source.code[name.end :])
        if declared:
            body = source.body_at(name.offset)
            allowed = source.lines_with(declared.group(1).decode(), body.begin, body.end)
            yield Mutant("misspell-type", name.end, name.end, "_zz", {source.line(name.offset)}, allowed)


def in_library(name):
    return all(path.startswith("<") for path, _ in name.definitions)


def calls(source):
    """(name, range of brackets, arguments) of calls of one function each that lie on one line."""
    for name in uses(source, "function"):
        at = name.end + len(source.code[name.end :]) - len(source.code[name.end :].lstrip())
        if source.code[at : at + 1] == b"(" and at in source.match:
            if source.line(at) == source.line(source.match[at]):
                yield name, at, source.arguments(at)


def fixed_arity(source, name):
    """Whether the declarations of a function of this file neither have defaults nor packs."""
    for path, offset in name.definitions:
        if path != str(source.path) and not path.endswith(source.path.name):
            return False
        header = re.match(rb"\w+\s*(?=\()", source.code[offset:])
        if not header or (offset + header.end()) not in source.match:
            return False
        begin = offset + header.end()
        if re.search(rb"=|\.\.\.", source.code[begin : source.match[begin]]):
            return False
    return len(name.definitions) == 1


def drop_argument(source):
    for name, at, arguments in calls(source):
        if arguments and fixed_arity(source, name):
            begin, end = arguments[-1]
            begin = begin - 1 if len(arguments) > 1 else begin
            yield Mutant("drop-argument", begin, end, "", {source.line(name.offset)})


def add_argument(source):
    for name, at, arguments in calls(source):
        if arguments and fixed_arity(source, name):
            yield Mutant("add-argument", source.match[at], source.match[at], ", 0", {source.line(name.offset)})


def drop_library_argument(source):
    for name, at, arguments in calls(source):
        if in_library(name) and len(arguments) in (2, 3) and name.text not in ("select", "fma"):
            begin, end = arguments[-1]
            # What is left must not be a call of another overload.
            if name.text in ("max", "min", "dot", "cross", "clamp", "mix", "pow", "step", "smoothstep", "distance", "reflect"):
                yield Mutant("drop-library-argument", begin - 1, end, "", {source.line(name.offset)})


def value_for_pointer(source):
    """A number is passed where the one candidate takes a pointer."""
    for name, at, arguments in calls(source):
        if not fixed_arity(source, name):
            continue
        parameters = re.search(r"\((.*)\)", name.type)
        parts = parameters.group(1).split(", ") if parameters else []
        if len(parts) != len(arguments):
            continue
        for (begin, end), part in zip(arguments, parts):
            if "*" in part and "<" not in part:
                yield Mutant("value-for-pointer", begin, end, " 1.5f", {source.line(name.offset)})


def locals_of(source):
    """Declarations of local variables: (name, match of `type name =`), one declarator with an initialiser each."""
    for name in source.names:
        if name.kind == "variable" and name.definitions and name.definitions[0][1] == name.offset:
            body = source.body_at(name.offset)
            if body and body.checked and re.match(rb"\s*=[^=]", source.code[name.end :]):
                yield name, body


def statement(source, offset):
    """Begin of the statement that an offset is in, if it begins on the offset's line."""
    begin = max(source.code.rfind(stop, 0, offset) for stop in (b";", b"{", b"}", b"(", b"\n")) + 1
    return begin if source.code[begin - 1 : begin] != b"(" else None


def narrow_vector(source):
    for name, body in locals_of(source):
        written = re.search(rb"\b(float|half|int|uint)4\s+$", source.code[: name.offset])
        value = re.match(rb"\s*=\s*(?:(?:float|half|int|uint)4\s*\(|(\w+)\s*;|\w+\.(?:sample|read)\s*\()", source.code[name.end :])
        if not written or not value:
            continue
        if value.group(1):
            named = source.at[name.end + value.start(1)]
            if not any(of.type.lstrip("const ").startswith(written.group(1).decode() + "4") for of in named):
                continue
        close = source.code.find(b";", name.end)
        opened = source.code.find(b"(", name.end, close)
        if opened != -1 and source.code[source.match.get(opened, opened) + 1 :].lstrip()[:1] != b";":
            continue
        at = written.start() + len(written.group(1))
        yield Mutant("narrow-vector", at, at + 1, "3", {source.line(name.offset)}, source.lines_with(name.text, body.begin, body.end))


def declared_pointers(source, kind, with_auto=False):
    """Declarations of pointers and references with a space: (name, offset of the space's word, the word). What is
    deduced with `auto` keeps its space without the word, so it is left out unless asked for."""
    for name in source.names:
        if name.kind != kind or not name.definitions or name.definitions[0][1] != name.offset:
            continue
        if name.space not in SPACES or name.type.count("*") + name.type.count("&") != 1 or "(" in name.type or "[" in name.type:
            continue
        begin = max(source.code.rfind(stop, 0, name.offset) for stop in (b";", b"{", b"}", b"(", b",")) + 1
        written = list(re.finditer(rb"\b" + name.space.encode() + rb"\b", source.code[begin : name.offset]))
        if (with_auto or b"auto" not in source.code[begin : name.offset]) and len(written) == 1 and b"<" not in source.code[begin : name.offset]:
            at = begin + written[0].start()
            if source.line(at) == source.line(name.offset):
                yield name, at, name.space


def header_of(source, offset):
    """The body whose header an offset is in."""
    return next((body for body in source.bodies if body.header <= offset < body.begin), None)


def drop_space(source):
    if source.std == "metal4.1":
        return
    for kind in ("parameter", "variable"):
        for name, at, space in declared_pointers(source, kind):
            body = header_of(source, name.offset) if kind == "parameter" else source.body_at(name.offset)
            if not body or not body.checked or body.templated:
                continue
            allowed = source.lines_with(name.text, body.begin, body.end)
            if kind == "parameter":
                called = IDENTIFIER.findall(body.code.split(b"(")[0])
                allowed |= source.lines_with(called[-1].decode()) if called else set()
            yield Mutant(f"drop-space-of-{kind}", at, at + len(space), "", {source.line(name.offset)}, allowed)


def change_space(source):
    other = {"device": "threadgroup", "constant": "device", "threadgroup": "device", "thread": "device"}
    for name, body in locals_of(source):
        for candidate, at, space in declared_pointers(source, "variable", with_auto=True):
            value = source.code[name.end :].lstrip()
            if candidate is name and not body.templated and not value.startswith((b"= nullptr", b"= NULL", b"= 0")):
                lines = set(range(source.line(at), source.line(source.code.find(b";", at)) + 1))
                allowed = source.lines_with(name.text, body.begin, body.end)
                yield Mutant("change-space", at, at + len(space), other[space], lines, allowed)


def change_space_of_parameter(source):
    """A function that takes a pointer in another space than its callers pass, or its body hands on."""
    other = {"device": "threadgroup", "constant": "device", "threadgroup": "device", "thread": "device"}
    called = {name.text for name in uses(source, "function") if after(source, name.end) == b"("}
    for name, at, space in declared_pointers(source, "parameter"):
        body = header_of(source, name.offset)
        words = IDENTIFIER.findall(body.code.split(b"(")[0]) if body else []
        if not body or not body.checked or body.templated or not words or re.search(rb"\b(kernel|vertex|fragment)\b|\[\[", body.code):
            continue
        function = words[-1].decode()
        # Of several functions another one may fit.
        if function not in called or len(re.findall(rb"\b" + words[-1] + rb"\s*\(", source.code)) != 2:
            continue
        lines = source.lines_with(function) | source.lines_with(name.text, body.begin, body.end)
        # The finding stands at the argument, wherever in the call that is.
        for call in re.finditer(rb"\b" + words[-1] + rb"\s*\(", source.code):
            lines |= set(range(source.line(call.start()), source.line(source.match.get(call.end() - 1, call.end())) + 1))
        yield Mutant("change-space-of-parameter", at, at + len(space), other[space], lines, lines)


def thread_in_entry_point(source):
    for name, at, space in declared_pointers(source, "parameter"):
        body = header_of(source, name.offset)
        if body and body.checked and not body.templated and space == "device" and re.search(rb"\b(kernel|vertex|fragment)\b", body.code):
            allowed = source.lines_with(name.text, body.begin, body.end)
            yield Mutant("thread-in-entry-point", at, at + len(space), "thread", {source.line(at)}, allowed)


def drop_constant_of_global(source):
    for match in re.finditer(rb"(?m)^(?:static\s+)?(constant)\s+(?:constexpr\s+|const\s+)*\w+\s+(\w+)(?:\[\w*\])?\s*=", source.code):
        if source.body_at(match.start()) is None and source.at.get(match.start(2)):
            yield Mutant("drop-constant-of-global", match.start(1), match.end(1), "", {source.line(match.start(1))}, source.lines_with(match.group(2).decode()))


def cross_spaces(source):
    """A pointer parameter is cast or copied to a pointer to another space; a variable claims memory that is not its own."""
    other = {"device": "threadgroup", "constant": "device", "threadgroup": "device", "thread": "device"}
    for name, body in parameters(source):
        if name.space not in other or name.type.count("*") != 1 or "(" in name.type or "[" in name.type or "<" in name.type:
            continue
        wrong = re.sub(rf"\b{name.space}\b", other[name.space], name.type)
        yield inserted(source, "cast-to-other-space", body, f"(void)(({wrong}){name.text});")
        yield inserted(source, "copy-to-other-space", body, f"{wrong} zz_value = {name.text};")
    for body in source.bodies:
        if body.checked and not body.templated:
            yield inserted(source, "local-in-device", body, "device int zz_value;")


def inserted(source, kind, body, new):
    return Mutant(kind, body.begin + 1, body.begin + 1, f" {new}", {source.line(body.begin)})


def parameters(source):
    for name in source.names:
        if name.kind == "parameter" and name.definitions and name.definitions[0][1] == name.offset:
            body = header_of(source, name.offset)
            if body and body.checked and not body.templated:
                yield name, body


def write_constant(source):
    for name, body in parameters(source):
        if name.space == "constant" and name.type.endswith("&"):
            yield inserted(source, "write-constant", body, f"{name.text} = {name.text};")
        elif name.space == "constant" and name.type.count("*") == 1 and "void" not in name.type:
            yield inserted(source, "write-constant", body, f"{name.text}[0] = {name.text}[0];")


def write_const(source):
    for name, body in parameters(source):
        if name.type.startswith("const ") and name.type.count("*") == 1 and "void" not in name.type:
            yield inserted(source, "write-const", body, f"{name.text}[0] = {name.text}[0];")


def texture_access(source):
    for name, body in parameters(source):
        if re.fullmatch(r"texture2d<float(, access::(sample|read))?>", name.type):
            yield inserted(source, "write-read-only-texture", body, f"{name.text}.write(float4(0), uint2(0));")
        if re.fullmatch(r"texture2d<(float|half), access::write>", name.type):
            yield inserted(source, "read-write-only-texture", body, f"{name.text}.read(uint2(0));")
        if re.fullmatch(r"texture2d<float, access::(read|write)>", name.type):
            yield inserted(source, "sample-without-sampling", body, f"constexpr sampler zz_s; {name.text}.sample(zz_s, float2(0));")


def object_for_number(source):
    for name, body in parameters(source):
        if name.type.startswith(("texture", "sampler", "array<")):
            yield inserted(source, "object-for-number", body, f"float zz_value = {name.text};")
        elif name.type.endswith("&") and name.space == "constant" and re.match(r"(const )?constant [A-Z]\w* &$", name.type):
            yield inserted(source, "object-for-number", body, f"float zz_value = {name.text};")
        elif "*" in name.type and name.type.count("*") == 1:
            yield inserted(source, "pointer-for-number", body, f"float zz_value = {name.text};")


def returns(source):
    for body in source.bodies:
        if not body.checked or body.templated:
            continue
        if re.search(rb"(?:^|\s)void\s+\w+\s*\(", body.code):
            yield inserted(source, "return-value-from-void", body, "return 1;")
        elif re.search(rb"\b(?:float|half|int|uint|bool)[234]?\s+\w+\s*\(", body.code):
            yield inserted(source, "return-nothing", body, "return;")


def return_wrong(source):
    for body in source.bodies:
        found = re.search(rb"\b(float|half)([234])\s+\w+\s*\(", body.code)
        if body.checked and not body.templated and found:
            wrong = {b"2": "float3(0)", b"3": "float4(0)", b"4": "float3(0)"}[found.group(2)]
            yield inserted(source, "return-other-vector", body, f"return {wrong};")


def removed_features(source):
    for body in source.bodies:
        if body.checked:
            for kind, new in (
                ("uses-double", "double zz_value = 1.0;"),
                ("uses-new", "thread int *zz_value = new int;"),
                ("uses-throw", "throw 1;"),
                ("uses-goto", "goto zz_label; zz_label: ;"),
                ("uses-try", "try { } catch (...) { }"),
                ("uses-dynamic-cast", "(void)dynamic_cast<thread int *>((thread int *)0);"),
            ):
                yield inserted(source, kind, body, new)


def redefinition(source):
    for name, body in locals_of(source):
        end = source.code.find(b";", name.end)
        begin = statement(source, name.offset)
        if begin is None or source.line(end) != source.line(name.offset):
            continue
        words = source.code[begin : name.offset].strip()
        if re.fullmatch(rb"(?:const\s+)?\w+", words) and b"," not in source.code[name.end : end] and not words.startswith(b"else"):
            yield Mutant("redefinition", end + 1, end + 1, f" {words.decode()} {name.text} = 0;", {source.line(end)}, source.lines_with(name.text, body.begin, body.end))


def drop_semicolon(source):
    meant = {source.line(name.offset) for name in source.names}
    for body in source.bodies:
        for match in re.finditer(rb";[ \t]*(?=\n)", source.code[body.begin : body.end]):
            at = body.begin + match.start()
            if source.line(at) not in meant:
                continue  # left out by `#if`
            if source.code[:at].rstrip()[-1:] in (b"}", b"{", b";", b":"):
                continue
            follows = len(source.code[at + 1 : body.end]) - len(source.code[at + 1 : body.end].lstrip())
            word = re.match(rb"\w+", source.code[at + 1 + follows :])
            if word and word.group(0) not in (b"const", b"and", b"or") and re.search(rb"[\w)\]]\s*$", source.code[:at]):
                lines = {source.line(at), source.line(at + 1 + follows)}
                yield Mutant("drop-semicolon", at, at + 1, "", lines, lines)


def drop_bracket(source):
    for name, at, arguments in calls(source):
        if arguments and source.in_checked_code(at):
            line = source.line(at)
            yield Mutant("drop-bracket", source.match[at], source.match[at] + 1, "", {line, line + 1}, {line, line + 1})


def bad_swizzle(source):
    for name in source.names:
        found = re.fullmatch(r"(?:const )?(?:float|half|int|uint|short|ushort)([234])", name.type)
        swizzle = re.match(rb"\s*\.\s*([xyzwrgba]{1,4})\b(?!\s*\()", source.code[name.end :])
        if found and swizzle and name.kind in ("variable", "parameter", "field") and source.in_checked_code(name.offset):
            begin, end = name.end + swizzle.start(1), name.end + swizzle.end(1)
            # One component beyond the last, or sets that do not mix.
            wrong = {"2": "z", "3": "w", "4": "q"}[found.group(1)]
            yield Mutant("bad-swizzle", begin, end, wrong, {source.line(begin)})


def entry_points(source):
    for body in source.bodies:
        if re.search(rb"\b(kernel|vertex|fragment)\b|\[\[\s*(kernel|vertex|fragment)\b", body.code) and not body.templated and body.checked:
            yield body


def duplicate_slot(source):
    for body in entry_points(source):
        for sort in (b"buffer", b"texture", b"sampler"):
            pattern = rb"\[\[\s*" + sort + rb"\s*\(\s*(\d+)\s*\)\s*\]\]"
            found = list(re.finditer(pattern, source.code[body.header : body.begin]))
            for first, second in zip(found, found[1:]):
                if first.group(1) != second.group(1):
                    begin, end = body.header + second.start(1), body.header + second.end(1)
                    lines = {source.line(body.header + first.start()), source.line(begin)}
                    yield Mutant(f"duplicate-{sort.decode()}-slot", begin, end, first.group(1).decode(), lines, lines)


def slot_out_of_range(source):
    for body in entry_points(source):
        for match in re.finditer(rb"\[\[\s*(buffer|texture|sampler)\s*\(\s*(\d+)\s*\)\s*\]\]", source.code[body.header : body.begin]):
            begin, end = body.header + match.start(2), body.header + match.end(2)
            yield Mutant("slot-out-of-range", begin, end, "999", {source.line(begin)})


def drop_position(source):
    for match in re.finditer(rb"\[\[\s*position\s*(?:,\s*invariant\s*)?\]\]", source.code):
        struct = source.code.rfind(b"struct", 0, match.start())
        name = re.match(rb"struct\s+(\w+)\s*\{", source.code[struct:])
        if not name:
            continue
        used = [
            body for body in source.bodies
            if re.search(rb"\bvertex\s+" + name.group(1) + rb"\b", body.code) and not body.templated and body.checked
        ]
        if used:
            end = source.match.get(struct + name.end() - 1, match.end())
            lines = set(range(source.line(struct), source.line(end) + 1))
            for body in source.bodies:
                if name.group(1) in body.code:
                    lines |= set(range(source.line(body.header), source.line(body.begin) + 1))
            yield Mutant("drop-position", match.start(), match.end(), "", lines, lines)


INPUT = re.compile(
    rb"\b(uint[23]?|ushort[23]?)\s+(\w+)\s*\[\[\s*(thread_\w+|threadgroup\w*_position_in_grid|vertex_id|instance_id|simdgroup_index_in_threadgroup)\s*\]\]"
)


def attribute_of_input(source):
    for body in entry_points(source):
        for match in INPUT.finditer(source.code[body.header : body.begin]):
            begin = body.header + match.start(1)
            line = {source.line(body.header + match.start(3))} | {source.line(begin)}
            allowed = line | source.lines_with(match.group(2).decode(), body.begin, body.end)
            yield Mutant("input-of-wrong-type", begin, begin + len(match.group(1)), "float", line, allowed)
            at = body.header + match.end(3)
            yield Mutant("misspell-attribute", at, at, "_zz", line, line)
            outer = source.code.find(b"[[", body.header + match.end(2))
            close = source.code.find(b"]]", outer) + 2
            yield Mutant("drop-input-attribute", outer, close, "", line, line)


def kernel_result(source):
    for body in entry_points(source):
        match = re.search(rb"\bkernel\s+(void)\b", body.code)
        if match:
            begin = body.header + match.start(1)
            lines = set(range(source.line(body.header), source.line(body.begin) + 1))
            allowed = set(range(source.line(body.header), source.line(body.end) + 1))
            yield Mutant("kernel-with-result", begin, begin + 4, "float4", lines, allowed)


ALL = (
    misspell_variable, misspell_function, misspell_member, misspell_method, misspell_type, drop_argument, add_argument,
    drop_library_argument, value_for_pointer, narrow_vector, drop_space, change_space, change_space_of_parameter,
    thread_in_entry_point, drop_constant_of_global, cross_spaces, write_constant, write_const,
    texture_access, object_for_number, returns, return_wrong, removed_features, redefinition, drop_semicolon,
    drop_bracket, bad_swizzle, duplicate_slot, slot_out_of_range, drop_position, attribute_of_input, kernel_result,
)

# The kinds that are about where memory is.
ADDRESS_SPACES = frozenset((
    "drop-space-of-parameter", "drop-space-of-variable", "change-space", "change-space-of-parameter", "thread-in-entry-point",
    "drop-constant-of-global", "cast-to-other-space", "copy-to-other-space", "local-in-device", "write-constant",
))
