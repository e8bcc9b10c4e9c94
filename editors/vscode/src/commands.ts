// The commands of the palette. What is about the text as it is in the editor asks the server; what is about files on
// disk runs the command line of the same executable.

import { execFile } from 'node:child_process';

import * as vscode from 'vscode';
import { type LanguageClient, LSPErrorCodes, ResponseError, type WorkspaceEdit } from 'vscode-languageclient/node';

import type { Analyzer } from './analyzer';

/** Documents that the extension makes, by the path of their address. */
const scheme = 'msl-analyzer';

class Reports implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  /** Shows a text; Markdown as it is meant to be read. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    if (name.endsWith('.md')) {
      await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    } else {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, viewColumn: vscode.ViewColumn.Beside });
    }
  }
}

export function registerCommands(context: vscode.ExtensionContext, analyzer: Analyzer): void {
  const reports = new Reports();
  const register = (name: string, run: (...rest: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(`msl-analyzer.${name}`, run));
  };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(scheme, reports));

  register('restartServer', () => analyzer.restart());
  register('showLog', () => analyzer.showLog());

  register('showLanguageVersion', async () => {
    const document = metalDocument();
    if (document !== undefined) {
      await reports.show('language version.txt', await run(analyzer, ['doctor', '--color', 'never', document.uri.fsPath]));
    }
  });

  register('explainDiagnostic', async (given?: string) => {
    const code = given ?? (await chooseCode());
    if (code !== undefined) {
      await reports.show(`${code}.txt`, await run(analyzer, ['explain', '--color', 'never', code]));
    }
  });

  register('explainAddressSpaces', async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    const answer = await ask<{ markdown: string } | null>(analyzer, 'explainAddressSpaces', (client) =>
      client.code2ProtocolConverter.asTextDocumentPositionParams(editor.document, editor.selection.active),
    );
    if (answer === null) {
      void vscode.window.showInformationMessage('Nothing here has an address space.');
    } else if (answer !== undefined) {
      await reports.show('address spaces.md', answer.markdown);
    }
  });

  register('openFlowReport', async () => {
    const document = metalDocument();
    const answer = document && (await ask<{ markdown: string }>(analyzer, 'flowReport', (client) => textDocument(client, document)));
    if (answer) {
      await reports.show('address-space flow.md', answer.markdown);
    }
  });

  register('switchHeaderContext', async () => {
    const document = metalDocument();
    if (document !== undefined) {
      await switchHeaderContext(analyzer, document);
    }
  });

  register('migrate', async (version?: string) => {
    const to = version ?? (await vscode.window.showQuickPick(['metal4.1', 'metal4.0'], { placeHolder: 'Migrate the workspace to' }));
    if (to === undefined) {
      return;
    }
    const answer = await ask<{ report: string; edit?: WorkspaceEdit }>(analyzer, 'migrate', () => ({ to }));
    if (answer === undefined) {
      return;
    }
    await reports.show('migration.md', answer.report);
    const client = analyzer.running;
    if (answer.edit && client) {
      // The edits carry annotations that need confirmation: the editor shows its preview before anything changes.
      const edit = await client.protocol2CodeConverter.asWorkspaceEdit(answer.edit);
      await vscode.workspace.applyEdit(edit, { isRefactoring: true });
    }
  });
}

function metalDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'metal') {
    void vscode.window.showInformationMessage('Open a Metal file first.');
    return undefined;
  }
  return document;
}

function textDocument(client: LanguageClient, document: vscode.TextDocument): object {
  return { textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document) };
}

/** Undefined if there is no answer, which the user was told. */
async function ask<T>(analyzer: Analyzer, method: string, params: (client: LanguageClient) => object): Promise<T | undefined> {
  const client = analyzer.running;
  if (client === undefined) {
    void vscode.window.showErrorMessage('The Metal language server is not running.');
    return undefined;
  }
  try {
    return await client.sendRequest<T>(`msl-analyzer/${method}`, params(client));
  } catch (failure) {
    if (failure instanceof ResponseError && failure.code === LSPErrorCodes.RequestCancelled) {
      return undefined;
    }
    const unknown = failure instanceof ResponseError && failure.code === -32601;
    void vscode.window.showErrorMessage(unknown ? 'This server is too old for the command.' : `msl-analyzer: ${failure instanceof Error ? failure.message : failure}`);
    return undefined;
  }
}

/** What a command printed. Its exit status says whether there are findings, which is no failure. */
function run(analyzer: Analyzer, args: string[]): Promise<string> {
  const executable = analyzer.findExecutable();
  if (executable === undefined) {
    return Promise.resolve('The server is not installed.');
  }
  return new Promise((resolve) => {
    execFile(executable, args, { maxBuffer: 16 << 20, timeout: 60_000 }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

/** The code of a finding at the cursor, else one of those of the file. */
async function chooseCode(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const found = vscode.languages.getDiagnostics(editor.document.uri).filter((finding) => finding.source === 'msl-analyzer');
  const codeOf = ({ code }: vscode.Diagnostic): string => String(typeof code === 'object' ? code.value : code);
  const here = found.find((finding) => finding.range.contains(editor.selection.active));
  if (here !== undefined) {
    return codeOf(here);
  }
  const codes = [...new Set(found.map(codeOf))].sort();
  if (codes.length === 0) {
    void vscode.window.showInformationMessage('There is no finding in this file.');
    return undefined;
  }
  return codes.length === 1 ? codes[0] : vscode.window.showQuickPick(codes, { placeHolder: 'Explain' });
}

async function switchHeaderContext(analyzer: Analyzer, document: vscode.TextDocument): Promise<void> {
  interface Contexts {
    current: string | null;
    automatic: boolean;
    candidates: { uri: string }[];
  }
  const contexts = await ask<Contexts>(analyzer, 'headerContexts', (client) => textDocument(client, document));
  if (contexts === undefined) {
    return;
  }
  if (contexts.candidates.length === 0) {
    void vscode.window.showInformationMessage('No unit of the workspace includes this file.');
    return;
  }
  interface Choice extends vscode.QuickPickItem {
    uri: string | null;
  }
  const choices: Choice[] = [
    { label: 'Automatic', description: contexts.automatic ? 'current' : '', uri: null },
    ...contexts.candidates.map(({ uri }) => ({
      label: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
      description: uri === contexts.current ? 'current' : '',
      uri,
    })),
  ];
  const choice = await vscode.window.showQuickPick(choices, { placeHolder: 'See this header through' });
  if (choice !== undefined) {
    await ask(analyzer, 'setHeaderContext', (client) => ({ ...textDocument(client, document), context: choice.uri }));
  }
}
