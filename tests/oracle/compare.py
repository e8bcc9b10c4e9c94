#!/usr/bin/env python3
"""Differential test against clang: `compare.py --binary PATH [--package NAME]... [--core] [FILE...]`.

For every name of a file that clang resolves, is what `msl-analyzer inspect FILE --all` says the same? Scored are

* definition: the declaration that the name leads to; `overload` is the same for names of functions;
* type: the type of the expression, address spaces included.

Both sides are read as Metal 4.1, since clang's `this` is generic as there. What leads into the library is not scored,
because clang sees a model of it; nor are functions in which clang reports an error. A template has one answer for each
instantiation and one for itself: every answer of ours must be one of clang's. Where clang has more, because it
instantiated more, the name counts as the same and is counted once more as `fewer`. A type that depends on template
parameters of which we know no instance is `open` and not scored, unless both sides spell it alike.

Prints the scores and the differences by kind; exits with 0 whatever they are, unless `--minimum SHARE` asks for more.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import accept
import ast_extract
import corpus
import msl_rewrite

STD = "metal4.1"
FUNCTION_KINDS = (*ast_extract.FUNCTIONS, "FunctionTemplateDecl")

CANONICAL = {
    "unsigned int": "uint", "unsigned char": "uchar", "unsigned short": "ushort", "unsigned long": "ulong",
    "signed char": "char", "_Float16": "bfloat", "uint32_t": "uint", "uint64_t": "ulong", "uint16_t": "ushort",
    "uint8_t": "uchar", "int32_t": "int", "int64_t": "long", "int16_t": "short", "int8_t": "char", "size_t": "ulong",
    "unsigned long long": "ulong", "long long": "long", "_Bool": "bool",
}
CANONICAL_WORD = re.compile(r"\b(?:" + "|".join(sorted(CANONICAL, key=len, reverse=True)) + r")\b")

SPACE_WORDS = {"device", "threadgroup", "constant", "thread", "generic", "ray_data", "object_data", "threadgroup_imageblock"}


@dataclass
class Difference:
    """One name on which the two disagree, or about which ours is silent."""

    what: str  # definition, overload, type
    kind: str  # missing: ours does not know the name; unknown: it says nothing; different
    path: str
    offset: int
    name: str
    ours: str
    clang: str


def normal_type(text, storage=None):
    """One spelling for a type: canonical names, sorted qualifiers, a reference is what it refers to.

    `storage` is the space in which the object lies, where that is told apart from the type.
    """
    text = text.replace("metal::", "").replace("struct ", "").replace("class ", "").replace("enum ", "").replace("union ", "").replace("msl_id_", "").replace("__restrict", "").replace("typename ", "")
    text = CANONICAL_WORD.sub(lambda match: CANONICAL[match.group(0)], text)
    text = re.sub(r"\bvec<\s*(\w+),\s*(\d)\s*>", r"\1\2", text)
    text = re.sub(r"\b((?:texture|depth)\w+_ms(?:_array)?<[^<>,]+),\s*access::read>", r"\1>", text)
    text = re.sub(r"\b((?:texture|depth)\w+<[^<>,]+),\s*access::sample>", r"\1>", text)
    text = re.sub(r"\bpacked_vec<\s*(\w+),\s*(\d)\s*>", r"packed_\1\2", text)
    text = re.sub(r"\bmatrix<\s*(\w+),\s*(\d),\s*(\d)\s*>", r"\1\2x\3", text)
    # An array says the same whether or not its pointer or reference is in brackets.
    text = re.sub(r"\s*\bthread\b\s*\[", "[", text)
    text = re.sub(r"\s+\[", "[", text)
    text = re.sub(r"\((?:unnamed|anonymous)[^()]*\)", "<unnamed>", re.sub(r"<unnamed (?:struct|enum|union|class)>", "<unnamed>", text))
    text = re.sub(r"(?:\w+::)+<unnamed>", "<unnamed>", text)
    text = re.sub(r"\s*\(\s*&+\s*\)", "", text)
    text = re.sub(r"\s*&+\s*(?:const|thread)?\s*$", "", text.strip())
    # Words inside of template arguments stay where they are.
    arguments = []

    def keep(match):
        arguments.append(re.sub(r"\s+", "", match.group(0)))
        return f"\x01{len(arguments) - 1}\x02"

    while re.search(r"<[^<>]*>", text):
        text = re.sub(r"<[^<>]*>", keep, text)
    levels = [sorted(set(level.split())) for level in text.split("*")]
    # What lies in `constant` is const, written or not. The last level is the object itself: its const is part of the
    # declaration in one view and of the access in the other.
    levels = [[word for word in level if word != "const" or "constant" not in level] for level in levels]
    levels[-1] = [word for word in levels[-1] if word not in ("const", "volatile", "constexpr")]
    if storage and not set(levels[-1]) & SPACE_WORDS:
        levels[-1] = sorted([*levels[-1], storage])
    # A generic pointee is spelled without a space by one side. Objects: that they lie in thread memory is not said
    # of temporaries and of what a template's own parameters make.
    levels = [[word for word in level if word != "generic"] for level in levels[:-1]] + levels[-1:]
    levels[-1] = [word for word in levels[-1] if word != "thread"]
    text = "*".join(" ".join(level) for level in levels)
    while "\x01" in text:
        text = re.sub("\x01(\\d+)\x02", lambda match: arguments[int(match.group(1))], text)
    return text


def inspect(binary, path, include, define):
    """Our answers by byte offset of the name."""
    command = [binary, "inspect", str(path), "--all", "--format", "jsonl", "--std", STD]
    for folder in include:
        command += ["-I", folder]
    for name in define:
        command += ["-D", name]
    process = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"inspect: exit status {process.returncode}: {process.stderr.strip()[-200:]}")
    answers = collections.defaultdict(list)
    for line in process.stdout.splitlines():
        item = json.loads(line)
        if item.get("kind") not in (None, "access"):
            answers[item["range"]["start"]["offset"]].append(item)
    return answers


def scored(answer):
    """Clang's references by offset."""
    grouped = collections.defaultdict(list)
    for reference in answer.references:
        grouped[reference.offset].append(reference)
    return grouped


