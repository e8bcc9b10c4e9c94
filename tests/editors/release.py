"""What is released, made from this server: each package is installed as users install it."""

import hashlib
import json
import platform
import shutil
import subprocess
import sys
import tarfile
import tomllib

import extension
from support import REPOSITORY, Result, Skip

NAME = "release"
SLOW = False

TARGET = "x86_64-unknown-linux-gnu"


def prepare(context):
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Skip("knows Linux on x86-64 alone")
    extension.prepare(context)


def run(context, _):
    scratch = context.scratch(NAME)
    out = scratch / "dist"
    version = tomllib.loads((REPOSITORY / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    script = REPOSITORY / "server" / "release" / "build.py"
    # Symbols for debugging would make archives of hundreds of megabytes.
    binary = scratch / "msl-analyzer"
    shutil.copy2(context.binary, binary)
    if shutil.which("strip"):
        execute(["strip", binary])
    done = execute([sys.executable, script, "--target", TARGET, "--binary", binary, "--out", out])
    yield Result("is built", done.returncode == 0, done.stdout + done.stderr)
    if done.returncode != 0:
        return
    names = {path.name for path in out.iterdir()}
    wanted = {
        f"msl-analyzer-{version}-{TARGET}.tar.gz",
        f"msl-analyzer-{version}.vsix",
        f"msl-analyzer-linux-x64-{version}.vsix",
        f"msl-analyzer-{version}.tgz",
        f"msl-analyzer-linux-x64-{version}.tgz",
        "SHA256SUMS",
        "registries",
    }
    wheels = [path for path in out.iterdir() if path.suffix == ".whl"]
    yield Result("files", wanted <= names and len(wheels) == 1 and len(names) == len(wanted) + 1, str(sorted(names)))
    sums = dict(reversed(line.split()) for line in (out / "SHA256SUMS").read_text().splitlines())
    right = all(hashlib.sha256((out / name).read_bytes()).hexdigest() == digest for name, digest in sums.items())
    yield Result("checksums", right and len(sums) == len(wanted) - 1, str(sums))

    def says_version(name, command):
        done = execute(command)
        return Result(name, done.stdout.strip() == f"msl-analyzer {version}", done.stdout + done.stderr)

    with tarfile.open(out / f"msl-analyzer-{version}-{TARGET}.tar.gz") as archive:
        archive.extractall(scratch / "archive", filter="data")
    folder = scratch / "archive" / f"msl-analyzer-{version}-{TARGET}"
    yield says_version("archive", [folder / "msl-analyzer", "--version"])
    pages = {path.name for path in (folder / "man").iterdir()}
    yield Result("manual pages", {"msl-analyzer.1", "msl-analyzer-check.1", "msl-analyzer-lsp.1"} <= pages, str(pages))
    complete = (
        f"source {folder}/completions/msl-analyzer.bash; name=$(complete -p msl-analyzer | sed 's/.*-F \\([^ ]*\\).*/\\1/');"
        "COMP_WORDS=(msl-analyzer ch) COMP_CWORD=1; $name msl-analyzer ch msl-analyzer; echo ${COMPREPLY[@]}"
    )
    completed = execute(["bash", "-c", complete])
    yield Result("completions", "check" in completed.stdout, completed.stdout + completed.stderr)

    python = scratch / "python"
    execute([sys.executable, "-m", "venv", python])
    done = execute([python / "bin" / "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheels[0]])
    yield Result("pip installs the wheel", done.returncode == 0, done.stderr)
    yield says_version("wheel", [python / "bin" / "msl-analyzer", "--version"])

    packages = [out / f"msl-analyzer-linux-x64-{version}.tgz", out / f"msl-analyzer-{version}.tgz"]
    done = execute(["npm", "install", "--global", "--prefix", scratch / "npm", "--offline", "--no-audit", "--no-fund", *packages])
    yield Result("npm installs the packages", done.returncode == 0, done.stderr)
    yield says_version("npm package", [scratch / "npm" / "bin" / "msl-analyzer", "--version"])
    status = execute([scratch / "npm" / "bin" / "msl-analyzer", "check", scratch / "fixture"])
    yield Result("npm package: exit status", status.returncode == 1, status.stdout + status.stderr)

    yield from registries(out / "registries", version)


def registries(folder, version):
    texts = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}
    wanted = {
        "mason/package.yaml", "nvim-lspconfig/lsp/msl_analyzer.lua", "helix/languages.toml", "zed/extensions.toml",
        "helix/runtime/queries/metal/highlights.scm",
    }  # fmt: skip
    yield Result("registries: files", wanted <= texts.keys(), str(sorted(texts)))
    left = [name for name, text in texts.items() if not name.endswith(".scm") and "@VERSION@" in text or "REVISION@" in text]
    yield Result("registries: filled in", not left, str(left))
    helix = tomllib.loads(texts["helix/languages.toml"])
    mine = tomllib.loads((REPOSITORY / "editors" / "helix" / "languages.toml").read_text())
    same = {**helix["language"][0], "file-types": 0} == {**mine["language"][0], "file-types": 0}
    yield Result("registries: Helix as in editors/helix", same, json.dumps(helix))
    zed = tomllib.loads(texts["zed/extensions.toml"])
    yield Result("registries: Zed", zed["msl-analyzer"]["version"] == version, str(zed))


def execute(command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=600)
