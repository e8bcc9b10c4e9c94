#!/usr/bin/env python3
"""Injects realistic faults into clean sources and looks whether the analyser notices: `mutate.py --binary PATH [FILE...]`.

Files are the units of the corpus (or those named); a fault is one edit at a place that a seed chooses (`kinds.py`).
Each must get an error on its own line, and no error elsewhere that the fault does not explain:

* caught: an error on the right line;
* misplaced: errors, none of them on the right line;
* missed: no error at all;
* noise: caught, with errors on lines that have nothing to do with it.

Clang judges what is missed where it can (`--judge`): a fault that it accepts as well is `doubtful` and not counted.
Prints rates by kind, and what was missed or misplaced. Exits with 1 below `--minimum`, 0 otherwise.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import kinds
import source as sources

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))
sys.path.insert(0, str(HERE.parent / "oracle"))

import corpus  # noqa: E402

LARGEST = 120_000
SECONDS = 120


class Job:
    """A file with the faults to inject into it."""

    def __init__(self, source, mutants, include, define, label):
        self.source, self.mutants, self.include, self.define, self.label = source, mutants, include, define, label


def errors_by_path(binary, paths, std, include, define):
    """The lines with errors of each file, and what went wrong with the run itself."""
    command = [binary, "check", "--format", "json", "--max-diagnostics", "100000", "--std", std, *sources.options_of(include, define)]
    try:
        process = subprocess.run([*command, *map(str, paths)], capture_output=True, timeout=SECONDS)
        answer = json.loads(process.stdout.decode(errors="replace"))
    except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
        return None, str(error)
    if process.returncode not in (0, 1):
        return None, f"exit status {process.returncode}: {process.stderr.decode(errors='replace')[-300:]}"
    found = collections.defaultdict(list)
    for diagnostic in answer["diagnostics"]:
        if diagnostic["severity"] == "error":
            found[os.path.realpath(diagnostic["path"])].append(
                (diagnostic["range"]["start"]["line"], diagnostic["code"], diagnostic["message"])
            )
    return found, ""


def verdict(mutant, errors):
    lines = {line for line, _, _ in errors}
    if not lines:
        return "missed"
    if not lines & mutant.lines:
        return "misplaced"
    return "noise" if lines - mutant.lines - mutant.allowed else "caught"


def run(binary, job, folder):
    """(mutant, verdict, errors) of each fault of a job."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    paths = []
    for index, mutant in enumerate(job.mutants):
        path = folder / f"{job.source.path.stem}.{index}{job.source.path.suffix}"
        path.write_bytes(mutant.apply(job.source.text))
        paths.append(path)
    include = [job.source.path.parent, *job.include]
    results = []
    for start in range(0, len(paths), 32):
        batch = paths[start : start + 32]
        found, failure = errors_by_path(binary, batch, job.source.std, include, job.define)
        if found is None:
            # One of them is to blame: each on its own.
            for path, mutant in zip(batch, job.mutants[start : start + 32]):
                found, failure = errors_by_path(binary, [path], job.source.std, include, job.define)
                if found is None:
                    results.append((mutant, "failed", [(0, "failure", failure)]))
                else:
                    errors = found.get(os.path.realpath(path), [])
                    results.append((mutant, verdict(mutant, errors), errors))
            continue
        for path, mutant in zip(batch, job.mutants[start : start + 32]):
            errors = found.get(os.path.realpath(path), [])
            results.append((mutant, verdict(mutant, errors), errors))
    shutil.rmtree(folder)
    return results


def chosen(source, seed, count):
    """`count` faults of each kind at places that the seed chooses."""
    by_kind = collections.defaultdict(list)
    for kind in kinds.ALL:
        for mutant in kind(source):
            by_kind[mutant.kind].append(mutant)
    picked = []
    for kind, mutants in sorted(by_kind.items()):
        chance = random.Random(f"{seed} {kind} {source.path.name}")
        picked += chance.sample(mutants, min(count, len(mutants)))
    return picked


def work_of(options):
    """(path, std, include, define, label) of every file."""
    if options.files:
        for name in options.files:
            yield Path(name).resolve(), options.std, [], [], name
        return
    for package in corpus.packages(options.package, options.core):
        if not package.cached():
            print(f"SKIPPED {package.name}: not in the cache")
            continue
        for unit in package.units():
            if unit.gate and not unit.require and 400 < unit.path.stat().st_size <= LARGEST:
                yield unit.path, unit.std[-1], unit.include, unit.define, f"{package.name}/{unit.name}"