def spellings(text, aliases):
    """A type of clang's with the typedefs below its outermost level replaced by what they stand for."""
    done, work = set(), [text]
    while work and len(done) < 500:
        text = work.pop()
        if text in done:
            continue
        done.add(text)
        for match in re.finditer(r"[A-Za-z_][\w:]*", text):
            name = match.group(0).split("::")[-1]
            for meant in aliases.get(name, ()):
                if meant != name and not re.search(rf"\b{name}\b", meant):
                    work.append(text[: match.start()] + meant + text[match.end() :])
    return {normal_type(text) for text in done}


def definition_set(references, root, target):
    """(path, offset) of each declaration, in terms of the original package."""
    places = set()
    for reference in references:
        if reference.target.offset is not None:
            path = os.path.realpath(reference.target.path)
            if path.startswith(os.path.realpath(target)):
                path = os.path.join(os.path.realpath(root), os.path.relpath(path, os.path.realpath(target)))
            places.add((path, reference.target.offset))
    return places


def oracle_version(*scripts):
    """Changes whenever the answers of clang could: the model of the library and these scripts."""
    digest = hashlib.sha256()
    for path in sorted(ast_extract.HERE.glob("*")):
        if path.suffix in (".h", ".inc") or path.name in scripts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def clang_answer(path, options, answers):
    """Clang's answer about a rewritten file, from the folder `answers` if it is there."""
    if answers is None:
        return ast_extract.extract(path, options)
    key = hashlib.sha256("\0".join([path, *options, oracle_version("ast_extract.py", "names_plugin.cpp")]).encode()).hexdigest()
    stored = Path(answers, f"{key}.pickle")
    if not stored.exists():
        answer = ast_extract.extract(path, options)
        stored.write_bytes(pickle.dumps(answer))
        return answer
    return pickle.loads(stored.read_bytes())


