import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import type { InLink, LinkedPage } from '../../../../src/contracts/state/link-store.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { ModelStore, sorted } from './model-store.ts';

function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-links-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const URLS = Array.from({ length: 24 }, (_, at) => `https://h${at % 4}.test/page-${at}`);
const TEXTS = ['', 'Home', 'About us', 'click here', 'Ünïcode 蜘蛛', 'Prices'];

function page(url: string, links: LinkedPage['links'], at = 0): LinkedPage {
  return { url, host: new URL(url).host, at, links };
}

function link(url: string, text = 'a text', nofollow = false): LinkedPage['links'][number] {
  return { url, text, nofollow };
}

const pages: fc.Arbitrary<LinkedPage> = fc
  .tuple(
    fc.constantFrom(...URLS.slice(0, 12)),
    fc.array(
      fc.record(
        { url: fc.constantFrom(...URLS), text: fc.constantFrom(...TEXTS), nofollow: fc.boolean() },
        { noNullPrototype: true },
      ),
      {
        maxLength: 12,
      },
    ),
  )
  .map(([url, links]) => page(url, links));

async function inLinksOf(store: SqliteLinkStore, url: string, limit?: number): Promise<InLink[]> {
  const found: InLink[] = [];
  for await (const link of store.inLinks(url, limit === undefined ? {} : { limit })) found.push(link);
  return found;
}

async function assertSame(store: SqliteLinkStore, model: ModelStore): Promise<void> {
  for (const url of URLS) assert.deepEqual(sorted(await inLinksOf(store, url)), sorted(model.inLinks(url)), url);
  for (const expected of model.pages) assert.deepEqual(store.outLinks(expected.url), expected);
  assert.equal(store.pages, model.pages.length);
  assert.equal(
    store.links,
    model.pages.reduce((sum, { links }) => sum + links.length, 0),
  );
  const edges = store.edges({ nofollow: true });
  const found: string[] = [];
  for await (const batch of edges.batches()) {
    for (let at = 0; at < batch.length; at += 2) found.push(`${edges.url(batch[at])} ${edges.url(batch[at + 1])}`);
  }
  const expected = model.pages.flatMap(({ url, links }) => links.map((link) => `${url} ${link.url}`));
  assert.deepEqual(found.sort(), expected.sort());
  assert.deepEqual(await votesOf(store), votesIn(model));
}

/** Who votes for whom, told apart by the hosts: those of pages that nobody has visited, too. */
async function votesOf(store: SqliteLinkStore): Promise<string[]> {
  const votes = store.votes();
  const found: [number, number][] = [];
  for await (const batch of votes.batches())
    for (let at = 0; at < batch.length; at += 2) found.push([batch[at], batch[at + 1]]);
  const urls = new Map(URLS.map((url) => [votes.find(url), url]));
  const nameOf = (number: number): string => `${votes.hosts[votes.hostOf[number]]} ${urls.get(number)}`;
  assert.equal(votes.pages, store.pages);
  return [...new Set(found.map(([from, to]) => `${nameOf(from)} ${nameOf(to)}`))].sort();
}

function votesIn(model: ModelStore): string[] {
  const nameOf = (url: string): string => `${new URL(url).host} ${url}`;
  const all = model.pages.flatMap(({ url, links }) =>
    links.filter(({ nofollow }) => !nofollow).map((link) => `${nameOf(url)} ${nameOf(link.url)}`),
  );
  return [...new Set(all)].sort();
}

