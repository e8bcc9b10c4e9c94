#!/usr/bin/env python3
"""In which address spaces a generic access can land, by LLVM: `flow.py [--binary PATH] [FILE...]` (default: progs/).

Translates a Metal 4.1 program to C++ for OpenCL 2021, compiles it for a target with a generic address space, inlines
everything, forwards stores to loads and runs LLVM's InferAddressSpaces, which does what "the compiler resolves a generic
pointer statically" means. An *access* is a load or store through a generic pointer; one place (line, column) is one
scored access, load and store together. Its *instances* are its copies after inlining. The verdict is

* `static`: every instance has the same space;
* `per-call`: every instance has one space, but not all the same;
* `runtime`: some instance stays generic.

With `--binary` the verdicts are compared with `resolution` and `inferred` of `msl-analyzer inspect FILE --all`.
Not comparable, hence to be kept out of the programs: callers outside the file, copies of whole structs, recursion, and
pointers that go through memory in ways that LLVM's forwarding happens to see.
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
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILER = [
    "clang-22", "-x", "clcpp", "-cl-std=clc++2021", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib",
    "-include", str(HERE / "cl_header.h"), "-g", "-emit-llvm", "-S", "-Wno-everything",
    "-O1", "-Xclang", "-disable-llvm-passes",
]  # fmt: skip
# `inline` keeps every access; where it leaves one generic, `neutral`, which forwards stores to loads, may know more.
# `-O2` would be no oracle: it takes every pointer that comes from a kernel's argument memory for a device pointer.
PIPELINES = {
    "inline": "cgscc(inline),function(sroa,simplifycfg,infer-address-spaces,dce)",
    "neutral": "cgscc(inline),function(sroa,simplifycfg,gvn,infer-address-spaces,dce)",
}
SPACES = {0: "generic", 1: "device", 3: "threadgroup", 4: "constant", 5: "thread"}
# Functions of `cl_header.h`: accesses and tests inside them are not the program's.
HELPERS = ("go", "msl_checked", "is_device_addrspace", "is_threadgroup_addrspace", "is_thread_addrspace")


@dataclass(frozen=True)
class Access:
    """A memory instruction: the function it ended up in, its place, the space, and where it was written."""

    function: str
    operation: str
    space: str
    written_in: str
    line: int
    column: int
    slot: bool  # directly on a local variable


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def translate(text):
    """Metal 4.1 to C++ for OpenCL, lines and columns kept."""
    text = re.sub(r"^[ \t]*#[ \t]*(include|import)[ \t]*<[^>]*>", blank, text, flags=re.M)
    text = re.sub(r"\[\[(?!gnu::)[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\]", blank, text)
    # Metal's cast tests the space; clang's of the same name does not. Metal's static_cast is clang's addrspace_cast.
    text = re.sub(r"\baddrspace_cast\b", "msl_checked   ", text)
    return re.sub(r"\bstatic_cast(\s*<\s*(?:const\s+)?(?:device|thread|threadgroup)\b)", r"addrspace_cast\1", text)


def accesses(text):
    """The memory instructions with a place, of LLVM assembly."""
    metadata, found, function, local = {}, [], None, set()
    for match in re.finditer(r"^!(\d+) = (?:distinct )?!DI(Location|Subprogram|LexicalBlock|LexicalBlockFile)\((.*)\)", text, re.M):
        fields = dict(re.findall(r'(\w+): (!?\w+|"[^"]*")', match.group(3)))
        metadata[f"!{match.group(1)}"] = (match.group(2), fields)

    def subprogram(scope):
        while scope in metadata and metadata[scope][0] != "Subprogram":
            scope = metadata[scope][1].get("scope")
        return metadata[scope][1].get("name", "?").strip('"') if scope in metadata else "?"

    for line in text.split("\n"):
        if match := re.match(r'define .*?@([\w.$]+|"[^"]+")\(', line):
            function = match.group(1)
        if match := re.match(r"\s+(%[\w.]+) = addrspacecast ptr addrspace\(5\) %[\w.]+ to ptr", line):
            local.add((function, match.group(1)))
        match = re.match(r"\s+(?:%[\w.]+ = )?(?:tail )?(load|store|atomicrmw|cmpxchg)\b(.*)", line)
        place = re.search(r"!dbg (!\d+)", line)
        if not match or not place or not function:
            continue
        # The pointer is the last one: a store's first operand can be a pointer too.
        spaces = re.findall(r"\bptr(?: addrspace\((\d+)\))?", match.group(2))
        pointers = re.findall(r"\bptr(?: addrspace\(\d+\))? (%[\w.]+)", match.group(2))
        fields = metadata[place.group(1)][1]
        found.append(
            Access(
                function, match.group(1), SPACES.get(int(spaces[-1] or 0), "generic") if spaces else "generic",
                subprogram(fields["scope"]), int(fields["line"]), int(fields.get("column", 0)),
                bool(pointers) and (function, pointers[-1]) in local,
            )
        )  # fmt: skip
    return found


def verdicts(path):
    """By (line, column): verdict and spaces of every generic access of a file that has a verdict."""
    with tempfile.TemporaryDirectory() as folder:
        source, raw = Path(folder, "program.clcpp"), Path(folder, "raw.ll")
        source.write_text(translate(Path(path).read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run([*COMPILER, str(source), "-o", str(raw)], check=True)
        optimised = {}
        for name, passes in PIPELINES.items():
            command = ["opt-22", "-S", f"-passes={passes}", "-inline-threshold=1000000", str(raw), "-o", "-"]
            optimised[name] = accesses(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        text = raw.read_text()
    kernels = set(re.findall(r"^define[^\n]*amdgpu_kernel[^\n]*?@([\w.$]+)\(", text, re.M))
    # The body of a function that is never inlined speaks for itself.
    apart = "|".join(re.findall(r"^attributes #(\d+) = \{[^\n]*\bnoinline\b", text, re.M)) or "-"
    kept = kernels | set(re.findall(rf"^define[^\n]*@([\w.$]+)\([^\n]*#(?:{apart})\b", text, re.M))
    places = {
        (access.line, access.column)
        for access in accesses(text)
        if access.space == "generic" and not access.slot and access.written_in.split("<")[0] not in HELPERS
    }
    result = {}
    for place in sorted(places):
        for name in PIPELINES:
            spaces = {
                access.space
                for access in optimised[name]
                if (access.line, access.column) == place and access.function in kept
            }
            if not spaces:
                break
            verdict = "runtime" if "generic" in spaces else "static" if len(spaces) == 1 else "per-call"
            result[place] = (verdict, sorted(spaces - {"generic"}))
            if verdict != "runtime":
                break
    return result


def ours(binary, path):
    """Our accesses as (start, end, text, resolution, spaces); places are (line, column)."""
    command = [binary, "inspect", str(path), "--all", "--format", "jsonl", "--std", "metal4.1"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if process.returncode not in (0, 1):
        sys.exit(f"{path}: inspect: exit status {process.returncode}: {process.stderr.strip()[-200:]}")
    result = []
    for item in map(json.loads, process.stdout.splitlines()):
        if item.get("kind") == "access" and (item.get("resolution") or item.get("limit")):
            start, end = item["range"]["start"], item["range"]["end"]
            spaces = sorted(item.get("inferred", [item.get("space")]))
            place = (start["line"], start["column"]), (end["line"], end["column"])
            result.append((*place, item["text"], item.get("resolution") or "limit", spaces))
    return result


OPERATOR = re.compile(r"(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--")


def items_at(found, place, lines):
    """Our accesses that clang's place means.

    Clang puts a store at its operator, an access to a member at the member's name, and others at their start."""
    line = lines[place[0] - 1]
    before = line[: place[1] - 1].rstrip()
    chosen = []
    if match := OPERATOR.match(line, place[1] - 1):
        ends = []
        while not ends and before:
            ends = [item for item in found if item[1] == (place[0], len(before) + 1)]
            if not before.endswith(")"):
                break
            before = before[:-1].rstrip()
        after = line[match.end():]
        starts_at = (place[0], match.end() + len(after) - len(after.lstrip(" (")) + 1)
        starts = [item for item in found if item[0] == starts_at] if match.group(0) in ("++", "--") else []
        # The whole operand: `a.b[i]` and not `b[i]` of it.
        chosen = sorted(ends or starts, key=lambda item: item[0] if ends else (-item[1][0], -item[1][1]))[:1]
    if not chosen:
        for item in found:
            member = re.search(r"(?:\.|->)\s*(\w+)$", item[2])
            where = (item[1][0], item[1][1] - len(member.group(1))) if member else item[0]
            # A store is at its operator, and the place is that of a pointer that is loaded for it.
            end = item[1]
            is_stored = OPERATOR.match(lines[end[0] - 1][end[1] - 1 :].lstrip(" )"))
            if where == place and not is_stored:
                chosen.append(item)
    if not chosen:
        around = [item for item in found if item[0] <= place <= item[1]]
        chosen = sorted(around, key=lambda item: (item[1][0] - item[0][0], item[1][1] - item[0][1]))[:1]
    return chosen