def compare_file(binary, answers, path, root, target, include, define):
    """Counts by (what, verdict), and the differences."""
    relative = os.path.relpath(path, root)
    options = [f"-D{name}" for name in define]
    for folder in include:
        options += ["-I", os.path.join(target, os.path.relpath(folder, root))]
    answer = clang_answer(os.path.join(target, relative), options, answers)
    counts, differences = collections.Counter(), []
    if answer is None:
        counts["file", "no answer of clang"] += 1
        return counts, differences
    if None in answer.errors:
        counts["file", "errors of clang in a header"] += 1
        return counts, differences
    counts["file", "compared"] += 1
    # The innermost function of an error is left out, with everything in it; an error outside of every function is one
    # about names that the whole file can use.
    outermost = outermost_spans(answer.functions)
    broken = [span for span in outermost if any(span[0] <= error <= span[1] for error in answer.errors)]
    counts["function", "scored"] += len(outermost) - len(broken)
    counts["function", "with an error"] += len(broken)
    if any(not any(span[0] <= error <= span[1] for span in broken) for error in answer.errors):
        counts["file", "with errors of clang outside of functions"] += 1
    source = Path(path).read_bytes()
    ours = inspect(binary, path, include, define)

    def record(what, kind, offset, name, mine, theirs):
        counts[what, kind] += 1
        if kind != "same":
            differences.append(Difference(what, kind, str(path), offset, name, str(mine), str(theirs)))

    is_code = outside_of_macros(source)
    parameters = {item["text"] for items in ours.values() for item in items if item["kind"] == "template-parameter"}
    for offset, references in scored(answer).items():
        name = re.match(rb"\w*", source[offset : offset + 120]).group(0).decode()
        references = [reference for reference in references if reference.name in (name, f"msl_id_{name}")]
        if any(span[0] <= offset <= span[1] for span in broken):
            continue
        if not name or not references or not is_code(offset):
            continue  # an operator, a swizzle's accessor, a name inside a macro
        items = ours.get(offset, [])
        places = definition_set(references, root, target)
        if places and all(reference.target.offset is not None for reference in references):
            what = "overload" if any(reference.target.kind in FUNCTION_KINDS for reference in references) else "definition"
            mine = {
                (os.path.realpath(place["path"]), place["range"]["start"]["offset"])
                for item in items
                for place in item.get("definitions") or []
            }
            kind = "missing" if not items else "unknown" if not mine else "same" if mine <= places else "different"
            if kind == "different" and what == "overload":
                # The same function, declared more than once, is the same answer.
                texts = {signature(Path(place[0]).read_bytes(), place[1]) for place in places}
                if {signature(Path(place[0]).read_bytes(), place[1]) for place in mine if os.path.exists(place[0])} <= texts:
                    kind = "same"
            record(what, kind, offset, name, sorted(mine), sorted(places))
            if kind == "same" and len(mine) < len(places):
                record(what, "fewer", offset, name, sorted(mine), sorted(places))
        elif not places:
            continue  # into the library
        if any(reference.target.kind in FUNCTION_KINDS for reference in references):
            continue  # a function's type is what `overload` compares
        types = {normal_type(reference.type) for reference in references} - {"auto", "<dependent type>"}
        if not types:
            continue  # only with its parameters open
        mine = {normal_type(item["type"], item.get("storage")) for item in of_instances(items) if item.get("type")}
        if not mine <= types:
            everything = set().union(*(spellings(reference.type, answer.aliases) for reference in references))
            everything |= {normal_type(reference.canonical) for reference in references}
            types = mine if mine <= everything else types
        if not mine <= types and all(set(re.findall(r"\w+", text)) & parameters for text in types):
            counts["type", "open"] += 1
            continue  # clang knows of no instance
        if not mine <= types and any("\u2026" in text or set(re.findall(r"\w+", text)) & parameters for text in mine):
            counts["type", "open"] += 1
            continue  # depends on parameters, and we know of no instance
        kind = "missing" if not items else "unknown" if not mine else "same" if mine <= types else "different"
        record("type", kind, offset, name, sorted(mine), sorted(types))
        if kind == "same" and len(mine) < len(types):
            record("type", "fewer", offset, name, sorted(mine), sorted(types))
    return counts, differences


def outermost_spans(spans):
    """The spans that lie in no other one, in order."""
    kept = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or span[0] > kept[-1][1]:
            kept.append(span)
    return kept


DEFINE = re.compile(rb"^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\\r?\n|\\.)*", re.M)


def outside_of_macros(source):
    """Whether an offset is outside of every definition of a macro: nobody says what a name means in one."""
    spans = [match.span() for match in DEFINE.finditer(source)]
    return lambda offset: not any(begin <= offset < end for begin, end in spans)


