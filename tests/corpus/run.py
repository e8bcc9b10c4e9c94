#!/usr/bin/env python3
"""Checks every unit of the corpus: `run.py --binary PATH [--core] [--package NAME]... [--json OUT]`.

Gates, and exits with 1 when one fails: no error on a unit that upstream compiles; the stated error on a unit that
cannot be complete; no crash, no hang, no output that is not the documented JSON.
Reports, without a gate: the shares of expressions whose type stayed unknown or depends on a template parameter, the
share of files that were modelled completely, time, peak memory, and all findings by code with examples.

A package that is not in the cache is a line that begins with SKIPPED.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import corpus


@dataclass
class Run:
    """One unit under one language version."""

    unit: corpus.Unit
    std: str
    seconds: float = 0.0
    peak_kib: int = 0  # 0: this system does not tell
    failure: str = ""  # crash, hang, broken output
    complete: bool = False
    diagnostics: list = field(default_factory=list)
    stats: dict = field(default_factory=dict)

    def errors(self):
        return [diagnostic for diagnostic in self.diagnostics if diagnostic["severity"] == "error"]

    def verdict(self):
        """Why the gate fails for this run; empty when it holds."""
        if self.failure or not self.unit.gate:
            return self.failure
        shown = [error["code"] for error in self.errors()]
        if self.unit.require:
            missing = not set(shown) & set(self.unit.require)
            return f"shows no {' or '.join(self.unit.require)}" if missing else ""
        return f"{len(shown)} errors: {', '.join(sorted(set(shown)))}" if shown else ""

    def label(self):
        return " ".join([f"{self.unit.package}/{self.unit.name}", self.std, *(f"-D{name}" for name in self.unit.define)])


def command_line(binary, unit, std):
    words = [binary, "check", "--format", "json", "--stats", "--std", std]
    for folder in unit.include:
        words += ["-I", folder]
    for define in unit.define:
        words += ["-D", define]
    return [*words, str(unit.path)]


def wait(process, seconds):
    """Waits with a limit; returns status, peak resident memory in KiB, and whether the limit ended the process."""
    expired = threading.Event()

    def expire():
        expired.set()
        process.kill()

    timer = threading.Timer(seconds, expire)
    timer.start()
    try:
        if not hasattr(os, "wait4"):
            return process.wait(), 0, expired.is_set()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        scale = 1024 if sys.platform == "darwin" else 1  # macOS counts bytes
        return process.returncode, usage.ru_maxrss // scale, expired.is_set()
    finally:
        timer.cancel()


def check(binary, unit, std, limit):
    run = Run(unit, std)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(command_line(binary, unit, std), stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        status, run.peak_kib, expired = wait(process, limit)
        run.seconds = time.monotonic() - started
        out.seek(0)
        err.seek(0)
        text, complaint = out.read(), err.read().decode(errors="replace").strip()
    if expired:
        run.failure = f"no answer in {limit:g} s"
    elif status not in (0, 1):
        run.failure = f"exit status {status}" + (f": {complaint.splitlines()[-1][:200]}" if complaint else "")
    else:
        try:
            answer = json.loads(text)
            run.diagnostics, run.stats = answer["diagnostics"], answer.get("stats") or {}
            run.complete = all(entry["complete"] for entry in answer["files"])
        except (ValueError, KeyError, TypeError) as error:
            run.failure = f"output is not the documented JSON: {error!r}"
        else:
            if status != int(bool(run.errors())):
                run.failure = f"exit status {status} with {len(run.errors())} errors"
    return run


def share(part, whole):
    return f"{100 * part / whole:6.2f}%" if whole else "      -"


def report_packages(runs):
    heads = f"{'package':26} {'runs':>5} {'clean':>5} {'complete':>8} {'lines':>8} {'unknown':>7} {'dependent':>9}"
    print(f"{heads} {'s':>7} {'max s':>6} {'MiB':>5}")
    groups = collections.defaultdict(list)
    for run in runs:
        groups[run.unit.package].append(run)
    for name, group in [*groups.items(), ("in all", runs)]:
        stats = collections.Counter()
        for run in group:
            stats.update({key: value for key, value in run.stats.items() if isinstance(value, (int, float))})
        print(
            f"{name:26} {len(group):5} {sum(not run.verdict() for run in group):5} "
            f"{sum(run.complete for run in group):8} {stats['lines']:8} "
            f"{share(stats['unknownExpressions'], stats['expressions'])} "
            f"  {share(stats['dependentExpressions'], stats['expressions'])} "
            f"{sum(run.seconds for run in group):7.2f} {max(run.seconds for run in group):6.2f} "
            f"{max(run.peak_kib for run in group) // 1024:5}"
        )


def report_findings(runs, examples):
    """Every finding by severity and code; the same place reported for two versions counts twice."""
    groups = collections.defaultdict(list)
    for run in runs:
        for diagnostic in run.diagnostics:
            groups[diagnostic["severity"], diagnostic["code"]].append((run, diagnostic))
    order = {"error": 0, "warning": 1, "information": 2, "hint": 3}
    for (severity, code), found in sorted(groups.items(), key=lambda item: (order.get(item[0][0], 9), -len(item[1]))):
        print(f"\n{severity} {code}: {len(found)} in {len({id(run) for run, _ in found})} runs")
        shown = set()
        for run, diagnostic in found:
            message = diagnostic["message"]
            if message in shown or len(shown) == examples:
                continue
            shown.add(message)
            start = diagnostic["range"]["start"]
            path = os.path.relpath(diagnostic["path"], corpus.cache_folder()).replace(os.sep, "/")
            print(f"    {path}:{start['line']}:{start['column']}: {message.splitlines()[0]} [{run.std}]")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--core", action="store_true", help="only the core packages")
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--std", action="append", help="only under these versions")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="of one run")
    parser.add_argument("--examples", type=int, default=3, metavar="N", help="examples of each code")
    parser.add_argument("--json", metavar="OUT", help="write everything there")
    options = parser.parse_args()

    work, skipped = [], 0
    for package in corpus.packages(options.package, options.core):
        if not package.cached():
            skipped += 1
            print(f"SKIPPED {package.name}: not in the cache, `fetch.py {package.name}` fetches it")
            continue
        for unit in package.units():
            work += [(unit, std) for std in unit.std if not options.std or std in options.std]
    if not work:
        print("SKIPPED corpus: nothing is in the cache")
        return 0
    binary = str(Path(options.binary).resolve())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(lambda item: check(binary, *item, options.timeout), work))

    report_packages(runs)
    report_findings(runs, options.examples)
    failed = [run for run in runs if run.verdict()]
    print(f"\ncorpus: {len(runs) - len(failed)} passed, {len(failed)} failed, {skipped} skipped")
    for run in failed:
        print(f"    {run.label()}: {run.verdict()}")
    if options.json:
        record = [
            {
                "package": run.unit.package, "unit": run.unit.name, "std": run.std, "define": run.unit.define,
                "verdict": run.verdict(), "complete": run.complete, "seconds": round(run.seconds, 4),
                "peakKib": run.peak_kib, "stats": run.stats, "diagnostics": run.diagnostics,
            }
            for run in runs
        ]
        Path(options.json).write_text(json.dumps(record, indent=1), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
