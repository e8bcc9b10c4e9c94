// The server: which executable it is, and the client that talks to it.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import * as vscode from 'vscode';
import { type LanguageClientOptions, State } from 'vscode-languageclient';
import { LanguageClient, type ServerOptions } from 'vscode-languageclient/node';

import type { LanguageStatus, Status } from './status';

export const section = 'msl-analyzer';
const executable = process.platform === 'win32' ? 'msl-analyzer.exe' : 'msl-analyzer';

export class Analyzer {
  private client: LanguageClient | undefined;
  /** Starts and stops, one behind the other. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: LanguageStatus,
  ) {}

  /** The client, if the server runs. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** Named in the settings, else inside the extension, else on the search path. */
  findExecutable(): string | undefined {
    const named = vscode.workspace.getConfiguration(section).get<string>('server.path', '').trim();
    if (named !== '') {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
      const file = named.replace(/^~(?=[\\/])/, os.homedir()).replaceAll('${workspaceFolder}', folder);
      return path.isAbsolute(file) || !/[\\/]/.test(file) ? (isFile(file) ? file : onSearchPath(file)) : existing(path.join(folder, file));
    }
    return existing(this.context.asAbsolutePath(path.join('server', executable))) ?? onSearchPath(executable);
  }

  start(): Promise<void> {
    return this.next(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }

  restart(): Promise<void> {
    return this.next(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  showLog(): void {
    this.log.show(true);
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step, step);
    return this.last;
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.status.forget();
    await client?.dispose();
  }

  private async startNow(): Promise<void> {
    if (!vscode.workspace.getConfiguration(section).get<boolean>('enable', true)) {
      this.log.info('not started: msl-analyzer.enable is false');
      return;
    }
    const command = this.findExecutable();
    if (command === undefined) {
      this.log.error('no executable: neither the setting msl-analyzer.server.path, nor the extension, nor the search path has one');
      // Not awaited: the message may stay for as long as it likes.
      void this.offerInstallation();
      return;
    }
    this.log.info(`server: ${command}`);
    const server: ServerOptions = { command, args: ['lsp'] };
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: 'metal' },
        { scheme: 'untitled', language: 'metal' },
        // Host code names functions, groups and indices of shaders.
        ...['swift', 'objective-c', 'objective-cpp', 'cpp', 'rust'].map((language) => ({ scheme: 'file', language })),
      ],
      outputChannel: this.log,
      // The client makes a second collection for diagnostics that it pulls, with the server's name.
      diagnosticCollectionName: `${section}.pushed`,
      initializationOptions: vscode.workspace.getConfiguration().get(section),
      markdown: { isTrusted: false, supportHtml: false },
    };
    const client = new LanguageClient(section, 'msl-analyzer', server, options);
    client.registerFeature({
      fillClientCapabilities(capabilities) {
        capabilities.experimental = {
          ...capabilities.experimental,
          statusNotification: true,
          commands: { commands: ['msl-analyzer.showReferences', 'msl-analyzer.explainAddressSpaces'] },
        };
      },
      initialize() {},
      getState: () => ({ kind: 'static' }),
      clear() {},
    });
    client.onNotification('msl-analyzer/status', (status: Status) => this.status.update(status));
    this.client = client;
    try {
      await client.start();
    } catch (failure) {
      this.log.error(`the server does not start: ${failure}`);
    }
  }

  private async offerInstallation(): Promise<void> {
    const settings = 'Open Settings';
    const help = 'How to Install';
    const choice = await vscode.window.showErrorMessage(
      'msl-analyzer: the server is not installed, or not on the search path.',
      settings,
      help,
    );
    if (choice === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'msl-analyzer.server.path');
    } else if (choice === help) {
      await vscode.env.openExternal(vscode.Uri.parse('https://github.com/msl-analyzer/msl-analyzer#use-it'));
    }
  }
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function existing(file: string): string | undefined {
  return isFile(file) ? file : undefined;
}

function onSearchPath(name: string): string | undefined {
  if (path.isAbsolute(name)) {
    return undefined;
  }
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  // Where `cargo install` puts it: desktops start editors without the search path of the shell.
  folders.push(path.join(os.homedir(), '.cargo', 'bin'));
  return folders.filter((folder) => folder !== '').map((folder) => path.join(folder, name)).find(isFile);
}
