import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { SqliteLinkStore } from '../../../src/engines/links/sqlite-link-store.ts';
import { parseBudget } from '../../../src/laboratory/budget.ts';
import { type LaboratorySource, openSource, type SourceChoice } from '../../../src/laboratory/laboratory-source.ts';
import { RecordedGraphBuilder } from '../../../src/laboratory/replay/recorded-graph.ts';
import { runLaboratory } from '../../../src/laboratory/run-laboratory.ts';
import { changesOfWeb, graphOfWeb } from '../../../src/laboratory/synthetic-record.ts';
import { pagesAbout } from '../../../src/laboratory/topic-pages.ts';
import { SyntheticWeb } from '../../../src/simulate/model/synthetic-web.ts';
import { webSpec } from '../../../src/simulate/model/web-spec.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';
import { entryOf, NOON, testArchive } from '../archive/archive-fixture.ts';

const SPEC = { hosts: 4, pagesPerHost: 40, changingShare: 0.6, changesPerDay: [0.02, 2] } as const;
const open = (choice: SourceChoice, days?: number): Promise<LaboratorySource> =>
  openSource(choice, days, { clock: systemClock, standardInput: Readable.from([]), seed: 1 });

describe('a synthetic web without requests', () => {
  const web = new SyntheticWeb(webSpec(SPEC), { mode: 'names', port: 80, hostsPerAddress: 0 });

  test('the graph holds its pages and the links that may be followed', () => {
    const graph = graphOfWeb(web);
    assert.equal(graph.urls.length, 160);
    for (let page = 0; page < 160; page++) {
      const nature = web.nature(page, '');
      const linked = new Set(graph.targets.subarray(graph.starts[page], graph.starts[page + 1]));
      if (nature.kind === 'error') assert.equal(linked.size, 0);
      for (const to of linked) {
        const redirected = nature.kind === 'redirect' && nature.to === to;
        assert.ok(redirected || web.links(page).some((link) => link.to === to && !link.nofollow));
      }
    }
  });

  test('the changes are those that its pages show', () => {
    const { pages, from, to } = changesOfWeb(web, 20);
    assert.equal(to - from, 20 * 86_400_000);
    const byUrl = new Map(pages.map((page) => [page.url, page]));
    for (let page = 0; page < 160; page++) {
      const own = byUrl.get(web.url(page));
      if (own === undefined) assert.notEqual(web.nature(page, '').kind, 'page');
      else assert.equal(own.changes.length, web.versionAt(page, to - 1));
    }
    assert.ok(pages.some(({ changes }) => changes.length > 5));
  });
});

