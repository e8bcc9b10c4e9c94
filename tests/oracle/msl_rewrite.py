#!/usr/bin/env python3
"""Rewrites MSL into what clang with `prelude.h` accepts: `msl_rewrite.py SOURCE TARGET` for a tree,
`msl_rewrite.py FILE` for one file to standard output.

What is not C++ for OpenCL is blanked or replaced by something of the same length; the few things that need more room are
insertions that are written down, so that every position in clang's output has one in the original. Lines stay lines.
Text is handled as Latin-1: one character is one byte.
"""

import bisect
import json
import os
import re
import sys

# Beside a rewritten file with insertions stands a file with this suffix that lists them.
MAP_SUFFIX = ".map"

SUFFIXES = (".metal", ".h", ".hpp", ".metalh", ".inc", ".msl", ".hh")

INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|import)[ \t]*<([^>\n]*)>", re.M)
ATTRIBUTE = re.compile(r"\[\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]")
FUNCTION_CONSTANT = re.compile(r"\[\[\s*function_constant\s*\([^()\n]*\)\s*\]\](?=\s*;)")


def blank(match):
    """Spaces of the same length; line ends and the backslashes before them stay."""
    return re.sub(r"\\(?!\r?\n)|[^\r\n\\]", " ", match.group(0))


def replace_qualifier(text, names, word, new):
    """Replaces the address space `word` behind the parameter list of a constructor of one of the classes `names`.

    Clang ignores constructors with an address space when it makes temporaries.
    """
    constructor = re.compile(
        r"(?<![\w~:])(\w+)[ \t]*\((?:[^(){};]|\([^(){};]*\))*\)[ \t]*\b" + word + r"\b(?=\s*(?:noexcept)?\s*[:{;=])"
    )

    def replace(match):
        if match.group(1) not in names:
            return match.group(0)
        return match.group(0)[: -len(word)] + new.ljust(len(word))

    return constructor.sub(replace, text)


def masked(text):
    """The text with comments and literals blanked: what may be searched for syntax."""
    literal = r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)+'"
    return re.sub(r"/\*.*?\*/|//[^\n]*|" + literal, blank, text, flags=re.S)


def function_parameters(text):
    """Makes `R (*F)(A)` in a template parameter list `R (&F)(A)`: clang takes no pointer to a function there."""
    clean, out = masked(text), list(text)
    for match in re.finditer(r"\btemplate\s*<", clean):
        depth, end = 1, match.end()
        while depth and end < len(clean) and clean[end] not in ";{":
            depth += {"<": 1, ">": -1}.get(clean[end], 0)
            end += 1
        for pointer in re.finditer(r"\(\s*(\*)\s*\w+\s*\)\s*\(", clean[match.end() : end]):
            out[match.end() + pointer.start(1)] = "&"
    return "".join(out)


# Specifiers of a variable in threadgroup memory, up to its first declarator. A pointer or a function is none.
STORAGE = re.compile(
    r"(?:^|(?<=[;{}\\\n]))\s*(?:(?:static|const|volatile|alignas\s*\([^()]*\))\s+)*threadgroup\s+"
    r"(?:(?:const|volatile|typename)\s+)*(?:::\s*)?\w+(?:\s*<(?:[^<>;{}]|<[^<>;{}]*>)*>)?"
    r"(?:\s*::\s*(?:template\s+)?\w+(?:\s*<(?:[^<>;{}]|<[^<>;{}]*>)*>)?)*\s+(?=\w)"
)
DECLARATOR = re.compile(r"\s*(?:\\\r?\n\s*)*(\w+)((?:\s*\[[^\[\];{}]*\])*)\s*(?:\\\r?\n\s*)*([,;])")


def threadgroup_variables(text):
    """Where to insert what, so that every variable in threadgroup memory becomes a reference to such memory.

    Clang allows the variable in kernels only, and a kernel cannot be a template.
    """
    clean, insertions = masked(text), []
    for match in STORAGE.finditer(clean):
        position, here = match.end(), []
        while True:
            declarator = DECLARATOR.match(clean, position)
            if not declarator:
                break
            here += [(declarator.start(1), "(&"), (declarator.end(1), ")"), (declarator.end(2), "=msl_storage()")]
            position = declarator.end()
            if declarator.group(3) == ";":
                insertions += here
                break
    return insertions


def constant_members(text):
    """Gives static members in `constant` a value where the class declares them only: clang asks for one."""
    member = re.compile(r"\bstatic\s+(?:const(?:expr)?\s+)?constant\s+(?:const(?:expr)?\s+)?\w[\w:]*\s+(\w+)(?=\s*;)")
    return [(match.end(1), "={}") for match in member.finditer(masked(text))]


def floating_literals(text):
    """Gives floating literals without a suffix an `f`: MSL has no double, and clang forgets that in templates."""
    literal = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|(?<![\w.])\d+[eE][+-]?\d+(?![\w.])")
    return [(match.end(), "f") for match in literal.finditer(masked(text))]


