#!/usr/bin/env node
// Starts Orbweaver on a Node.js that can run it. A checkout brings its own (tools/node); an installed package
// needs Node.js 24 or newer.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { spawn } = require('node:child_process');

const [major, minor] = process.versions.node.split('.').map(Number);
const root = join(__dirname, '..');

if (major > 24 || (major === 24 && minor >= 15)) {
  const source = join(root, 'src', 'cli', 'main.ts');
  const built = join(root, 'dist', 'cli', 'main.js');
  require('node:module').enableCompileCache?.();
  import(require('node:url').pathToFileURL(existsSync(source) ? source : built).href);
} else {
  const own = ownNode();
  if (own === undefined) {
    console.error(`Orbweaver needs Node.js 24.15 or newer; this is ${process.version}.`);
    console.error('Install a newer Node.js, or run "npm ci" in a checkout of Orbweaver, which brings its own.');
    process.exit(1);
  }
  const child = spawn(own, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`orbweaver: ${own} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => process.exit(signal === null ? (status ?? 1) : 130));
}

function ownNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const places = [
    join(root, 'node_modules', name, 'bin', binary),
    join(root, 'tools', 'node', 'node_modules', name, 'bin', binary),
  ];
  return places.find((place) => existsSync(place));
}
