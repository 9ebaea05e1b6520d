import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractViolations, layerViolations } from './layer-rules.ts';
import { inFolder, readRepository } from './repository.ts';

const sources = inFolder(readRepository(['.ts']), 'src');

function broken(file: string, source: string): string[] {
  return layerViolations(new Map([[file, source]]));
}

describe('Layers', () => {
  test('every folder of src imports lower layers alone', () => {
    assert.deepEqual(layerViolations(sources), []);
  });

  test('contracts are types only', () => {
    assert.deepEqual(contractViolations(inFolder(sources, 'src/contracts')), []);
  });
});

describe('Layers: the check can fail', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ['upwards', 'src/base/a.ts', "import { x } from '../contracts/x.ts';"],
    ['upwards, as a type', 'src/contracts/a.ts', "import type { X } from '../url/x.ts';"],
    ['from stage to stage', 'src/scope/a.ts', "import { x } from '../fetch/x.ts';"],
    ['from stage to stage, passed on', 'src/rank/a.ts', "export * from '../extract/x.ts';"],
    ['from stage to stage, later', 'src/seeds/a.ts', "const x = await import('../fetch/x.ts');"],
    ['from stage to engine', 'src/frontier/a.ts', "import { x } from '../engines/sqlite/x.ts';"],
    ['from engine to a stage but the frontier', 'src/engines/sqlite/a.ts', "import { x } from '../../archive/x.ts';"],
    ['a concrete engine', 'src/crawl/a.ts', "import { x } from '../engines/sqlite/x.ts';"],
    ['a concrete engine, as a type', 'src/web/a.ts', "import type { X } from '../engines/links/x.ts';"],
    ['a concrete engine, later', 'src/cli/a.ts', "const x = await import('../engines/sqlite/rows/x.ts');"],
    ['between neighbours', 'src/crawl/a.ts', "import { x } from '../simulate/x.ts';"],
    ['from crawl to cli', 'src/crawl/a.ts', "import { x } from '../cli/x.ts';"],
    ['a thread above', 'src/fetch/a.ts', "new Worker(new URL('../crawl/x.ts', import.meta.url));"],
    ['from simulate to url', 'src/simulate/a.ts', "import { x } from '../url/x.ts';"],
    ['from simulate to a package', 'src/simulate/a.ts', "import yaml from 'yaml';"],
    ['the public API to the pages', 'src/index.ts', "export * from './web/x.ts';"],
    ['the public API from below', 'src/crawl/a.ts', "import { x } from '../index.ts';"],
    ['out of src', 'src/cli/a.ts', "import { x } from '../../test/x.ts';"],
    ['a name that cannot be checked', 'src/cli/a.ts', 'await import(name);'],
    ['a folder without a place', 'src/stuff/a.ts', ''],
    ['into a folder without a place', 'src/cli/a.ts', "import { x } from '../stuff/x.ts';"],
  ];
  for (const [name, file, source] of refused) {
    test(name, () => assert.equal(broken(file, source).length, 1));
  }

  const admitted: readonly (readonly [string, string])[] = [
    ['src/base/settings/a.ts', "import { x } from '../clock.ts'; import yaml from 'yaml'; import 'node:fs';"],
    ['src/fetch/a.ts', "import { x } from '../url/x.ts'; import type { Y } from '../contracts/y.ts'; import './b.ts';"],
    ['src/engines/sqlite/a.ts', "import { x } from '../../frontier/x.ts'; import { y } from '../../url/y.ts';"],
    ['src/crawl/a.ts', "import { x } from '../fetch/x.ts'; import { y } from '../engines/y.ts';"],
    ['src/crawl/assemble.ts', "import { x } from '../engines/sqlite/x.ts';"],
    ['src/simulate/a.ts', "import { x } from '../base/x.ts'; import 'node:http'; import './b.ts';"],
    ['src/index.ts', "export * from './crawl/x.ts'; export type { Y } from './contracts/y.ts';"],
    ['src/cli/a.ts', "import { x } from '../index.ts'; import json from '../../package.json' with { type: 'json' };"],
  ];
  for (const [file, source] of admitted) {
    test(`admitted: ${source}`, () => assert.deepEqual(broken(file, source), []));
  }

  test('the message names file, line and both folders', () => {
    assert.deepEqual(broken('src/scope/a.ts', "\nimport { x } from '../fetch/x.ts';"), [
      'src/scope/a.ts:2: scope may not import fetch (../fetch/x.ts)',
    ]);
  });

  test('code in a contract', () => {
    const source =
      'export interface A {}\nexport const a = 1;\nexport function b() {}\ndeclare const c: unique symbol;\n';
    assert.deepEqual(contractViolations(new Map([['src/contracts/a.ts', source]])), [
      'src/contracts/a.ts:2: a contract holds types only',
      'src/contracts/a.ts:3: a contract holds types only',
    ]);
  });
});
