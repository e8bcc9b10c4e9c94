"""Helix in a terminal, from the newest Debian in a chroot: the text and the colours on the screen, and its log."""

import os
import re
import subprocess

from support import EXPECTED, Result, set_up, without_xdg
from terminal import Terminal, chroot, colour_of, in_chroot, inside, squeezed

NAME = "helix"
SLOW = True


def prepare(context):
    return chroot(context)


def run(context, root):
    outside, inner = inside(context, root, NAME)
    yield set_up("helix", without_xdg(outside / "home"))

    health = without_colours(subprocess.run(
        ["sh", "-c", in_chroot(root, inner, "hx --health metal")], capture_output=True, text=True, check=False
    ).stdout)
    yield Result("health", "✘" not in strip_formatter(health) and "✓ msl-analyzer" in health, health)

    file = outside / "fixture" / EXPECTED["file"]
    with Terminal(in_chroot(root, inner, f"hx -v {EXPECTED['file']}"), os.environ) as helix:
        helix.wait_for("kernel void shade")

        def go_to(at):
            """The cursor on the last character of the word."""
            helix.keys("Escape", "g", "g", "/")
            helix.text(re.sub(r"([*\[\]().+])", r"\\\1", at[0][: at[0].index(at[1]) + len(at[1])]))
            helix.keys("Enter", pause=0.5)

        first, second = EXPECTED["diagnostics"]
        go_to(first["at"])
        screen = helix.wait_for(first["contains"])
        yield Result("diagnostics", first["contains"] in squeezed(screen), screen)
        go_to(second["at"])
        screen = helix.wait_for(second["contains"])
        yield Result("diagnostics of the kernel", second["contains"] in squeezed(screen), screen)

        coloured = helix.colours()
        colours = {word: colour_of(coloured, word) for word in ("kernel void", "device const", "return light", "at;")}
        different = {colour for colour in colours.values() if colour}
        yield Result("colours", len(different) >= 2, str(colours))

        go_to(EXPECTED["hover"]["at"])
        helix.keys("Space", "k")
        screen = helix.wait_for(*EXPECTED["hover"]["contains"])
        ok = all(part in squeezed(screen) for part in EXPECTED["hover"]["contains"])
        yield Result("hover with address spaces", ok, screen)
        helix.keys("Escape")

        helix.keys(":")
        helix.text("set lsp.display-inlay-hints true")
        helix.keys("Enter")
        label = EXPECTED["inlayHints"][0]["label"]
        screen = helix.wait_for(label)
        yield Result("inlay hints", label in screen, screen)
        helix.keys(":")
        helix.text("set lsp.display-inlay-hints false")
        helix.keys("Enter")

        go_to(["Ray ray = rays[i];", "rays[i];"])
        helix.keys("o")
        helix.text("if (i > count)")
        helix.keys("Enter")
        helix.text("return;")
        helix.keys("Escape")
        screen = helix.wait_for("return;")
        lines = screen.splitlines()
        first = next((number for number, line in enumerate(lines) if "if (i > count)" in line), 0)
        depths = [line.find(word) for line, word in zip(lines[first : first + 2], ("if (", "return;"))]
        yield Result("indentation", depths[0] > 0 and depths[1] - depths[0] == 4, screen)
        helix.keys("u", "u", "u")

        action = EXPECTED["codeAction"]
        go_to(action["at"])
        helix.keys("Space", "a")
        screen = helix.wait_for(action["title"])
        yield Result("code action offered", action["title"] in screen, screen)
        helix.keys("Enter", "Enter", pause=0.5)
        screen = helix.wait_for(action["line"].strip())
        helix.keys("Escape", ":")
        helix.text("w")
        helix.keys("Enter", pause=0.8)
        yield Result("code action applied", action["line"] in file.read_text().split("\n"), file.read_text())

        rename = EXPECTED["rename"]
        go_to(rename["at"])
        helix.keys("Space", "r", pause=0.8)
        helix.keys("C-u")
        helix.text(rename["to"])
        helix.keys("Enter", pause=0.5)
        helix.wait_for(f"{rename['to']}(ray")
        helix.keys("Escape", ":")
        helix.text("wa")
        helix.keys("Enter", pause=0.8)
        for name, line in rename["lines"].items():
            text = (outside / "fixture" / name).read_text()
            yield Result(f"rename in {name}", line in text.split("\n"), text + helix.screen())
        helix.keys(":")
        helix.text("qa!")
        helix.keys("Enter", pause=0.8)

    log = (outside / "home" / ".cache" / "helix" / "helix.log").read_text(errors="replace")
    (context.output / "helix.log").write_text(log)
    # Behind `exit` Helix reports that the stream was closed if the server was faster than it.
    log = log.partition('"method":"exit"')[0]
    wrong = [line for line in log.splitlines() if " [ERROR] " in line or " [WARN] " in line or "Failed to compile" in line]
    yield Result("nothing in the log", not wrong, "\n".join(wrong))


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def strip_formatter(health):
    """Lines about tools that this set-up does not have, on purpose."""
    return "\n".join(line for line in health.splitlines() if "ebug adapter" not in line and "ormatter" not in line)
