import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { HostKey } from '../../../../src/contracts/url.ts';
import {
  compareKeys,
  createKeySorter,
  isUrlStore,
  keyOfUrl,
  openUrlStore,
  openUrlStoreWriter,
  urlOfKey,
} from '../../../../src/engines/open-url-store.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { storedText } from './stored-text.ts';

/** Small enough that a few URLs are spilled. */
const TIGHT = 2000;

function madeUrl(at: number): string {
  return `https://host${at % 7}.example.com/${at % 3 === 0 ? 'articles' : 'pages'}/${at}?at=${at * 7}`;
}

function build(folder: string, urls: Iterable<string>, maxBytes?: number): void {
  using writer = openUrlStoreWriter(folder, maxBytes);
  for (const url of urls) writer.add(url);
  writer.commit();
}

const many = Array.from({ length: 3000 }, (_, at) => madeUrl(at));

describe('a store of URLs', () => {
  test('is a sorted set, however it was built, added to and merged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(storedText, { maxLength: 40 }), { minLength: 1, maxLength: 6 }),
        fc.array(storedText, { maxLength: 20 }),
        fc.constantFrom(TIGHT, 1_000_000),
        fc.boolean(),
        (batches, others, maxBytes, compacts) => {
          using folder = temporaryFolder();
          const known = new Set<string>();
          {
            using writer = openUrlStoreWriter(folder.path, maxBytes);
            for (const batch of batches) {
              const before = known.size;
              for (const url of batch) {
                writer.add(url);
                known.add(url);
              }
              assert.deepEqual(writer.commit(), { given: batch.length, added: known.size - before });
              assert.equal(writer.size, known.size);
            }
            if (compacts) writer.compact();
          }
          using store = openUrlStore(folder.path);
          store.check();
          assert.equal(store.size, known.size);
          assert.deepEqual([...store.urls()], sortedByKey(known));
          for (const url of [...known, ...others, ...[...known].map((url) => `${url}x`)]) {
            assert.equal(store.has(url), known.has(url));
          }
          const text = [...known].reduce((sum, url) => sum + Buffer.byteLength(url) + 1, 0);
          assert.equal(store.facts().textBytes, text);
          if (compacts) assert.ok(store.facts().runs <= 1);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  test('lists the URLs of a host, of a domain, and those that begin alike', () => {
    using folder = temporaryFolder();
    build(folder.path, [
      ...many,
      'http://host1.example.com/',
      'https://host1.example.org/',
      'https://host1.example.com:81/x',
    ]);
    using store = openUrlStore(folder.path);
    const host = [...store.urls({ host: 'host1.example.com' as HostKey })];
    assert.equal(host.length, many.filter((url) => url.startsWith('https://host1.')).length + 1);
    assert.ok(host.every((url) => new URL(url).host === 'host1.example.com'));
    assert.equal([...store.urls({ domain: 'example.com' })].length, many.length + 2);
    assert.deepEqual([...store.urls({ domain: 'example.org' })], ['https://host1.example.org/']);
    assert.deepEqual([...store.urls({ host: 'nobody.test' as HostKey })], []);
    const prefix = 'https://host3.example.com/articles/1';
    assert.deepEqual([...store.urls({ prefix })].sort(), many.filter((url) => url.startsWith(prefix)).sort());
  });

  test('takes less than a third of the text, and little memory', () => {
    using folder = temporaryFolder();
    const urls = Array.from({ length: 30_000 }, (_, at) => madeUrl(at));
    build(folder.path, urls, 500_000);
    using store = openUrlStore(folder.path);
    const { bytes, textBytes, memory, runs } = store.facts();
    assert.equal(runs, 1);
    assert.ok(bytes * 3 < textBytes, `${bytes} of ${textBytes}`);
    assert.ok(memory < urls.length);
  });

  test('keeps the number of files small, however often it is added to', () => {
    using folder = temporaryFolder();
    using writer = openUrlStoreWriter(folder.path);
    for (let at = 0; at < 60; at++) {
      for (const url of many.slice(at * 50, at * 50 + 60)) writer.add(url);
      writer.commit();
    }
    using store = openUrlStore(folder.path);
    assert.equal(store.size, many.length);
    assert.ok(store.facts().runs <= 5, `${store.facts().runs}`);
    const files = readdirSync(folder.path).filter((name) => name.endsWith('.urls'));
    assert.equal(files.length, store.facts().runs);
  });

  test('is read as it was opened while somebody adds to it', () => {
    using folder = temporaryFolder();
    build(folder.path, many.slice(0, 1000));
    using before = openUrlStore(folder.path);
    build(folder.path, many.slice(1000));
    assert.equal([...before.urls()].length, 1000);
    using after = openUrlStore(folder.path);
    assert.equal([...after.urls()].length, 3000);
  });

  test('has one writer at a time', () => {
    using folder = temporaryFolder();
    using _writer = openUrlStoreWriter(folder.path);
    assert.throws(() => openUrlStoreWriter(folder.path), { code: 'FOLDER_IN_USE' });
  });

  test('holds what was committed, and nothing of what a killed writer left', () => {
    using folder = temporaryFolder();
    build(folder.path, many.slice(0, 100));
    const [run] = readdirSync(folder.path).filter((name) => name.endsWith('.urls'));
    for (const left of ['run-000002.urls', 'run-000003.urls.part', 'spill-1-0', 'urls.json.part']) {
      copyFileSync(join(folder.path, run), join(folder.path, left));
    }
    {
      using store = openUrlStore(folder.path);
      assert.equal(store.size, 100);
    }
    build(folder.path, many.slice(0, 150));
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => /part|spill/.test(name)),
      [],
    );
    using store = openUrlStore(folder.path);
    store.check();
    assert.equal(store.size, 150);
  });

  test('is none where there is none', () => {
    using folder = temporaryFolder();
    assert.equal(isUrlStore(folder.path), false);
    assert.throws(() => openUrlStore(folder.path), { code: 'INPUT_INVALID' });
  });

  test('goes through two sorted lists at once', () => {
    fc.assert(
      fc.property(fc.uniqueArray(storedText), fc.uniqueArray(storedText), fc.uniqueArray(storedText), (a, b, both) => {
        const first = new Set([...a, ...both].map(keyOfUrl));
        const second = new Set([...b, ...both].map(keyOfUrl));
        const expected = [...new Set([...first, ...second])].sort().map((key) => ({
          key,
          side: first.has(key) ? (second.has(key) ? 'both' : 'first') : 'second',
        }));
        assert.deepEqual([...compareKeys([...first].sort(), [...second].sort())], expected);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('a sorter writes nothing where all fits, and removes what it wrote', () => {
    using folder = temporaryFolder();
    using small = createKeySorter(folder.path);
    using large = createKeySorter(folder.path, TIGHT);
    for (const sorter of [small, large]) for (const url of [...many, ...many]) sorter.add(keyOfUrl(url));
    assert.ok(small.spilled === 0 && large.spilled > 1);
    for (const sorter of [small, large]) assert.deepEqual([...sorter.sorted()].map(urlOfKey), sortedByKey(many));
    large[Symbol.dispose]();
    assert.equal(large.spilled, 0);
    assert.deepEqual(readdirSync(folder.path), []);
  });
});

describe('damage is told', () => {
  test('wherever a file was cut off', () => {
    using folder = temporaryFolder();
    build(folder.path, many);
    const path = join(folder.path, 'run-000001.urls');
    const whole = readFileSync(path);
    for (let at = 0; at < 40; at++) {
      writeFileSync(path, whole);
      truncateSync(path, Math.floor((whole.length * at) / 40));
      assert.throws(() => readAll(folder.path), { code: 'URLS_DAMAGED' }, `cut at ${at}/40`);
    }
  });

  test('whichever byte was changed: an error, never other URLs', () => {
    using folder = temporaryFolder();
    build(folder.path, many);
    const path = join(folder.path, 'run-000001.urls');
    const whole = readFileSync(path);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flipped) => {
        const changed = Buffer.from(whole);
        changed[at] ^= flipped;
        writeFileSync(path, changed);
        assert.throws(
          () => readAll(folder.path),
          (error: { code?: string; remedy?: string }) => error.code === 'URLS_DAMAGED' && error.remedy !== undefined,
        );
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('where the list of files is damaged, of a later version, or names one that is missing', () => {
    using folder = temporaryFolder();
    build(folder.path, many.slice(0, 10));
    const path = join(folder.path, 'urls.json');
    const list = readFileSync(path, 'utf8');
    for (const changed of ['', '{}', list.slice(0, 40), list.replace('"urls": 10', '"urls": 11')]) {
      writeFileSync(path, changed);
      assert.throws(() => readAll(folder.path), { code: 'URLS_DAMAGED' });
      assert.throws(() => openUrlStoreWriter(folder.path), { code: 'URLS_DAMAGED' });
    }
    writeFileSync(path, list.replace('"version": 1', '"version": 2'));
    assert.throws(() => readAll(folder.path), { code: 'FOLDER_NEWER_VERSION' });
    writeFileSync(path, list);
    rmSync(join(folder.path, 'run-000001.urls'));
    assert.throws(() => readAll(folder.path), { code: 'URLS_DAMAGED' });
  });
});

function readAll(folder: string): string[] {
  using store = openUrlStore(folder);
  store.check();
  return [...store.urls()];
}

function sortedByKey(urls: Iterable<string>): string[] {
  return [...new Set(urls)].map(keyOfUrl).sort().map(urlOfKey);
}
