#!/usr/bin/env python3
"""Validates SARIF output against the schema of SARIF 2.1.0: `validate.py --binary PATH`.

The schema is not ours and is not kept here: it comes out of the npm package `@microsoft/jest-sarif`, through the npm
client as it is set up on this machine, or from the file that `SARIF_SCHEMA` names. Without it, and without the Python
package `jsonschema`, the test says so and is skipped.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"

# A shader with errors, warnings, repairs, related places, and letters outside of ASCII in front of a finding.
SHADER = """#include <metal_stdlib>
using namespace metal;
/* é 😀 */ kernel void k(float *p [[buffer(0)]], device float *out [[buffer(1)]]) { out[0] = undeclared; }
float helper(float x) { return x; }
float use(float x) { float (*f)(float) = helper; return f(x); }
"""
BUILD = """old.air: old.metal
\txcrun -sdk macosx metal -std=metal4.0 -c old.metal -o old.air
new.air: new.metal
\txcrun -sdk macosx metal -std=metal4.1 -c new.metal -o new.air
all.metallib: old.air new.air
\txcrun -sdk macosx metallib old.air new.air -o all.metallib
"""
HOST = """import Metal
let library = device.makeDefaultLibrary()!
let f = library.makeFunction(name: "hepler")
"""


def schema():
    """The schema, or the reason why there is none."""
    named = os.environ.get("SARIF_SCHEMA")
    if named:
        return json.loads(pathlib.Path(named).read_text(encoding="utf-8")), None
    with tempfile.TemporaryDirectory() as folder:
        try:
            packed = subprocess.run(
                ["npm", "pack", PACKAGE, "--silent"], cwd=folder, capture_output=True, text=True, timeout=120, check=True
            )
        except (OSError, subprocess.SubprocessError) as error:
            return None, f"{PACKAGE} could not be fetched: {type(error).__name__}"
        name = packed.stdout.split()[-1]
        with tarfile.open(pathlib.Path(folder) / name) as archive:
            return json.load(archive.extractfile(MEMBER)), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    binary = str(pathlib.Path(parser.parse_args().binary).resolve())
    try:
        import jsonschema
    except ImportError:
        print("SKIPPED sarif: the Python package `jsonschema` is not there")
        return 0
    document, reason = schema()
    if document is None:
        print(f"SKIPPED sarif: {reason}")
        return 0
    # Formats such as `uri-reference` are part of what is asked for.
    validator = jsonschema.validators.validator_for(document)(document)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        texts = {"a.metal": SHADER, "old.metal": "", "new.metal": "", "Makefile": BUILD, "Host.swift": HOST}
        for name, text in texts.items():
            (root / name).write_text(text, encoding="utf-8")
        runs = [
            ["check", "--std", "metal4.0", "a.metal"],
            ["check", "a.metal"],
            ["check", "new.metal"],
            ["abi"],
            ["link-graph"],
        ]
        for arguments in runs:
            command = [binary, *arguments, "--format", "sarif"]
            output = subprocess.run(command, cwd=root, capture_output=True, timeout=120).stdout
            report = json.loads(output)
            results = sum(len(run.get("results", [])) for run in report["runs"])
            errors = sorted(validator.iter_errors(report), key=lambda error: list(error.absolute_path))
            for error in errors[:5]:
                where = "/".join(map(str, error.absolute_path))
                print(f"sarif: {' '.join(arguments)}: {where}: {error.message[:300]}")
            failed += bool(errors)
            print(f"sarif: {' '.join(arguments)}: {results} results, {len(errors)} schema errors")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
