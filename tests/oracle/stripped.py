#!/usr/bin/env python3
"""The corpus without its address spaces: `stripped.py --binary PATH [--package NAME]... [--limit SECONDS] [--list]`.

Takes `device`, `thread` and `threadgroup` away from the parameters of ordinary functions, where Metal 4.1 allows it, and
asks what the analysis infers for them. The inferred set has to contain what was written, always, and to be exactly that
for nearly all functions that are called in the unit.

What is taken away is taken back where it changes more than this parameter, which shows as an error that the unit did not
have before (an overload set that differs in spaces alone, a conversion to a named space), or as a call that goes to
another function. Pointers that a template parameter carries the space of (`T *`) are not generic without the word and
do not count. Functions that code elsewhere calls (entry points, `[[visible]]` and the like) keep their words.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))

import corpus  # noqa: E402

SPACES = ("device", "thread", "threadgroup")
ROUNDS = 8
QUALIFIED = re.compile(r"\b(kernel|vertex|fragment|object|mesh|intersection|visible|stitchable|extern)\b")


def run(binary, words, unit, path, root, copy):
    command = [binary, *words, "--std", "metal4.1"]
    for folder in unit.include:
        command += ["-I", str(copy / Path(folder).relative_to(root))]
    for define in unit.define:
        command += ["-D", define]
    process = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=120, errors="replace")
    return process.stdout


def errors(binary, unit, path, root, copy):
    """Errors of a unit as (path, offset)."""
    out = json.loads(run(binary, ["check", "--format", "json", "--quiet"], unit, path, root, copy))
    return [
        (item["path"], item["range"]["start"]["offset"], item["range"]["end"]["offset"], item["code"])
        for item in out["diagnostics"]
        if item["severity"] == "error"
    ]


def names(binary, unit, path, root, copy):
    out = run(binary, ["inspect", "--all", "--format", "jsonl"], unit, path, root, copy)
    return [json.loads(line) for line in out.splitlines()]


def head_of(text, offset):
    """The start of the declaration that a parameter at an offset belongs to, and the name of its function."""
    depth, at = 0, offset
    while at > 0:
        at -= 1
        if text[at] in b")]}>":
            depth += 1
        elif text[at] in b"[{<":
            depth -= 1
        elif text[at] in b"(":
            if depth == 0:
                break
            depth -= 1
        elif text[at] in b";":
            return None
    name = re.search(rb"(\w+)\s*$", text[:at])
    if not name or name.group(1) in (b"if", b"for", b"while", b"switch", b"return"):
        return None
    start = max(text.rfind(mark, 0, name.start()) for mark in (b";", b"}", b"{"))
    return start + 1, name.group(1).decode()


def candidates(text, found):
    """Parameters whose space can be taken away: name's offset, space, the word's range, function."""
    result = []
    for item in found:
        if item.get("kind") != "parameter" or item.get("space") not in SPACES or item.get("instantiation"):
            continue
        offset = item["range"]["start"]["offset"]
        if not any(of["range"]["start"]["offset"] == offset and of["path"] == item["path"] for of in item["definitions"]):
            continue
        if not re.search(r"[*&]\s*(?:const\s*)?$", item.get("type") or "") and "*" not in (item.get("type") or ""):
            if "&" not in (item.get("type") or ""):
                continue
        head = head_of(text, offset)
        if head is None:
            continue
        declaration, function = head
        before = text[declaration:offset].decode(errors="replace")
        if QUALIFIED.search(before.split(function)[0]):
            continue
        # Back to the comma or bracket that the parameter starts behind.
        start, depth = offset, 0
        while start > declaration:
            character = text[start - 1 : start]
            if character in (b")", b">", b"]"):
                depth += 1
            elif character in (b"(", b"<", b"["):
                if depth == 0:
                    break
                depth -= 1
            elif character == b"," and depth == 0:
                break
            start -= 1
        written = text[start:offset]
        words = [match for match in re.finditer(rb"\b(?:device|threadgroup|thread)\b", written)]
        if len(words) != 1 or words[0].group(0).decode() != item["space"]:
            continue
        word = (start + words[0].start(), start + words[0].end())
        result.append((offset, item["space"], word, function))
    return result


def without(text, chosen):
    text = bytearray(text)
    for _, _, (start, end), _ in chosen:
        text[start:end] = b" " * (end - start)
    return bytes(text)


def function_ranges(text, chosen):
    """By function: from the start of its declaration to the end of its body."""
    ranges = collections.defaultdict(list)
    for offset, _, _, function in chosen:
        head = head_of(text, offset)
        brace = text.find(b"{", offset)
        depth, at = 0, brace
        while 0 <= at < len(text):
            if text[at] in b"{":
                depth += 1
            elif text[at] in b"}":
                depth -= 1
                if depth == 0:
                    break
            at += 1
        ranges[function].append((head[0], at))
    return ranges


def one(binary, unit, package, scratch):
    """Counts for one unit, and its failures."""
    counts, failures = collections.Counter(), []
    root = package.root
    copy = Path(scratch, package.name)
    path = copy / Path(unit.path).relative_to(root)
    text = Path(unit.path).read_bytes()
    before = names(binary, unit, path, root, copy)
    chosen = candidates(text, before)
    if not chosen:
        return counts, failures
    had = {(code, start) for _, start, _, code in errors(binary, unit, path, root, copy)}
    calls = {
        item["range"]["start"]["offset"]: [of["range"]["start"]["offset"] for of in item["definitions"]]
        for item in before
        if item.get("kind") in ("function", "method") and not item.get("instantiation")
    }
    counts["candidates"] += len(chosen)
    after = []
    for _ in range(ROUNDS):
        path.write_bytes(without(text, chosen))
        new = [item for item in errors(binary, unit, path, root, copy) if (item[3], item[1]) not in had]
        after = names(binary, unit, path, root, copy)
        blamed = set()
        ranges = function_ranges(text, chosen)
        moved = [
            item["range"]["start"]["offset"]
            for item in after
            if item.get("kind") in ("function", "method")
            and not item.get("instantiation")
            and calls.get(item["range"]["start"]["offset"], [None])
            != [of["range"]["start"]["offset"] for of in item["definitions"]]
        ]
        for where, start, end, _ in new:
            line_start, line_end = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
            line = set(re.findall(r"\w+", text[line_start:line_end].decode(errors="replace")))
            named = {function for function in ranges if function in line}
            blamed |= named or {
                function for function, places in ranges.items() if any(a <= start <= b for a, b in places)
            }
        for start in moved:
            name = re.match(rb"\w+", text[start:])
            blamed |= {name.group(0).decode()} & set(ranges) if name else set()
        if new and not blamed:
            # Nobody to blame: give the whole unit back.
            chosen = []
        if not new and not blamed:
            break
        chosen = [item for item in chosen if item[3] not in blamed]
        if not chosen:
            break
    path.write_bytes(text)
    # Without another round after the last change nothing is known.
    if not chosen or new or blamed:
        counts["given back"] += counts["candidates"]
        return counts, failures
    counts["given back"] += counts["candidates"] - len(chosen)
    inferred = {
        item["range"]["start"]["offset"]: item
        for item in after
        if item.get("kind") == "parameter" and not item.get("instantiation")
    }
    for offset, space, _, function in chosen:
        item = inferred.get(offset)
        if item is None or item.get("space") != "generic" or "inferred" not in item:
            counts["not generic"] += 1
            continue
        where = f"{package.name}/{unit.name}:{item['range']['start']['line']} {function}({item['text']})"
        if item.get("limit"):
            counts["limited"] += 1
            continue
        counts["judged"] += 1
        if space not in item["inferred"] and (item["contexts"] or item["inferred"]):
            counts["missing"] += 1
            failures.append(f"{where}: was {space}, inferred {item['inferred']}")
        if item["contexts"]:
            counts["called"] += 1
            if item["inferred"] == [space]:
                counts["equal"] += 1
            else:
                failures.append(f"{where}: was {space}, inferred {item['inferred']} (called)")
    return counts, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--package", action="append", help="only this package; repeatable")
    parser.add_argument("--limit", type=float, default=0, metavar="SECONDS", help="start no unit after this time")
    parser.add_argument("--list", action="store_true", help="print every parameter that differs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    binary, counts, failures = os.path.abspath(options.binary), collections.Counter(), []
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        work = []
        for package in corpus.packages(options.package):
            if not package.cached():
                continue
            shutil.copytree(package.root, Path(scratch, package.name), symlinks=True)
            seen = set()
            for unit in package.units():
                if unit.path not in seen and unit.gate and not unit.require:
                    seen.add(unit.path)
                    work.append((unit, package))

        def guarded(item):
            if options.limit and time.monotonic() - started > options.limit:
                return collections.Counter(skipped=1), []
            try:
                return one(binary, *item, scratch)
            except (subprocess.TimeoutExpired, json.JSONDecodeError, UnicodeDecodeError) as error:
                return collections.Counter(failed=1), [f"{item[0].name}: {error}"]

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for found, complaints in pool.map(guarded, work):
                counts += found
                failures += complaints
    if options.list:
        print(*failures, sep="\n")
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "none"
    contained = counts["judged"] - counts["missing"]
    print(
        f"stripped: {len(work)} units, {counts['candidates']} parameters, {counts['given back']} given back,"
        f" {counts['not generic']} not generic, {counts['limited']} limited, {counts['skipped']} units skipped,"
        f" {counts['failed']} failed\n"
        f"judged {counts['judged']}: contains what was written {share(contained, counts['judged'])};"
        f" called {counts['called']}: equal {share(counts['equal'], counts['called'])}"
    )
    good = counts["missing"] == 0 and counts["equal"] >= 0.95 * counts["called"] and not counts["failed"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
