#!/usr/bin/env python3
"""How long a cold check takes: `bench.py --binary PATH [--runs N] [--only WORD] [--total] [--json OUT]`.

Checks the largest files of the corpus, each run a new process, and prints the median time, the peak memory and the
throughput; beside it, measured in the same minutes, `clang-22 -fsyntax-only` on the rewritten file where it is
installed. The machine is shared and clang does other work than ours (it sees a model of the library, and an error can
save it work), so the ratio is a yardstick and no gate: this is not a test.

Runs alternate between the two programs, so that a disturbance meets both.

`--total` takes every gated unit of the corpus that clang compiles without an error instead, checks each on one thread,
and prints the sums: large templates and small shaders weigh as they come.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "corpus"), str(HERE.parent / "oracle")]

import accept  # noqa: E402
import corpus  # noqa: E402
import run  # noqa: E402

# (package, unit, version): the files that are large or hard.
FILES = [
    ("whisper.rn", "cpp/ggml-metal/ggml-metal.metal", "metal4.0"),
    ("llama.rn", "cpp/ggml-metal/ggml-metal.metal", "metal4.0"),
    ("candle-metal-kernels", "src/metal_src/quantized.metal", "metal4.0"),
    ("natten-mps", "generated/NATTEN_METAL_SOURCE.metal", "metal4.0"),
    ("mistralrs-quant", "src/metal_kernels/quantized.metal", "metal3.1"),
    ("llama-cpp-sys-2", "llama.cpp/ggml/src/ggml-metal/kernels/mul_mv.metal", "metal4.0"),
    ("candle-metal-kernels", "src/metal_src/reduce.metal", "metal4.0"),
    ("mlx-metal", "generated/mlx-backend-metal-kernels-quantized.metal", "metal4.0"),
    ("mlx-metal", "generated/mlx-backend-metal-kernels-steel-attn-kernels-steel_attention.metal", "metal4.0"),
    ("metal", "examples/raytracing/shaders.metal", "metal4.0"),
]
# Parts of a check that `--stats` may report, in milliseconds.
PHASES = ("lexMs", "preprocessMs", "parseMs", "checkMs")


@dataclass
class Program:
    """One program on one file."""

    command: list
    seconds: list = field(default_factory=list)
    peak_kib: int = 0
    output: bytes = b""
    complaint: bytes = b""
    failure: str = ""

    def run(self, limit):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            started = time.perf_counter()
            process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            status, peak, expired = run.wait(process, limit)
            self.seconds.append(time.perf_counter() - started)
            self.peak_kib = max(self.peak_kib, peak)
            if expired or status not in (0, 1):
                self.failure = "hang" if expired else f"status {status}"
            out.seek(0)
            err.seek(0)
            self.output, self.complaint = out.read(), err.read()

    def median(self):
        return statistics.median(self.seconds)


@dataclass
class Bench:
    """One file: how large it is with what it includes, and both programs on it."""

    name: str
    lines: int
    size: int
    ours: Program
    clang: Program = None


def prepare(binary, folder, only):
    """The files that are in the cache."""
    rewritten = {}
    for package_name, unit_name, std in FILES:
        if only and only not in f"{package_name}/{unit_name}":
            continue
        package = corpus.packages([package_name])[0]
        if not package.cached():
            print(f"SKIPPED {package_name}: not in the cache, `fetch.py {package_name}` fetches it")
            continue
        unit = next(unit for unit in package.units() if unit.name == unit_name)
        texts = corpus.reached(unit).values()
        command = run.command_line(binary, unit, std)
        lines, size = sum(text.count(b"\n") for text in texts), sum(map(len, texts))
        bench = Bench(f"{package_name} {unit.path.name}"[:50], lines, size, Program(command))
        if accept.clang_is_there():
            if package_name not in rewritten:
                rewritten[package_name] = accept.rewritten_tree(package, folder)
            target = rewritten[package_name]
            with accept.concurrent.futures.ThreadPoolExecutor(1) as pool:
                accept.compile_units(package, [unit], target, pool)  # for its repairs
            options = accept.arguments(unit, package.root, target)
            bench.clang = Program([*accept.COMPILER, "-fsyntax-only", *options, str(target / unit.name)])
        yield bench


def prepare_total(binary, folder, only):
    """Every gated unit that clang compiles without an error."""
    for package in corpus.packages([]):
        if package.role != "sources" or (only and only not in package.name):
            continue
        if not package.cached():
            print(f"SKIPPED {package.name}: not in the cache, `fetch.py {package.name}` fetches it")
            continue
        units = [unit for unit in package.units() if unit.gate and not unit.require]
        target = accept.rewritten_tree(package, folder)
        with accept.concurrent.futures.ThreadPoolExecutor(1) as pool:
            accept.compile_units(package, units, target, pool)  # for its repairs
        for unit in units:
            texts = corpus.reached(unit).values()
            command = [*run.command_line(binary, unit, "metal4.0"), "--jobs", "1"]
            lines, size = sum(text.count(b"\n") for text in texts), sum(map(len, texts))
            bench = Bench(f"{package.name} {unit.path.name}"[:50], lines, size, Program(command))
            options = accept.arguments(unit, package.root, target)
            bench.clang = Program([*accept.COMPILER, "-fsyntax-only", *options, str(target / unit.name)])
            yield bench


def show_total(rows):
    """Sums over the units without an error of clang's, and the extremes."""
    rows = [item for item in rows if not item["clangErrors"] and not item["failure"]]
    if not rows:
        print("no unit that clang compiles without an error")
        return
    ours, clang = (sum(item[key] for item in rows) / 1000 for key in ("ms", "clangMs"))
    ratios = sorted((item["clangToOurs"], item["file"]) for item in rows)
    print(f"{len(rows)} units: ours {ours:.2f} s, clang {clang:.2f} s, {clang / ours:.1f} times")
    print(f"lowest {ratios[0][0]:.1f} ({ratios[0][1]}), median {ratios[len(ratios) // 2][0]:.1f}, highest {ratios[-1][0]:.1f} ({ratios[-1][1]})")
    peak = max(rows, key=lambda item: item["peakMib"])
    print(f"peak memory: {peak['peakMib']:.0f} MiB ({peak['file']})")


