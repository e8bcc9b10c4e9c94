"""A server on standard input and output, and every message that it sent."""

import itertools
import json
import os
import queue
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("MSL_ANALYZER", str(ROOT / "target/debug/msl-analyzer"))


class Session:
    def __init__(self, folder, capabilities, options=None):
        environment = {**os.environ, "MSL_ANALYZER_CACHE_DIR": str(folder / "cache")}
        self.process = subprocess.Popen(
            [BINARY, "lsp"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.received, self.numbers = queue.Queue(), itertools.count(1)
        # All messages of the server; answers with the method that they answer.
        self.messages, self.asked = [], {}
        threading.Thread(target=self._read, daemon=True).start()
        self.folder = folder
        folders = [{"uri": folder.as_uri(), "name": "test"}]
        self.initialized = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "workspaceFolders": folders,
                "capabilities": capabilities,
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})

    def _read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                self.received.put(None)
                return
            self.received.put(json.loads(self.process.stdout.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        """The result; an error fails the test."""
        number = next(self.numbers)
        self.asked[number] = method
        self.send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def wait(self, wanted, limit=120):
        while True:
            message = self.received.get(timeout=limit)
            assert message is not None, "the server has gone"
            self.messages.append(message)
            if "id" in message and "method" in message:
                result = [None] if message["method"] == "workspace/configuration" else None
                self.send({"id": message["id"], "result": result})
            if wanted(message):
                return message

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text):
        document = {"uri": self.uri(name), "languageId": "metal", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        assert self.process.wait(timeout=60) == 0
