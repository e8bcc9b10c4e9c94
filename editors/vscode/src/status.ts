// The status item of the language: which version is in force, what says so, and through which unit a header is seen.

import * as vscode from 'vscode';

/** What the server says about a document whenever it changes. */
export interface Status {
  uri: string;
  /** The language version, as the compiler spells it: `metal4.1`. */
  std: string;
  /** Such as `msl-analyzer.toml:1`. */
  stdSource: string;
  /** False if nothing states the version. */
  isStated: boolean;
  /** For headers: the unit through which it is seen. */
  headerContext: string | null;
}

export class LanguageStatus implements vscode.Disposable {
  private readonly version: vscode.LanguageStatusItem;
  private readonly context: vscode.LanguageStatusItem;
  private readonly known = new Map<string, Status>();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.version = vscode.languages.createLanguageStatusItem('msl-analyzer.version', { language: 'metal' });
    this.version.name = 'Metal language version';
    this.version.text = 'Metal';
    this.version.command = { command: 'msl-analyzer.showLanguageVersion', title: 'Why' };
    this.context = vscode.languages.createLanguageStatusItem('msl-analyzer.context', { scheme: 'none' });
    this.context.name = 'Metal header context';
    this.context.command = { command: 'msl-analyzer.chooseHeaderContext', title: 'Switch' };
    this.subscription = vscode.window.onDidChangeActiveTextEditor(() => this.show());
  }

  update(status: Status): void {
    this.known.set(vscode.Uri.parse(status.uri).toString(), status);
    this.show();
  }

  /** The server stopped. */
  forget(): void {
    this.known.clear();
    this.show();
  }

  dispose(): void {
    this.version.dispose();
    this.context.dispose();
    this.subscription.dispose();
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    const status = document === undefined ? undefined : this.known.get(document.uri.toString());
    if (status === undefined) {
      this.version.text = 'Metal';
      delete (this.version as { detail?: string }).detail;
      this.version.severity = vscode.LanguageStatusSeverity.Information;
      this.context.selector = { scheme: 'none' };
      return;
    }
    this.version.text = status.std;
    this.version.detail = status.isStated ? status.stdSource : 'no version is stated; findings that depend on it are hints';
    this.version.severity = status.isStated
      ? vscode.LanguageStatusSeverity.Information
      : vscode.LanguageStatusSeverity.Warning;
    if (status.headerContext === null) {
      this.context.selector = { scheme: 'none' };
    } else {
      this.context.selector = { language: 'metal' };
      this.context.text = `seen through ${vscode.workspace.asRelativePath(vscode.Uri.parse(status.headerContext))}`;
    }
  }
}
