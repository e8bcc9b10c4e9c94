#!/usr/bin/env python3
"""Makes what editors offer, wherever they offer it: `run.py --binary PATH [--core] [--package NAME]... [--sample N]`.

For every unit of the corpus, under Metal 4.1 and under the versions that its upstream builds it with, the property is:
after an action nothing is reported that was not reported before, every call still calls what it did, what was done is
not offered a second time, and the finding that a repair is about is gone. All of that happens in one process
(`msl-analyzer actions --try`), on texts in memory.

With `--clang N`, up to N units whose actions hold are edited on disk, in a copy, and where clang accepts the unit it has
to accept what became of it.

Exits with 1 if an action breaks the property. Prints how many actions of each family were offered, applied and refused,
and why they were refused.
"""

import argparse
import collections
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))
sys.path.insert(0, str(HERE.parent / "oracle"))
import corpus  # noqa: E402

NEWEST = "metal4.1"


def units(options):
    """The units with the versions to judge them under, each pair once."""
    found = {}
    for package in corpus.packages(options.package, options.core):
        if not package.cached():
            print(f"SKIPPED {package.name}: not in the cache")
            continue
        for unit in package.units():
            if unit.require or not unit.gate:
                continue
            for std in [NEWEST, *unit.std]:
                found.setdefault((str(unit.path), std, *unit.define), (package, unit, std))
    return list(found.values())


