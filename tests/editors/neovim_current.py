"""The newest Neovim, from the newest Debian in a chroot: the same checks as with the oldest that is supported."""

import shutil

from support import HERE, Result, complaints, parse_results, run_editor, set_up, without_xdg
from terminal import chroot, in_chroot, inside

NAME = "neovim_current"
SLOW = True


def prepare(context):
    return chroot(context)


def run(context, root):
    outside, inner = inside(context, root, NAME)
    yield set_up("neovim", without_xdg(outside / "home"))
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
