"""The sources of the extension for Visual Studio Code: types, grammar, manifest, package."""

import shutil
import subprocess
import zipfile

from support import REPOSITORY, Result, Skip, command, hint

NAME = "extension"
SLOW = False

FOLDER = REPOSITORY / "editors" / "vscode"


def prepare(context):
    if shutil.which("npm") is None:
        raise Skip("no npm")
    version = command(["node", "--version"]).strip()
    if int(version.lstrip("v").split(".")[0]) < 20:
        raise Skip(f"Node {version} is too old: 20 is needed")
    # What was installed is what the lock file said then.
    marker = FOLDER / "node_modules" / ".installed"
    lock = (FOLDER / "package-lock.json").read_text()
    if not marker.exists() or marker.read_text() != lock:
        if not context.may_install():
            raise Skip(f"its packages are not installed ({hint(False)} installs them)")
        command(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=FOLDER)
        marker.write_text(lock)


def run(context, _):
    yield npm("types", "run", "typecheck")
    yield npm("grammar and manifest", "test")
    scratch = context.scratch(NAME)
    yield npm("package", "run", "package", "--", "--out", str(scratch))
    yield from contents("package", next(scratch.glob("*.vsix"), None), server=False)
    target = "linux-x64"
    yield npm("package with the server", "run", "package", "--", "--out", str(scratch), "--target", target, "--server", str(context.binary))
    yield from contents("package with the server", next(scratch.glob(f"*{target}*.vsix"), None), server=True)


def npm(name, *arguments):
    done = subprocess.run(["npm", "--silent", *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    noise = done.stderr if "package" in name else ""
    return Result(name, done.returncode == 0 and not noise.strip(), done.stdout + done.stderr)


def contents(name, file, server):
    if file is None:
        yield Result(f"{name}: is there", False)
        return
    with zipfile.ZipFile(file) as package:
        names = {entry.filename: entry for entry in package.infolist()}
        text = package.read("extension/package.json").decode()
    wanted = {"extension/dist/extension.js", "extension/syntaxes/metal.tmLanguage.json", "extension/LICENSE.txt", "extension/readme.md"}
    extra = [one for one in names if one.endswith((".ts", ".map", ".svg", ".lock")) or "node_modules" in one]
    yield Result(f"{name}: files", wanted <= names.keys() and not extra, f"{sorted(names)}")
    binary = names.get("extension/server/msl-analyzer")
    executable = binary is not None and (binary.external_attr >> 16) & 0o111
    yield Result(f"{name}: server", bool(executable) if server else binary is None, str(binary))
    yield Result(f"{name}: codes in the settings", '"generic-to-concrete"' in text and '"performance"' in text)