def try_all(options, work):
    """What became of the actions of each unit."""
    lines = [
        json.dumps({"path": str(unit.path), "std": std, "include": unit.include, "define": unit.define})
        for _, unit, std in work
    ]
    command = [options.binary, "actions", "--try", "--jobs", str(options.jobs)]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=options.timeout
    )
    if done.returncode not in (0, 1):
        sys.exit(f"actions --try ends with {done.returncode}: {done.stderr.strip()[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def kind_of_reason(reason):
    """A reason without places and names, so that equal ones can be counted."""
    reason = re.sub(r"^\S+:\d+ would get", "a line would get", reason)
    reason = re.sub(r"in \S+:\d+ would", "somewhere would", reason)
    reason = re.sub(r"(the finding `[a-z0-9.-]+`).*", r"\1", reason)
    return re.sub(r"\d+", "N", reason)


def report(answers, options):
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.defaultdict(collections.Counter)
    failures = []
    for answer in answers:
        label = " ".join([Path(answer["path"]).name, answer["std"], *(f"-D{name}" for name in answer["define"])])
        if answer["panicked"]:
            failures.append(f"{label}: the analysis failed")
        for trial in answer["trials"]:
            counts[trial["id"]][trial["outcome"]] += 1
            if trial["outcome"] == "refused":
                reasons[trial["id"]][kind_of_reason(trial["reason"])] += 1
            if trial["outcome"] == "broken":
                at = f"{trial['path']}@{trial['offset']}"
                failures.append(f"{label}: {trial['id']}: {trial['title']} at {at}: {trial['reason']}")
    print(f"{'action':34} {'offered':>7} {'kept':>7} {'broken':>6} {'refused':>7}")
    for family, of_family in sorted(counts.items()):
        offered = of_family["kept"] + of_family["broken"]
        print(f"{family:34} {offered:7} {of_family['kept']:7} {of_family['broken']:6} {of_family['refused']:7}")
        for reason, count in reasons[family].most_common():
            print(f"    {count:5} refused: {reason}")
    slowest = sorted(answers, key=lambda answer: -answer["milliseconds"])[:3]
    print("slowest: " + ", ".join(f"{Path(it['path']).name} {it['milliseconds']} ms" for it in slowest))
    return failures


def clang(options, work, answers):
    """Makes actions in copies of packages, and compiles before and after. Gives what clang no longer accepts."""
    import accept

    if not accept.clang_is_there():
        print("SKIPPED clang: no clang-22")
        return []
    kept = {}
    for answer in answers:
        if answer["std"] == NEWEST and not answer["define"]:
            kept[answer["path"]] = {trial["id"] for trial in answer["trials"] if trial["outcome"] == "kept"}
    chosen = [entry for entry in work if entry[2] == NEWEST and kept.get(str(entry[1].path)) and not entry[1].define]
    random.Random(1).shuffle(chosen)
    failures, accepted, made = [], 0, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for number, (package, unit, std) in enumerate(chosen[: options.clang]):
            copy = Path(scratch, str(number), package.root.name)
            ignored = shutil.ignore_patterns("*.metallib", "*.air", "*.a", "*.so", "*.dylib")
            shutil.copytree(package.root, copy, ignore=ignored)
            before = errors(accept, unit, package, copy, Path(scratch, "before"))
            if before:
                shutil.rmtree(Path(scratch, str(number)))
                continue
            accepted += 1
            path = copy / unit.path.relative_to(package.root)
            done = apply_families(options.binary, unit, package, copy, path, std)
            made.update(done)
            after = errors(accept, unit, package, copy, Path(scratch, "after"))
            if after:
                failures.append(f"clang: {package.name}/{unit.name} after {dict(done)}: {after[0]}")
            shutil.rmtree(Path(scratch, str(number)))
    print(f"clang: {accepted} of {len(chosen[: options.clang])} units accepted before, {len(failures)} not after {dict(made)}")
    return failures


def errors(accept, unit, package, copy, target):
    import msl_rewrite

    shutil.rmtree(target, ignore_errors=True)
    msl_rewrite.tree(str(copy), str(target))
    moved = corpus.Unit(
        package=unit.package,
        name=unit.name,
        path=copy / unit.name,
        std=unit.std,
        include=[str(copy / Path(folder).relative_to(package.root)) for folder in unit.include],
    )
    return accept.errors_of(accept.compile_unit(moved, copy, target))


def apply_families(binary, unit, package, copy, path, std):
    """Makes one action after the other until none is offered, at most a hundred; gives how many of each family."""
    made = collections.Counter()
    words = [binary, "actions", "--std", std]
    for folder in unit.include:
        words += ["-I", str(copy / Path(folder).relative_to(package.root))]
    for _ in range(100):
        done = subprocess.run([*words, str(path)], capture_output=True, text=True, timeout=300, cwd=copy)
        offered = [it for it in json.loads(done.stdout)["actions"] if it["edits"]]
        # What one family makes the other takes back.
        offered = [it for it in offered if it["id"] not in ("generate-overloads", "template-on-pointer")]
        if not offered:
            break
        files, taken = collections.defaultdict(list), []
        for action in offered:
            spans = [(it["path"], it["range"]["start"]["offset"], it["range"]["end"]["offset"]) for it in action["edits"]]
            meets = any(p == q and a <= d and c <= b for p, a, b in spans for q, c, d in taken)
            if action["id"] == "consolidate-overloads" and taken or meets:
                continue
            taken += spans
            made[action["id"]] += 1
            for edit in action["edits"]:
                files[edit["path"]].append(edit)
            if action["id"] == "consolidate-overloads":
                break
        for name, of_file in files.items():
            text = (copy / name).read_bytes()
            for edit in sorted(of_file, key=lambda it: it["range"]["start"]["offset"], reverse=True):
                start, end = edit["range"]["start"]["offset"], edit["range"]["end"]["offset"]
                text = text[:start] + edit["newText"].encode() + text[end:]
            (copy / name).write_bytes(text)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--core", action="store_true", help="only the core packages")
    parser.add_argument("--package", action="append", help="only these packages")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="only N units, always the same")
    parser.add_argument("--clang", type=int, default=0, metavar="N", help="units to compile before and after")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS", help="of the whole run")
    parser.add_argument("--json", metavar="OUT", help="write everything there")
    options = parser.parse_args()
    options.binary = str(Path(options.binary).resolve())
    work = units(options)
    if options.sample:
        random.Random(0).shuffle(work)
        # Big units say no more than small ones and take most of the time.
        work = [entry for entry in work if entry[1].path.stat().st_size < 100_000][: options.sample]
    if not work:
        print("SKIPPED actions: nothing is in the cache")
        return 0
    started = time.monotonic()
    answers = try_all(options, work)
    seconds = time.monotonic() - started
    failures = report(answers, options)
    if len(answers) != len(work):
        failures.append(f"{len(work)} units, {len(answers)} answers")
    if options.clang:
        failures += clang(options, work, answers)
    print(f"actions: {len(answers)} runs in {seconds:.0f} s, {len(failures)} failed")
    for failure in failures:
        print(f"FAILED {failure}")
    if options.json:
        Path(options.json).write_text(json.dumps(answers, indent=1), encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
