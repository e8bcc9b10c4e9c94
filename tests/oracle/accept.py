#!/usr/bin/env python3
"""How much of the corpus clang 22 accepts: `accept.py [--package NAME]... [--json OUT] [--messages N] [--jobs N]`.

Rewrites every cached unit with its headers (`msl_rewrite.py`), compiles it with the prelude and counts the units, and
the functions of the unit itself, that have no error. The share bounds what `compare.py` can score; it is the number to
watch when prelude or rewriter change.
"""

import argparse
import collections
import concurrent.futures
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Clang with the prelude, for rewritten files.
COMPILER = [
    "clang-22", "-x", "clcpp", "-cl-std=clc++2021", "-cl-no-stdinc", "-target", "x86_64", "-fdeclspec",
    "-cl-single-precision-constant", "-Wno-everything", "-ferror-limit=0", "-fbracket-depth=1024",
    "-include", str(HERE / "prelude.h"),
]
sys.path.insert(0, str(HERE.parent / "corpus"))

import corpus  # noqa: E402
import msl_rewrite  # noqa: E402


def clang_is_there():
    return shutil.which("clang-22") is not None


def rewritten_tree(package, folder):
    """The rewritten copy of a package: same relative paths, same byte offsets."""
    target = Path(folder, package.root.name)
    msl_rewrite.tree(str(package.root), str(target))
    return target


def arguments(unit, root, target):
    """Compiler options of a unit whose package was rewritten from `root` to `target`."""
    words = []
    for include in unit.include:
        words += ["-I", str(target / Path(include).relative_to(root))]
    return words + [f"-D{define}" for define in unit.define]


CONDITIONAL = re.compile(
    r"^(.*?):\d+:\d+:\{(\d+):(\d+)-(\d+):(\d+)\}\{(\d+):(\d+)-(\d+):(\d+)\}: error: incompatible operand types \(", re.M
)


def conditional_operands(messages):
    """By file, the ranges (line, column, end line, end column) of operands of `?:` that clang refused."""
    sites = {}
    for path, *numbers in CONDITIONAL.findall(messages):
        sites.setdefault(path, set()).update([tuple(map(int, numbers[:4])), tuple(map(int, numbers[4:]))])
    return sites


def wrap_operands(path, ranges):
    """Wraps operands of conditional operators of a class type whose address spaces differ.

    Vectors are classes in the prelude; in MSL they are not, and the operands are loaded.
    """
    starts = [0] + [match.end() for match in re.finditer("\n", msl_rewrite.read(path))]
    new = []
    for line, column, end_line, end_column in ranges:
        new.append((starts[line - 1] + column - 1, "metal::msl_value("))
        new.append((starts[end_line - 1] + end_column - 1, ")"))
    msl_rewrite.insert(path, new)


def compile_unit(unit, root, target):
    """Standard error of the compiler."""
    command = [*COMPILER, "-fsyntax-only", "-fdiagnostics-print-source-range-info"]
    command += [*arguments(unit, root, target), str(target / unit.name)]
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stderr


def errors_of(messages):
    return re.findall(r"^(.*?):(\d+):(\d+):(?:[\d:{}-]*:)? (?:fatal )?error: (.*)$", messages, re.M)


def compile_units(package, units, target, pool):
    """Compiles units of a rewritten package, repairs what can be repaired, and compiles those again.

    Returns the errors of each unit as (path, line, column, message).
    """
    messages = list(pool.map(lambda unit: compile_unit(unit, package.root, target), units))
    sites = {}
    for text in messages:
        for path, ranges in conditional_operands(text).items():
            if path.startswith(str(target)):
                sites.setdefault(path, set()).update(ranges)
    for path, ranges in sites.items():
        wrap_operands(path, ranges)
    again = [index for index, text in enumerate(messages) if CONDITIONAL.search(text)]
    for index, text in zip(again, pool.map(lambda index: compile_unit(units[index], package.root, target), again)):
        messages[index] = text
    return [errors_of(text) for text in messages]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--json", help="write every error there")
    parser.add_argument("--messages", type=int, default=0, help="print the most frequent messages")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if not clang_is_there():
        print("SKIPPED oracle: no clang-22")
        return 0
    results, totals = {}, collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for package in corpus.packages(options.package):
            if not package.cached():
                print(f"SKIPPED {package.name}: not in the cache")
                continue
            target = rewritten_tree(package, folder)
            units = [unit for unit in package.units() if unit.gate and not unit.require]
            found = compile_units(package, units, target, pool)
            accepted = sum(not errors for errors in found)
            count = sum(map(len, found))
            print(f"{package.name:26} {accepted:3} of {len(units):3} units, {count:5} errors")
            totals.update(accepted=accepted, units=len(units), errors=count)
            for unit, errors in zip(units, found):
                results[f"{package.name}/{unit.name} {' '.join(unit.define)}"] = [
                    [path.replace(f"{target}/", ""), int(line), int(column), message] for path, line, column, message in errors
                ]
    print(f"{'in all':26} {totals['accepted']:3} of {totals['units']:3} units, {totals['errors']:5} errors")
    if options.messages:
        messages = collections.Counter()
        where = {}
        for unit, errors in results.items():
            for path, line, column, message in errors:
                shape = re.sub(r"'[^']*'", "'…'", message)
                messages[shape] += 1
                where.setdefault(shape, f"{unit} {line}:{column} {message}")
        for shape, count in messages.most_common(options.messages):
            print(f"{count:6} {shape[:110]}\n         {where[shape][:220]}")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
