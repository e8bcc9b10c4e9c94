"""The recipes of docs/ci.md, run as they are written there: on shaders without a finding, and on the fixture, which has some."""

import json
import os
import re
import shutil
import subprocess

from support import EXPECTED, REPOSITORY, Result, Skip

NAME = "recipes"
SLOW = False

CLEAN = "kernel void fill(device float *out [[buffer(0)]]) { out[0] = 1; }\n"
FAULTY = "kernel void fill(device float *out [[buffer(0)]]) { out[0] = missing; }\n"


def prepare(context):
    """The folder of each tool, or why there is none: one of them may be missing."""
    tools = {}
    for name, package in (("pre-commit", "pre-commit==4.7.0"), ("cmake", "cmake==4.4.5")):
        try:
            tools[name] = context.virtual_environment(package.replace("==", "-"), [package])
        except Skip as reason:
            tools[name] = reason
    return tools


def run(context, tools):
    scratch = context.scratch(NAME)
    text = (REPOSITORY / "docs" / "ci.md").read_text()
    environment = {**context.environment(scratch), "SRCROOT": "."}
    yield from without_tools(text, scratch, environment)
    yield from make(text, scratch, environment)
    for name, recipe in (("cmake", cmake), ("pre-commit", pre_commit)):
        if isinstance(tools[name], Skip):
            yield Result(name, None, str(tools[name]))
            continue
        path = f"{tools[name]}{os.pathsep}{environment['PATH']}"
        yield from recipe(text, scratch, {**environment, "PATH": path})


def block(text, language, begins):
    """The block of code in this language that begins so."""
    for part in text.split(f"```{language}\n")[1:]:
        code = part.partition("```")[0]
        if code.startswith(begins):
            return code
    raise ValueError(f"docs/ci.md has no {language} that begins with {begins}")


def execute(command, folder, environment):
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)


def result(name, done, ok):
    return Result(name, ok, f"status {done.returncode}\n{done.stdout}{done.stderr}")


def without_tools(text, scratch, environment):
    phase = block(text, "sh", "msl-analyzer check --format short")
    done = execute(["sh", "-c", phase], scratch / "fixture", environment)
    lines = [line for line in done.stdout.splitlines() if re.match(r"\S*light\.metal:\d+:\d+: error: ", line)]
    yield result("Xcode", done, done.returncode == 1 and len(lines) == len(EXPECTED["diagnostics"]))

    sarif = next(line.partition("run: ")[2] for line in text.splitlines() if "--format sarif" in line)
    done = execute(["bash", "-c", sarif], scratch / "fixture", environment)
    results = json.loads((scratch / "fixture" / "msl-analyzer.sarif").read_text())["runs"][0]["results"]
    yield result("SARIF", done, done.returncode == 0 and len(results) == len(EXPECTED["diagnostics"]))


def project(scratch, name):
    folder = scratch / name
    (folder / "shaders").mkdir(parents=True)
    (folder / "shaders" / "fill.metal").write_text(CLEAN)
    return folder


def make(text, scratch, environment):
    if shutil.which("make") is None:
        yield Result("make", None, "no make")
        return
    folder = project(scratch, "make")
    (folder / "Makefile").write_text(block(text, "make", ".PHONY: check"))
    done = execute(["make", "check"], folder, environment)
    yield result("make passes", done, done.returncode == 0)
    (folder / "shaders" / "fill.metal").write_text(FAULTY)
    done = execute(["make", "check"], folder, environment)
    yield result("make fails", done, done.returncode == 2 and "undeclared-identifier" in done.stdout + done.stderr)


def cmake(text, scratch, environment):
    if shutil.which("make") is None:
        yield Result("cmake", None, "no make")
        return
    folder = project(scratch, "cmake")
    recipe = block(text, "cmake", "find_program(MSL_ANALYZER")
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.20)\nproject(shaders NONE)\n{recipe}")
    done = execute(["cmake", "-G", "Unix Makefiles", "-S", ".", "-B", "build"], folder, environment)
    yield result("CMake configures", done, done.returncode == 0)
    build = ["cmake", "--build", "build"]
    done = execute(build, folder, environment)
    checked = folder / "build" / "shaders.checked"
    yield result("CMake passes", done, done.returncode == 0 and checked.exists())
    before = checked.stat().st_mtime_ns if checked.exists() else 0
    done = execute(build, folder, environment)
    yield result("CMake does not check again", done, done.returncode == 0 and checked.stat().st_mtime_ns == before)
    shader = folder / "shaders" / "fill.metal"
    shader.write_text(FAULTY)
    # Clocks of file systems are coarse.
    os.utime(shader, ns=(before + 2_000_000_000, before + 2_000_000_000))
    done = execute(build, folder, environment)
    yield result("CMake fails", done, done.returncode != 0 and "undeclared-identifier" in done.stdout + done.stderr)


def pre_commit(text, scratch, environment):
    if shutil.which("git") is None:
        yield Result("pre-commit", None, "no git")
        return
    folder = project(scratch, "pre-commit")
    (folder / ".pre-commit-config.yaml").write_text(block(text, "yaml", "repos:\n  - repo: local"))
    environment = {
        **environment,
        **{f"GIT_{who}_{what}": "test@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    for command in (["git", "init", "--quiet"], ["git", "add", "."], ["pre-commit", "install"]):
        done = execute(command, folder, environment)
        if done.returncode != 0:
            yield result(" ".join(command), done, False)
            return
    done = execute(["git", "commit", "--quiet", "-m", "clean"], folder, environment)
    yield result("a clean commit passes", done, done.returncode == 0 and "Passed" in done.stdout + done.stderr)
    (folder / "shaders" / "fill.metal").write_text(FAULTY)
    execute(["git", "add", "."], folder, environment)
    done = execute(["git", "commit", "--quiet", "-m", "faulty"], folder, environment)
    ok = done.returncode != 0 and "undeclared-identifier" in done.stdout + done.stderr
    yield result("a commit with an error fails", done, ok)
    (folder / "notes.txt").write_text("not a shader\n")
    execute(["git", "checkout", "--quiet", "HEAD", "--", "shaders"], folder, environment)
    execute(["git", "add", "."], folder, environment)
    done = execute(["git", "commit", "--quiet", "-m", "notes"], folder, environment)
    yield result("other files are left alone", done, done.returncode == 0 and "Skipped" in done.stdout + done.stderr)
