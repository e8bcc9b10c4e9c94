#!/usr/bin/env python3
"""Hunts crashes and hangs: `soup.py --binary PATH [--seconds N] [--seed N] [--out DIR]`.

Makes broken sources out of whole ones (the corpus if it is there, and the samples of `tests/mutants`): truncated, with
pieces missing, repeated, exchanged, or with tokens thrown in, and plain soups of tokens. Runs `check` and
`inspect --all` on them with a limit of time and memory. A failure is a panic (status 101, a signal, the finding
`internal-error`), a hang, or output that is not the documented JSON; its input is reduced and kept in `--out`.
Exits with 1 if there was one.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))

import corpus  # noqa: E402

TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|::|->|\.\.\.|<<=|>>=|<=>|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|>>|\[\[|\]\]|\s+|.", re.S)
WORDS = b"""struct class enum union template typename typedef using namespace operator auto decltype constexpr const static
    extern inline friend explicit virtual device constant thread threadgroup kernel vertex fragment if else for while do
    switch case default break continue return goto sizeof alignof alignas new delete this nullptr true false int uint float
    float4 half void bool texture2d array vec matrix sampler metal std T U N x y f g S operator() ( ) { } [ ] [[ ]] < > << >>
    , ; : :: . -> * & && || + - ~ ! = == += <=> ? ... # ## \\ " ' 0 1 0x 1.0f 1e+ 'a' "s" /* */ // #define #include #if
    #else #endif #pragma __attribute__ static_cast reinterpret_cast addrspace_cast [=] [&] concept requires
    _Pragma __VA_ARGS__ defined 99999999999999999999 0b2 \xff \x00 \xc3""".split()


def damaged(chance, text, others):
    """A broken variant of a source."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    for _ in range(chance.choice((1, 1, 1, 2, 4, 12))):
        at = chance.randrange(len(tokens) + 1)
        length = chance.choice((1, 1, 2, 5, 20, 200))
        sort = chance.randrange(8)
        if sort == 0:
            tokens = tokens[:at]
        elif sort == 1:
            del tokens[at : at + length]
        elif sort == 2:
            tokens[at:at] = tokens[at : at + length] * chance.choice((1, 2, 30))
        elif sort == 3:
            tokens[at : at + 1] = [b" ", chance.choice(WORDS), b" "]
        elif sort == 4:
            tokens[at:at] = [b" ", chance.choice(WORDS), b" "] * chance.choice((1, 1, 3, 300))
        elif sort == 5:
            other = TOKEN.findall(chance.choice(others))
            begin = chance.randrange(len(other) + 1)
            tokens[at:at] = other[begin : begin + length]
        elif sort == 6 and len(tokens) > 2:
            other = chance.randrange(len(tokens))
            at = min(at, len(tokens) - 1)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            names = [token for token in tokens if token[:1].isalpha()]
            if names and at < len(tokens):
                tokens[at] = chance.choice(names)
    return b"".join(tokens)


def soup(chance):
    """Tokens that need not have anything to do with each other."""
    count = chance.choice((5, 30, 300, 2000))
    return b" ".join(chance.choice(WORDS) for _ in range(count))


def limits():
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    except ImportError:
        pass


def failure(binary, paths, words, seconds):
    """What goes wrong with these files; empty if nothing does."""
    command = [binary, *words, *map(str, paths)]
    try:
        process = subprocess.run(command, capture_output=True, timeout=seconds, preexec_fn=limits if os.name == "posix" else None)
    except subprocess.TimeoutExpired:
        return f"hang: over {seconds} s"
    errors = process.stderr.decode(errors="replace")
    if process.returncode not in (0, 1) or "panicked" in errors:
        return f"status {process.returncode}: {errors.strip()[-600:]}"
    if b'"internal-error"' in process.stdout:
        return "internal-error"
    try:
        for line in process.stdout.splitlines() if words[0] == "inspect" else [process.stdout]:
            json.loads(line)
    except ValueError as error:
        return f"output: {error}"
    return ""


def reduced(binary, text, words, seconds, folder):
    """A smaller text that fails as well: pieces are left out as long as that helps, for a limited time."""
    path, deadline = Path(folder, "reduced.metal"), time.monotonic() + 60

    def fails(candidate):
        path.write_bytes(candidate)
        return bool(failure(binary, [path], words, seconds))

    for cut in (rb"[^\n]*\n|[^\n]+", TOKEN.pattern):
        pieces = re.findall(cut, text, re.S if cut == TOKEN.pattern else 0)
        size = max(1, len(pieces) // 2)
        while size and time.monotonic() < deadline:
            at = 0
            while at < len(pieces) and time.monotonic() < deadline:
                fewer = pieces[:at] + pieces[at + size :]
                if fails(b"".join(fewer)):
                    pieces = fewer
                else:
                    at += size
            size //= 2
        text = b"".join(pieces)
    return text


def seeds():
    for path in sorted(HERE.parent.glob("mutants/sample/*.metal")):
        yield path.read_bytes()
    for package in corpus.packages():
        if package.cached():
            for unit in package.units():
                if 200 < unit.path.stat().st_size < 60_000:
                    yield unit.path.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer")
    parser.add_argument("--seconds", type=float, default=60, help="how long to hunt")
    parser.add_argument("--limit", type=float, default=20, help="seconds that one file may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="fuzz-failures", metavar="DIR")
    options = parser.parse_args()
    binary, chance = os.path.abspath(options.binary), random.Random(options.seed)
    texts, found, count = list(seeds()), 0, 0
    stop = time.monotonic() + options.seconds
    runs = [["check", "--format", "json", "--std", std] for std in ("metal3.1", "metal4.1")]
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < stop:
            batch = []
            for index in range(40):
                text = soup(chance) if index % 8 == 0 or not texts else damaged(chance, chance.choice(texts), texts)
                path = Path(folder, f"{index}.metal")
                path.write_bytes(text)
                batch.append(path)
            count += len(batch)
            work = [(runs[count // 40 % 2], batch)] + [(["inspect", "--all", "--format", "jsonl"], [path]) for path in batch[::10]]
            for words, paths in work:
                if not failure(binary, paths, words, options.limit * 2):
                    continue
                for path in paths:
                    what = failure(binary, [path], words, options.limit)
                    if not what:
                        continue
                    found += 1
                    text = reduced(binary, path.read_bytes(), words, options.limit, folder)
                    os.makedirs(options.out, exist_ok=True)
                    kept = Path(options.out, f"{options.seed}-{count}-{found}.metal")
                    kept.write_bytes(text)
                    print(f"{kept} ({' '.join(words)}): {what}", flush=True)
    print(f"fuzz: {count} files, {found} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
