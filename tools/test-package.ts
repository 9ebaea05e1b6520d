/**
 * Packs Orbweaver, installs the package into empty folders as a stranger would, and uses it: npm run test:package
 * Asks no network: npm takes the dependencies from its cache, where `npm ci` has put them, in the versions of the lock file. What the
 * cache does not allow is skipped, and said. --network lets npm install as a stranger would, in whatever versions it finds.
 * --keep leaves dist/ as it is instead of building it again.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'orbweaver-package-'));
const bin = join(work, 'bin');
mkdirSync(bin);
// A plain Node 24: nothing of the checkout is on the path.
symlinkSync(process.execPath, join(bin, 'node'));
const env = {
  PATH: [bin, ...(process.env.PATH ?? '').split(delimiter).filter((one) => !one.startsWith(root))].join(delimiter),
  HOME: work,
};
const usesNetwork = process.argv.includes('--network');
const npmEnv = {
  ...process.env,
  ...{ npm_config_offline: String(!usesNetwork), npm_config_audit: 'false', npm_config_fund: 'false' },
};

const TYPED = `import { createCrawl, CrawlReader, OrbweaverError } from 'orbweaver';
const crawl = await createCrawl({ folder: 'x', seeds: ['https://example.org/'], maxPages: 1 });
const summary = await crawl.run();
// @ts-expect-error: types are there, not any.
summary.noSuchField;
export { CrawlReader, OrbweaverError };
`;

try {
  main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function main(): void {
  const tarball = pack();
  const local = join(work, 'local');
  mkdirSync(local);
  writePackage(local, tarball);
  const installed = spawnSync('npm', ['install'], { cwd: local, env: npmEnv, encoding: 'utf8' });
  if (isNotCached(installed)) {
    console.log('SKIPPED: npm has not all dependencies in its cache. Run npm ci first, or give --network.');
    return;
  }
  assert.equal(installed.status, 0, installed.stderr);
  step(`installed into an empty folder, ${usesNetwork ? 'from the registry' : 'without a network'}`);
  const names = dependencyNames(join(local, 'node_modules'));
  assert.ok(!names.some((name) => /^node-|^@orbweaver\//.test(name)), 'the runtime of the checkout is not installed');
  console.log(`  ${names.length} packages, ${mebibytes(join(local, 'node_modules'))} MB`);

  const command = join(local, 'node_modules', '.bin', 'orbweaver');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(run(command, ['--version']).trim(), version);
  assert.equal(
    execFileSync('npx', ['--no-install', 'orbweaver', '--version'], {
      cwd: local,
      env: { ...npmEnv, PATH: env.PATH },
      encoding: 'utf8',
    }).trim(),
    version,
  );
  step('npx orbweaver --version');
  const link = join(work, 'elsewhere');
  symlinkSync(command, link);
  assert.equal(run(link, ['--version']).trim(), version);
  step('through a symlink to a symlink');

  const crawl = join(work, 'crawl');
  run(command, ['start', '--demo', '--once', '--dir', crawl, '--max-pages', '30', '--port', '0']);
  const status = JSON.parse(run(command, ['status', '--dir', crawl, '--json']));
  assert.ok(status.totals.pages >= 20, `${status.totals.pages} pages`);
  assert.match(run(command, ['search', 'the', 'of', '--dir', crawl, '--json']), /"url"/);
  step(`a crawl of the demo web, ${status.totals.pages} pages, and a search`);

  writeFileSync(
    join(local, 'use.mjs'),
    "import * as orbweaver from 'orbweaver'; console.log(typeof orbweaver.createCrawl, orbweaver.version);",
  );
  assert.equal(run(process.execPath, ['use.mjs'], local).trim(), `function ${version}`);
  writeFileSync(join(local, 'use.ts'), TYPED);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const typeRoots = ['--typeRoots', join(root, 'node_modules', '@types')];
  const checked = spawnSync(process.execPath, [tsc, ...types, ...typeRoots, 'use.ts'], {
    cwd: local,
    encoding: 'utf8',
  });
  assert.equal(checked.status, 0, checked.stdout);
  step('as a library, with its types');

  const prefix = join(work, 'global');
  const globally = spawnSync('npm', ['install', '--global', '--prefix', prefix, tarball], {
    env: npmEnv,
    encoding: 'utf8',
  });
  if (isNotCached(globally)) {
    console.log(
      'SKIPPED: a global installation uses no lock file, and npm has no list of versions in its cache: give --network.',
    );
    return;
  }
  assert.equal(globally.status, 0, globally.stderr);
  assert.equal(run(join(prefix, 'bin', 'orbweaver'), ['--version']).trim(), version);
  assert.ok(existsSync(join(prefix, 'share', 'man', 'man1', 'orbweaver.1')), 'the manual page is installed');
  step('installed globally, with its manual page');
}

function isNotCached({ status, stderr }: { readonly status: number | null; readonly stderr: string }): boolean {
  return status !== 0 && /ENOTCACHED/.test(stderr);
}

/** Depends on the package alone. Without a network the versions are those of our lock file, for npm knows no others. */
function writePackage(folder: string, tarball: string): void {
  const dependencies = { orbweaver: `file:${tarball}` };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  if (usesNetwork) return;
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean }>;
  };
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev, optional, link }]) => path.startsWith('node_modules/') && !dev && !optional && !link,
  );
  const { version, bin: bins, dependencies: needs } = product;
  const packages = {
    '': { dependencies },
    'node_modules/orbweaver': { version, resolved: `file:${tarball}`, bin: bins, dependencies: needs },
    ...Object.fromEntries(needed),
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
}

/** The package, and what is in it. */
function pack(): string {
  const keeps = process.argv.includes('--keep') && existsSync(join(root, 'dist', 'index.js'));
  const args = ['pack', '--json', '--pack-destination', work, ...(keeps ? ['--ignore-scripts'] : [])];
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', env: npmEnv, maxBuffer: 2 ** 26 });
  const parsed = JSON.parse(output.slice(output.search(/^[[{]/m)));
  const [packed] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  const { filename, size, unpackedSize, files } = packed as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string }[];
  };
  const paths = files.map(({ path }) => path);
  for (const path of [
    'bin/orbweaver.cjs',
    'dist/index.d.ts',
    'dist/cli/main.js',
    'docs/settings.md',
    'man/orbweaver.1',
    'README.md',
    'LICENSE',
  ])
    assert.ok(paths.includes(path), `${path} is missing`);
  const unwanted = paths.filter(
    (path) =>
      !/^(?:bin|dist|docs|man)\/|^(?:README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(path) ||
      /\.test\.|\.db$/.test(path),
  );
  assert.deepEqual(unwanted, [], 'only what is used');
  step(
    `packed: ${paths.length} files, ${(size / 2 ** 20).toFixed(1)} MB, ${(unpackedSize / 2 ** 20).toFixed(1)} MB unpacked`,
  );
  return join(work, filename);
}

function run(command: string, args: readonly string[], cwd = work): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function dependencyNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== 'orbweaver')
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}

function mebibytes(folder: string): string {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += readFileSync(join(entry.parentPath, entry.name)).length;
  return (bytes / 2 ** 20).toFixed(1);
}

function step(what: string): void {
  console.log(`✔ ${what}`);
}
