import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  MediaStore,
  type SaidOfMedia,
  type ShowingPage,
} from '../../../../../src/search/indexing/media/media-store.ts';
import { temporaryFolder } from '../../../../crawl/crawl-web.ts';
import { propertyRuns } from '../../../../property-runs.ts';

const HOSTS = ['one.test', 'two.test'];
const pageUrl = (number: number): string => `http://${HOSTS[number % 2]}/${number}`;
const fileUrl = (number: number): string => `http://files.test/${number}.png`;

function pageOf(number: number): ShowingPage {
  const url = pageUrl(number);
  return { url, host: HOSTS[number % 2], title: `Page ${number}`, language: 'en', date: 0, fetchedAt: 1, spam: 0 };
}

function saidOf(file: number, page: string, alt: string): SaidOfMedia {
  const texts = { alt, caption: '', heading: '', words: '' };
  return { kind: 'image', url: fileUrl(file), page, ...texts, width: 0, height: 0 };
}

interface Step {
  readonly source: string;
  readonly page?: ShowingPage;
  readonly said: readonly SaidOfMedia[];
}

const files = fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  // A page shows files, or has gone.
  fc
    .tuple(fc.nat({ max: 13 }), files, fc.constantFrom('a', 'b'), fc.boolean())
    .map(([number, shown, alt, isThere]) => ({
      source: pageUrl(number),
      ...(isThere ? { page: pageOf(number) } : {}),
      said: isThere ? shown.map((file) => saidOf(file, pageUrl(number), alt)) : [],
    })),
  // A sitemap speaks of pages, whether they are there or not.
  fc.tuple(files, fc.nat({ max: 13 })).map(([shown, number]) => ({
    source: 'http://one.test/sitemap.xml',
    said: shown.map((file) => saidOf(file, pageUrl(number), 'map')),
  })),
);

function stateOf(store: MediaStore): unknown {
  return [0, 1, 2, 3, 4].map((file) => ({
    showings: store.showings(fileUrl(file)),
    isRepeated: store.isRepeated(fileUrl(file)),
  }));
}

describe('what is said of files', () => {
  test('is what the documents say now, in whatever order they came and however often', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        using folder = temporaryFolder();
        using other = temporaryFolder();
        using store = new MediaStore(folder.path);
        for (const { source, page, said } of steps) {
          const touched = store.replace(source, page, said);
          for (const { url } of said) assert.ok(touched.has(url));
        }
        store.commit({ archive: {} });
        using fresh = new MediaStore(other.path);
        const last = new Map(steps.map((one) => [one.source, one]));
        for (const { source, page, said } of [...last.values()].reverse()) fresh.replace(source, page, said);
        fresh.commit({});
        assert.deepEqual(stateOf(store), stateOf(fresh));
      }),
      { numRuns: propertyRuns(120) },
    );
  });

  test('a file on most pages of a host is part of its frame; on few, or on one host of many, it is not', () => {
    using folder = temporaryFolder();
    using store = new MediaStore(folder.path);
    const show = (number: number, shown: readonly number[]): void => {
      store.replace(
        pageUrl(number),
        pageOf(number),
        shown.map((file) => saidOf(file, pageUrl(number), 'x')),
      );
    };
    for (const number of [0, 2, 4, 6]) show(number, [0]);
    assert.equal(store.isRepeated(fileUrl(0)), false, 'four pages are few');
    show(8, [0]);
    assert.equal(store.isRepeated(fileUrl(0)), true);
    for (const number of [10, 12, 14, 16, 18]) show(number, []);
    assert.equal(store.isRepeated(fileUrl(0)), false, 'half of the pages');
    assert.deepEqual(store.repeatedOften(), [fileUrl(0)]);
    show(18, [0]);
    assert.equal(store.isRepeated(fileUrl(0)), true);
    show(18, [0]);
    store.replace(pageUrl(18), undefined, []);
    assert.equal(store.isRepeated(fileUrl(0)), true, 'five of nine');
    store.replace(pageUrl(8), undefined, []);
    assert.equal(store.isRepeated(fileUrl(0)), false, 'four of eight');
  });

  test('what was not committed is given up; what was is there again, with its place', () => {
    using folder = temporaryFolder();
    {
      using store = new MediaStore(folder.path);
      store.replace(pageUrl(0), pageOf(0), [saidOf(0, pageUrl(0), 'kept')]);
      store.setDigest(fileUrl(0), 'digest');
      store.commit({ archive: { a: 7 } });
      store.replace(pageUrl(0), undefined, []);
      store.setDigest(fileUrl(0), undefined);
    }
    using store = new MediaStore(folder.path);
    assert.deepEqual(store.place, { archive: { a: 7 } });
    assert.equal(store.showings(fileUrl(0))[0]?.alt, 'kept');
    assert.equal(store.digest(fileUrl(0)), 'digest');
    using reader = new MediaStore(folder.path, { readOnly: true });
    assert.equal(reader.showings(fileUrl(0)).length, 1);
  });
});
