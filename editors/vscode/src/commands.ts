// The commands of the palette. What is about the text as it is in the editor asks the server; what is about files on
// disk runs the command line of the same executable.

import { execFile } from 'node:child_process';
import * as os from 'node:os';
import * as path from 'node:path';

import * as vscode from 'vscode';
import { type LanguageClient, type Location, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageclient/node';

import type { Analyzer } from './analyzer';
import { explainSpaces, flowReport, type Inspected, type Migration, migrationReport } from './reports';

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

  // The lines above functions name it, with a place; from the palette it is about what is at the cursor.
  register('explainAddressSpaces', async (uri?: string, at?: Position) => {
    const shown = uri === undefined ? metalDocument() : await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const cursor = vscode.window.activeTextEditor?.selection.active;
    if (shown === undefined || (at === undefined && cursor === undefined)) {
      return;
    }
    const place = at === undefined ? cursor! : new vscode.Position(at.line, at.character);
    const table = await ask<{ title: string; markdown: string } | null>(analyzer, 'msl-analyzer/explainAddressSpaces', (client) =>
      client.code2ProtocolConverter.asTextDocumentPositionParams(shown, place),
    );
    const texts = [at === undefined ? await aboutName(analyzer, shown, place) : undefined, table?.markdown];
    const known = texts.filter((text) => text !== undefined);
    if (known.length === 0) {
      void vscode.window.showInformationMessage('Nothing here has an address space.');
    } else {
      await reports.show('address spaces.md', known.join('\n\n'));
    }
  });

  register('openFlowReport', async () => {
    const document = metalDocument();
    if (document !== undefined) {
      const all = parse<Inspected>(await run(analyzer, ['inspect', '--all', '--format', 'jsonl', document.uri.fsPath]));
      const name = vscode.workspace.asRelativePath(document.uri);
      await reports.show('address-space flow.md', asSaved(document) + flowReport(name, all));
    }
  });

  register('chooseHeaderContext', async () => {
    const document = metalDocument();
    if (document !== undefined) {
      await chooseHeaderContext(analyzer, document);
    }
  });

  register('migrate', async (version?: string) => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    const to = version ?? (await vscode.window.showQuickPick(['metal4.1', 'metal4.0'], { placeHolder: 'Migrate the workspace to' }));
    if (to === undefined || folder === undefined) {
      return;
    }
    await vscode.workspace.saveAll();
    const output = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `What changes under ${to}` },
      () => run(analyzer, ['migrate', '--to', to, '--format', 'json', folder.uri.fsPath]),
    );
    const [migration] = parse<Migration>(output);
    if (migration === undefined) {
      void vscode.window.showErrorMessage(`msl-analyzer: ${output.trim()}`);
      return;
    }
    await reports.show('migration.md', migrationReport(to, migration, (file) => vscode.workspace.asRelativePath(file)));
    if (migration.edits.length > 0) {
      // The editor shows its preview before anything changes, because the edits need confirmation.
      await vscode.workspace.applyEdit(await workspaceEdit(`Migrate to ${to}`, migration), { isRefactoring: true });
    }
  });

  // The server's code lenses name it.
  context.subscriptions.push(
    vscode.commands.registerCommand('msl-analyzer.showReferences', async (uri: string, position: Position, locations: Location[]) => {
      const client = analyzer.running;
      if (client !== undefined) {
        const { protocol2CodeConverter: converter } = client;
        const places = locations.map((location) => converter.asLocation(location));
        await vscode.commands.executeCommand('editor.action.showReferences', converter.asUri(uri), converter.asPosition(position), places);
      }
    }),
  );
}

/** What the command line says is about files on disk. */
function asSaved(document: vscode.TextDocument): string {
  return document.isDirty ? '_As the file was saved last._\n\n' : '';
}

