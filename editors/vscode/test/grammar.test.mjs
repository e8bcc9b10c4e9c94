// The TextMate grammar. In test/grammar/*.metal a line `// ^^^ SCOPE` states the innermost scope that the characters
// above the carets must have as a prefix, and `// <- SCOPE` that of the first character of the line above.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const here = import.meta.dirname;
const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(path.join(here, '../syntaxes/metal.tmLanguage.json'), 'utf8'), 'g.json'),
});
const grammar = await registry.loadGrammar('source.metal.msl-analyzer');

const assertion = /^\s*\/\/\s*(?:(<-)|(\^+))\s+([\w.-]+)\s*$/;

for (const name of fs.readdirSync(path.join(here, 'grammar'))) {
  test(name, () => {
    let state = textmate.INITIAL;
    let tokens = [];
    let line = '';
    const wrong = [];
    for (const [number, text] of fs.readFileSync(path.join(here, 'grammar', name), 'utf8').split('\n').entries()) {
      const [, first, carets, scope] = assertion.exec(text) ?? [];
      if (scope === undefined) {
        line = text;
        ({ tokens, ruleStack: state } = grammar.tokenizeLine(text, state));
        continue;
      }
      const from = first ? 0 : text.indexOf('^');
      const to = first ? 1 : from + carets.length;
      for (let column = from; column < to; column += 1) {
        const token = tokens.find(({ startIndex, endIndex }) => startIndex <= column && column < endIndex);
        const found = token?.scopes ?? [];
        if (!found.some((one) => one === scope || one.startsWith(`${scope}.`))) {
          wrong.push(`${number}: \`${line.slice(from, to)}\` is not ${scope} but ${found.join(' ')}`);
          break;
        }
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test('real shaders end where they began', () => {
  const folder = path.join(here, '../../../docs/examples');
  const files = fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.metal'));
  assert.ok(files.length > 0);
  for (const name of files) {
    let state = textmate.INITIAL;
    for (const line of fs.readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      state = grammar.tokenizeLine(line, state).ruleStack;
    }
    assert.ok(state.depth === 1, `${name} ends inside something`);
  }
});
