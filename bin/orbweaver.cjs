#!/usr/bin/env node
// Starts Orbweaver on a Node.js that can run it. A checkout brings its own (tools/node); an installed package
// needs Node.js 24 or newer.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { spawnSync } = require('node:child_process');

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
  // Ctrl-C reaches the child by itself; this process only waits for it.
  process.on('SIGINT', () => {});
  const { status, signal } = spawnSync(own, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(signal === null ? (status ?? 1) : 128 + 2);
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
