// package.json agrees with the sources, and the problem matcher with what the command line prints.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

const folder = path.join(import.meta.dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

test('every command is registered, and every registered one is contributed', () => {
  const registered = [...read('src/commands.ts').matchAll(/register\('(\w+)'/g)].map(([, name]) => `msl-analyzer.${name}`);
  const contributed = manifest.contributes.commands.map(({ command }) => command);
  assert.deepEqual(registered.sort(), contributed.sort());
});

test('every setting has a description and a default that fits its type', () => {
  for (const [name, schema] of Object.entries(manifest.contributes.configuration.properties)) {
    assert.ok(name.startsWith('msl-analyzer.'), name);
    assert.ok(schema.markdownDescription.endsWith('.'), name);
    const type = Array.isArray(schema.default) ? 'array' : typeof schema.default;
    assert.equal(type, schema.type, name);
  }
});

test('settings that run programs are restricted', () => {
  const programs = ['msl-analyzer.server.path', 'msl-analyzer.clangFormat', 'msl-analyzer.compiler.command'];
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, programs);
});

test('the std setting takes what the compiler takes', () => {
  const { anyOf } = manifest.contributes.configuration.properties['msl-analyzer.std'];
  const fits = (text) => anyOf.some((one) => one.enum?.includes(text) ?? new RegExp(one.pattern).test(text));
  for (const text of ['', 'metal4.1', 'metal3.0', 'macos-metal2.4', 'ios-metal1.0']) {
    assert.ok(fits(text), text);
  }
  for (const text of ['4.1', 'metal2.4', 'metal 4.1', 'c++17']) {
    assert.ok(!fits(text), text);
  }
});

test('the problem matcher', () => {
  const [{ pattern }] = manifest.contributes.problemMatchers;
  const output = [
    'error[generic-to-concrete]: a generic pointer cannot be used as one to `thread` memory',
    '  --> src/light.metal:16:36',
  ];
  const [first, second] = pattern.map(({ regexp }, index) => new RegExp(regexp).exec(output[index]));
  assert.deepEqual([...first].slice(1, 3), ['error', 'generic-to-concrete']);
  assert.deepEqual([...second].slice(1), ['src/light.metal', '16', '36']);
  const boxed = new RegExp(pattern[1].regexp).exec('  ╭▸ src/light.metal:16:36');
  assert.deepEqual([...boxed].slice(1), ['src/light.metal', '16', '36']);
});

test('files that the manifest names are here', () => {
  const names = [
    manifest.icon,
    ...manifest.contributes.grammars.map(({ path: file }) => file),
    ...manifest.contributes.languages.flatMap(({ configuration, icon }) => [configuration, icon.light, icon.dark]),
    ...manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown)),
  ];
  for (const name of names) {
    assert.ok(fs.existsSync(path.join(folder, name)), name);
  }
});
