// Builds the .vsix: `npm run package` one that finds the server on the search path,
// `npm run package -- --target linux-x64 --server FILE` one with the server inside, `--out FOLDER` somewhere else.
//
// What is packaged is laid out below `build`: the files of this folder that users need, the licence of the repository,
// and in the schema of the settings every code that has a page in docs/diagnostics.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string', default: '.' } },
});
if ((values.target === undefined) !== (values.server === undefined)) {
  console.error('--target and --server belong together');
  process.exit(2);
}
const here = path.resolve(import.meta.dirname, '..');
const repository = path.resolve(here, '../..');
const stage = path.join(here, 'build');

fs.rmSync(stage, { recursive: true, force: true });
execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { cwd: here, stdio: 'inherit' });
for (const name of ['dist/extension.js', 'images', 'syntaxes', 'walkthrough', 'language-configuration.json', 'README.md']) {
  fs.cpSync(path.join(here, name), path.join(stage, name), { recursive: true });
}
fs.copyFileSync(path.join(repository, 'CHANGELOG.md'), path.join(stage, 'CHANGELOG.md'));
fs.copyFileSync(path.join(repository, 'LICENSE-MIT'), path.join(stage, 'LICENSE'));

const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const severities = manifest.contributes.configuration.properties['msl-analyzer.severities'];
for (const [name, description] of selectors()) {
  severities.properties[name] = { ...severities.additionalProperties, description };
}
// Without it vsce warns, although nothing here is to be left out.
fs.writeFileSync(path.join(stage, '.vscodeignore'), 'images/*.svg\n');
delete manifest.scripts;
delete manifest.dependencies;
delete manifest.devDependencies;
fs.writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifest, null, 2));

if (values.server !== undefined) {
  const server = path.join(stage, 'server', values.target.startsWith('win32') ? 'msl-analyzer.exe' : 'msl-analyzer');
  fs.mkdirSync(path.dirname(server));
  fs.copyFileSync(values.server, server);
  fs.chmodSync(server, 0o755);
}

const file = path.resolve(values.out, `${[manifest.name, values.target, manifest.version].filter(Boolean).join('-')}.vsix`);
fs.mkdirSync(path.dirname(file), { recursive: true });
const vsce = path.join(here, 'node_modules/@vscode/vsce/vsce');
const target = values.target === undefined ? [] : ['--target', values.target];
const output = execFileSync(
  process.execPath,
  [vsce, 'package', '--no-dependencies', ...target, '--out', file],
  { cwd: stage, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const warnings = output.split('\n').filter((line) => line.includes('WARNING'));
if (warnings.length > 0) {
  console.error(warnings.join('\n'));
  process.exit(1);
}
fs.rmSync(stage, { recursive: true });
console.log(file);

/** What severities can be set for: every group, and every code with the first sentence of its page. */
function selectors() {
  const folder = path.join(repository, 'docs/diagnostics');
  const groups = new Map([['all', 'Everything'], ['warnings', 'Every warning']]);
  const codes = [];
  for (const name of fs.readdirSync(folder).sort()) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    const [, sentence = ''] = /^# .*\n+(.+)/.exec(text) ?? [];
    const [, group] = /Group `([a-z-]+)`/.exec(text) ?? [];
    codes.push([path.basename(name, '.md'), sentence.replaceAll('`', '')]);
    if (group !== undefined) {
      groups.set(group, `Every finding of the group ${group}`);
    }
  }
  return [...groups, ...codes];
}
