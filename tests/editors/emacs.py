"""Emacs with Eglot, in batch, from the newest Debian in a chroot."""

import os
import shutil

from support import HERE, Result, parse_results, run_editor, set_up, without_xdg
from terminal import chroot, in_chroot, inside

NAME = "emacs"
SLOW = True


def prepare(context):
    return chroot(context)


def run(context, root):
    outside, inner = inside(context, root, NAME)
    yield set_up("emacs", without_xdg(outside / "home"))

    for name in ("expected.json", "emacs/suite.el"):
        shutil.copyfile(HERE / name, outside / os.path.basename(name))
    mode = f"{inner}/home/.emacs.d/lisp/metal-mode.el"
    compiled = in_chroot(root, inner, f'emacs -Q --batch --eval "(setq byte-compile-error-on-warn t)" -f batch-byte-compile {mode}')
    code, text = run_editor(["sh", "-c", compiled], context.output / "emacs-compile.log")
    yield Result("compiles without a warning", code == 0, text)

    words = f"emacs --batch -l {inner}/home/.emacs.d/init.el -l {inner}/suite.el"
    code, text = run_editor(
        ["sh", "-c", in_chroot(root, inner, words, MSL_EXPECTED=f"{inner}/expected.json")], context.output / "emacs.log"
    )
    yield from parse_results(text)
    yield Result("ends by itself", code == 0, text[-2000:])