def constant_copies(text):
    """Gives classes with constructors the copy from `constant` memory that MSL's implicit copy constructor includes."""
    clean, insertions = masked(text), []
    for match in re.finditer(r"\b(?:struct|class)\s+(\w+)(?:\s*:[^;{}()]*)?\s*\{", clean):
        name, depth, end = match.group(1), 1, match.end()
        while depth and end < len(clean):
            depth += {"{": 1, "}": -1}.get(clean[end], 0)
            end += 1
        body = clean[match.end() : end]
        own = re.search(r"(?<![\w~:.>])" + name + r"\s*\(\s*(?!\s*\))[^;{}]*\)\s*(?:const\w*\s*)?[:{;]", body)
        copies = re.search(r"(?<![\w~:.>])" + name + r"\s*\([^(){};,]*\b" + name + r"\b[^(){};,]*&", body)
        if own and not copies and "\\\n" not in body:
            default = "private" if match.group(0).startswith("class") else "public"
            copies = (
                f"public:constexpr {name}(const {name}&)=default;constexpr {name}(const constant {name}&);"
                f"{name}&operator=(const {name}&)=default;template<typename msl_T,typename=::metal::enable_if_t<__is_same(msl_T,{name})>>{name}&operator=(const constant msl_T&);{default}:"
            )
            insertions.append((match.end(), copies))
    return insertions


def rewrite(text, resolves=lambda name: False):
    """One file: its new text and the insertions, as (offset in the original, inserted text), in order.

    `resolves` says whether an angle-bracket include names a file of the project; others are blanked.
    """
    text = INCLUDE.sub(lambda match: match.group(0) if resolves(match.group(1)) else blank(match), text)
    text = FUNCTION_CONSTANT.sub(lambda match: "= {}".ljust(len(match.group(0))), text)
    text = ATTRIBUTE.sub(blank, text)
    names = set(re.findall(r"\b(?:struct|class)\s+(\w+)", text))
    text = replace_qualifier(text, names, "thread", "")
    text = replace_qualifier(text, names, "constant", "konstant")
    # In MSL a const array in `constant` decays to `constant T *`; here only one without const does.
    text = re.sub(
        r"\b(constexpr|const)\b(?=[ \t]+(?:static[ \t]+)?constant\b[^;={}(),]*\[[^;={}()]*\]\s*=)", blank, text
    )
    text = re.sub(
        r"(\bconstant[ \t]+(?:static[ \t]+)?)(constexpr|const)\b(?=[^;={}(),]*\[[^;={}()]*\]\s*=)",
        lambda match: match.group(1) + " " * len(match.group(2)),
        text,
    )
    text = function_parameters(re.sub(r"\baddrspace_cast\b", "msl_addrcast  ", text))
    # `thread` beside another address space names where the pointer lies, which is the default.
    text = re.sub(r"\bthread\b(?=\s+(?:(?:const|volatile)\s+)*(?:device|threadgroup|constant)\b)", blank, text)
    insertions = threadgroup_variables(text) + constant_members(text) + constant_copies(text) + floating_literals(text)
    insertions.sort(key=lambda insertion: insertion[0])
    parts, position = [], 0
    for offset, inserted in insertions:
        parts += [text[position:offset], inserted]
        position = offset
    return "".join(parts) + text[position:], insertions


class Offsets:
    """Maps byte offsets of a rewritten file back to the original; an inserted byte maps to where it was inserted."""

    def __init__(self, insertions):
        self.insertions = [tuple(insertion) for insertion in insertions]
        self.starts, self.lengths, shift = [], [], 0
        for offset, inserted in insertions:
            self.starts.append(offset + shift)
            shift += len(inserted)
            self.lengths.append(shift)

    def original(self, offset):
        index = bisect.bisect_right(self.starts, offset)
        if not index:
            return offset
        before = self.lengths[index - 2] if index > 1 else 0
        return max(offset - self.lengths[index - 1], self.starts[index - 1] - before)


def read(path):
    with open(path, encoding="latin-1", newline="") as file:
        return file.read()


def tree(source, target, suffixes=SUFFIXES):
    """Every source file below `source`, to the same relative path below `target`."""
    paths = [
        os.path.relpath(os.path.join(folder, name), source)
        for folder, _, names in os.walk(source)
        for name in names
        if name.endswith(suffixes)
    ]
    tails = {"/".join(path.replace(os.sep, "/").split("/")[n:]) for path in paths for n in range(path.count(os.sep) + 1)}
    for path in paths:
        out = os.path.join(target, path)
        os.makedirs(os.path.dirname(out), exist_ok=True)
        with open(out, "w", encoding="latin-1", newline="") as file:
            text, insertions = rewrite(read(os.path.join(source, path)), tails.__contains__)
            file.write(text)
        if insertions:
            with open(out + MAP_SUFFIX, "w", encoding="latin-1") as file:
                json.dump(insertions, file)


def insert(path, insertions):
    """Adds insertions, by offset in the rewritten file, to a file that `tree` wrote."""
    text, known = read(path), offsets(path)
    before = known.insertions
    parts, position = [], 0
    for offset, inserted in sorted(insertions, key=lambda item: item[0]):
        parts += [text[position:offset], inserted]
        position = offset
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write("".join(parts) + text[position:])
    with open(path + MAP_SUFFIX, "w", encoding="latin-1") as file:
        json.dump(sorted(before + [(known.original(offset), new) for offset, new in insertions], key=lambda i: i[0]), file)


def offsets(path):
    """The map of a file that `tree` wrote."""
    if not os.path.exists(path + MAP_SUFFIX):
        return Offsets([])
    with open(path + MAP_SUFFIX, encoding="latin-1") as file:
        return Offsets(json.load(file))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        tree(*sys.argv[1:])
    else:
        sys.stdout.buffer.write(rewrite(read(sys.argv[1]))[0].encode("latin-1"))
