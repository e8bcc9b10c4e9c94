"""Editors of the terminal, under tmux on a socket of its own: keys in, screen out."""

import atexit
import itertools
import os
import re
import shutil
import subprocess
import time

from support import Skip, command, hint

COLUMNS, ROWS = 130, 40
_numbers = itertools.count()


class Terminal:
    """A command in a terminal; ended with everything it started."""

    def __init__(self, shell_command, environment):
        self.socket = f"msl-editors-{os.getpid()}-{next(_numbers)}"
        self._tmux(
            "-f", os.devnull, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), shell_command,
            env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
        )  # fmt: skip
        self._tmux("set-option", "-g", "default-terminal", "tmux-256color")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True, check=False)

    def keys(self, *keys, pause=0.15):
        """Names of keys as tmux knows them, or text."""
        for key in keys:
            self._tmux("send-keys", key)
            time.sleep(pause)

    def text(self, text, pause=0.15):
        """Text as it is, whatever names of keys it holds."""
        # A semicolon at the end would separate commands of tmux.
        self._tmux("send-keys", "-l", text[:-1] + "\\;" if text.endswith(";") else text)
        time.sleep(pause)

    def screen(self):
        return self._tmux("capture-pane", "-p")

    def colours(self):
        """The screen with escape sequences."""
        return self._tmux("capture-pane", "-e", "-p")

    def wait(self, condition, seconds=20.0):
        """The screen once it fulfils the condition, else as it is in the end."""
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if condition(screen) or time.monotonic() > end:
                return screen
            time.sleep(0.1)

    def wait_for(self, *parts, seconds=20.0):
        return self.wait(lambda screen: all(part in squeezed(screen) for part in parts), seconds)

    def _tmux(self, *arguments, env=None):
        return subprocess.run(
            ["tmux", "-L", self.socket, *arguments], capture_output=True, text=True, check=True, timeout=20, env=env
        ).stdout


def squeezed(screen):
    """The text of a screen with borders and line ends as one space, so that what was wrapped can be found."""
    return re.sub(r"[\s│╭╮╰╯─┃|]+", " ", screen)


def colour_of(screen, word):
    """The escape sequence in force at the first occurrence of a word on a coloured screen; None if it is not there."""
    state, plain = "", []
    for part in re.split(r"(\x1b\[[0-9;:]*m)", screen):
        if part.startswith("\x1b["):
            state = part
        else:
            plain += [(character, state) for character in part]
    text = "".join(character for character, _ in plain)
    at = text.find(word)
    return None if at < 0 else plain[at][1]


PACKAGES = "neovim,hx,emacs-nox,kakoune,ca-certificates"


def chroot(context):
    """A folder with the newest Debian and its editors, for what this system does not have. Needs root, and says so."""
    folder = context.cache / "debian"
    marker = folder / "installed"
    if os.getuid() != 0:
        raise Skip("needs root, to enter a chroot")
    for tool, package in [("tmux", "tmux"), ("mmdebstrap", "mmdebstrap"), ("chroot", "coreutils")]:
        if shutil.which(tool) is None and not (tool == "mmdebstrap" and marker.exists()):
            if not context.may_install(True) or shutil.which("apt-get") is None:
                raise Skip(f"{tool} is not installed ({hint(True)} installs it)")
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            command(["apt-get", "update", "-qq"], env=environment)
            command(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], env=environment)
    if not marker.exists():
        if not context.may_install(True):
            raise Skip(f"no chroot with newer editors ({hint(True)} makes one)")
        mirror = debian_mirror()
        # Its release file says until when it is valid, and snapshots of mirrors are often older.
        command(
            [
                "mmdebstrap", "--variant=apt", "--mode=root", f"--include={PACKAGES}",
                '--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=Apt::Install-Recommends "false"',
                "forky", str(folder), mirror,
            ]
        )  # fmt: skip
        marker.write_text(PACKAGES)
    # Helix does not start without it.
    if not (folder / "proc" / "self").exists():
        command(["mount", "-t", "proc", "proc", str(folder / "proc")])
        atexit.register(subprocess.run, ["umount", str(folder / "proc")], check=False)
    return folder


def debian_mirror():
    """Where this system gets its packages from."""
    lines = command(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"])
    for line in lines.splitlines():
        uri = line.split()[0]
        if uri.rstrip("/").endswith("/debian"):
            return uri
    raise Skip("no mirror of Debian among the sources of packages")


def inside(context, root, suite):
    """A home and a copy of the fixture inside the chroot, with the server on its search path: (outside, inside)."""
    scratch = context.scratch(suite)
    outside = root / "tmp" / scratch.name
    shutil.move(scratch, outside)
    context.scratches.append(outside)
    server = root / "usr" / "local" / "bin" / "msl-analyzer"
    server.unlink(missing_ok=True)
    shutil.copy2(context.binary, server)
    return outside, f"/tmp/{scratch.name}"


def in_chroot(root, inner, words, **variables):
    """A shell command that runs `words` in the fixture inside the chroot."""
    settings = {"HOME": f"{inner}/home", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "tmux-256color", **variables}
    assignments = " ".join(f"{name}={value}" for name, value in settings.items())
    path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    return f"chroot {root} env -i {path} {assignments} COLORTERM=truecolor sh -c 'cd {inner}/fixture && {words}'"