describe('experiments', () => {
  test('re-visits and orders over a synthetic web, the same each time', async () => {
    const run = async (): ReturnType<typeof runLaboratory> =>
      runLaboratory(await open({ spec: SPEC }, 20), {
        orders: ['breadth-first', 'opic'],
        policies: ['uniform', 'freshness'],
        budgets: [parseBudget('0.1'), parseBudget('80/day')],
        days: 20,
        seed: 3,
      });
    const report = await run();
    assert.deepEqual(await run(), report);
    assert.deepEqual(
      report.revisits.map(({ policy }) => policy),
      ['uniform', 'freshness', 'uniform', 'freshness'],
    );
    for (const { freshness, ageDays, requests, requestsPerDay, course } of report.revisits) {
      assert.ok(freshness > 0 && freshness < 1 && ageDays > 0);
      assert.ok(requests <= 20 * requestsPerDay * 1.05, `${requests} requests, ${requestsPerDay} a day`);
      assert.equal(
        course.reduce((sum, point) => sum + point.requests, 0),
        requests,
      );
    }
    assert.equal(report.revisits[2].requestsPerDay, 80);
    assert.ok(report.revisits[2].freshness > report.revisits[0].freshness, 'more visits, more freshness');
    for (const { course } of report.orders) {
      const ranks = course.map(({ pageRank }) => pageRank);
      assert.deepEqual(
        ranks,
        [...ranks].sort((one, other) => one - other),
      );
    }
    assert.equal(report.source.kind, 'synthetic web');
    assert.equal(report.source.days, 20);
  });

  test('a budget ends a crawl by an order; without one all is fetched', async () => {
    const source = await open({ spec: SPEC });
    const whole = await runLaboratory(source, { orders: ['breadth-first'], seed: 1 });
    const [all] = whole.orders;
    assert.ok(Math.abs((all.course.at(-1)?.pageRank ?? 0) - 1) < 0.2);
    const part = await runLaboratory(source, { orders: ['breadth-first'], budgets: [parseBudget('0.1')], seed: 1 });
    assert.equal(part.orders[0].requests, 16);
    assert.deepEqual(
      part.orders[0].course.at(-1),
      all.course.find(({ pages }) => pages === 16),
    );
    assert.deepEqual(part.revisits, []);
  });

  test('what a goal costs, with a curve by the formulas', async () => {
    const source = await open({ spec: { ...SPEC, hosts: 2 } }, 20);
    const { goals, forecast, revisits } = await runLaboratory(source, {
      policies: ['uniform'],
      goal: 0.8,
      seed: 1,
    });
    assert.deepEqual(revisits, []);
    const [{ requestsPerDay = 0, visitsPerPageAndDay = 0 }] = goals;
    assert.ok(requestsPerDay > 0 && forecast.length > 10);
    const measured = await runLaboratory(source, {
      policies: ['uniform'],
      budgets: [{ visitsPerPageAndDay }],
      seed: 1,
    });
    assert.ok(measured.revisits[0].freshness >= 0.8 && measured.revisits[0].freshness < 0.83);
  });

  test('a generated graph starts from its most popular page', async () => {
    const source = await open({ generate: 300 });
    const { orders, source: told } = await runLaboratory(source, { orders: ['pagerank'], seed: 1 });
    assert.deepEqual([told.kind, told.pages], ['generated graph', 300]);
    assert.ok(orders[0].requests > 250);
  });

  test('a focused crawl finds more of its topic than breadth-first', async () => {
    const source = await open({ topicWeb: 800 });
    const orders = ['breadth-first', 'topic'];
    const report = await runLaboratory(source, { orders, budgets: [parseBudget('0.2')], seed: 1 });
    const [breadth, topic] = report.orders.map(({ course }) => course.at(-1)?.harvestRate ?? 0);
    assert.ok(topic > 1.5 * breadth, `${topic} against ${breadth}`);
    assert.ok((report.orders[1].course.at(-1)?.recall ?? 0) <= 1);
  });

  for (const [name, choice, options, told] of [
    ['no changes', { spec: { hosts: 2 } }, { policies: ['uniform'] }, /Nothing is known of changes/],
    ['no such page', { spec: { hosts: 2 } }, { orders: ['opic'], start: ['http://x.test/'] }, /--start http:\/\/x/],
    ['two sources', { spec: {}, crawl: 'x' }, {}, /--spec and --crawl cannot/],
    ['a topic of nothing', { topic: 'silk' }, {}, /--topic looks into the pages/],
    ['pages without links', { nodes: 'x' }, {}, /no --graph/],
    ['no crawl', { crawl: 'nowhere' }, {}, /nowhere holds no crawl/],
    ['no WARC', { warc: ['nowhere.warc'] }, {}, /nowhere\.warc cannot be read/],
    ['a crawl and WARC files', { crawl: 'x', warc: ['y'] }, {}, /--crawl and --warc cannot/],
  ] as const) {
    test(`refused: ${name}`, async () => {
      const running = async (): Promise<unknown> => runLaboratory(await open(choice), { seed: 1, ...options });
      await assert.rejects(running, { message: told, remedy: /./ });
    });
  }
});

