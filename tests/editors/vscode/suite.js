// An extension that uses the editor's own interfaces as other extensions do, and writes down what it saw.
const fs = require('node:fs');
const vscode = require('vscode');

const expected = JSON.parse(fs.readFileSync(process.env.MSL_EXPECTED, 'utf8'));
const results = [];

async function wait(condition, milliseconds = 20000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value || Date.now() > end) {
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function check(name, run) {
  try {
    const detail = await run();
    results.push({ name, ok: detail === true, detail: detail === true ? '' : JSON.stringify(detail) });
  } catch (failure) {
    results.push({ name, ok: false, detail: String(failure?.stack ?? failure) });
  }
}

/** The range of a place of expected.json. */
function place(document, [context, word]) {
  const text = document.getText();
  const start = text.indexOf(context) + context.indexOf(word);
  return new vscode.Range(document.positionAt(start), document.positionAt(start + word.length));
}

const codeOf = ({ code }) => String(typeof code === 'object' ? code.value : code);

async function run() {
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const uri = vscode.Uri.joinPath(folder, expected.file);
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const extension = vscode.extensions.getExtension('msl-analyzer.msl-analyzer');
  const diagnostics = () => vscode.languages.getDiagnostics(uri);

  await check('file type', () => document.languageId === 'metal' || document.languageId);
  await check('activated', async () => (await wait(() => extension.isActive)) || 'not active');
  await check('beside another extension for Metal', () => vscode.extensions.getExtension('neighbour.metal-neighbour') !== undefined);
  await check('every command is there', async () => {
    const all = await vscode.commands.getCommands(true);
    const missing = extension.packageJSON.contributes.commands.filter(({ command }) => !all.includes(command));
    return missing.length === 0 || missing;
  });
  await check('diagnostics', async () => {
    await wait(() => diagnostics().length >= expected.diagnostics.length);
    const found = diagnostics().sort((a, b) => a.range.start.compareTo(b.range.start));
    const fits = found.length === expected.diagnostics.length && expected.diagnostics.every((want, index) => {
      const one = found[index];
      return one.range.isEqual(place(document, want.at)) && codeOf(one) === want.code && one.message.includes(want.contains)
        && vscode.DiagnosticSeverity[one.severity].toLowerCase() === want.severity;
    });
    return fits || found;
  });
  await check('hover with address spaces', async () => {
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, place(document, expected.hover.at).start);
    const text = hovers.flatMap(({ contents }) => contents.map((content) => content.value)).join('\n');
    return expected.hover.contains.every((part) => text.includes(part)) || text;
  });
  await check('semantic tokens', async () => {
    const legend = await vscode.commands.executeCommand('vscode.provideDocumentSemanticTokensLegend', uri);
    const { data } = await vscode.commands.executeCommand('vscode.provideDocumentSemanticTokens', uri);
    const tokens = new Map();
    let line = 0;
    let character = 0;
    for (let at = 0; at < data.length; at += 5) {
      character = data[at] === 0 ? character + data[at + 1] : data[at + 1];
      line += data[at];
      const modifiers = legend.tokenModifiers.filter((_, bit) => (data[at + 4] >> bit) & 1);
      tokens.set(`${line}:${character}`, { type: legend.tokenTypes[data[at + 3]], modifiers });
    }
    const wrong = expected.semanticTokens.filter(({ at, type, modifiers }) => {
      const { start } = place(document, at);
      const token = tokens.get(`${start.line}:${start.character}`);
      return token?.type !== type || !modifiers.every((modifier) => token.modifiers.includes(modifier));
    });
    return wrong.length === 0 || wrong;
  });
  await check('inlay hints', async () => {
    const hints = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, document.lineCount, 0));
    const wrong = expected.inlayHints.filter(({ before, label }) =>
      !hints.some((hint) => hint.position.isEqual(place(document, before).start) && hint.label === label));
    return wrong.length === 0 || { wrong, hints };
  });
  await check('symbols', async () => {
    const symbols = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
    const names = symbols.map(({ name }) => name);
    return names.includes('shade') && names.includes('Light') || names;
  });
  await check('completion', async () => {
    const { end } = place(document, ['light->position', 'light->']);
    const list = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', uri, end);
    const labels = list.items.map(({ label }) => label.label ?? label);
    return labels.includes('intensity') || labels.slice(0, 20);
  });
  await check('definition across files', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeDefinitionProvider', uri, place(document, expected.rename.at).start);
    const target = found[0]?.targetUri ?? found[0]?.uri;
    return target?.path.endsWith('include/geometry.h') || found;
  });
  await check('from a Swift string to the Metal function and back', async () => {
    const host = vscode.Uri.joinPath(folder, 'Host.swift');
    // The editor may know no Swift; the language is what the extension goes by.
    const swift = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(host), 'swift');
    const at = place(swift, ['name: "shade"', 'shade']).start;
    const there = await wait(async () => {
      const found = await vscode.commands.executeCommand('vscode.executeDefinitionProvider', host, at);
      return found.length > 0 && found;
    });
    const target = there?.[0];
    if (!target || !(target.uri ?? target.targetUri).path.endsWith('light.metal')) {
      return there ?? 'no definition';
    }
    const start = (target.range ?? target.targetSelectionRange).start;
    const back = await vscode.commands.executeCommand('vscode.executeReferenceProvider', uri, start);
    return back.some((one) => one.uri.path.endsWith('Host.swift')) || back;
  });
  await check('code action applied', async () => {
    const { title, line, at, remaining } = expected.codeAction;
    const range = place(document, at);
    const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range);
    const action = actions.find((one) => one.title === title);
    if (!action?.isPreferred) {
      return actions.map((one) => one.title);
    }
    await vscode.workspace.applyEdit(action.edit);
    await wait(() => diagnostics().length === remaining.length);
    const text = document.lineAt(range.start.line).text;
    return (text === line && diagnostics().map(codeOf).join() === remaining.join()) || [text, diagnostics().map(codeOf)];
  });
  await check('rename across files', async () => {
    const edit = await vscode.commands.executeCommand('vscode.executeDocumentRenameProvider', uri, place(document, expected.rename.at).start, expected.rename.to);
    await vscode.workspace.applyEdit(edit);
    for (const [name, line] of Object.entries(expected.rename.lines)) {
      const file = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
      if (!file.getText().split('\n').includes(line)) {
        return [name, file.getText()];
      }
    }
    return true;
  });
  await check('a header of Metal', async () => {
    const header = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'include/geometry.h'));
    await wait(() => header.languageId === 'metal' || vscode.workspace.textDocuments.some((one) => one.uri.path === header.uri.path && one.languageId === 'metal'));
    return vscode.workspace.textDocuments.some((one) => one.uri.path === header.uri.path && one.languageId === 'metal') || header.languageId;
  });
  await check('header context', async () => {
    // Registered by the client, because the server offers it.
    const header = vscode.Uri.joinPath(folder, 'include/geometry.h').toString();
    return (await vscode.commands.executeCommand('msl-analyzer.switchHeaderContext', header, uri.toString())) === null;
  });
  await vscode.workspace.saveAll();
  await check('explain', async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('msl-analyzer.explainDiagnostic', 'generic-to-concrete');
    const page = await wait(() => vscode.workspace.textDocuments.find((one) => one.uri.scheme === 'msl-analyzer'));
    return page?.getText().includes('generic-to-concrete') || 'no page';
  });
  await check('language version', async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('msl-analyzer.showLanguageVersion');
    const page = await wait(() => vscode.workspace.textDocuments.find((one) => one.uri.path.includes('language version')));
    return page?.getText().includes('metal4.1') || 'no page';
  });
  await check('address spaces, flow report, migration', async () => {
    const report = async (command, name, ...rest) => {
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(place(document, expected.hover.at).start, place(document, expected.hover.at).start);
      await vscode.commands.executeCommand(`msl-analyzer.${command}`, ...rest);
      const page = await wait(() => vscode.workspace.textDocuments.find((one) => one.uri.scheme === 'msl-analyzer' && one.uri.path.includes(name)));
      return page?.getText() ?? `no ${name}`;
    };
    const texts = [
      await report('explainAddressSpaces', 'address spaces'),
      await report('openFlowReport', 'address-space flow'),
      await report('migrate', 'migration', 'metal4.1'),
    ];
    const fits = texts[0].includes('`device`, `thread`') && texts[0].includes('| caller | call |') && texts[1].includes('## per-call') && texts[2].includes('Migration to metal4.1');
    return fits || texts;
  });
  await check('task with problem matcher', async () => {
    const [task] = await vscode.tasks.fetchTasks({ type: 'msl-analyzer' });
    if (task === undefined) {
      return 'no task';
    }
    const ended = new Promise((resolve) => vscode.tasks.onDidEndTaskProcess(({ exitCode }) => resolve(exitCode)));
    await vscode.tasks.executeTask(task);
    const code = await ended;
    const found = () => diagnostics().filter(({ source }) => source === 'msl-analyzer').length;
    await wait(() => found() === 2 * expected.codeAction.remaining.length, 5000);
    return (code === 1 && found() === 2 * expected.codeAction.remaining.length) || [code, diagnostics()];
  });
  await check('restart', async () => {
    await vscode.commands.executeCommand('msl-analyzer.restartServer');
    await vscode.window.showTextDocument(document);
    const hover = await wait(async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, place(document, expected.hover.at).start);
      return hovers.length > 0 && hovers;
    });
    return hover.length > 0 || 'no hover';
  });
  // As it was, for the picture.
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

exports.activate = async () => {
  if (process.env.MSL_RESULTS === undefined) {
    return;
  }
  try {
    await run();
  } catch (failure) {
    results.push({ name: 'the suite', ok: false, detail: String(failure?.stack ?? failure) });
  }
  fs.writeFileSync(process.env.MSL_RESULTS, JSON.stringify({ version: vscode.version, results }));
};