def at_place(found, place, lines):
    """Our verdict at clang's place, as (resolution, spaces); None if there is no access of ours."""
    chosen = items_at(found, place, lines)
    if not chosen:
        return None
    order = ["static", "per-call", "limit", "concrete", "runtime"]
    spaces = sorted({space for item in chosen for space in item[4]})
    resolution = max((item[3] for item in chosen), key=order.index)
    return ("per-call" if resolution == "static" and len(spaces) > 1 else resolution, spaces)


def without_promoted(mine, verdict, spaces):
    """LLVM keeps locals in registers: copies of an access to thread memory can be gone from its output, and with them
    the space. Ours counts them, since they are true."""
    if mine is None or verdict == "runtime" or mine[0] == "runtime" or "thread" in spaces:
        return mine
    rest = [space for space in mine[1] if space != "thread"]
    return ("static" if len(rest) == 1 else mine[0], rest)


def known_differences(intended_only=False):
    """The rows of the table in `flow-differences.md`: LLVM's verdict and ours by (file, line, column).

    `intended_only`: those that the definitions in `docs/address-spaces.md` want."""
    text = (HERE / "flow-differences.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+):(\d+):(\d+)` \| ([\w-]+)[^|]* \| ([\w-]+)[^|]* \| (\w+) \|", text, re.M)
    return {
        (file, int(line), int(column)): (theirs, own)
        for file, line, column, theirs, own, kind in rows
        if kind == "intended" or not intended_only
    }


