// Headers of Metal end in `.h`, as those of C and C++ do.

import * as vscode from 'vscode';

import { section } from './analyzer';

/** How many lines are looked at. */
const limit = 100;

/**
 * A header is Metal if it includes a header of the Metal library, unless it asks for `__METAL_VERSION__` before,
 * because then it is C++ as well.
 */
export function looksLikeMetal(lines: Iterable<string>): boolean {
  for (const line of lines) {
    if (line.includes('__METAL_VERSION__')) {
      return false;
    }
    if (/^\s*#\s*include\s*<metal_/.test(line)) {
      return true;
    }
  }
  return false;
}

export function registerHeaderDetection(context: vscode.ExtensionContext): void {
  const detect = async (document: vscode.TextDocument): Promise<void> => {
    const isHeader = /\.(h|hh|hpp|hxx|inc)$/.test(document.uri.path) && ['c', 'cpp', 'objective-c', 'objective-cpp'].includes(document.languageId);
    if (!isHeader || !vscode.workspace.getConfiguration(section, document).get<boolean>('detectHeaders', true)) {
      return;
    }
    const lines = Array.from({ length: Math.min(limit, document.lineCount) }, (_, line) => document.lineAt(line).text);
    if (looksLikeMetal(lines)) {
      await vscode.languages.setTextDocumentLanguage(document, 'metal');
    }
  };
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument((document) => void detect(document)));
  for (const document of vscode.workspace.textDocuments) {
    void detect(document);
  }
}
