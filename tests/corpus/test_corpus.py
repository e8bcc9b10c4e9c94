"""Tests of the corpus scripts, without a network and without the analyser."""

import io
import os
import stat
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import corpus
import fetch
import run

# Answers by the name of the file, as the analyser would.
FAKE = '''#!{python}
import json, sys, time
path = sys.argv[-1]
def finding(code):
    return dict(path=path, range=dict(start=dict(line=1, column=2, offset=1)), severity="error", code=code, message=code)
if "crash" in path:
    sys.exit(101)
if "hang" in path:
    time.sleep(600)
if "garbage" in path:
    print("oops")
    sys.exit(0)
found = [finding("syntax-error")] if "wrong" in path else []
stats = dict(files=1, lines=3, expressions=10, unknownExpressions=1, dependentExpressions=2, milliseconds=1)
print(json.dumps(dict(files=[dict(path=path, complete=True)], diagnostics=found, stats=stats)))
sys.exit(1 if found else 0)
'''


class Globs(unittest.TestCase):
    def test_one_star_stays_in_a_folder(self):
        self.assertTrue(corpus.matches("a/b.metal", ["a/*.metal"]))
        self.assertFalse(corpus.matches("a/b/c.metal", ["a/*.metal"]))

    def test_two_stars_cross_folders_and_match_none(self):
        self.assertTrue(corpus.matches("a/b/c.metal", ["a/**/*.metal"]))
        self.assertTrue(corpus.matches("a/c.metal", ["a/**/*.metal"]))
        self.assertTrue(corpus.matches("a/b/c", ["a/**"]))

    def test_dots_are_dots(self):
        self.assertFalse(corpus.matches("axmetal", ["*.metal"]))


class Manifest(unittest.TestCase):
    def test_every_entry_says_what_it_needs(self):
        for package in corpus.packages(roles=("sources", "metallibs")):
            with self.subTest(package.name):
                self.assertIn(package.data["registry"], fetch.REGISTRIES)
                self.assertTrue(package.data["version"])
                self.assertTrue(package.data.get("units") or package.role == "metallibs")
                for step in package.data.get("step", []):
                    self.assertIn(step["kind"], fetch.STEPS)

    def test_the_core_comes_from_crates_and_npm(self):
        self.assertEqual({package.data["registry"] for package in corpus.packages(core=True)}, {"crates", "npm"})


class Steps(unittest.TestCase):
    def test_units_out_of_other_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "m.py").write_text('A = """kernel void k() {}"""\nB = A + "x"\n')
            (root / "t.metal").write_text("int x[{N}] = {{0}};")
            (root / "lib.so").write_bytes(b"\1\0#include <metal_stdlib>\n" + b"//" + b"x" * 300 + b"\0rest")
            (root / "h").mkdir()
            (root / "h/a.h").write_text("")
            fetch.python_strings({"file": "m.py", "names": ["A"]}, root)
            fetch.python_format({"file": "t.metal", "to": "t.metal", "values": {"N": 4}}, root)
            fetch.embedded_strings({"file": "lib.so", "to": "s"}, root)
            fetch.wrap_headers({"from": ".", "files": ["h/*.h"], "before": ["#include <b>"], "also": {"h/a.h": ["x"]}}, root)
            made = {path: (root / path).read_text() for path in corpus.matching(root, ["generated/*"])}
        self.assertEqual(made["generated/A.metal"], "kernel void k() {}")
        self.assertEqual(made["generated/t.metal"], "int x[4] = {0};")
        self.assertTrue(made["generated/s-0.metal"].startswith("#include <metal_stdlib>\n//xxx"))
        self.assertEqual(made["generated/h-a.metal"], "#include <b>\n#include <h/a.h>\nx\n")

    def test_a_path_cannot_leave_the_package(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(fetch.Failure):
            fetch.write(Path(folder), "../x", b"")


@unittest.skipIf(os.name == "nt", "the fake analyser is a script")
class Gate(unittest.TestCase):
    def verdict(self, name, require=(), gate=True, limit=300):
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder, "fake")
            fake.write_text(FAKE.replace("{python}", sys.executable))
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            unit = corpus.Unit("p", name, Path(folder, name), ["metal4.0"], require=list(require), gate=gate)
            return run.check(str(fake), unit, "metal4.0", limit).verdict()

    def test_self_contained_units_show_no_error(self):
        self.assertEqual(self.verdict("fine.metal"), "")
        self.assertEqual(self.verdict("wrong.metal"), "1 errors: syntax-error")
        self.assertEqual(self.verdict("wrong.metal", gate=False), "")

    def test_required_errors_are_shown(self):
        self.assertEqual(self.verdict("wrong.metal", ["syntax-error"]), "")
        self.assertEqual(self.verdict("fine.metal", ["include-not-found"]), "shows no include-not-found")

    def test_failures_of_the_program(self):
        self.assertEqual(self.verdict("crash.metal", gate=False), "exit status 101")
        self.assertEqual(self.verdict("hang.metal", limit=1), "no answer in 1 s")
        self.assertIn("not the documented JSON", self.verdict("garbage.metal"))


class Offline(unittest.TestCase):
    def test_an_empty_cache_skips(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, MSL_CORPUS=folder):
            with redirect_stdout(io.StringIO()) as out, mock.patch.object(sys, "argv", ["run.py", "--binary", "x", "--core"]):
                self.assertEqual(run.main(), 0)
        self.assertIn("SKIPPED corpus", out.getvalue())


if __name__ == "__main__":
    unittest.main()
