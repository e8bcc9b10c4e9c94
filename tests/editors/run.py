#!/usr/bin/env python3
"""Runs msl-analyzer in real editors.

    python3 tests/editors/run.py                   what can run with the tools that are here
    python3 tests/editors/run.py --install         installs tools that are small
    python3 tests/editors/run.py --full            installs everything, which takes some minutes once
    python3 tests/editors/run.py neovim helix      these suites

All of them open the same fixture and must see what expected.json says. A suite whose editor cannot be had says
`SKIPPED name: reason`. Exit status 1 if a check failed.
"""

import argparse
import importlib
import os
import pathlib
import sys
import time

from support import REPOSITORY, Context, Skip

SUITES = ["neovim", "extension", "vscode", "neovim_current", "helix", "emacs", "kakoune", "zed", "book", "recipes", "release"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument("--binary", type=pathlib.Path, help="the server; target/debug/msl-analyzer unless given")
    parser.add_argument("--install", action="store_true", help="install tools that are small")
    parser.add_argument("--full", action="store_true", help="install whatever is needed")
    parser.add_argument("--cache", type=pathlib.Path, help="where tools are kept; a folder of the user's cache unless given")
    parser.add_argument("--output", type=pathlib.Path, help="where logs and screenshots go; target/editors unless given")
    parser.add_argument("--prepare", action="store_true", help="install and do not run")
    parser.add_argument("--screenshots", action="store_true", help="write the pictures of the documentation anew")
    parser.add_argument("--list", action="store_true", help="print the names of the suites")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(SUITES))
        return 0
    unknown = [name for name in arguments.suites if name not in SUITES]
    if unknown:
        parser.error(f"no suite {unknown[0]}; there are {', '.join(SUITES)}")

    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    binary = (arguments.binary or target / "debug" / "msl-analyzer").absolute()
    if not binary.is_file() and not arguments.prepare:
        parser.error(f"{binary} is not there; build it with `cargo build`")
    user_cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    cache = arguments.cache or pathlib.Path(os.environ.get("MSL_EDITORS", user_cache / "msl-analyzer" / "editors"))
    output = (arguments.output or target / "editors").absolute()
    output.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    context = Context(binary, cache.absolute(), output, arguments.install, arguments.full, arguments.screenshots)

    passed = failed = skipped = 0
    for name in arguments.suites or SUITES:
        suite = importlib.import_module(name)
        started, failed_before = time.monotonic(), failed
        try:
            tools = suite.prepare(context)
            if arguments.prepare:
                print(f"{name}: ready after {time.monotonic() - started:.1f} s", flush=True)
                continue
            for result in suite.run(context, tools):
                if result.ok is None:
                    skipped += 1
                    print(f"SKIPPED {name}: {result.name}: {result.detail}", flush=True)
                elif result.ok:
                    passed += 1
                    print(f"ok {name}: {result.name}", flush=True)
                else:
                    failed += 1
                    print(f"FAILED {name}: {result.name}: {result.detail[:4000]}", flush=True)
        except Skip as reason:
            skipped += 1
            print(f"SKIPPED {name}: {reason}", flush=True)
            continue
        finally:
            # What failed can be looked at.
            if failed == failed_before:
                context.clean()
            context.scratches.clear()
        print(f"   {name}: {time.monotonic() - started:.1f} s", flush=True)
    print(f"editors: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
