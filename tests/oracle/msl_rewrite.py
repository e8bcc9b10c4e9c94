#!/usr/bin/env python3
"""Rewrites MSL into what clang with `prelude.h` accepts, keeping every byte offset: `msl_rewrite.py SOURCE TARGET`
for a tree, `msl_rewrite.py FILE` for one file to standard output.

What is not C++ for OpenCL is blanked or replaced by something of the same length, so that a position in clang's output
is a position in the original. Text is handled as Latin-1: one character is one byte.
"""

import os
import re
import sys

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


def rewrite(text, resolves=lambda name: False):
    """One file. `resolves` says whether an angle-bracket include names a file of the project; others are blanked."""
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
    return re.sub(r"\baddrspace_cast\b", "msl_addrcast  ", text)


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
            file.write(rewrite(read(os.path.join(source, path)), tails.__contains__))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        tree(*sys.argv[1:])
    else:
        sys.stdout.buffer.write(rewrite(read(sys.argv[1])).encode("latin-1"))