def row(bench):
    """The figures of one file, also as data."""
    answer = {}
    try:
        answer = json.loads(bench.ours.output)
    except ValueError:
        bench.ours.failure = bench.ours.failure or "no JSON"
    stats = answer.get("stats") or {}
    figures = {
        "file": bench.name,
        "lines": bench.lines,
        "bytes": bench.size,
        "ms": 1000 * bench.ours.median(),
        "peakMib": bench.ours.peak_kib / 1024,
        "mbPerSecond": bench.size / bench.ours.median() / 1e6,
        "linesPerSecond": bench.lines / bench.ours.median(),
        "errors": sum(item["severity"] == "error" for item in answer.get("diagnostics", [])),
        "failure": bench.ours.failure,
        "phases": stats.get("phases") or {},
    }
    if bench.clang:
        figures["clangMs"] = 1000 * bench.clang.median()
        figures["clangPeakMib"] = bench.clang.peak_kib / 1024
        figures["clangErrors"] = len(accept.errors_of(bench.clang.complaint.decode(errors="replace")))
        figures["clangToOurs"] = figures["clangMs"] / figures["ms"]
    return figures


def show(rows):
    head = f"{'file':50} {'lines':>6} {'kB':>5} {'ms':>8} {'MiB':>6} {'MB/s':>6} {'klines/s':>8} {'errors':>6}"
    print(f"{head} | {'clang ms':>8} {'MiB':>6} {'errors':>6} {'clang/ours':>10}")
    for item in rows:
        line = (
            f"{item['file']:50} {item['lines']:6} {item['bytes'] / 1000:5.0f} {item['ms']:8.1f} {item['peakMib']:6.1f} "
            f"{item['mbPerSecond']:6.1f} {item['linesPerSecond'] / 1000:8.1f} {item['failure'] or item['errors']:>6}"
        )
        if "clangMs" in item:
            line += f" | {item['clangMs']:8.1f} {item['clangPeakMib']:6.1f} {item['clangErrors']:6} {item['clangToOurs']:9.1f}x"
        print(line)
    if any(item["phases"] for item in rows):
        print(f"\n{'file':50}" + "".join(f" {name:>12}" for name in PHASES))
        for item in rows:
            cells = (item["phases"].get(name) for name in PHASES)
            print(f"{item['file']:50}" + "".join(f" {'-' if cell is None else f'{cell:.1f}':>12}" for cell in cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, help="msl-analyzer, built with --release")
    parser.add_argument("--runs", type=int, default=7, help="of each program on each file")
    parser.add_argument("--only", metavar="WORD", help="files whose package or path has this word")
    parser.add_argument("--total", action="store_true", help="the sum over the whole corpus, one run of each")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--json", metavar="OUT", help="write the figures there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.total and not accept.clang_is_there():
            print("SKIPPED bench: the totals compare with clang-22, which is not installed")
            return 0
        binary = os.path.abspath(options.binary)
        benches = list((prepare_total if options.total else prepare)(binary, folder, options.only))
        if not benches:
            print("SKIPPED bench: nothing is in the cache")
            return 0
        if not accept.clang_is_there():
            print("SKIPPED clang-22: not installed, no ratios")
        for bench in benches:
            programs = [program for program in (bench.ours, bench.clang) if program]
            for program in programs:  # warms the file cache
                program.run(options.timeout)
                program.seconds.clear()
            for _ in range(1 if options.total else options.runs):
                for program in programs:
                    program.run(options.timeout)
        rows = [row(bench) for bench in benches]
    if options.total:
        show_total(rows)
    else:
        show(rows)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
