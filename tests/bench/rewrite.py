#!/usr/bin/env python3
"""Turns a Metal file and its folder into what clangd reads: `rewrite.py FILE FOLDER`.

Writes the sources as OpenCL C++ (see tests/oracle) with a compilation database that has the oracle's flags.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "corpus"), str(HERE.parent / "oracle")]

import accept  # noqa: E402
import msl_rewrite  # noqa: E402


def main():
    file, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    msl_rewrite.tree(str(file.parent), str(folder))
    target = folder / file.name
    entry = {"directory": str(folder), "file": str(target), "arguments": ["clang", *accept.COMPILER[1:], str(target)]}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))


if __name__ == "__main__":
    main()
