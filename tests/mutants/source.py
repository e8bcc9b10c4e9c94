"""One source file as the mutations see it: text without comments, lines, brackets, functions, and what names mean.

Vocabulary:

* The *code* of a file is its text with comments, string literals and preprocessor lines blanked; offsets are the same.
* A *block* is a pair of braces with its braces at the outermost level, or inside a namespace.
* A *body* is a block that follows a parameter list. It is *checked* if it is no template's, or if a name in it has an
  answer for an instance: what nobody instantiates may be wrong in ways that nobody can know.
* A *name* is an entry of `msl-analyzer inspect --all` about a token that the author typed.
"""

import collections
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SKIPPED = re.compile(
    rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*', re.S | re.M
)
OPEN, CLOSE = b"([{", b")]}"


def blank(match):
    return re.sub(rb"[^\n]", b" ", match.group(0))


@dataclass
class Name:
    """One entry of `inspect`, without those for instances."""

    offset: int
    text: str
    kind: str
    type: str
    space: str
    definitions: list  # (path, offset)
    in_instances: bool = False

    @property
    def end(self):
        return self.offset + len(self.text)


@dataclass
class Body:
    """A function's body: offsets of its braces, and its header's text."""

    begin: int
    end: int
    header: int  # where the declaration begins
    code: bytes  # the header
    templated: bool
    checked: bool = True


@dataclass
class Source:
    """A file under one language version."""

    path: Path
    std: str
    text: bytes
    names: list
    code: bytes = b""
    bodies: list = field(default_factory=list)
    match: dict = field(default_factory=dict)  # bracket -> its partner, both ways

    def __post_init__(self):
        self.code = SKIPPED.sub(blank, self.text)
        stack = []
        for at, byte in enumerate(self.code):
            if byte in OPEN:
                stack.append(at)
            elif byte in CLOSE and stack:
                begin = stack.pop()
                self.match[begin], self.match[at] = at, begin
        self.find_bodies(0, len(self.code))
        self.at = collections.defaultdict(list)
        for name in self.names:
            self.at[name.offset].append(name)

    def find_bodies(self, begin, end):
        start = at = begin
        while at < end:
            byte = self.code[at : at + 1]
            if byte == b"{" and at in self.match:
                header = self.code[start:at]
                close = self.match[at]
                if re.search(rb"\b(namespace|extern)\b[^()]*$", header):
                    self.find_bodies(at + 1, close)
                elif re.search(rb"\)\s*(?:const|device|thread|threadgroup|constant)?\s*$", header):
                    templated = re.search(rb"\btemplate\s*<", header) is not None
                    leading = len(header) - len(header.lstrip())
                    body = Body(at, close, start + leading, header.strip(), templated)
                    inside = [name for name in self.names if at < name.offset < close]
                    # Nothing has a meaning where `#if` left it out.
                    body.checked = any(name.in_instances for name in inside) if templated else bool(inside)
                    self.bodies.append(body)
                at = start = close
                if self.code[at + 1 : at + 2] == b";":
                    at += 1
                start = at + 1
            elif byte == b";":
                start = at + 1
            elif byte in (b"(", b"[") and at in self.match:
                at = self.match[at]
            at += 1

    def line(self, offset):
        """From 1."""
        return self.text.count(b"\n", 0, offset) + 1

    def body_at(self, offset):
        return next((body for body in self.bodies if body.begin < offset < body.end), None)

    def in_checked_code(self, offset):
        body = self.body_at(offset)
        return body is not None and body.checked

    def lines_with(self, word, begin=0, end=None):
        """The lines on which a word stands."""
        found = re.finditer(rb"\b" + re.escape(word.encode()) + rb"\b", self.code[begin:end])
        return {self.line(begin + match.start()) for match in found}

    def arguments(self, open_paren):
        """Ranges of the arguments between brackets."""
        close = self.match.get(open_paren)
        if close is None:
            return []
        parts, start, at, angle = [], open_paren + 1, open_paren + 1, 0
        while at < close:
            if self.code[at] in OPEN and at in self.match:
                at = self.match[at]
            elif self.code[at : at + 1] == b",":
                parts.append((start, at))
                start = at + 1
            at += 1
        if self.code[start:close].strip() or parts:
            parts.append((start, close))
        return parts


def options_of(include, define):
    words = []
    for folder in include:
        words += ["-I", str(folder)]
    for name in define:
        words += ["-D", name]
    return words


def load(binary, path, std, include=(), define=()):
    """A file with what `inspect` says about its names."""
    text = Path(path).read_bytes()
    command = [binary, "inspect", str(path), "--all", "--format", "jsonl", "--std", std, *options_of(include, define)]
    output = subprocess.run(command, capture_output=True, timeout=300).stdout.decode(errors="replace")
    names, instances = [], set()
    for line in output.splitlines():
        item = json.loads(line)
        offset = item["range"]["start"]["offset"]
        if item.get("instantiation"):
            instances.add(offset)
        elif item.get("kind") not in (None, "access", "literal", "macro") and item.get("text"):
            definitions = [(place["path"], place["range"]["start"]["offset"]) for place in item.get("definitions", [])]
            names.append(Name(offset, item["text"], item["kind"], item.get("type") or "", item.get("space") or "", definitions))
    for name in names:
        name.in_instances = name.offset in instances
    return Source(Path(path), std, text, names)
