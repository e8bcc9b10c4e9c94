#!/usr/bin/env python3
"""Warnings beside clang's: `warnings.py --binary PATH [--package NAME]... [--list CODE]...`.

Compiles the rewritten corpus with the warnings of clang that have a counterpart among the codes of msl-analyzer, checks
the original with `msl-analyzer`, and compares by file and line. Files in which clang reports an error are left out, and
so is whatever the rewriting has written itself. Prints for each code what both say, what only clang says and what only
we say; `--list` shows the places of one code. Exits with 0 whatever they are.

Vectors are classes in the prelude, so that clang knows less of them than Apple's compiler, which has them built in: that
only we speak of a vector is no difference of opinion. Function constants are given the value 0, so that clang sees
divisions by zero where there are none.
"""

import argparse
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile

import accept
import corpus
import msl_rewrite

# The groups of warnings of clang that have a code of ours.
CODES = {
    "unused-variable": "unused-variable",
    "uninitialized": "uninitialized-variable",
    "array-bounds": "index-out-of-bounds",
    "division-by-zero": "division-by-zero",
    "shift-count-overflow": "shift-count",
    "shift-count-negative": "shift-count",
    "constant-conversion": "constant-conversion",
    "literal-conversion": "constant-conversion",
    "tautological-constant-out-of-range-compare": "constant-comparison",
    "parentheses": "assignment-in-condition",
    "shift-op-parentheses": "operator-precedence",
    "logical-not-parentheses": "operator-precedence",
    "self-assign": "self-assignment",
    "self-assign-field": "self-assignment",
    "empty-body": "empty-body",
    "unused-value": "unused-value",
    "unused-comparison": "unused-value",
    "unused-result": "unused-value",
    "unreachable-code": "unreachable-code",
    "return-type": "missing-return",
}
# Groups that the ones above turn on and that are none of ours; see docs/decisions/warnings.md.
OFF = ["unused-const-variable", "logical-op-parentheses", "bitwise-op-parentheses", "dangling-else"]
WARNING = re.compile(r"^(.*?):(\d+):(\d+): warning: (.*) \[-W([\w-]+)\]$", re.M)


def warnings_of_clang(unit, root, target):
    """The warnings of a rewritten unit as (path, line, flag, message), and the files that have errors."""
    command = [*accept.COMPILER, "-fsyntax-only", *(f"-W{flag}" for flag in CODES), *(f"-Wno-{flag}" for flag in OFF)]
    command += [*accept.arguments(unit, root, target), str(target / unit.name)]
    text = subprocess.run(command, capture_output=True, text=True, errors="replace").stderr
    bad = {path for path, *_ in accept.errors_of(text)}
    found = [
        (path, int(line), flag, message)
        for path, line, _, message, flag in WARNING.findall(text)
        if path.startswith(str(target))
    ]
    return found, bad


def warnings_of_ours(binary, unit):
    """What msl-analyzer says about the same unit, as (path, line, code, message)."""
    words = [binary, "check", "--format", "json", "--std", unit.std[-1]]
    for include in unit.include:
        words += ["-I", str(include)]
    words += [f"-D{define}" for define in unit.define]
    answer = subprocess.run([*words, str(unit.path)], capture_output=True, text=True, errors="replace").stdout
    return [
        (found["path"], found["range"]["start"]["line"], found["code"], found["message"])
        for found in json.loads(answer)["diagnostics"]
        if found["code"] in CODES.values()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--list", action="append", default=[], metavar="CODE", help="print where the two differ")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if not accept.clang_is_there():
        print("SKIPPED oracle: no clang-22")
        return 0
    theirs, ours, bad = {}, {}, set()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for package in corpus.packages(options.package):
            if not package.cached():
                print(f"SKIPPED {package.name}: not in the cache")
                continue
            target = accept.rewritten_tree(package, folder)
            units = [unit for unit in package.units() if unit.gate and not unit.require]
            accept.compile_units(package, units, target, pool)
            for found, errors in pool.map(lambda unit: warnings_of_clang(unit, package.root, target), units):
                bad |= {path.replace(f"{target}/", f"{package.name}/") for path in errors}
                for path, line, flag, message in found:
                    if flag in CODES:
                        theirs[path.replace(f"{target}/", f"{package.name}/"), line, CODES[flag]] = message
            for found in pool.map(lambda unit: warnings_of_ours(options.binary, unit), units):
                for path, line, code, message in found:
                    ours[path.replace(f"{package.root}/", f"{package.name}/"), line, code] = message
    theirs = {key: message for key, message in theirs.items() if key[0] not in bad}
    ours = {key: message for key, message in ours.items() if key[0] not in bad}
    for code in sorted(set(CODES.values())):
        left = {key for key in theirs if key[2] == code}
        right = {key for key in ours if key[2] == code}
        print(f"{code:24} {len(left & right):4} both, {len(left - right):4} only clang, {len(right - left):4} only we")
        if code in options.list:
            for who, keys in (("clang", left - right), ("we", right - left)):
                for key in sorted(keys):
                    print(f"    only {who}: {key[0]}:{key[1]}: {(theirs if who == 'clang' else ours)[key]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