def of_instances(items):
    """The answers for the instances of a template if there are some: with open parameters every spelling is right."""
    return [item for item in items if item.get("instantiation")] or items


def signature(source, offset):
    """Name and parameter list at an offset, without spaces: what tells overloads apart."""
    end = offset
    while end < len(source) and source[end : end + 1] not in (b"{", b";"):
        end += 1
    return re.sub(rb"\s+", b"", source[offset:end])


def work_of(options, folder):
    """(path, root, rewritten root, include, define) of every file to compare."""
    for name in options.files:
        root = os.path.dirname(os.path.abspath(name))
        target = tempfile.mkdtemp(dir=folder)
        msl_rewrite.tree(root, target)
        yield os.path.abspath(name), root, target, [], []
    if options.files:
        return
    for package in corpus.packages(options.package, options.core):
        if not package.cached():
            print(f"SKIPPED {package.name}: not in the cache")
            continue
        units = [unit for unit in package.units() if unit.gate and not unit.require]
        target = Path(folder, package.root.name)
        if not target.exists():
            accept.rewritten_tree(package, folder)
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                accept.compile_units(package, units, target, pool)  # for its repairs
        for unit in units:
            yield str(unit.path), str(package.root), str(target), unit.include, unit.define


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="instead of the corpus")
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--core", action="store_true", help="only the core packages")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--examples", type=int, default=8, metavar="N", help="of each kind of difference")
    parser.add_argument("--answers", metavar="DIR", help="keep clang's answers there, for the next run")
    parser.add_argument("--json", metavar="OUT", help="write every difference there")
    parser.add_argument("--minimum", type=float, metavar="SHARE", help="exit with 1 below this share of same answers, in %%")
    options = parser.parse_args()
    if not accept.clang_is_there() or not ast_extract.plugin():
        print("SKIPPED oracle: clang-22 with the headers of libclang-22-dev and llvm-22-dev is not there")
        return 0
    binary = os.path.abspath(options.binary)
    counts, differences, failed = collections.Counter(), [], 0
    answers = None
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.answers and not options.files:
            answers = os.path.abspath(options.answers)
            folder = os.path.join(answers, oracle_version("accept.py", "msl_rewrite.py"))
            os.makedirs(folder, exist_ok=True)
        work = list(work_of(options, folder))
        running = [(item[0], pool.submit(compare_file, binary, answers, *item)) for item in work]
        for path, future in running:
            try:
                more, found = future.result()
            except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAILED {path}: {error}")
                continue
            counts.update(more)
            differences += found
    print(", ".join(f"{count} files {kind}" for (what, kind), count in sorted(counts.items()) if what == "file"))
    functions = counts["function", "scored"], counts["function", "with an error"]
    print(f"{functions[0]} of {sum(functions)} functions scored ({100 * functions[0] / max(1, sum(functions)):.1f} %)")
    print(f"{'':12} {'same':>8} {'different':>9} {'unknown':>8} {'missing':>8} {'fewer':>8} {'open':>8} {'share':>8}")
    shares = []
    for what in ("overload", "definition", "type"):
        row = [counts[what, kind] for kind in ("same", "different", "unknown", "missing")]
        share = 100 * row[0] / sum(row) if sum(row) else 100.0
        shares.append(share)
        print(f"{what:12} {row[0]:8} {row[1]:9} {row[2]:8} {row[3]:8} {counts[what, 'fewer']:8} {counts[what, 'open']:8} {share:7.2f}%")
    groups = collections.defaultdict(list)
    for difference in differences:
        groups[difference.what, difference.kind].append(difference)
    for (what, kind), found in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"\n{what} {kind}: {len(found)}")
        for difference in found[: options.examples]:
            text = Path(difference.path).read_bytes()
            line = text.count(b"\n", 0, difference.offset) + 1
            column = difference.offset - text.rfind(b"\n", 0, difference.offset)
            print(f"    {difference.path}:{line}:{column}: {difference.name}\n        ours  {difference.ours}\n        clang {difference.clang}")
    if options.json:
        Path(options.json).write_text(json.dumps([vars(difference) for difference in differences], indent=1))
    return 1 if failed or (options.minimum is not None and min(shares) < options.minimum) else 0


if __name__ == "__main__":
    sys.exit(main())
