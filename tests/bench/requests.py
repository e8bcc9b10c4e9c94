#!/usr/bin/env python3
"""How fast each request is answered: `requests.py --server 'COMMAND' FILE [--rounds N] [--std VERSION]`.

Opens a file and times every kind of request at places spread over it, then edits one character of a function body at a
time and times the diagnostics and the requests that an editor sends after an edit. Prints the median, the 95th
percentile and the maximum, and what the driver itself costs: the time of a request that the server refuses at once.
Nothing here is a test.
"""

import argparse
import os
import random
import re
import shlex
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import latency  # noqa: E402


def show(name, seconds, note=""):
    seconds = sorted(seconds)
    at = lambda part: 1000 * seconds[min(len(seconds) - 1, int(part * len(seconds)))]  # noqa: E731
    print(f"  {name:32} median {1000 * statistics.median(seconds):8.2f}   95% {at(0.95):8.2f}   max {at(1):8.2f} ms  {note}")


class Session:
    def __init__(self, command, path, std):
        self.path, self.uri, self.version = path, path.as_uri(), 1
        self.lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        self.server = latency.Server(command, path.parent)
        if std:
            settings = {"settings": {"msl-analyzer": {"std": std}}}
            self.server.notify("workspace/didChangeConfiguration", **settings)
        started = time.perf_counter()
        text = "\n".join(self.lines)
        document = {"uri": self.uri, "languageId": "metal", "version": 1, "text": text}
        self.server.notify("textDocument/didOpen", textDocument=document)
        when, count = self.server.diagnostics(self.uri, 1)
        show("open to diagnostics", [when - started], f"{count} diagnostics")

    def ask(self, method, position=None, **more):
        params = {"textDocument": {"uri": self.uri}, **more}
        if position:
            params["position"] = position
        return self.server.request(f"textDocument/{method}", **params)

    def edit(self, line, column, removed, text):
        """Changes one line; returns the seconds until the diagnostics of that version."""
        self.version += 1
        start, end = {"line": line, "character": column}, {"line": line, "character": column + removed}
        old = self.lines[line]
        self.lines[line] = old[:column] + text + old[column + removed :]
        started = time.perf_counter()
        self.server.notify(
            "textDocument/didChange",
            textDocument={"uri": self.uri, "version": self.version},
            contentChanges=[{"range": {"start": start, "end": end}, "text": text}],
        )
        when, _ = self.server.diagnostics(self.uri, self.version)
        return when - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", metavar="COMMAND", required=True)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--std", help="as the editor's setting; without it nothing states a version")
    options = parser.parse_args()
    words = shlex.split(options.server)
    session = Session([os.path.abspath(words[0]), *words[1:]], options.file.resolve(), options.std)
    choice = random.Random(1)
    code = [(n, line) for n, line in enumerate(session.lines) if re.match(r"^ {4,}[a-z]", line)]
    names = [(n, match.start()) for n, line in code for match in re.finditer(r"\b[a-z_]\w+", line)]
    calls = [(n, match.end()) for n, line in code for match in re.finditer(r"\w\(", line)]
    dots = [(n, match.end()) for n, line in code for match in re.finditer(r"\w\.(?=[a-z])", line)]
    place = lambda found: [{"line": n, "character": c} for n, c in choice.sample(found, min(options.rounds, len(found)))]  # noqa: E731

    show("driver and transport alone", [session.ask("noSuchMethod")[0] for _ in range(options.rounds)])
    for method, found, more in [
        ("hover", names, {}),
        ("definition", names, {}),
        ("documentHighlight", names, {}),
        ("references", names, {"context": {"includeDeclaration": True}}),
        ("prepareRename", names, {}),
        ("signatureHelp", calls, {}),
        ("completion", names, {}),
        ("completion", dots, {}),
    ]:
        results = [session.ask(method, position, **more) for position in place(found)]
        if results:
            note = f"{sum(bool(result) for _, result in results)} of {len(results)} answered"
            show(method + (" behind ." if found is dots else ""), [seconds for seconds, _ in results], note)
    screen = [{"start": {"line": n, "character": 0}, "end": {"line": n + 60, "character": 0}} for n, _ in code[::200]]
    tokens = None
    for method in ("semanticTokens/full", "documentSymbol", "foldingRange"):
        times = []
        for _ in range(8):
            seconds, result = session.ask(method)
            times.append(seconds)
            tokens = result if method.startswith("semantic") else tokens
        show(method, times)
    show("semanticTokens/range, a screen", [session.ask("semanticTokens/range", range=at)[0] for at in screen])
    show("inlayHint, a screen", [session.ask("inlayHint", range=at)[0] for at in screen])

    numbers = [(n, match.start()) for n, line in code for match in re.finditer(r"(?<![\w.])\d(?![\w.])", line)]
    to_diagnostics, after = [], {"semanticTokens/full/delta": [], "hover": [], "completion": [], "foldingRange": []}
    result_id = tokens["resultId"] if tokens else None
    for n, column in choice.sample(numbers, min(options.rounds, len(numbers))):
        to_diagnostics.append(session.edit(n, column, 1, str(choice.randrange(1, 9))))
        seconds, result = session.ask("semanticTokens/full/delta", previousResultId=result_id)
        after["semanticTokens/full/delta"].append(seconds)
        result_id = result["resultId"]
        position = {"line": n, "character": column}
        for method in ("hover", "completion"):
            after[method].append(session.ask(method, position)[0])
        after["foldingRange"].append(session.ask("foldingRange")[0])
    show("edit in a body to diagnostics", to_diagnostics)
    for method, times in after.items():
        show(f"{method} after an edit", times)
    print(f"  {'memory':32} {session.server.memory_mib()} MiB")
    session.server.process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