def job_of(binary, options, item):
    path, std, include, define, label = item
    source = sources.load(binary, path, std, include, define)
    clean, failure = errors_by_path(binary, [path], std, include, define)
    if failure or clean.get(os.path.realpath(path)):
        return None
    return Job(source, chosen(source, options.seed, options.count), include, define, label)


def accepted_by_clang(job, mutant, folder):
    """Whether clang compiles a fault without an error. `None` if it does not compile the clean file either."""
    import accept
    import msl_rewrite

    def compiles(text):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            original, rewritten = Path(place, "original"), Path(place, "rewritten")
            original.mkdir()
            for sibling in job.source.path.parent.glob("*"):
                if sibling.is_file() and sibling.suffix in (".h", ".metal", ".hpp", ".metalh"):
                    shutil.copy(sibling, original / sibling.name)
            (original / job.source.path.name).write_bytes(text)
            msl_rewrite.tree(str(original), str(rewritten))
            words = [f"-D{name}" for name in job.define]
            command = [*accept.COMPILER, "-fsyntax-only", *words, str(rewritten / job.source.path.name)]
            return subprocess.run(command, capture_output=True).returncode == 0

    return compiles(mutant.apply(job.source.text)) if compiles(job.source.text) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="instead of the corpus")
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--core", action="store_true", help="only the core packages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3, help="faults of each kind for each file")
    parser.add_argument("--std", default="metal4.0", help="for files that are named")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--examples", type=int, default=4, help="of each kind of fault that was not caught")
    parser.add_argument("--judge", action="store_true", help="let clang judge what is missed")
    parser.add_argument("--json", metavar="OUT", help="write every fault that was not caught there")
    parser.add_argument("--minimum", type=float, metavar="SHARE", help="exit with 1 below this share of caught faults, in %%")
    parser.add_argument("--minimum-of-spaces", type=float, metavar="SHARE", help="the same for faults of address spaces")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    counts = collections.defaultdict(collections.Counter)
    bad = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def work(item):
            job = job_of(binary, options, item)
            return job, run(binary, job, folder) if job else []

        for job, results in pool.map(work, list(work_of(options))):
            for mutant, what, errors in results:
                if what == "missed" and options.judge and accepted_by_clang(job, mutant, folder):
                    what = "doubtful"
                counts[mutant.kind][what] += 1
                if what != "caught":
                    bad.append((mutant, what, errors, job))
    columns = ("caught", "noise", "misplaced", "missed", "failed", "doubtful")
    print(f"{'':26}" + "".join(f"{column:>10}" for column in columns) + f"{'share':>10}")
    total = collections.Counter()
    for kind, of_kind in sorted(counts.items()):
        total.update(of_kind)
        print(row(kind, of_kind, columns))
    of_spaces = sum((of_kind for kind, of_kind in counts.items() if kind in kinds.ADDRESS_SPACES), collections.Counter())
    print(row("of address spaces", of_spaces, columns))
    print(row("in all", total, columns))
    shown = collections.Counter()
    for mutant, what, errors, job in bad:
        shown[mutant.kind, what] += 1
        if shown[mutant.kind, what] > options.examples:
            continue
        line = sorted(mutant.lines)[0]
        text = mutant.apply(job.source.text).split(b"\n")[job.source.line(mutant.begin) - 1]
        print(f"\n{what} {mutant.kind}: {job.label}:{line} [{job.source.std}]\n    {text.decode(errors='replace').strip()[:160]}")
        for where, code, message in [error for error in errors if error[0] not in mutant.lines | mutant.allowed][:3]:
            print(f"    {where}: {code}: {message[:140]}")
    if options.json:
        rows = [
            {"kind": mutant.kind, "verdict": what, "file": job.label, "lines": sorted(mutant.lines), "begin": mutant.begin,
             "end": mutant.end, "new": mutant.new, "errors": errors}
            for mutant, what, errors, job in bad
        ]
        Path(options.json).write_text(json.dumps(rows, indent=1))
    is_low = share(total) < (options.minimum or 0) or share(of_spaces) < (options.minimum_of_spaces or 0)
    return 1 if is_low or total["failed"] else 0


def share(counter):
    judged = sum(count for what, count in counter.items() if what != "doubtful")
    return 100 * counter["caught"] / judged if judged else 100.0


def row(name, counter, columns):
    return f"{name:26}" + "".join(f"{counter[column]:10}" for column in columns) + f"{share(counter):9.1f}%"


if __name__ == "__main__":
    sys.exit(main())