describe('SqliteLinkStore', () => {
  test('answers as plain maps would, through re-visits, pages that are gone, merges and re-opening', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.record({ page: pages, isGone: fc.boolean() }), { maxLength: 6 }), {
          minLength: 1,
          maxLength: 25,
        }),
        fc.integer({ min: 1, max: 40 }),
        async (commits, batchLinks) => {
          using folder = temporaryFolder();
          const model = new ModelStore();
          let store = new SqliteLinkStore(folder.path, { batchLinks });
          try {
            for (const [at, added] of commits.entries()) {
              for (const { page, isGone } of added) {
                for (const each of [store, model])
                  if (isGone) each.removePage(page.url);
                  else each.addPage(page);
              }
              await store.commit({ at });
              if (at % 10 === 9) {
                store.close();
                store = new SqliteLinkStore(folder.path, { batchLinks });
              }
            }
            assert.deepEqual(store.place, { at: commits.length - 1 });
            await assertSame(store, model);
            await store.compact();
            await assertSame(store, model);
          } finally {
            store.close();
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  test('what was not committed is gone, and the place is that of the last commit', async () => {
    using folder = temporaryFolder();
    const before = page(URLS[0], [link(URLS[1], 'old')]);
    {
      using store = new SqliteLinkStore(folder.path, { batchLinks: 2 });
      assert.equal(store.place, undefined);
      store.addPage(before);
      await store.commit('there');
      store.addPage(page(URLS[0], [link(URLS[2]), link(URLS[3]), link(URLS[4])]));
      store.addPage(page(URLS[5], [link(URLS[1])]));
      assert.equal(sorted(await inLinksOf(store, URLS[1])).length, 1, 'reads see what was committed');
    }
    using store = new SqliteLinkStore(folder.path);
    assert.equal(store.place, 'there');
    const model = new ModelStore();
    model.addPage(before);
    await assertSame(store, model);
  });

  test('pages added while a commit merges belong to the next one', async () => {
    using folder = temporaryFolder();
    {
      using store = new SqliteLinkStore(folder.path);
      for (let at = 0; at < 30; at++) {
        store.addPage(page(`https://a.test/${at}`, [link(URLS[0], `text ${at}`)]));
        const committed = store.commit(at);
        if (at === 29) {
          await Promise.resolve();
          await Promise.resolve();
          store.addPage(page('https://b.test/', [link(URLS[0], 'late')]));
        }
        await committed;
      }
      assert.equal((await inLinksOf(store, URLS[0])).length, 30);
    }
    using store = new SqliteLinkStore(folder.path);
    assert.equal(store.place, 29);
    assert.equal((await inLinksOf(store, URLS[0])).length, 30);
  });

  test('a limit is kept, oldest first, and the links of one page stay together', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    for (let at = 0; at < 1200; at++) {
      store.addPage(page(`https://a.test/${at}`, [link(URLS[0], 'one'), link(URLS[0], 'two')]));
    }
    await store.commit();
    assert.deepEqual(
      (await inLinksOf(store, URLS[0], 3)).map(({ from, text }) => [from, text]),
      [
        ['https://a.test/0', 'one'],
        ['https://a.test/0', 'two'],
        ['https://a.test/1', 'one'],
      ],
    );
    assert.equal((await inLinksOf(store, URLS[0])).length, 2400);
  });

  test('anchors are weighed over all who link', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    store.addPage(page('https://one.test/', [link(URLS[0], 'Spiders')]));
    store.addPage(page('https://two.test/', [link(URLS[0], 'spiders'), link(URLS[0], 'click here')]));
    store.addPage(page(URLS[4], [link(URLS[0], 'Own')]));
    store.addPage(page('https://three.test/', [link(URLS[0], 'Paid', true)]));
    await store.commit();
    assert.deepEqual(store.anchorsFor(URLS[0], 10), [
      { text: 'Spiders', weight: 2 },
      { text: 'Own', weight: 0.4 },
      { text: 'click here', weight: 0.1 },
      { text: 'Paid', weight: 0.1 },
    ]);
    assert.equal(store.anchorsFor(URLS[0], 2).length, 2);
    assert.deepEqual(store.anchorsFor('https://nobody.test/', 2), []);
  });

  test('a reader beside the writer follows its commits', async () => {
    using folder = temporaryFolder();
    using writer = new SqliteLinkStore(folder.path);
    assert.throws(
      () => new SqliteLinkStore(folder.path),
      (error) => error instanceof OrbweaverError && error.code === 'FOLDER_IN_USE',
    );
    using reader = new SqliteLinkStore(folder.path, { readOnly: true });
    for (let at = 1; at <= 20; at++) {
      writer.addPage(page(`https://a.test/${at}`, [link(URLS[0])]));
      await writer.commit(at);
      assert.equal((await inLinksOf(reader, URLS[0])).length, at);
      assert.equal(reader.place, at);
      assert.equal(reader.pages, at);
    }
  });

  test('a folder without links says so', () => {
    using folder = temporaryFolder();
    assert.throws(
      () => new SqliteLinkStore(folder.path, { readOnly: true }),
      (error) => error instanceof OrbweaverError && error.code === 'FOLDER_NOT_A_CRAWL',
    );
  });
});

