#!/usr/bin/env python3
"""Builds the distributable set; see README.md beside this file.

    python3 server/release/build.py [--target TRIPLE]... [--out FOLDER]
    python3 server/release/build.py --target TRIPLE --binary FILE     packages a binary that is built already
"""

import argparse
import base64
import gzip
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import mach_o

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
NAME = "msl-analyzer"
SHELLS = {"bash": "msl-analyzer.bash", "zsh": "_msl-analyzer", "fish": "msl-analyzer.fish", "powershell": "_msl-analyzer.ps1"}
# Archives of the same inputs are the same: every file in them has this time (1980 is the oldest that zip knows).
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315619200"))

# By target of Rust: the names that the registries have for it. npm: (os, cpu). PyPI: tags; for those that need the C
# library of the system they follow from what the binary asks for.
TARGETS = {
    "x86_64-unknown-linux-musl": ("linux-x64", ("linux", "x64"), "manylinux_2_17_x86_64.musllinux_1_1_x86_64"),
    "x86_64-unknown-linux-gnu": ("linux-x64", ("linux", "x64"), ""),
    "aarch64-unknown-linux-musl": ("linux-arm64", ("linux", "arm64"), "manylinux_2_17_aarch64.musllinux_1_1_aarch64"),
    "aarch64-unknown-linux-gnu": ("linux-arm64", ("linux", "arm64"), ""),
    "x86_64-pc-windows-gnu": ("win32-x64", ("win32", "x64"), "win_amd64"),
    "x86_64-pc-windows-msvc": ("win32-x64", ("win32", "x64"), "win_amd64"),
    "aarch64-pc-windows-msvc": ("win32-arm64", ("win32", "arm64"), "win_arm64"),
    "x86_64-apple-darwin": ("darwin-x64", ("darwin", "x64"), "macosx_10_13_x86_64"),
    "aarch64-apple-darwin": ("darwin-arm64", ("darwin", "arm64"), "macosx_11_0_arm64"),
}
# The compiler for the C sources of the grammar, where that of the system makes code for something else.
COMPILERS = {
    "x86_64-unknown-linux-musl": "musl-gcc",
    "aarch64-unknown-linux-gnu": "aarch64-linux-gnu-gcc",
    "aarch64-unknown-linux-musl": "aarch64-linux-musl-gcc",
    "x86_64-pc-windows-gnu": "x86_64-w64-mingw32-gcc",
}
# Where there is none of these, zig compiles: `zig` on the search path, or the package `ziglang` of PyPI. It also links for
# macOS, on whatever system; with the version is said how old that may be.
ZIG_TARGETS = {
    "x86_64-unknown-linux-musl": "x86_64-linux-musl",
    "aarch64-unknown-linux-musl": "aarch64-linux-musl",
    "x86_64-apple-darwin": "x86_64-macos.10.13",
    "aarch64-apple-darwin": "aarch64-macos.11.0",
}
# Targets for which the compiler does not link: Rust brings what a static binary starts with, and `musl-gcc` would name an
# interpreter that other systems do not have.
LINKED_BY_RUST = {"x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=TARGETS, metavar="TRIPLE")
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--profile", default="release", help="of Cargo; `dev` to try the script out")
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "target" / "dist")
    arguments = parser.parse_args()
    if arguments.binary and len(arguments.target or []) != 1:
        parser.error("--binary belongs to one --target")

    version = tomllib.loads((REPOSITORY / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    out = arguments.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)

    built = {}
    for target in arguments.target or default_targets():
        reason = None if arguments.binary else missing(target)
        if reason:
            print(f"SKIPPED {target}: {reason}")
            continue
        built[target] = arguments.binary.resolve() if arguments.binary else compile_for(target, arguments.profile)
    if not built:
        sys.exit("nothing could be built")

    extras = generated(out, next(iter(built.values())), list(built))
    for target, binary in built.items():
        archive(out, version, target, binary, extras)
        wheel(out, version, target, binary)
        npm_platform(out, version, target, binary)
        vsix(out, target, binary)
    npm_main(out, version, list(built))
    vsix(out)
    shutil.rmtree(out / "generated")
    registries(out, version)
    checksums(out)
    for path in sorted(out.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:>10}  {path.relative_to(out)}")


def installed_targets():
    try:
        return subprocess.run(
            ["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=True, cwd=REPOSITORY
        ).stdout.split()
    except (FileNotFoundError, subprocess.CalledProcessError):
        line = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
        return re.findall(r"^host: (\S+)$", line, re.MULTILINE)


def default_targets():
    """What is installed, with one binary for each platform: the static one if there is it."""
    installed = [target for target in TARGETS if target in installed_targets()]
    platforms = {}
    for target in installed:
        if missing(target) is None:
            platforms.setdefault(TARGETS[target][0], target)
        else:
            print(f"SKIPPED {target}: {missing(target)}")
    return list(platforms.values())


def missing(target):
    """Why a target cannot be built here; None if it can."""
    if target not in installed_targets():
        return f"not installed (rustup target add {target})"
    if target in COMPILERS and compiler_of(target) is None:
        return f"no {COMPILERS[target]}{' and no zig' if target in ZIG_TARGETS else ''}"
    if needs_zig(target) and zig() is None:
        return "needs macOS or zig"
    return None


def needs_zig(target):
    """Whether nothing else than zig can link for a target here."""
    return "apple" in target and sys.platform != "darwin"


def zig():
    """The command that runs zig; None if there is none."""
    if shutil.which("zig"):
        return ["zig"]
    return [sys.executable, "-m", "ziglang"] if importlib.util.find_spec("ziglang") else None


def compiler_of(target):
    """The compiler for the C sources: a name on the search path, or a script that calls zig; None if there is none."""
    if target in COMPILERS and shutil.which(COMPILERS[target]):
        return COMPILERS[target]
    if needs_zig(target) or target in COMPILERS:
        return zig_script(target, "cc") if target in ZIG_TARGETS and zig() else None
    return None


def zig_script(target, tool):
    """A script that calls a tool of zig. It takes out the target in Rust's spelling, which zig does not know, and a library
    of macOS that Rust names and nobody calls: zig has no stub of it."""
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "zig"
    folder.mkdir(parents=True, exist_ok=True)
    command = " ".join(shlex.quote(part) for part in [*zig(), tool])
    if tool == "cc":
        # Checks of undefined behaviour, which zig adds, want a library of its own.
        command += f" -target {ZIG_TARGETS[target]} -fno-sanitize=undefined"
    script = folder / f"{target}-{tool}"
    script.write_text(
        "#!/bin/sh\n"
        # Build scripts ask who it is; zig would write an empty object file beside the sources.
        "case $1 in '-?') exit 1 ;; --version) cd \"${TMPDIR:-/tmp}\" || exit ;; esac\n"
        'for argument; do shift; case $argument in --target=* | -liconv) ;; *) set -- "$@" "$argument" ;; esac; done\n'
        f'exec {command} "$@"\n'
    )
    script.chmod(0o755)
    return str(script.absolute())


def compile_for(target, profile):
    environment = dict(os.environ)
    compiler = compiler_of(target)
    variable = f"CARGO_TARGET_{target.replace('-', '_').upper()}_LINKER"
    if compiler:
        environment[f"CC_{target.replace('-', '_')}"] = compiler
    if compiler and compiler != COMPILERS.get(target):
        environment[f"AR_{target.replace('-', '_')}"] = zig_script(target, "ar")
    if compiler and target not in LINKED_BY_RUST:
        environment[variable] = compiler
    elif compiler and not target.startswith(platform.machine()):
        environment[variable] = "rust-lld"
    command = ["cargo", "build", "--profile", profile, "--locked", "--package", NAME, "--target", target]
    subprocess.run(command, check=True, cwd=REPOSITORY, env=environment)
    folder = pathlib.Path(environment.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / target / ("debug" if profile == "dev" else profile)
    binary = folder / executable(target)
    # Line tables are for us; the archive is for users.
    stripped = folder / f"stripped-{executable(target)}"
    own = COMPILERS.get(target, "strip").replace("gcc", "strip")
    tools = [own, own.replace("musl", "gnu"), "llvm-strip", *(f"llvm-strip-{version}" for version in range(25, 17, -1)), "strip"]
    shutil.copy2(binary, stripped)
    # One that does not know the machine fails, and the next is asked.
    any(shutil.which(tool) and subprocess.run([tool, stripped], check=False, capture_output=True).returncode == 0 for tool in tools)
    if "musl" in target and b"/lib/ld-musl" in stripped.read_bytes():
        sys.exit(f"{stripped} is not static")
    # Intel Macs start what nobody signed.
    if target == "aarch64-apple-darwin" and (reason := mach_o.why_unsigned(stripped.read_bytes())):
        sys.exit(f"{stripped} does not start on macOS: {reason}")
    is_ours = sys.platform == "linux" and target.startswith(f"{platform.machine()}-unknown-linux")
    if is_ours and not can_run(stripped):
        sys.exit(f"{stripped} does not run")
    return stripped


def executable(target):
    return f"{NAME}.exe" if "windows" in target else NAME


def generated(out, binary, targets):
    """Completions and manual pages. They come from a binary that runs here: one of those built, else the host's."""
    runs = binary
    if not can_run(binary):
        subprocess.run(["cargo", "build", "--locked", "--package", NAME], check=True, cwd=REPOSITORY)
        runs = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "debug" / NAME
    folder = out / "generated"
    (folder / "completions").mkdir(parents=True)
    (folder / "man").mkdir()

    def output(*arguments):
        return subprocess.run([str(runs), *arguments], capture_output=True, check=True).stdout

    for shell, name in SHELLS.items():
        (folder / "completions" / name).write_bytes(output("completions", shell))
    (folder / "man" / f"{NAME}.1").write_bytes(output("man"))
    overview = output("--help").decode().partition("Commands:\n")[2].partition("\n\n")[0]
    for line in overview.splitlines():
        # A line of its own that is indented further goes on with the one above.
        if re.match(r"  \S", line) and (command := line.split()[0]) != "help":
            (folder / "man" / f"{NAME}-{command}.1").write_bytes(output("man", command))
    return folder


def can_run(binary):
    try:
        return subprocess.run([str(binary), "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def archive(out, version, target, binary, extras):
    stem = f"{NAME}-{version}-{target}"
    files = {
        executable(target): (binary.read_bytes(), 0o755),
        "LICENSE-MIT": ((REPOSITORY / "LICENSE-MIT").read_bytes(), 0o644),
        "LICENSE-APACHE": ((REPOSITORY / "LICENSE-APACHE").read_bytes(), 0o644),
        "README.md": ((REPOSITORY / "README.md").read_bytes(), 0o644),
        "CHANGELOG.md": ((REPOSITORY / "CHANGELOG.md").read_bytes(), 0o644),
    }
    for path in sorted(extras.rglob("*")):
        if path.is_file():
            files[path.relative_to(extras).as_posix()] = (path.read_bytes(), 0o644)
    files = {f"{stem}/{name}": content for name, content in files.items()}
    if "windows" in target:
        write_zip(out / f"{stem}.zip", files)
    else:
        write_tar(out / f"{stem}.tar.gz", files)


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 2, 0, 0, 0))
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, content)


def write_tar(path, files):
    with open(path, "wb") as raw, gzip.GzipFile(path.name, "wb", mtime=EPOCH, fileobj=raw) as packed:
        with tarfile.open(fileobj=packed, mode="w") as package:
            for name, (content, mode) in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
                package.addfile(entry, io.BytesIO(content))


def wheel(out, version, target, binary):
    """A wheel whose only content is a script: the binary. Wheels are zip files with three files of metadata."""
    tag = TARGETS[target][2]
    if "gnu" in target and "linux" in target:
        # As old as the newest function of the C library that it asks for.
        needs = max((int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", binary.read_bytes())), default=17)
        tag = f"manylinux_2_{max(needs, 17)}_{target.partition('-')[0]}"
    tags = [f"py3-none-{one}" for one in tag.split(".")]
    stem = f"msl_analyzer-{version}"
    info = f"{stem}.dist-info"
    metadata = "\n".join(
        [
            "Metadata-Version: 2.1",
            f"Name: {NAME}",
            f"Version: {version}",
            "Summary: Language server and command line for Apple's Metal Shading Language",
            "Home-page: https://github.com/msl-analyzer/msl-analyzer",
            "License: MIT OR Apache-2.0",
            "Requires-Python: >=3.7",
            "Description-Content-Type: text/markdown",
            "",
            (REPOSITORY / "README.md").read_text(),
        ]
    )
    about = "\n".join(["Wheel-Version: 1.0", "Generator: build.py", "Root-Is-Purelib: false", *(f"Tag: {one}" for one in tags), ""])
    files = {
        f"{stem}.data/scripts/{executable(target)}": (binary.read_bytes(), 0o755),
        f"{info}/METADATA": (metadata.encode(), 0o644),
        f"{info}/WHEEL": (about.encode(), 0o644),
        f"{info}/licenses/LICENSE-MIT": ((REPOSITORY / "LICENSE-MIT").read_bytes(), 0o644),
        f"{info}/licenses/LICENSE-APACHE": ((REPOSITORY / "LICENSE-APACHE").read_bytes(), 0o644),
    }
    record = ""
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    write_zip(out / f"{stem}-py3-none-{tag}.whl", files)


def npm_manifest(version, **more):
    return {
        "version": version,
        "description": "Language server and command line for Apple's Metal Shading Language",
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": "git+https://github.com/msl-analyzer/msl-analyzer.git"},
        **more,
    }


def npm_platform(out, version, target, binary):
    platform, (system, cpu), _ = TARGETS[target]
    manifest = {"name": f"@msl-analyzer/{platform}", **npm_manifest(version, os=[system], cpu=[cpu])}
    files = {
        "package/package.json": (json.dumps(manifest, indent=2).encode(), 0o644),
        f"package/bin/{executable(target)}": (binary.read_bytes(), 0o755),
        "package/LICENSE": ((REPOSITORY / "LICENSE-MIT").read_bytes(), 0o644),
    }
    write_tar(out / f"{NAME}-{platform}-{version}.tgz", files)


def npm_main(out, version, targets):
    """The package that people install: a small script, and the binaries as optional dependencies, of which npm takes
    the one that fits."""
    platforms = {f"@msl-analyzer/{TARGETS[target][0]}": version for target in targets}
    manifest = {
        "name": NAME,
        **npm_manifest(version, bin={NAME: "bin/msl-analyzer.js"}, engines={"node": ">=18"}, optionalDependencies=platforms),
    }
    files = {
        "package/package.json": (json.dumps(manifest, indent=2).encode(), 0o644),
        "package/bin/msl-analyzer.js": ((HERE / "npm" / "msl-analyzer.js").read_bytes(), 0o755),
        "package/README.md": ((REPOSITORY / "README.md").read_bytes(), 0o644),
        "package/LICENSE": ((REPOSITORY / "LICENSE-MIT").read_bytes(), 0o644),
    }
    write_tar(out / f"{NAME}-{version}.tgz", files)


def vsix(out, target=None, binary=None):
    folder = REPOSITORY / "editors" / "vscode"
    if shutil.which("npm") is None:
        print("SKIPPED the extension: no npm")
        return
    if not (folder / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], check=True, cwd=folder)
    inside = ["--target", TARGETS[target][0], "--server", str(binary)] if target else []
    command = ["npm", "run", "--silent", "package", "--", "--out", str(out), *inside]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)


def registries(out, version):
    """What is sent to the registries of editors, with the version filled in."""
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    ).stdout.strip()
    zed = tomllib.loads((REPOSITORY / "editors" / "zed" / "extension.toml").read_text())
    fill = {"@VERSION@": version, "@REVISION@": revision, "@GRAMMAR_REVISION@": zed["grammars"]["metal"]["rev"]}
    for source in sorted((HERE / "registries").rglob("*")):
        if source.is_file():
            text = source.read_text()
            for mark, value in fill.items():
                text = text.replace(mark, value)
            target = out / "registries" / source.relative_to(HERE / "registries")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    copies = {
        "editors/neovim/lsp/msl_analyzer.lua": "nvim-lspconfig/lsp/msl_analyzer.lua",
        **{
            path.relative_to(REPOSITORY).as_posix(): f"helix/runtime/queries/metal/{path.name}"
            for path in (REPOSITORY / "editors" / "helix" / "queries" / "metal").glob("*.scm")
        },
    }
    for source, target in copies.items():
        target = out / "registries" / target
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / source, target)


def checksums(out):
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(out.iterdir())
        if path.is_file()
    ]
    (out / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main()
