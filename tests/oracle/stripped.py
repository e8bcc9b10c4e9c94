#!/usr/bin/env python3
"""The corpus without its address spaces: `stripped.py --tool PATH [--package NAME]... [--list] [--write FOLDER]`.

`--tool` is the example `stripped` of the crate `msl-flow` (`cargo build -p msl-flow --example stripped`). It takes
`device`, `thread` and `threadgroup` away from the parameters, results, members and local variables of every unit, gives
back what Metal 4.1 does not allow to take away, and asks what the flow infers for the rest. For every parameter of a
function that is called in its unit the inferred set has to contain what was written, and for nearly all it has to be
exactly that.

What is left out, and counted: functions whose names come from macros, and words that do; functions that code elsewhere
calls (entry points, `[[visible]]` and the like), which keep the words on their parameters; templates that nothing
instantiates; parameters that null alone is passed to. What is given back is counted by the code of the error that would
appear, or as `another callee` where a call would go to another function.
"""

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))

import corpus  # noqa: E402


def units(names):
    """Every unit of the corpus in each of its configurations, as the tool reads them."""
    seen, lines = set(), []
    for package in corpus.packages(names):
        if not package.cached():
            continue
        for unit in package.units():
            key = (unit.path, tuple(unit.define))
            if key in seen or not unit.gate or unit.require:
                continue
            seen.add(key)
            options = [f"-I{folder}" for folder in unit.include] + [f"-D{define}" for define in unit.define]
            lines.append("\t".join([f"{package.name}/{unit.name}", str(unit.path), *options]))
    return lines


def run(tool, lines, write):
    """Counts, and what differs, of some units."""
    command = [tool, "--write", write] if write else [tool]
    process = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, errors="replace")
    if process.returncode:
        sys.exit(f"{tool}: exit status {process.returncode}: {process.stderr.strip()[-300:]}")
    counts, differs = collections.Counter(), []
    for line in process.stdout.splitlines():
        kind, *fields = line.split("\t")
        if kind == "count":
            counts[fields[0]] += int(fields[1])
        elif kind == "differs":
            differs.append(fields[0])
    return counts, differs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="the example `stripped` of msl-flow")
    parser.add_argument("--package", action="append", help="only this package; repeatable")
    parser.add_argument("--list", action="store_true", help="print everything that differs, and all counts")
    parser.add_argument("--write", metavar="FOLDER", help="write the texts that were judged there, for clang")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    lines, counts, differs = units(options.package), collections.Counter(), []
    if not lines:
        print("SKIPPED stripped: no corpus")
        return 0
    shares = [lines[start :: options.jobs] for start in range(options.jobs)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found, complaints in pool.map(lambda share: run(options.tool, share, options.write), shares):
            counts += found
            differs += complaints
    if options.list:
        print(*sorted(set(differs)), sep="\n")
        print(*(f"{count:8} {name}" for name, count in sorted(counts.items())), sep="\n")
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "none"
    print(f"stripped: {counts['units']} units, {counts['given back: unit'] + counts['given back: too many rounds']} words in units that were given up")
    for kind in ("parameters", "variables"):
        judged = counts[f"{kind} judged"]
        print(
            f"{kind}: {judged} of functions that are called, contains what was written"
            f" {share(counts[f'{kind} contain'], judged)}, equal {share(counts[f'{kind} equal'], judged)};"
            f" {counts[f'{kind} given back']} given back"
        )
    judged = counts["parameters judged"]
    good = counts["parameters contain"] == judged and counts["parameters equal"] >= 0.95 * judged
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
