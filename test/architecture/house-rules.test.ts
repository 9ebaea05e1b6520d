import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  badNames,
  costlyImports,
  foldersWithoutReadme,
  largeFolders,
  longFiles,
  MAX_FILES,
  MAX_LINES,
  machinePaths,
  moduleState,
  unfinishedWork,
} from './house-rules.ts';
import { inFolder, listFiles, ROOT, readRepository } from './repository.ts';

const files = listFiles();
const code = readRepository(['.ts', '.cjs']);
const sources = inFolder(code, 'src');

describe('House rules', () => {
  test('names are in kebab case and say something', () => {
    assert.deepEqual(badNames(files.filter((path) => /^(?:src|test|bench|tools|docs|bin)\//.test(path))), []);
  });

  test('no file of src is too long', () => {
    assert.deepEqual(longFiles(sources), []);
  });

  test('no folder of src is too large', () => {
    assert.deepEqual(largeFolders([...sources.keys()]), []);
  });

  test('nothing is left unfinished, and no test keeps others from running', () => {
    assert.deepEqual(unfinishedWork(inFolder(code, 'src', 'test', 'bench', 'tools')), []);
  });

  test('no module holds state', () => {
    assert.deepEqual(moduleState(sources), []);
  });

  test('no command waits for what it does not use', () => {
    assert.deepEqual(costlyImports(sources), []);
  });

  test('no path of one machine', () => {
    assert.deepEqual(
      machinePaths(readRepository(['.ts', '.cjs', '.md', '.json', '.yaml', '.yml', '.ci/run']), ROOT),
      [],
    );
  });

  test('every folder of src says what it is for', () => {
    assert.deepEqual(foldersWithoutReadme(files.filter((path) => path.startsWith('src/'))), []);
  });
});

describe('House rules: the checks can fail', () => {
  /** Joined, so that this file does not break the rules itself. */
  const joined = (...parts: string[]): string => parts.join('');
  const one = (text: string): ReadonlyMap<string, string> => new Map([['src/a.ts', text]]);

  test('folders', () => {
    const files = (count: number): string[] => Array.from({ length: count }, (_, at) => `src/url/a${at}.ts`);
    assert.deepEqual(largeFolders(files(MAX_FILES)), []);
    assert.equal(largeFolders(files(MAX_FILES + 1)).length, 1);
  });

  test('names', () => {
    for (const path of ['src/url/hostKey.ts', 'src/url/host_key.ts', 'src/URL/host.ts', 'src/url/Host.test.ts']) {
      assert.equal(badNames([path]).length, 1, path);
    }
    for (const path of ['src/utils/host.ts', 'src/url/url-helpers.ts', 'test/common.ts', 'src/misc/a.ts']) {
      assert.equal(badNames([path]).length, 1, path);
    }
    assert.deepEqual(
      badNames(['src/url/host-key.ts', 'test/unit/url/utf8.test.ts', 'docs/README.md', 'test/x/ca.pem']),
      [],
    );
  });

  test('length', () => {
    assert.deepEqual(longFiles(one('x\n'.repeat(MAX_LINES))), []);
    assert.deepEqual(longFiles(one('x\n'.repeat(MAX_LINES + 1))), ['src/a.ts: 401 lines, more than 400']);
  });

  test('unfinished work', () => {
    for (const text of [joined('// TO', 'DO: more'), joined('// FIX', 'ME'), joined('test.on', "ly('a', f)")]) {
      assert.equal(unfinishedWork(one(text)).length, 1, text);
    }
    assert.deepEqual(unfinishedWork(one('// only (this) is to do: nothing')), []);
  });

  test('module state', () => {
    assert.deepEqual(moduleState(one('const a = 1;\nexport let b = 2;\nfunction f() {\n  let c;\n}')), [
      'src/a.ts:2: a variable of the module: export let b = 2;',
    ]);
  });

  test('costly imports', () => {
    for (const text of [
      "import { STATUS_CODES } from 'node:http';",
      "import https from 'https';",
      "import 'node:http';",
      "import {\n  createServer,\n} from 'node:http';",
    ])
      assert.equal(costlyImports(one(text)).length, 1, text);
    for (const text of ["import type { Server } from 'node:http';", "import { connect } from 'node:http2';"])
      assert.deepEqual(costlyImports(one(text)), []);
  });

  test('machine paths', () => {
    const paths = [
      joined('"/ho', 'me/somebody/crawl"'),
      joined('at /Us', 'ers/somebody/crawl'),
      joined('C:\\Us', 'ers\\somebody'),
      joined('`/ro', 'ot/crawl`'),
      '(/place/of/checkout/src/a.ts)',
      '/place/of/shared/corpora',
    ];
    for (const text of paths) assert.equal(machinePaths(one(text), '/place/of/checkout').length, 1, text);
    for (const text of [
      'https://example.org/home/a/b',
      'Disallow: /home/',
      '../shared/corpora',
      '/place/of/checkout-2',
    ]) {
      assert.deepEqual(machinePaths(one(text), '/place/of/checkout'), [], text);
    }
  });

  test('README', () => {
    assert.deepEqual(foldersWithoutReadme(['src/index.ts', 'src/a/b.ts', 'src/c/d/e.ts', 'src/c/README.md']), [
      'src has no README.md',
      'src/a has no README.md',
    ]);
    assert.deepEqual(foldersWithoutReadme(['src/README.md', 'src/index.ts']), []);
  });
});
