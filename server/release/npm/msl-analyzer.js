#!/usr/bin/env node
// Runs the binary of the package for this platform.
const { spawn } = require('node:child_process');

const name = `@msl-analyzer/${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'msl-analyzer.exe' : 'msl-analyzer';
let binary;
try {
  binary = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`msl-analyzer: there is no binary for this platform: the package ${name} is not installed`);
  process.exit(2);
}
const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`msl-analyzer: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
