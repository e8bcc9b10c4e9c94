#!/usr/bin/env python3
"""What the address-space flow adds to an edit: `flow.py [FILE]... [--edits N]` (default: the longest file of whisper.rn).

Builds `edit_cost`, an example of the crate `msl-flow`, and runs it: each file is judged as Metal 4.1, bodies are edited,
and what flow does again is timed apart from the checks of types. Nothing here is a test.
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))

import corpus  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--edits", type=int, default=30)
    options = parser.parse_args()
    files = options.files
    if not files:
        units = [unit.path for package in corpus.packages(["whisper.rn"]) if package.cached() for unit in package.units()]
        files = sorted(units, key=lambda path: path.stat().st_size)[-1:]
        if not files:
            print("SKIPPED: the package whisper.rn is not in the cache")
            return 0
    command = ["cargo", "run", "--quiet", "--release", "-p", "msl-flow", "--example", "edit_cost", "--"]
    for path in files:
        print(f"{Path(path).name}:")
        subprocess.run([*command, str(path), str(options.edits)], cwd=HERE.parents[1], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
