"""The extension for Zed, which itself cannot be had here: manifest, language configuration, queries and the WebAssembly
component."""

import os
import re
import shutil
import subprocess
import tomllib

from support import REPOSITORY, Result, hint

NAME = "zed"
SLOW = False

FOLDER = REPOSITORY / "editors" / "zed"
TARGET = "wasm32-wasip2"

# The captures that each kind of query may have, and those without which it does nothing.
CAPTURES = {
    "brackets.scm": ({"open", "close"}, {"open", "close"}),
    "indents.scm": ({"indent", "end", "outdent", "start"}, {"indent"}),
    "injections.scm": ({"injection.content", "injection.language", "content", "language"}, {"injection.content"}),
    "outline.scm": ({"item", "name", "context", "annotation", "open", "close"}, {"item", "name"}),
    "textobjects.scm": (
        {f"{name}.{part}" for name in ("function", "class", "comment") for part in ("inside", "around")}
        | {f"{name}.{part}" for name in ("parameter", "entry") for part in ("inside", "around")},
        {"function.around"},
    ),
}
LANGUAGE_KEYS = {
    "name", "grammar", "path_suffixes", "line_comments", "block_comment", "autoclose_before", "brackets", "tab_size",
    "hard_tabs", "first_line_pattern", "word_characters", "documentation_comment", "debuggers",
}  # fmt: skip


def prepare(context):
    return shutil.which("cargo")


def run(context, cargo):
    manifest = tomllib.loads((FOLDER / "extension.toml").read_text())
    package = tomllib.loads((FOLDER / "Cargo.toml").read_text())["package"]

    missing = {"id", "name", "description", "version", "schema_version", "authors", "repository"} - manifest.keys()
    yield Result("manifest: fields", not missing and manifest["schema_version"] == 1, str(missing))
    identifier = manifest["id"]
    good = re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", identifier) and not re.search("zed|extension", identifier)
    yield Result("manifest: id", bool(good), identifier)
    yield Result("manifest: version", manifest["version"] == package["version"], manifest["version"])
    yield Result("licence beside the manifest", (FOLDER / "LICENSE").read_text().startswith("MIT License"))

    yield from grammar(manifest["grammars"]["metal"])
    config = tomllib.loads((FOLDER / "languages" / "metal" / "config.toml").read_text())
    unknown = config.keys() - LANGUAGE_KEYS
    yield Result("language: keys", not unknown, str(unknown))
    served = {name for server in manifest["language_servers"].values() for name in server["languages"]}
    known = config["grammar"] in manifest["grammars"] and served == {config["name"]}
    yield Result("language: grammar and server", known, f"{config['grammar']}, {served}")

    for name, (allowed, needed) in CAPTURES.items():
        text = re.sub(r";.*|\"(\\.|[^\"])*\"", "", (FOLDER / "languages" / "metal" / name).read_text())
        captures = {capture for capture in re.findall(r"@([\w.]+)", text) if not capture.startswith("_")}
        ok = captures <= allowed and needed <= captures
        yield Result(f"captures of {name}", ok, f"unknown: {captures - allowed}, missing: {needed - captures}")

    yield from component(context, cargo)


def grammar(pin):
    """The pinned revision has the grammar that the queries are for."""
    page = (REPOSITORY / "docs" / "editors" / "helix.md").read_text()
    yield Result("grammar: the same pin in docs/editors/helix.md", pin["rev"] in page, pin["rev"])
    name = f"{pin['path']}/src/generated.sha256"
    pinned = subprocess.run(
        ["git", "show", f"{pin['rev']}:{name}"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if pinned.returncode != 0:
        yield Result("grammar: pinned revision", None, f"this clone does not have {pin['rev']}")
        return
    same = {}
    for text, source in ((pinned.stdout, "pinned"), ((REPOSITORY / name).read_text(), "here")):
        same[source] = [line.split()[0] for line in text.splitlines() if line.endswith(("parser.c", "scanner.c"))]
    yield Result("grammar: pinned revision", same["pinned"] == same["here"], f"{same}: set rev in extension.toml anew")


def component(context, cargo):
    if cargo is None:
        yield Result("component", None, "no cargo")
        return
    target = context.cache / "zed"
    library = subprocess.run(
        ["rustc", "--print", "target-libdir", "--target", TARGET], capture_output=True, text=True, cwd=FOLDER, check=False
    ).stdout.strip()
    if not library or not os.path.isdir(library):
        yield Result("component", None, f"the target {TARGET} is not installed (rustup target add {TARGET})")
        return
    if not target.exists() and not context.may_install(True):
        yield Result("component", None, f"not compiled yet, which takes minutes ({hint(True)} does it)")
        return
    built = subprocess.run(
        [cargo, "build", "--release", "--locked", "--target", TARGET],
        cwd=FOLDER,
        env={**os.environ, "CARGO_TARGET_DIR": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )
    yield Result("component: builds without a warning", built.returncode == 0 and "warning" not in built.stderr, built.stderr)
    file = target / TARGET / "release" / "zed_msl_analyzer.wasm"
    # `\0asm`, version 13, layer 1: a component.
    yield Result("component: is one", file.exists() and file.read_bytes()[:8] == b"\0asm\x0d\0\x01\0", str(file))
