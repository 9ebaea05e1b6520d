import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importCycles } from './import-cycles.ts';
import { inFolder, readRepository } from './repository.ts';
import { importGraph } from './source-imports.ts';

describe('Import cycles', () => {
  test('no file of src imports itself, by whatever way round, types included', () => {
    const graph = importGraph(inFolder(readRepository(['.ts']), 'src'));
    assert.ok(graph.size > 100, 'the sources were not found');
    assert.deepEqual(importCycles(graph), []);
  });
});

describe('Import cycles: the check can fail', () => {
  const sources = (files: Record<string, string>): string[] =>
    importCycles(importGraph(new Map(Object.entries(files))));

  test('a cycle of types through three files', () => {
    const cycles = sources({
      'src/a.ts': "import type { B } from './b.ts';",
      'src/b.ts': "export type { C } from './c.ts';",
      'src/c.ts': "import { type A } from './a.ts'; import './d.ts';",
      'src/d.ts': '',
    });
    assert.deepEqual(cycles, ['src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts']);
  });

  test('the shortest way round is told, once', () => {
    const cycles = sources({
      'src/a.ts': "import './b.ts'; import './c.ts';",
      'src/b.ts': "import './c.ts';",
      'src/c.ts': "await import('./a.ts');",
    });
    assert.equal(cycles[0], 'src/a.ts -> src/c.ts -> src/a.ts');
  });

  test('a file that imports itself', () => {
    assert.deepEqual(sources({ 'src/a.ts': "import { b } from './a.ts';" }), ['src/a.ts -> src/a.ts']);
  });

  test('a file used twice is no cycle', () => {
    assert.deepEqual(
      sources({ 'src/a.ts': "import './b.ts'; import './c.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': '' }),
      [],
    );
  });
});
