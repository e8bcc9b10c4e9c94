#!/usr/bin/env python3
"""Nearly every fault that `kinds.py` can inject into the files of `sample` is caught: `test_mutants.py --binary PATH`.

Says `SKIPPED` and succeeds without a binary.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MINIMUM = "99"
MINIMUM_OF_SPACES = "99"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=os.environ.get("MSL_ANALYZER"), help="msl-analyzer; or $MSL_ANALYZER")
    options = parser.parse_args()
    if not options.binary:
        print("SKIPPED mutants: no binary")
        return 0
    files = sorted(map(str, (HERE / "sample").glob("*.metal")))
    command = [sys.executable, str(HERE / "mutate.py"), "--binary", options.binary, "--std", "metal4.0"]
    limits = ["--minimum", MINIMUM, "--minimum-of-spaces", MINIMUM_OF_SPACES]
    return subprocess.run([*command, "--count", "1000", *limits, *files]).returncode


if __name__ == "__main__":
    sys.exit(main())
