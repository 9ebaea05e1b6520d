import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFolder, readRepository } from './repository.ts';
import { importGraph } from './source-imports.ts';
import { unusedExports, unusedSources } from './unused-sources.ts';

/** Webs for tests and benches lie beside those that commands serve: the layers keep all of them apart from the crawler. */
const FOR_TESTS = 'src/simulate/';

describe('Unused sources', () => {
  const texts = readRepository(['.ts', '.mjs', '.cjs']);
  const sources = inFolder(texts, 'src');

  test('the library or a command loads every file of src', () => {
    const graph = importGraph(sources);
    const unused = unusedSources(graph, ['src/index.ts', 'src/cli/main.ts']);
    assert.ok(unused.length < graph.size / 2, 'the commands were not found');
    assert.deepEqual(
      unused.filter((file) => !file.startsWith(FOR_TESTS)),
      [],
    );
  });

  test('somebody names every export of src', () => {
    assert.deepEqual(unusedExports(sources, texts), []);
  });
});

describe('Unused sources: the checks can fail', () => {
  const files = new Map(
    Object.entries({
      'src/main.ts': "import { a } from './a.ts'; a();",
      'src/a.ts': 'export function a(): void {}\nexport const forgotten = 1;',
      'src/b.ts': "import { a } from './a.ts';\nexport interface Kept {}\nexport type Alike = Kept;",
      'test/b.test.ts': "import type { Alike } from '../src/b.ts';",
    }),
  );

  test('a file that only a test loads', () => {
    assert.deepEqual(unusedSources(importGraph(inFolder(files, 'src')), ['src/main.ts']), ['src/b.ts']);
  });

  test('an export that nobody names', () => {
    assert.deepEqual(unusedExports(inFolder(files, 'src'), files), ['src/a.ts: forgotten']);
  });
});
