import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRecords } from '../../../src/archive/mend/erase-records.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { archivedVisits } from '../../../src/search/indexing/archived-visits.ts';
import { collected, entryOf, temporaryFolder, testArchive } from './archive-fixture.ts';

const HOME = 'http://example.com/' as CanonicalUrl;
const SHELL = '<div id=root></div>';
const html = Buffer.from('<h1>Grün</h1>');
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

for (const level of [0, 1, 6])
  test(`a page as answered, and as a browser has shown it, at level ${level}`, async (t) => {
    const folder = temporaryFolder(t);
    await using archive = testArchive(folder, { level });
    const screenshot = Buffer.from([0xff, 0xd8, 1, 2, 3]);
    const rendered = { html, truncated: false };
    const coded = ['Content-Type', 'text/html; charset=iso-8859-1', 'X-A', '1'];
    const place = await archive.put({
      ...entryOf({ raw: SHELL, rawHeaders: coded }),
      text: Buffer.from('Words'),
      rendered,
      screenshot,
    });
    const bare = await archive.put({ ...entryOf({ url: `${HOME}bare`, raw: SHELL }), rendered });
    await archive.put(entryOf({ url: `${HOME}plain`, raw: SHELL }));

    const answered = await archive.get(HOME);
    assert.equal(text(answered?.body), SHELL);
    const shown = answered && (await archive.shown(answered));
    assert.equal(text(shown?.body), '<h1>Grün</h1>');
    assert.deepEqual(shown?.rawHeaders, ['X-A', '1', 'Content-Type', 'text/html; charset=utf-8']);
    assert.equal(await archive.textAt(place), 'Words');
    // A rendered page is no text, however it is looked for.
    const { fileEnd: _, ...unbounded } = bare;
    assert.equal(await archive.textAt(bare), undefined);
    assert.equal(await archive.textAt(unbounded), undefined);
    const plain = await archive.get(`${HOME}plain` as CanonicalUrl);
    assert.ok(plain !== undefined && (await archive.shown(plain)) === plain);

    const visits = await collected(archivedVisits(folder, place.file, 0, bare.fileEnd));
    assert.deepEqual(
      visits.map(({ document, text: words }) => [document.url, text(document.body), words]),
      [
        [HOME, '<h1>Grün</h1>', 'Words'],
        [`${HOME}bare`, '<h1>Grün</h1>', undefined],
      ],
    );
  });

test('a shell that is held already is a revisit with a page of its own', async (t) => {
  await using archive = testArchive(temporaryFolder(t));
  const entry = entryOf({ raw: SHELL });
  await archive.put({ ...entry, rendered: { html, truncated: false } });
  const date = entry.result.exchange.startedAt;
  const other = Buffer.from('<h1>Other</h1>');
  const again = entryOf({ url: `${HOME}2`, raw: SHELL, revisitOf: { url: HOME, date } });
  await archive.put({ ...again, rendered: { html: other, truncated: true } });
  const found = await archive.get(`${HOME}2` as CanonicalUrl);
  assert.equal(text(found?.body), SHELL);
  assert.equal(text(found && (await archive.shown(found)).body), '<h1>Other</h1>');
});

test('a page that is forgotten takes its picture along', async (t) => {
  const folder = temporaryFolder(t);
  await using archive = testArchive(folder);
  const { file, fileEnd } = await archive.put({
    ...entryOf({ raw: SHELL }),
    rendered: { html, truncated: false },
    screenshot: Buffer.from('picture'),
  });
  const targets: string[] = [];
  await findRecords(
    folder,
    file,
    fileEnd,
    (url) => url === HOME,
    (url) => targets.push(url),
  );
  assert.equal(targets.length, 5);
});
