"""Kakoune with kakoune-lsp in a terminal, from the newest Debian in a chroot."""

import os
import shutil

from support import EXPECTED, Result, Skip, command, hint, place, set_up, without_xdg
from terminal import Terminal, chroot, colour_of, in_chroot, inside, squeezed

NAME = "kakoune"
SLOW = True

KAK_LSP = "22.0.0"


def prepare(context):
    root = chroot(context)
    bridge = context.cache / "kak-lsp" / "bin" / "kak-lsp"
    if not bridge.exists():
        if not context.may_install(SLOW):
            raise Skip(f"kak-lsp is not installed ({hint(SLOW)} compiles it)")
        command(["cargo", "install", "kak-lsp", "--version", KAK_LSP, "--locked", "--root", str(context.cache / "kak-lsp")], 1200)
    shutil.copy2(bridge, root / "usr" / "local" / "bin" / "kak-lsp")
    return root


def run(context, root):
    outside, inner = inside(context, root, NAME)
    (outside / "home" / ".config" / "kak").mkdir(parents=True)
    (outside / "home" / ".config" / "kak" / "kakrc").write_text("eval %sh{kak-lsp}\n")
    yield set_up("kakoune", without_xdg(outside / "home"))

    file = outside / "fixture" / EXPECTED["file"]
    words = f"kak -e \"set global ui_options terminal_assistant=none\" {EXPECTED['file']}"
    with Terminal(in_chroot(root, inner, words, KAKOUNE_POSIX_SHELL="/bin/sh"), os.environ) as kakoune:
        kakoune.wait_for("kernel void shade")

        def run_command(text, pause=0.5):
            kakoune.keys("Escape", ":")
            kakoune.text(text)
            kakoune.keys("Enter", pause=pause)

        def go_to(at):
            text = file.read_text()
            line, character = place(at, text)
            column = len(text.split("\n")[line][:character].encode())
            run_command(f"select {line + 1}.{column + 1},{line + 1}.{column + 1}")

        # The server has been heard of once there is a flag in front of the 16th line.
        kakoune.wait(lambda screen: "*" in screen.splitlines()[15][:4])
        run_command("lsp-diagnostics")
        codes = [one["code"] for one in EXPECTED["diagnostics"]]
        screen = kakoune.wait_for(*codes)
        shown = all(code in screen for code in codes)
        run_command("delete-buffer")
        yield Result("diagnostics", shown, screen)

        coloured = kakoune.colours()
        yield Result("colours", bool(colour_of(coloured, "kernel void")), coloured[:400])

        go_to(EXPECTED["hover"]["at"])
        run_command("lsp-hover")
        screen = kakoune.wait_for(*EXPECTED["hover"]["contains"])
        yield Result("hover with address spaces", all(part in squeezed(screen) for part in EXPECTED["hover"]["contains"]), screen)

        action = EXPECTED["codeAction"]
        go_to(action["at"])
        run_command(f"lsp-code-action '{action['title']}'", pause=1.5)
        run_command("write")
        kakoune.wait(lambda _: action["line"] in file.read_text(), 5)
        yield Result("code action applied", action["line"] in file.read_text().split("\n"), kakoune.screen())

        rename = EXPECTED["rename"]
        go_to(rename["at"])
        run_command(f"lsp-rename {rename['to']}", pause=1.5)
        run_command("write-all")
        lines = rename["lines"].items()

        def done(_):
            return all(line in (outside / "fixture" / name).read_text().split("\n") for name, line in lines)

        kakoune.wait(done, 5)
        yield Result("rename across files", done(None), kakoune.screen())

        run_command("buffer *debug*")
        screen = kakoune.screen()
        wrong = [line for line in screen.splitlines() if "rror" in line]
        yield Result("nothing in the debug buffer", not wrong, screen)
        run_command("kill!")
