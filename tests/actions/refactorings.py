#!/usr/bin/env python3
"""Applies refactorings of selections that are spread over units: `refactorings.py --binary PATH --refactorings N [--package NAME]...`.

Without `--refactorings` it applies what is offered at carets, one process for each.

For every unit of the corpus the property is: after an action, check finds nothing that it did not find before, and the
action is not offered a second time. That calls still choose what they did is checked by the analyser itself before it
offers a change of functions. Units are edited in a copy.

Exits with 1 if an action breaks the property. Prints how many actions of each family were offered, refused and applied.
"""

import argparse
import collections
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "corpus"))
import corpus


def run(binary, command, unit, path, std, package, copy, *more):
    words = [binary, command, "--format", "json", "--std", std, *more]
    for folder in unit.include:
        words += ["-I", str(moved(folder, package, copy))]
    for define in unit.define:
        words += ["-D", define]
    done = subprocess.run([*words, str(path)], capture_output=True, text=True, timeout=300, cwd=copy)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command} ends with {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


def moved(path, package, copy):
    path = Path(path)
    return copy / path.relative_to(package.root) if path.is_relative_to(package.root) else path


def findings(answer):
    kept = [f for f in answer["diagnostics"] if f["code"] not in MIGRATION]
    return collections.Counter((f["severity"], f["code"], f["message"]) for f in kept)


MIGRATION = {"consolidatable-overloads", "breaks-in-4.1", "becomes-generic-in-4.1", "unannotated-member-function"}


def apply(edits, folder):
    """Makes edits; gives what the files were before."""
    before = {}
    by_file = collections.defaultdict(list)
    for edit in edits:
        by_file[edit["path"]].append(edit)
    for name, of_file in by_file.items():
        path = folder / name
        text = before[path] = path.read_bytes()
        for edit in sorted(of_file, key=lambda edit: edit["range"]["start"]["offset"], reverse=True):
            start, end = edit["range"]["start"]["offset"], edit["range"]["end"]["offset"]
            text = text[:start] + edit["newText"].encode() + text[end:]
        path.write_bytes(text)
    return before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--std", default="metal4.1")
    parser.add_argument("--limit", type=int, default=4, help="actions of a family that are applied in a unit")
    parser.add_argument("--refactorings", type=int, help="selections of each unit whose refactorings are applied")
    parser.add_argument("--package", action="append", default=[])
    arguments = parser.parse_args()
    binary = str(Path(arguments.binary).resolve())
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    failures = []
    for package in corpus.packages():
        if package.role != "sources" or arguments.package and package.name not in arguments.package:
            continue
        if not package.cached():
            print(f"SKIPPED {package.name}: not in the cache")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / "copy"
            shutil.copytree(package.root, copy, ignore=shutil.ignore_patterns("*.metallib", "*.air", "*.a", "*.so"))
            for unit in package.units():
                if unit.require or not unit.gate:
                    continue
                one(binary, arguments, package, unit, copy, counts, reasons, failures)
    for family, of_family in sorted(counts.items()):
        print(f"{family:26} offered {of_family['offered']:5}  refused {of_family['refused']:5}  applied {of_family['applied']:5}")
    for reason, count in reasons.most_common(12):
        print(f"    refused {count:5}: {reason}")
    print(f"actions: {len(failures)} failed")
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


def one(binary, arguments, package, unit, copy, counts, reasons, failures):
    path = moved(unit.path, package, copy)
    label = f"{package.name}/{unit.name}"
    try:
        more = [] if arguments.refactorings is None else ["--refactorings", str(arguments.refactorings)]
        actions = run(binary, "actions", unit, path, arguments.std, package, copy, *more)["actions"]
    except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
        failures.append(f"{label}: {error}")
        return
    if not actions:
        return
    if all(action["edits"] is None for action in actions):
        for action in actions:
            refuse(action, counts, reasons)
        return
    before = findings(run(binary, "check", unit, path, arguments.std, package, copy))
    applied = collections.Counter()
    for action in actions:
        family = action["id"]
        if action["edits"] is None:
            refuse(action, counts, reasons)
            continue
        counts[family]["offered"] += 1
        if applied[family] >= arguments.limit:
            continue
        applied[family] += 1
        counts[family]["applied"] += 1
        old = apply(action["edits"], copy)
        try:
            new = findings(run(binary, "check", unit, path, arguments.std, package, copy)) - before
            if new:
                failures.append(f"{label}: {action['title']}: new findings {dict(new)}")
            if arguments.refactorings is not None:
                # What is extracted may be extracted again.
                continue
            again = run(binary, "actions", unit, path, arguments.std, package, copy)["actions"]
            twice = sum(other["title"] == action["title"] and other["edits"] == action["edits"] for other in again)
            if twice:
                failures.append(f"{label}: {action['title']}: offered again")
        except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
            failures.append(f"{label}: {action['title']}: {error}")
        finally:
            for file, text in old.items():
                file.write_bytes(text)


def refuse(action, counts, reasons):
    counts[action["id"]]["refused"] += 1
    reasons[action["refused"].split(":")[-1].strip()[:90]] += 1


if __name__ == "__main__":
    sys.exit(main())
