#!/usr/bin/env python3
"""Warnings about loops, measured by LLVM: `hot_loops.py --binary PATH [FILE...]` (default: progs/ and hot/).

Each program of `progs/` is judged as it is, and with the body of every kernel in a loop of a thousand passes, so that
every access that a kernel reaches is in a loop. `generic-pointer-in-hot-loop` may stand only where LLVM leaves an access
generic, or where an intended difference of `flow-differences.md` stands; and where LLVM leaves an access generic in the
version with the loop, it has to stand, unless the table explains why not. A warning stands at one access and names the
others of the same value as related places.

The programs of `hot/` are the cases of which the language's documentation says that they are paid for: each has one
warning, at the line that says `hot`, and no other finding about cost.
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
from pathlib import Path

import flow

HERE = Path(__file__).resolve().parent
CODE = "generic-pointer-in-hot-loop"


def warnings(binary, path):
    """The findings about loops, as (line, column) of their places, related ones of the same value included."""
    command = [binary, "check", str(path), "--format", "json", "--quiet", "--std", "metal4.1"]
    out = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)
    found = []
    for item in out["diagnostics"]:
        if item["code"] == CODE:
            places = [item["range"], *(of["range"] for of in item["related"])]
            found.append([((of["start"]["line"], of["start"]["column"]), (of["end"]["line"], of["end"]["column"])) for of in places])
    return found


def looped(text):
    """The program with the bodies of its kernels in loops, every line where it was; None if it has no kernel."""
    out, at, count = [], 0, 0
    for match in re.finditer(r"\bkernel\s+void\s+\w+\s*\(", text):
        start = text.index("{", match.end())
        # Attributes and parameters hold no braces.
        depth, end = 0, start
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                break
            end += 1
        body = text[start + 1 : end]
        # Threadgroup memory is declared at the top of a kernel.
        inside = re.sub(r"\n[ \t]*threadgroup [^;(]*\[[^;]*\];", "", body) != body
        if inside:
            return None
        out += [text[at : start + 1], " for (int hot_ = 0; hot_ < 1000; ++hot_) {", body, "} "]
        at, count = end, count + 1
    return "".join([*out, text[at:]]) if count else None


def judge(binary, path, name, known, intended):
    """Counts and complaints for one program; `name` is the program's in the table."""
    counts, complaints = collections.Counter(), []
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    found, warned = flow.ours(binary, path), warnings(binary, path)
    counts["warnings"] += len(warned)
    ranges = {place for places in warned for place in places}
    for place, (verdict, _) in flow.verdicts(path).items():
        chosen = flow.items_at(found, place, lines)
        is_warned = any((item[0], item[1]) in ranges for item in chosen)
        row = known.get((name, *place))
        where = f"{os.path.basename(path)}:{place[0]}:{place[1]}"
        counts["accesses"] += 1
        counts["resolved"] += verdict != "runtime"
        counts["left"] += verdict == "runtime"
        if is_warned and verdict != "runtime" and (name, *place) not in intended:
            complaints.append(f"{where}: LLVM resolves it ({verdict}), and there is a warning")
            counts["false"] += 1
        if verdict == "runtime" and "hot" in name and not is_warned and row is None:
            complaints.append(f"{where}: LLVM leaves it, and there is no warning")
            counts["missed"] += 1
    return counts, complaints


def program(binary, path, known, intended):
    """A program as it is, and with loops."""
    name = os.path.basename(path)
    counts, complaints = judge(binary, path, name, known, intended)
    text = looped(Path(path).read_text(encoding="utf-8"))
    if text is None:
        counts["without a loop"] += 1
        return counts, complaints
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, f"hot_{name}")
        copy.write_text(text, encoding="utf-8")
        try:
            shifted = {(f"hot_{file}", *place): row for (file, *place), row in known.items()}
            wanted = {(f"hot_{file}", *place) for file, *place in intended}
            more, others = judge(binary, copy, copy.name, shifted, wanted)
        except subprocess.CalledProcessError:
            counts["without a loop"] += 1
            return counts, complaints
    counts["with a loop"] += 1
    return counts + more, complaints + others


def case(binary, path):
    """A case of `hot/`: one warning, where it says so."""
    lines = path.read_text(encoding="utf-8").split("\n")
    wanted = [number for number, line in enumerate(lines, 1) if line.endswith("// hot")]
    command = [binary, "check", str(path), "--format", "json", "--quiet", "--std", "metal4.1"]
    out = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)
    of_cost = (CODE, "unresolved-generic-pointer")
    found = [
        (item["code"], item["severity"], item["range"]["start"]["line"])
        for item in out["diagnostics"]
        if item["code"] in of_cost or item["severity"] in ("warning", "error")
    ]
    if found == [(CODE, "warning", line) for line in wanted]:
        return []
    return [f"{path.name}: one warning is due in line {wanted}, and there is {found}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    cases = sorted((HERE / "hot").glob("*.metal"))
    wrong = [complaint for path in cases for complaint in case(binary, path)]
    print(f"cases: {len(cases) - len(wrong)} of {len(cases)} have their one warning")
    counts = collections.Counter()
    if shutil.which("clang-22") and shutil.which("opt-22"):
        paths = [Path(path) for path in options.files] or sorted((HERE / "progs").glob("*.metal"))
        known, intended = flow.known_differences(), set(flow.known_differences(True))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for found, complaints in pool.map(lambda path: program(binary, path, known, intended), paths):
                counts += found
                wrong += complaints
        print(
            f"loops: {len(paths)} programs, {counts['with a loop']} of them also in a loop,"
            f" {counts['accesses']} accesses, of which LLVM resolves {counts['resolved']} and leaves {counts['left']};"
            f" {counts['warnings']} warnings, {counts['false']} where LLVM resolves, {counts['missed']} missing"
        )
    else:
        print("SKIPPED loops: no clang-22 with opt-22")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
