"""The corpus of real Metal sources: what is in it and where it lies.

Vocabulary:

* A *package* is one release of something on an ordinary package registry (Cargo's, npm, PyPI, Debian's sources).
* A *unit* is a source file that upstream compiles as a translation unit of its own.
* The *cache* holds the unpacked packages, one folder `NAME-VERSION` each, outside version control.
* A *step* makes a unit out of something that is not a `.metal` file: a string in a Python module, a header.
  Its results lie in the folder `generated` of the package.

`manifest.toml` is the data; this module only reads it. Nothing here uses the network.
"""

import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
GENERATED = "generated"
COMPLETE = ".complete"

# The language versions under which a unit is judged whose upstream passes no `-std`.
DEFAULT_STD = ["metal3.1", "metal4.0"]


def read_toml(path):
    """Parses a TOML file. Python has a parser since 3.11; before that pip's own copy of one serves."""
    try:
        import tomllib
    except ImportError:
        from pip._vendor import tomli as tomllib
    with open(path, "rb") as file:
        return tomllib.load(file)


@dataclass
class Unit:
    """One translation unit and how to judge it. Paths are absolute, `name` is relative to the package."""

    package: str
    name: str
    path: Path
    std: list  # the `-std` values, each is a run of its own
    include: list = field(default_factory=list)
    define: list = field(default_factory=list)
    # Codes of errors of which at least one must be shown; empty: no error at all may be shown.
    require: list = field(default_factory=list)
    gate: bool = True  # whether findings are judged at all


@dataclass
class Package:
    """One entry of the manifest."""

    data: dict

    @property
    def name(self):
        return self.data["name"]

    @property
    def root(self):
        return cache_folder() / f"{self.name}-{self.data['version']}".replace("/", "_")

    @property
    def core(self):
        return self.data.get("core", False)

    @property
    def role(self):
        """`sources` (checked), or `metallibs` (binaries that other tests read)."""
        return self.data.get("role", "sources")

    def cached(self):
        return (self.root / COMPLETE).is_file()

    def units(self):
        """The units of a package that is in the cache, in the order of the manifest."""
        result = []
        for group in self.data.get("units", []):
            paths = matching(self.root, group["files"], group.get("exclude", []))
            if not paths:
                print(f"{self.name}: no file matches {group['files']}", file=sys.stderr)
            for path in paths:
                result.append(
                    Unit(
                        package=self.name,
                        name=path,
                        path=self.root / path,
                        std=group.get("std", DEFAULT_STD),
                        include=[str(self.root / folder) for folder in group.get("include", [])],
                        define=group.get("define", []),
                        require=group.get("require", []),
                        gate=group.get("gate", True),
                    )
                )
        return result


def reached(unit):
    """The unit and the files that its includes reach, whatever the conditions around them say."""
    found, work = {}, [unit.path]
    while work:
        path = work.pop()
        if path in found:
            continue
        found[path] = path.read_bytes()
        for name in re.findall(rb'^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\n]+)[">]', found[path], re.M):
            for folder in (path.parent, *map(Path, unit.include)):
                if (folder / name.decode()).is_file():
                    work.append((folder / name.decode()).resolve())
                    break
    return found


def cache_folder():
    """`$MSL_CORPUS`, or a folder beside this file that version control ignores."""
    return Path(os.environ.get("MSL_CORPUS") or HERE / ".cache")


def packages(names=None, core=False, roles=("sources",)):
    """The packages of the manifest: those named, or those of the roles, or of them the core."""
    known = [Package(data) for data in read_toml(HERE / "manifest.toml")["package"]]
    if names:
        unknown = sorted(set(names) - {package.name for package in known})
        if unknown:
            sys.exit(f"not in manifest.toml: {', '.join(unknown)}")
        return [package for package in known if package.name in names]
    return [package for package in known if package.role in roles and (package.core or not core)]


def glob_to_regex(glob):
    """`*` and `?` stay inside one path component, `**` crosses them."""
    pattern = re.escape(glob)
    pattern = pattern.replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
    return re.compile(pattern.replace(r"\*", "[^/]*").replace(r"\?", "[^/]") + r"\Z")


def matches(path, globs):
    return any(glob_to_regex(glob).match(path) for glob in globs)


def matching(root, globs, exclude=()):
    """Files below `root`, relative with forward slashes, sorted, that match `globs` and not `exclude`."""
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name).relative_to(root).as_posix()
            if matches(path, globs) and not matches(path, exclude):
                found.append(path)
    return sorted(found)