def compare(binary, path, known, intended):
    """Counts and complaints for one program."""
    counts, complaints = collections.Counter(), []
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    found = ours(binary, path) if binary else []
    for place, (verdict, spaces) in verdicts(path).items():
        line = f"{os.path.basename(path)}:{place[0]}:{place[1]}: {verdict} {','.join(spaces)}"
        if not binary:
            complaints.append(line)
            continue
        mine = without_promoted(at_place(found, place, lines), verdict, spaces)
        same = mine is not None and mine[0] == verdict and (verdict == "runtime" or mine[1] == spaces)
        explained = known.get((os.path.basename(path), *place)) == (verdict, mine[0] if mine else "nothing")
        counts["accesses"] += 1
        counts["same"] += same
        counts["explained"] += explained and not same
        counts["unexplained"] += not same and not explained
        is_ours = mine is not None and mine[0] == "runtime"
        for kind in ("raw",) if (os.path.basename(path), *place) in intended else ("raw", "runtime"):
            counts[f"{kind} theirs"] += verdict == "runtime"
            counts[f"{kind} ours"] += is_ours
            counts[f"{kind} both"] += is_ours and verdict == "runtime"
        if not same:
            own = "nothing" if mine is None else f"{mine[0]} {','.join(mine[1])}"
            complaints.append(f"{line}; ours: {own}{' (explained)' if explained else ''}")
        elif explained:
            complaints.append(f"{line}: the table of differences has it, but there is none")
            counts["unexplained"] += 1
    return counts, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--binary", help="msl-analyzer")
    options = parser.parse_args()
    if not shutil.which("clang-22") or not shutil.which("opt-22"):
        print("SKIPPED oracle: no clang-22 with opt-22")
        return 0
    binary = os.path.abspath(options.binary) if options.binary else None
    paths = options.files or sorted((HERE / "progs").glob("*.metal"))
    known, intended, counts = known_differences(), known_differences(True), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, complaints in pool.map(lambda path: compare(binary, path, known, intended), paths):
            counts += found
            print(*complaints, sep="\n", end="\n" if complaints else "")
    if not binary:
        return 0
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "none"
    quality = {
        kind: f"precision {share(counts[f'{kind} both'], counts[f'{kind} ours'])},"
        f" recall {share(counts[f'{kind} both'], counts[f'{kind} theirs'])}"
        for kind in ("raw", "runtime")
    }
    print(
        f"flow: {len(paths)} programs, {counts['accesses']} accesses, {share(counts['same'], counts['accesses'])} agree;"
        f" {counts['explained']} differences explained, {counts['unexplained']} not\n"
        f"runtime: {quality['runtime']}; with the intended differences {quality['raw']}"
    )
    good = (
        not counts["unexplained"]
        and counts["runtime both"] == counts["runtime ours"]
        and counts["runtime both"] >= 0.97 * counts["runtime theirs"]
        and counts["same"] >= 0.98 * counts["accesses"]
    )
    # A few programs say nothing about shares.
    return 0 if good or (options.files and not counts["unexplained"]) else 1


if __name__ == "__main__":
    sys.exit(main())
