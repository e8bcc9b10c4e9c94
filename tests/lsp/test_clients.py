"""What an editor's user does, through a client library and with the abilities of several editors."""

import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from session import BINARY

CLIENTS = ["visual_studio_code", "neovim", "emacs"]

WRONG = "kernel void k(float *p [[buffer(0)]]) { *p = 1; }\n"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[BINARY, "lsp"]), params=CLIENTS)
async def client(request, lsp_client: LanguageClient, tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "msl-analyzer.toml").write_text('std = "metal4.1"\n')
    lsp_client.folder = folder
    for method in ["client/registerCapability", "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh"]:
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=pytest_lsp.client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="test")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def open_file(client, name, text):
    uri = (client.folder / name).as_uri()
    item = types.TextDocumentItem(uri=uri, language_id="metal", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    return types.TextDocumentIdentifier(uri=uri)


async def diagnostics(client, document):
    if client.capabilities.text_document.diagnostic:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document))
        return report.items
    while document.uri not in client.diagnostics:
        await client.wait_for_notification("textDocument/publishDiagnostics")
    return client.diagnostics[document.uri]


@pytest.mark.asyncio
async def test_a_finding_is_repaired(client: LanguageClient):
    document = open_file(client, "a.metal", WRONG)
    found = await diagnostics(client, document)
    assert [finding.code for finding in found] == ["entry-point-address-space"]
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=document, range=found[0].range, context=types.CodeActionContext(diagnostics=list(found))
        )
    )
    assert actions[0].title == "Add `device`"


@pytest.mark.asyncio
async def test_hover_and_definition(client: LanguageClient):
    document = open_file(client, "b.metal", "float half_of(float x) { return x / 2; }\nfloat g() { return half_of(1); }\n")
    position = types.Position(line=1, character=22)
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=position))
    assert "half_of" in hover.contents.value
    found = await client.text_document_definition_async(types.DefinitionParams(text_document=document, position=position))
    target = found[0]
    start = (target.target_selection_range if isinstance(target, types.LocationLink) else target.range).start
    assert (start.line, start.character) == (0, 6)


@pytest.mark.asyncio
async def test_edits_are_seen_at_once(client: LanguageClient):
    document = open_file(client, "c.metal", "constant int before = 1;\n")
    change = types.TextDocumentContentChangePartial(
        range=types.Range(start=types.Position(0, 13), end=types.Position(0, 19)), text="after"
    )
    identifier = types.VersionedTextDocumentIdentifier(uri=document.uri, version=2)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=identifier, content_changes=[change])
    )
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert [symbol.name for symbol in symbols] == ["after"]


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