describe('pages that have gained links', () => {
  const TARGET = URLS[0];

  async function gain(store: SqliteLinkStore, from: number, links: number): Promise<void> {
    // Links are counted when runs are merged for the second time, which takes 64 commits.
    for (let at = 0; at < 64; at++) {
      for (let source = at; source < links; source += 64) {
        store.addPage(page(`https://a.test/${from + source}`, [link(TARGET), link('https://never.test/')]));
      }
      store.addPage(page(`https://filler.test/${from}-${at}`, [link('https://never.test/')]));
      await store.commit(at);
    }
  }

  test('are told when the number has doubled, once', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    await gain(store, 0, 10);
    assert.deepEqual(store.pending(), [], 'a page that was never visited cannot be indexed again');
    store.addPage(page(TARGET, []));
    await gain(store, 100, 5);
    assert.deepEqual(store.pending(), [], 'five more on ten');
    await gain(store, 200, 6);
    assert.deepEqual(store.pending(), [TARGET], 'eleven more on ten');
    assert.deepEqual(store.pending(), []);
    await store.commit('told');
    await gain(store, 300, 10);
    assert.deepEqual(store.pending(), [], 'ten more on twenty-one');
    await gain(store, 400, 15);
    assert.deepEqual(store.pending(), [TARGET]);
  });

  test('are told again when no commit has followed', async () => {
    using folder = temporaryFolder();
    {
      using store = new SqliteLinkStore(folder.path);
      store.addPage(page(TARGET, []));
      await gain(store, 0, 6);
      assert.deepEqual(store.pending(), [TARGET]);
    }
    using store = new SqliteLinkStore(folder.path);
    assert.deepEqual(store.pending(), [TARGET]);
  });

  test('are told again when more has changed between the telling and its commit', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    store.addPage(page(TARGET, []));
    store.renew(TARGET);
    await store.commit();
    assert.deepEqual(store.pending(), [TARGET]);
    store.renew(TARGET);
    await store.commit();
    assert.deepEqual(store.pending(), [TARGET]);
    await store.commit();
    assert.deepEqual(store.pending(), []);
  });

  test('are none when the index holds all, until they gain more', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    store.addPage(page(TARGET, []));
    store.addPage(page(URLS[1], []));
    await gain(store, 0, 6);
    store.renew(URLS[1]);
    store.clearPending();
    await store.commit();
    assert.deepEqual(store.pending(), []);
    await gain(store, 100, 5);
    assert.deepEqual(store.pending(), [], 'five more on six');
    await gain(store, 200, 8);
    assert.deepEqual(store.pending(), [TARGET]);
  });

  test('are not those whose links were only seen again', async () => {
    using folder = temporaryFolder();
    using store = new SqliteLinkStore(folder.path);
    store.addPage(page(TARGET, []));
    await gain(store, 0, 6);
    store.pending();
    await store.commit();
    for (let visit = 0; visit < 70; visit++) {
      store.addPage(page('https://a.test/0', [link(TARGET), link(`https://new.test/${visit}`)]));
      await store.commit();
    }
    assert.deepEqual(store.pending(), []);
    assert.equal((await inLinksOf(store, TARGET)).length, 6);
  });
});
