// Bundles the extension: `npm run build`, `npm run watch`; packaging calls it with `--production`.
import * as esbuild from 'esbuild';

const options = {
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  external: ['vscode'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: process.argv.includes('--production'),
  sourcemap: process.argv.includes('--production') ? false : 'linked',
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) {
  await (await esbuild.context(options)).watch();
} else {
  await esbuild.build(options);
}
