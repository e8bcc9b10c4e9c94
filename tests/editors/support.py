"""What the suites share: where things are, a scratch folder, results, skipping.

A suite is a module with

    NAME      what the user calls it
    SLOW      whether what it needs takes minutes to install; then it is installed by `--full` only
    prepare   (Context) -> its tools; raises Skip
    run       (Context, tools) -> yields Result
"""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
EXPECTED = json.loads((HERE / "expected.json").read_text())


class Skip(Exception):
    """The suite cannot run here; the text says why."""


@dataclasses.dataclass
class Result:
    name: str
    # None: could not be checked here, and the detail says why.
    ok: bool | None
    detail: str = ""


@dataclasses.dataclass
class Context:
    binary: pathlib.Path
    # Where tools are installed, kept from run to run.
    cache: pathlib.Path
    # Where logs and screenshots go.
    output: pathlib.Path
    # Whether tools may be installed, and also those that take minutes.
    install: bool
    full: bool
    # Whether pictures of the documentation are written anew.
    screenshots: bool = False
    # What the suite that runs left on disk.
    scratches: list = dataclasses.field(default_factory=list)

    def clean(self):
        for folder in self.scratches:
            shutil.rmtree(folder, ignore_errors=True)
        self.scratches.clear()

    def scratch(self, suite):
        """A new folder with a home, a copy of the fixture, and a folder for the search path with the server."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"msl-editors-{suite}-"))
        self.scratches.append(folder)
        (folder / "home").mkdir()
        (folder / "bin").mkdir()
        shutil.copytree(HERE / "fixture", folder / "fixture")
        # On the search path, and where `cargo install` puts it: editors that resolve the environment of a login shell
        # forget ours.
        cargo = folder / "home" / ".cargo" / "bin"
        cargo.mkdir(parents=True)
        for place_of_server in (folder / "bin", cargo):
            (place_of_server / "msl-analyzer").symlink_to(self.binary)
        return folder

    def environment(self, scratch, **more):
        """The environment of a user who has nothing configured."""
        home = scratch / "home"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NVIM", "VIM"))}
        return {
            **kept,
            "HOME": str(home),
            "PATH": f"{scratch / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "MSL_EXPECTED": str(HERE / "expected.json"),
            **more,
        }

    def may_install(self, slow=False):
        return self.full if slow else self.install or self.full

    def virtual_environment(self, name, packages, slow=False):
        """A virtual environment with these packages of PyPI; its folder for executables."""
        folder = self.cache / name
        marker = folder / "installed"
        wanted = " ".join(packages)
        if not marker.exists() or marker.read_text() != wanted:
            if not self.may_install(slow):
                raise Skip(f"{wanted} is not installed ({hint(slow)} installs it)")
            command([sys.executable, "-m", "venv", "--clear", str(folder)])
            command([str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *packages])
            marker.write_text(wanted)
        return folder / "bin"


def set_up(editor, environment):
    """The documented command that sets an editor up."""
    script = REPOSITORY / "editors" / "install.sh"
    done = subprocess.run(
        ["sh", str(script), editor], env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    return Result("installed by one command", done.returncode == 0, done.stdout + done.stderr)


def without_xdg(home):
    """This environment with another home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**kept, "HOME": str(home)}


def hint(slow):
    return "--full" if slow else "--install"


def command(arguments, timeout=600, **options):
    """Runs a step of an installation; a failure is a reason to skip, because registries come and go."""
    try:
        done = subprocess.run(
            arguments, timeout=timeout, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **options
        )
    except FileNotFoundError as error:
        raise Skip(f"{arguments[0]} cannot be run") from error
    except subprocess.TimeoutExpired as error:
        raise Skip(f"`{arguments[0]}` took longer than {timeout} s") from error
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Skip(f"`{' '.join(map(str, arguments[:4]))}` failed: {' '.join(last)}")
    return done.stdout


def run_editor(arguments, log, timeout=120, **options):
    """Runs an editor with a time limit, everything it prints in `log`; ends it with all its children."""
    with open(log, "wb") as file:
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True, **options
        )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
    return code, pathlib.Path(log).read_text(errors="replace")


def parse_results(text):
    """`ok NAME` and `FAILED NAME: DETAIL`, one a line, between whatever else an editor prints."""
    for line in text.splitlines():
        if line.startswith("ok "):
            yield Result(line[3:], True)
        elif line.startswith("FAILED "):
            name, _, detail = line[7:].partition(": ")
            yield Result(name, False, detail)


def place(at, text):
    """Line and column, from 0, the latter in characters, of a place as expected.json names it."""
    for number, line in enumerate(text.split("\n")):
        if at[0] in line:
            return number, line.index(at[0]) + at[0].index(at[1])
    raise AssertionError(f"not in the text: {at[0]}")


def complaints(text, words=("error", "warn", "panic", "exception")):
    """The lines of a log that have one of these words."""
    return [line for line in text.splitlines() if any(word in line.lower() for word in words)]
