#!/usr/bin/env node
// Starts Orbweaver on a Node.js that can run it. A checkout brings its own (tools/node); an installed package
// needs Node.js 24 or newer.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { spawn } = require('node:child_process');
const { FLAGS, environment, isAddressSpaceBounded } = require('./engine-options.cjs');

// Asked by scripts at every turn: answered before anything else is loaded.
if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  console.log(require('../package.json').version);
  process.exit(0);
}

/** Commands that a signal ends in order, with 130. */
const STOPPABLE = ['crawl', 'node', 'start', 'serve', 'index'];
if (STOPPABLE.includes(process.argv[2])) endInOrder();

const [major, minor] = process.versions.node.split('.').map(Number);
const root = join(__dirname, '..');

if (major > 24 || (major === 24 && minor >= 15)) {
  if (['crawl', 'node', 'start', 'serve'].includes(process.argv[2]) || isAddressSpaceBounded()) {
    restartWithFlags();
    require('./bounded-heaps.cjs');
  }
  // What the flags have brought already is not run again.
  require('./quick-imports.cjs');
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
  const child = spawn(own, [...FLAGS, ...process.argv.slice(1)], { stdio: 'inherit', env: environment });
  // Ctrl-C reaches the child by itself, for both stand in the foreground; everything else is passed on.
  if (!process.stdin.isTTY) process.on('SIGINT', () => child.kill('SIGINT'));
  else process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`orbweaver: ${own} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => process.exit(signal === null ? (status ?? 1) : 130));
}

/** Until the command hears signals itself, nothing is under way that would be lost. */
function endInOrder() {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(130);
    });
}

/** Puts the same command, with the flags, in the place of this process; where the system cannot, it goes on without. */
function restartWithFlags() {
  if (FLAGS.every((flag) => process.execArgv.includes(flag)) || process.platform === 'win32') return;
  const { execPath, execArgv, argv } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...FLAGS, ...argv.slice(1)], environment);
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
