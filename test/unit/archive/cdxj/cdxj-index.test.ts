import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cdxjOf, sortedCdxjOf } from '../../../../src/archive/archive-file-name.ts';
import { CdxjIndex } from '../../../../src/archive/cdxj/cdxj-index.ts';
import { type Capture, formatCdxj, parseCdxj } from '../../../../src/archive/cdxj/cdxj-line.ts';
import { hasSortedCdxj, sortCdxj } from '../../../../src/archive/cdxj/cdxj-sort.ts';
import { searchSortedCdxj } from '../../../../src/archive/cdxj/sorted-cdxj.ts';
import { UnsortedCdxj } from '../../../../src/archive/cdxj/unsorted-cdxj.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { NOON, temporaryFolder } from '../archive-fixture.ts';

const FILE = 'orbweaver-20260102120000-00000-main.warc.gz';

function capture(url: string, more: Partial<Capture> = {}): Capture {
  return {
    url,
    date: NOON,
    mime: 'text/html',
    status: 200,
    digest: 'A'.repeat(32),
    file: FILE,
    offset: 7,
    length: 9,
    ...more,
  };
}

describe('index lines', () => {
  test('look as other tools want them', () => {
    assert.equal(
      formatCdxj(capture('http://www.example.com/a?c=1&b=2', { date: NOON + 5 })),
      'com,example)/a?b=2&c=1 20260102120000 {"url": "http://www.example.com/a?c=1&b=2", "mime": "text/html", ' +
        `"status": "200", "digest": "${'A'.repeat(32)}", "length": "9", "offset": "7", "filename": "${FILE}", "ms": "005"}\n`,
    );
  });

  test('come back as they went, and are ASCII', () => {
    fc.assert(
      fc.property(
        fc.record({
          date: fc.integer({ min: 0, max: 4_000_000_000_000 }),
          mime: fc.string({ unit: 'grapheme' }),
          status: fc.integer({ min: 100, max: 599 }),
          digest: fc.constantFrom('B'.repeat(32), undefined),
          bodyDigest: fc.constantFrom('C'.repeat(32), undefined),
          offset: fc.nat(),
          length: fc.integer({ min: 1, max: 2 ** 40 }),
        }),
        (parts) => {
          const entry = capture('http://example.com/', parts);
          const line = formatCdxj(entry);
          assert.match(line, /^[ -~]+\n$/);
          assert.deepEqual(parseCdxj(line), entry);
        },
      ),
    );
  });

  test('rubbish is no line', () => {
    for (const line of [
      '',
      ' ',
      'a b c',
      'com,example)/ 20260102120000 {',
      'com,example)/ 20260102120000 {}',
      '{"a": 1}',
    ]) {
      assert.equal(parseCdxj(line), undefined, line);
    }
  });
});

describe('look-up', () => {
  const path = fc.stringMatching(/^[a-c]{1,2}$/);

  test('sorted by halving and unsorted by fingerprint find what a look at every line finds', async (t) => {
    const folder = temporaryFolder(t);
    // Long lines, so that halving is needed at all, and many with the same key.
    const filler = 'y'.repeat(2000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 150 }),
        fc.array(path, { maxLength: 5 }),
        async (paths, others) => {
          const lines = paths.map((name, n) =>
            formatCdxj(capture(`http://example.com/${name}`, { offset: n, mime: filler })),
          );
          writeFileSync(join(folder, cdxjOf(FILE)), lines.join(''));
          await sortCdxj(folder, FILE);
          assert.ok(await hasSortedCdxj(folder, FILE));
          const unsorted = new UnsortedCdxj(join(folder, cdxjOf(FILE)));
          for (const name of [...paths.slice(0, 10), ...others]) {
            const surt = `com,example)/${name}`;
            const expected = lines.filter((line) => line.startsWith(`${surt} `)).map((line) => line.trimEnd());
            assert.deepEqual(await unsorted.search(surt), expected);
            const sorted = await searchSortedCdxj(join(folder, sortedCdxjOf(FILE)), surt);
            assert.deepEqual(sorted, expected.toSorted());
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  test('an index that grows is followed; a line that is not over yet is left for later', async (t) => {
    const file = join(temporaryFolder(t), 'index');
    const [a, b] = ['a', 'b'].map((name) => formatCdxj(capture(`http://example.com/${name}`)));
    writeFileSync(file, a + b.slice(0, 30));
    const unsorted = new UnsortedCdxj(file);
    assert.equal((await unsorted.search('com,example)/a')).length, 1);
    assert.equal((await unsorted.search('com,example)/b')).length, 0);
    appendFileSync(file, b.slice(30) + a);
    const found = await Promise.all([unsorted.search('com,example)/b'), unsorted.search('com,example)/a')]);
    assert.deepEqual(
      found.map((lines) => lines.length),
      [1, 2],
    );
  });

  test('a line longer than what is read at once', async (t) => {
    const file = join(temporaryFolder(t), 'index');
    const long = formatCdxj(capture('http://example.com/long', { mime: 'z'.repeat(1_500_000) }));
    writeFileSync(file, long + formatCdxj(capture('http://example.com/short')));
    const unsorted = new UnsortedCdxj(file);
    assert.equal((await unsorted.search('com,example)/long'))[0].length, long.length - 1);
    assert.equal((await unsorted.search('com,example)/short')).length, 1);
  });

  test('a sorted copy of another length is not used', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, FILE), '');
    writeFileSync(join(folder, cdxjOf(FILE)), formatCdxj(capture('http://example.com/a')));
    await sortCdxj(folder, FILE);
    appendFileSync(join(folder, cdxjOf(FILE)), formatCdxj(capture('http://example.com/b')));
    const index = new CdxjIndex(folder);
    assert.equal((await index.captures('http://example.com/b')).length, 1);
    assert.equal((await index.captures('http://example.com/a')).length, 1);
  });
});
