"""The newest Neovim, from the newest Debian in a chroot: the same checks as with the oldest that is supported."""

import os
import shutil
import subprocess

from support import HERE, REPOSITORY, Result, complaints, parse_results, run_editor
from terminal import chroot, in_chroot, inside

NAME = "neovim_current"
SLOW = True


def prepare(context):
    return chroot(context)


def run(context, root):
    outside, inner = inside(context, root, NAME)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    installed = subprocess.run(
        ["sh", str(REPOSITORY / "editors" / "install.sh"), "neovim"],
        env={**environment, "HOME": str(outside / "home")},
        capture_output=True,
        text=True,
    )
    yield Result("installed by one command", installed.returncode == 0, installed.stdout + installed.stderr)
    shutil.copyfile(HERE / "expected.json", outside / "expected.json")
    shutil.copyfile(HERE / "neovim" / "suite.lua", outside / "suite.lua")
    # There is no Neovim outside that would have done it.
    plugin = f"{inner}/home/.local/share/nvim/site/pack/msl-analyzer/start/msl-analyzer"
    words = f'nvim --headless -u NONE -c "helptags {plugin}/doc" -c qa; nvim --headless -i NONE -c "luafile {inner}/suite.lua"'
    code, text = run_editor(
        ["sh", "-c", in_chroot(root, inner, words, MSL_EXPECTED=f"{inner}/expected.json")], context.output / "neovim-current.log"
    )
    yield from parse_results(text)
    yield Result("ends by itself", code == 0, f"exit status {code}: {text[-1000:]}")
    for log in (outside / "home" / ".local" / "state" / "nvim").glob("lsp*.log"):
        lines = complaints(log.read_text())
        yield Result(f"nothing in {log.name}", not lines, "\n".join(lines))
