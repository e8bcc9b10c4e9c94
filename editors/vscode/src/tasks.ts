// Tasks that run `msl-analyzer check`, with the problem matcher of package.json.

import * as vscode from 'vscode';

import type { Analyzer } from './analyzer';

interface Definition extends vscode.TaskDefinition {
  paths?: string[];
  arguments?: string[];
}

export class CheckTasks implements vscode.TaskProvider {
  static readonly type = 'msl-analyzer';

  constructor(private readonly analyzer: Analyzer) {}

  provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const task = this.task({ type: CheckTasks.type }, folder, 'check');
      return task === undefined ? [] : [task];
    });
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    return this.task(task.definition as Definition, task.scope ?? vscode.TaskScope.Workspace, task.name);
  }

  private task(
    definition: Definition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
  ): vscode.Task | undefined {
    const executable = this.analyzer.findExecutable();
    if (executable === undefined) {
      return undefined;
    }
    const run = new vscode.ProcessExecution(executable, ['check', ...(definition.arguments ?? []), ...(definition.paths ?? ['.'])]);
    const task = new vscode.Task(definition, scope, name, 'msl-analyzer', run, '$msl-analyzer');
    task.group = vscode.TaskGroup.Build;
    return task;
  }
}