describe('reading', () => {
  test('leaves nothing behind where there is no crawl', async () => {
    using folder = temporaryFolder();
    await assert.rejects(open({ crawl: join(folder.path, 'nowhere') }), { code: 'FOLDER_NOT_A_CRAWL' });
    assert.deepEqual(readdirSync(folder.path), []);
  });

  test('a span that nobody can have watched is noted', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'ms.jsonl');
    writeFileSync(file, '{"url":"u","changes":[0,86400000,8640000000]}');
    const source = await open({ changes: [file] });
    const { notes } = await runLaboratory(source, { policies: ['uniform'], budgets: [parseBudget('0.01')], seed: 1 });
    assert.match(notes.join(), /spans 274 years.*"unit": "ms"/);
  });

  test('notes say what a heading has left out, and why numbers of pages differ', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'watched.jsonl');
    const lines = ['{"start":"2026-01-01","end":"2026-03-01"}', '{"url":"u","changes":["2025-01-01","2026-02-01"]}'];
    writeFileSync(file, [...lines, '{"url":"late","created":"2026-04-01","changes":[]}'].join('\n'));
    const options = { policies: ['uniform'], budgets: [parseBudget('0.01')], seed: 1 } as const;
    const cut = await runLaboratory(await open({ changes: [file] }), options);
    assert.match(cut.notes.join(), /changes: 1, and pages that came to be only afterwards: 1\.$/);
    const both = await runLaboratory(await open({ spec: SPEC }, 20), { ...options, orders: ['breadth-first'] });
    assert.match(both.notes.join(), new RegExp(`over the ${both.source.pages} pages .* over the 160 addresses`));
  });
});

describe('a topic in words', () => {
  test('pages are judged by what they say, links by what they promise', () => {
    const builder = new RecordedGraphBuilder();
    const about = ['spider silk threads', 'steam engines', 'silk of spiders', 'railway timetables', 'stations'];
    about.forEach((text, page) => {
      if (page > 0) builder.add(0, page, text);
    });
    const graph = { ...builder.build(about.map((_, page) => `http://a.test/${page}`)), texts: about };
    const pages = pagesAbout('spider silk', graph);
    assert.deepEqual(
      about.map((_, page) => pages.isOnTopic(page)),
      [true, false, true, false, false],
    );
    const { linkEnds, linkWords } = pages.features(0);
    assert.equal(linkEnds.length, 4);
    assert.ok(linkWords.length > 4);
  });
});

describe('a recorded crawl', () => {
  const folder = temporaryFolder();
  after(() => folder[Symbol.dispose]());
  const DAY = 86_400_000;

  test('links and versions from its archive, and links from its store once there is one', async () => {
    {
      await using archive = testArchive(`${folder.path}/archive`);
      const put = (url: string, day: number, raw: string): Promise<unknown> =>
        archive.put(entryOf({ url: url as CanonicalUrl, at: NOON + day * DAY, raw }));
      await put('http://a.test/', 0, '<a href="/b">b</a><a href="/c" rel=nofollow>c</a><a href="/never">n</a>');
      await put('http://a.test/b', 1, '<a href="/">a</a>');
      await put('http://a.test/c', 1, 'same');
      await put('http://a.test/b', 3, '<a href="/c">c</a> changed');
      await put('http://a.test/c', 4, 'same');
    }
    const source = await open({ crawl: folder.path });
    const graph = source.graph?.();
    assert.deepEqual(graph?.urls, ['http://a.test/', 'http://a.test/b', 'http://a.test/c']);
    assert.deepEqual([...(graph?.targets ?? [])], [1, 2]);
    const record = source.changes?.();
    assert.deepEqual(
      record?.pages.map(({ changes }) => changes),
      [[], [NOON + 3 * DAY], []],
    );
    assert.deepEqual([record?.from, record?.to], [NOON, NOON + 4 * DAY]);
    const files = readdirSync(join(folder.path, 'archive')).filter((name) => name.endsWith('.warc.gz'));
    const fromWarc = await open({ warc: files.map((name) => join(folder.path, 'archive', name)) });
    assert.deepEqual(fromWarc.graph?.(), graph);
    assert.deepEqual(fromWarc.changes?.(), record);
    {
      using store = new SqliteLinkStore(folder.path);
      const links = [{ url: 'http://a.test/b', text: 'b', nofollow: false }];
      store.addPage({ url: 'http://a.test/', host: 'a.test', at: NOON, links });
      store.addPage({ url: 'http://a.test/b', host: 'a.test', at: NOON, links: [] });
      await store.commit();
    }
    await assert.rejects(open({ crawl: folder.path, topic: 'b' }), { message: /no texts and no titles/ });
    const stored = (await open({ crawl: folder.path })).graph?.();
    assert.deepEqual([stored?.urls, [...(stored?.targets ?? [])]], [['http://a.test/', 'http://a.test/b'], [1]]);
  });
});