/** Objects, one for each line or one over all of them; none if it is something else. */
function parse<T>(output: string): T[] {
  // Paths are relative to the folder in which the command ran.
  const resolve = (key: string, value: unknown): unknown =>
    key === 'path' && typeof value === 'string' && !value.startsWith('<') ? path.resolve(workingFolder(), value) : value;
  const read = (text: string): T[] => {
    try {
      return [JSON.parse(text, resolve) as T];
    } catch {
      return [];
    }
  };
  const whole = read(output);
  return whole.length > 0 ? whole : output.split('\n').flatMap(read);
}

/** The edits of a migration, each to be confirmed. */
async function workspaceEdit(label: string, migration: Migration): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  for (const { path: file, range, newText } of migration.edits) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const at = ({ line, column }: { line: number; column: number }): vscode.Position => {
      const before = Buffer.from(document.lineAt(line - 1).text).subarray(0, column - 1);
      return new vscode.Position(line - 1, before.toString().length);
    };
    edit.replace(document.uri, new vscode.Range(at(range.start), at(range.end)), newText, { label, needsConfirmation: true });
  }
  return edit;
}

function metalDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'metal') {
    void vscode.window.showInformationMessage('Open a Metal file first.');
    return undefined;
  }
  return document;
}

/** What is known about the spaces of the name at a place; undefined if it has none. */
async function aboutName(analyzer: Analyzer, document: vscode.TextDocument, at: vscode.Position): Promise<string | undefined> {
  const { line, character } = document.getWordRangeAtPosition(at)?.start ?? at;
  const column = Buffer.byteLength(document.lineAt(line).text.slice(0, character)) + 1;
  const place = `${document.uri.fsPath}:${line + 1}:${column}`;
  const [one] = parse<Inspected>(await run(analyzer, ['inspect', '--format', 'json', place]));
  const text = one && explainSpaces(one);
  return text && asSaved(document) + text;
}

/** Undefined if there is no answer, which the user was told. */
async function ask<T>(analyzer: Analyzer, method: string, params: (client: LanguageClient) => object): Promise<T | undefined> {
  const client = analyzer.running;
  if (client === undefined) {
    void vscode.window.showErrorMessage('The Metal language server is not running.');
    return undefined;
  }
  try {
    return await client.sendRequest<T>(method, params(client));
  } catch (failure) {
    if (failure instanceof ResponseError && failure.code === LSPErrorCodes.RequestCancelled) {
      return undefined;
    }
    const unknown = failure instanceof ResponseError && failure.code === -32601;
    void vscode.window.showErrorMessage(unknown ? 'This server is too old for the command.' : `msl-analyzer: ${failure instanceof Error ? failure.message : failure}`);
    return undefined;
  }
}

function workingFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? os.homedir();
}

/** What a command printed. Its exit status says whether there are findings, which is no failure. */
function run(analyzer: Analyzer, args: string[]): Promise<string> {
  const executable = analyzer.findExecutable();
  if (executable === undefined) {
    return Promise.resolve('The server is not installed.');
  }
  return new Promise((resolve) => {
    execFile(executable, args, { cwd: workingFolder(), maxBuffer: 16 << 20, timeout: 60_000 }, (_, stdout, stderr) => resolve(stdout || stderr));
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

async function chooseHeaderContext(analyzer: Analyzer, document: vscode.TextDocument): Promise<void> {
  interface Contexts {
    current: string | null;
    isChosen: boolean;
    candidates: string[];
  }
  const { uri: header } = document;
  const contexts = await ask<Contexts>(analyzer, 'msl-analyzer/headerContexts', (client) => ({
    textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
  }));
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
    { label: 'Automatic', description: contexts.isChosen ? '' : 'current', uri: null },
    ...contexts.candidates.map((uri) => ({
      label: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)),
      description: uri === contexts.current ? 'current' : '',
      uri,
    })),
  ];
  const choice = await vscode.window.showQuickPick(choices, { placeHolder: 'See this header through' });
  if (choice !== undefined) {
    await ask(analyzer, 'workspace/executeCommand', (client) => ({
      command: 'msl-analyzer.switchHeaderContext',
      arguments: [client.code2ProtocolConverter.asUri(header), choice.uri],
    }));
  }
}
