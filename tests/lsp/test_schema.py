"""Every message of the server is one of the protocol."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import converters, types

from session import Session

CLIENTS = ["visual_studio_code", "neovim", "emacs"]

HEADER = "struct Base { float a; };\ninline float twice(float x) { return x * 2; }\n"

TEXT = """#include <metal_stdlib>
#include "shared.h"
using namespace metal;
#define SQUARE(x) ((x) * (x))
#if 0
int never;
#endif
struct Light : Base { float4 tint; float range; };
constant float4 skyColor = float4(0.1, 0.2, 0.3, 1.0);
// Adds.
float sum(device float *p, Light l) { auto r = l.range; return SQUARE(p[0]) + r + twice(l.a); }
kernel void k(device float *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    Light light;
    light.tint = float4(1, 0, 0, 1);
    p[i] = sum(p, light);
    p[i] = wrong;
}
kernel void w(float *q [[buffer(0)]]) { *q = 1; }
"""


def place(text, word, behind=0):
    """Where a word stands first, or so many characters behind its start."""
    offset = text.index(word) + behind
    line = text.count("\n", 0, offset)
    return {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}


def requests(session):
    """Every kind of request, with parameters for which there is something to say."""
    document = {"textDocument": {"uri": session.uri("a.metal")}}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": TEXT.count("\n"), "character": 0}}
    at = lambda word, behind=0: {**document, "position": place(TEXT, word, behind)}  # noqa: E731
    for word in ["sum(device", "Light light", "light.tint", "SQUARE(p", "tint =", "float4(1", "buffer(0)", "wrong"]:
        yield "textDocument/hover", at(word)
        yield "textDocument/definition", at(word)
        yield "textDocument/declaration", at(word)
        yield "textDocument/typeDefinition", at(word)
        yield "textDocument/implementation", at(word)
        yield "textDocument/documentHighlight", at(word)
        yield "textDocument/references", {**at(word), "context": {"includeDeclaration": True}}
    for word, behind in [("l.range", 2), ("sum(p", 1), ("[[buffer", 2), ("shared.h", 1), ("kernel void k", 0)]:
        yield "textDocument/completion", at(word, behind)
    yield "textDocument/signatureHelp", at("sum(p,", 4)
    yield "textDocument/prepareRename", at("range;")
    yield "textDocument/rename", {**at("range;"), "newName": "reach"}
    yield "textDocument/prepareCallHierarchy", at("sum(device")
    yield "textDocument/prepareTypeHierarchy", at("Light light")
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "documentColor"]:
        yield f"textDocument/{method}", document
    yield "textDocument/semanticTokens/range", {**document, "range": everything}
    yield "textDocument/inlayHint", {**document, "range": everything}
    yield "textDocument/codeAction", {**document, "range": everything, "context": {"diagnostics": []}}
    yield "textDocument/selectionRange", {**document, "positions": [place(TEXT, "tint =")]}
    yield "workspace/symbol", {"query": "sum"}
    yield "textDocument/diagnostic", document
    yield "workspace/diagnostic", {"previousResultIds": []}
    options = {"tabSize": 4, "insertSpaces": True}
    if clang_format():
        yield "textDocument/formatting", {**document, "options": options}
        yield "textDocument/rangeFormatting", {**document, "options": options, "range": everything}
        yield "textDocument/onTypeFormatting", {**at("wrong;", 6), "ch": ";", "options": options}


def clang_format():
    """That of the virtual environment, else any."""
    own = Path(sys.executable).parent / "clang-format"
    return str(own) if own.exists() else shutil.which("clang-format")


def follow_up(session, method, result):
    """What a client asks about an answer."""
    if not result:
        return
    if method == "textDocument/completion":
        session.request("completionItem/resolve", result["items"][0])
    elif method == "textDocument/codeLens":
        session.request("codeLens/resolve", next(lens for lens in result if "data" in lens))
    elif method == "textDocument/prepareCallHierarchy":
        session.request("callHierarchy/incomingCalls", {"item": result[0]})
        session.request("callHierarchy/outgoingCalls", {"item": result[0]})
    elif method == "textDocument/prepareTypeHierarchy":
        session.request("typeHierarchy/supertypes", {"item": result[0]})
        session.request("typeHierarchy/subtypes", {"item": result[0]})
    elif method == "textDocument/documentColor":
        params = {"textDocument": {"uri": session.uri("a.metal")}, **result[0]}
        session.request("textDocument/colorPresentation", params)
    elif method == "textDocument/semanticTokens/full":
        params = {"textDocument": {"uri": session.uri("a.metal")}, "previousResultId": result["resultId"]}
        session.request("textDocument/semanticTokens/full/delta", params)


@pytest.mark.parametrize("name", CLIENTS)
def test_every_message(name, tmp_path):
    converter = converters.get_converter()
    capabilities = converter.unstructure(pytest_lsp.client_capabilities(name))
    (tmp_path / "msl-analyzer.toml").write_text('std = "metal4.1"\n')
    (tmp_path / "shared.h").write_text(HEADER)
    (tmp_path / "b.metal").write_text('#include "shared.h"\nfloat b() { return twice(c); }\n')
    session = Session(tmp_path, capabilities, {"clang-format": clang_format() or "clang-format"})
    session.open("a.metal", TEXT)
    if "diagnostic" not in capabilities.get("textDocument", {}):
        session.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
    answered = {}
    for method, params in requests(session):
        result = session.request(method, params)
        answered[method] = answered.get(method) or bool(result)
        follow_up(session, method, result)
    session.end()

    for message in session.messages:
        method = message.get("method") or session.asked[message["id"]]
        is_answer = "method" not in message
        kind = types.METHOD_TO_TYPES[method][1 if is_answer else 0]
        converter.structure(message, kind)
    silent = sorted(method for method, has_answer in answered.items() if not has_answer)
    # A selection that is formatted already has no edits; nothing else has nothing to say.
    assert not [method for method in silent if "ormatting" not in method], silent


def test_what_is_offered_is_answered(tmp_path):
    """Every method of the capabilities has a handler, and the answer to `initialize` is of the protocol."""
    converter = converters.get_converter()
    session = Session(tmp_path, {})
    answer = json.loads(json.dumps({"jsonrpc": "2.0", "id": 1, "result": session.initialized}))
    offered = converter.structure(answer, types.InitializeResponse).result.capabilities
    assert offered.type_hierarchy_provider and offered.call_hierarchy_provider and offered.color_provider
    assert offered.semantic_tokens_provider.legend.token_types[0] == "namespace"
    session.end()
