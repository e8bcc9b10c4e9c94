// The reports, from what the command line prints.
import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import * as esbuild from 'esbuild';

const { outputFiles } = await esbuild.build({
  entryPoints: [path.join(import.meta.dirname, '../src/reports.ts')],
  bundle: true,
  format: 'esm',
  write: false,
});
const { explainSpaces, flowReport, migrationReport } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);

const range = (line, column) => ({ start: { line, column, offset: 0 }, end: { line, column: column + 1, offset: 1 } });
const access = {
  path: '/w/a b.metal',
  range: range(19, 16),
  text: 'data.lights',
  kind: 'access',
  type: 'Light *',
  space: 'generic',
  storage: 'device',
  inferred: ['device', 'thread'],
  resolution: 'runtime',
  contexts: [],
  origins: [{ path: '/w/a b.metal', range: range(11, 5), message: 'loaded from `a|b`' }],
  loops: [{ range: range(18, 5), depth: 1, tripCount: null }],
  std: 'metal4.1',
  stdSource: 'msl-analyzer.toml:1',
};

test('the spaces of a name', () => {
  const text = explainSpaces(access);
  assert.match(text, /\*\*generic\*\*/);
  assert.match(text, /`device`, `thread`/);
  assert.match(text, /1\. \[11:5\]\(file:\/\/\/w\/a%20b\.metal#L11,5\) loaded from/);
  assert.equal(explainSpaces({ ...access, kind: null }), undefined);
  assert.equal(explainSpaces({ ...access, space: null, storage: null }), undefined);
});

test('the flow report', () => {
  const free = { ...access, resolution: 'static', text: 'other', loops: [] };
  const name = { ...access, resolution: null };
  const text = flowReport('a.metal', [free, name, access]);
  assert.ok(text.indexOf('## runtime: 1') < text.indexOf('## static: 1'));
  assert.match(text, /\| \[19:16\].* \| `data\.lights` \| device, thread \| ×\? \| .*a\\\|b/);
  assert.match(flowReport('a.metal', [name]), /No access/);
});

test('the migration report', () => {
  const finding = { ...access, severity: 'hint', code: 'breaks-in-4.1', message: 'needs `thread`' };
  const text = migrationReport('metal4.1', { findings: [finding], edits: [{ ...access, newText: ' thread' }], remaining: [finding] }, (one) => path.basename(one));
  assert.match(text, /1 edits in 1 files/);
  assert.match(text, /## Left for you: 1/);
  assert.match(text, /\* a b\.metal \[19:16\]/);
});
