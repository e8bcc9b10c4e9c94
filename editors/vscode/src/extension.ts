// The extension starts the server, and offers what has no place in the protocol: commands, the status item, tasks.

import * as vscode from 'vscode';

import { Analyzer } from './analyzer';
import { registerCommands } from './commands';
import { registerHeaderDetection } from './headers';
import { LanguageStatus } from './status';
import { CheckTasks } from './tasks';

let analyzer: Analyzer | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('msl-analyzer', { log: true });
  const status = new LanguageStatus();
  analyzer = new Analyzer(context, log, status);
  context.subscriptions.push(log, status, vscode.tasks.registerTaskProvider(CheckTasks.type, new CheckTasks(analyzer)));
  registerCommands(context, analyzer);
  registerHeaderDetection(context);

  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      // Everything else is told to the running server.
      if (change.affectsConfiguration('msl-analyzer.enable') || change.affectsConfiguration('msl-analyzer.server.path')) {
        await analyzer?.restart();
      }
    }),
    // The program that a workspace names is used as soon as it is trusted.
    vscode.workspace.onDidGrantWorkspaceTrust(() => analyzer?.restart()),
  );
  await analyzer.start();
}

export function deactivate(): Thenable<void> | undefined {
  return analyzer?.stop();
}
