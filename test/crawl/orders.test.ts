import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { createCrawl } from '../../src/index.ts';
import { generateGraph } from '../../src/laboratory/generated-graph.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { quickOrLong } from '../property-runs.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { crawlWeb, storedPages, temporaryFolder } from './crawl-web.ts';

const PLAIN = { ...PLAIN_SHARES, hosts: 3, pagesPerHost: quickOrLong(12, 30), pageBytes: [1500, 3000] } as const;
const HOME = 'http://site.test/';
/** The texts are short lists of words, which look like much else. */
const PLAINLY = { softNotFound: false, trapLearning: false, nearDuplicates: false, spam: false } as const;

/**
 * Time that goes by what a crawl does, and slowly. What waits gets other places every five seconds: on a busy machine that would be after
 * other pages than on an idle one.
 */
function countingClock(): Clock {
  let looks = 20 * Date.now();
  return { now: () => Math.floor(++looks / 20), sleep: systemClock.sleep };
}

describe('crawl orders', () => {
  for (const workers of quickOrLong([2], [0, 2])) {
    test(`best-first with ${workers} page threads crawls the same pages as any order, each once`, async () => {
      await using web = await startSyntheticWeb({ ...PLAIN, seed: 9 });
      using folder = temporaryFolder();
      await crawlWeb(web, folder.path, { delay: 0, order: 'best-first', workers });
      const { mismatches } = comparison(
        storedPages(folder.path),
        truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored'),
      );
      assert.deepEqual(mismatches, []);
    });
  }

  test('a page that many link to comes before those that were found earlier, and explain tells why', async () => {
    using folder = temporaryFolder();
    const names = Array.from({ length: 20 }, (_, i) => `${HOME}p${i}`);
    const popular = `${HOME}popular`;
    const { asked } = await crawlAnyHosts(
      ({ href, pathname }) => {
        if (pathname === '/robots.txt') return undefined;
        if (href === HOME) return pageOf(href, textOf(href), [...names, popular]);
        // The first pages all speak of the one that was named last.
        return pageOf(href, textOf(href), href === popular ? [] : [popular]);
      },
      folder.path,
      [HOME],
      { order: 'in-degree', maxPages: 12 },
    );
    const pages = asked.filter((url) => !url.endsWith('robots.txt'));
    assert.ok(pages.indexOf(popular) > 0 && pages.indexOf(popular) < 6, `place ${pages.indexOf(popular)}`);
    using reader = new CrawlReader(folder.path);
    const waiting = names.find((name) => !pages.includes(name)) as string;
    const { page } = await reader.explain(waiting);
    assert.match(String(page?.place?.why), /link/);
  });

  test('the priorities of a sitemap decide where nothing else does', async () => {
    using folder = temporaryFolder();
    const names = Array.from({ length: 20 }, (_, i) => `${HOME}p${i}`);
    const entries = names.map(
      (name, i) => `<url><loc>${name}</loc><priority>${i === 13 ? '1.0' : '0.3'}</priority></url>`,
    );
    const { asked } = await crawlAnyHosts(
      ({ href, pathname }) => {
        if (pathname === '/robots.txt') return { body: `Sitemap: ${HOME}sitemap.xml` };
        if (pathname === '/sitemap.xml')
          return { headers: { 'content-type': 'application/xml' }, body: `<urlset>${entries.join('')}</urlset>` };
        return pageOf(href, textOf(href), href === HOME ? names : []);
      },
      folder.path,
      [HOME],
      { order: 'best-first', maxPages: 8, sitemaps: 'robots' },
    );
    const pages = asked.filter((url) => names.includes(url));
    assert.ok(pages.indexOf(names[13]) >= 0 && pages.indexOf(names[13]) < 3, pages.join(' '));
  });

  test('a crawl goes on in its order after a restart', async () => {
    await using web = await startSyntheticWeb({ ...PLAIN, seed: 10 });
    using folder = temporaryFolder();
    const order = 'pagerank:2,depth:1';
    await crawlWeb(web, folder.path, { delay: 0, order, maxPages: quickOrLong(16, 40) });
    await crawlWeb(web, folder.path, { delay: 0, order });
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored');
    assert.deepEqual(comparison(storedPages(folder.path), expected).mismatches, []);
  });

  describe('a crawl that was stopped half way takes the course that it would have taken', () => {
    const { urls, starts, targets } = generateGraph({ pages: 240, seed: 4, pagesPerHost: 240 });
    const numbers = new Map(urls.map((url, page) => [url, page]));
    const site = ({ href }: URL) => {
      const page = numbers.get(href);
      if (page === undefined) return undefined;
      const links = Array.from(targets.subarray(starts[page], starts[page + 1]), (target) => urls[target]);
      return pageOf(`page ${page}`, textOf(href), links);
    };
    const run = async (folder: string, maxPages: number): Promise<readonly string[]> => {
      const settings = { order: 'best-first', concurrency: 1, ...PLAINLY, maxPages };
      const { asked } = await crawlAnyHosts(site, folder, [urls[0]], settings, countingClock());
      return asked.filter((url) => !url.endsWith('/robots.txt'));
    };
    const whole = temporaryFolder();
    const half = temporaryFolder();
    let expected: readonly string[] = [];
    let first: readonly string[] = [];
    before(async () => {
      expected = await run(whole.path, 100);
      first = await run(half.path, 50);
    });
    after(() => {
      for (const folder of [whole, half]) folder[Symbol.dispose]();
    });

    for (const kept of quickOrLong(['links'], ['links', 'documents alone']))
      test(`by the ${kept} it has kept`, async () => {
        using halves = temporaryFolder();
        cpSync(half.path, halves.path, { recursive: true });
        if (kept === 'links') await followCrawl(halves.path, { mode: 'catch-up' });
        const asked = [...first, ...(await run(halves.path, 100))];
        assert.deepEqual(asked.slice(0, 50), expected.slice(0, 50));
        const both = asked.filter((url) => expected.includes(url)).length;
        assert.ok(both >= 0.95 * expected.length, `${both} of ${expected.length} pages are the same`);
        const shifts = asked.flatMap((url, at) =>
          expected.includes(url) ? [Math.abs(expected.indexOf(url) - at)] : [],
        );
        const mean = shifts.reduce((sum, shift) => sum + shift, 0) / shifts.length;
        assert.ok(mean < 4, `${mean} places apart`);
        using one = new CrawlReader(whole.path);
        using other = new CrawlReader(halves.path);
        const differing: string[] = [];
        let waiting = 0;
        for (const url of urls) {
          const before = (await one.explain(url)).page?.place?.why;
          const after = (await other.explain(url)).page?.place?.why;
          if (before === undefined || after === undefined) continue;
          waiting++;
          if (countedIn(before) !== countedIn(after)) differing.push(`${url}: ${before} | ${after}`);
        }
        assert.ok(waiting > 60 && differing.length < 0.05 * waiting, differing.join('\n'));
      });
  });

  describe('another order at a resume', () => {
    const parts = ['a', 'news'] as const;
    const paths = Array.from({ length: 8 }, (_, at) => parts.map((part) => `${part}/${at}`)).flat();
    const ALL = 1 + 2 * paths.length;
    /** A front page with sixteen links, and a page below each of them. */
    const site = ({ href, pathname }: URL) => {
      if (pathname === '/robots.txt') return undefined;
      if (href === HOME)
        return pageOf(
          href,
          textOf(href),
          paths.map((path) => HOME + path),
        );
      return pageOf(href, textOf(href), pathname.endsWith('/sub') ? [] : [HOME, `${href}/sub`]);
    };
    const run = async (folder: string, settings: object) => {
      const { asked } = await crawlAnyHosts(site, folder, [HOME], { concurrency: 1, ...PLAINLY, ...settings });
      return asked.filter((url) => !url.endsWith('/robots.txt'));
    };
    const runs: readonly (readonly [string, object, object, (url: string, at: number) => boolean])[] = [
      [
        'a boost that is new',
        { order: 'best-first' },
        { order: 'best-first', boost: { '/news/*': 20 } },
        (url) => url.includes('/news/'),
      ],
      [
        'a boost that is another',
        { order: 'best-first', boost: { '/news/*': 20 } },
        { order: 'best-first', boost: { '/a/*': 20 } },
        (url) => url.includes('/a/'),
      ],
      [
        'a boost of breadth-first',
        { order: 'breadth-first' },
        { order: 'breadth-first', boost: { '/news/*': 50 } },
        (url) => url.includes('/news/'),
      ],
      [
        'breadth-first, then a mix',
        { order: 'breadth-first' },
        { order: 'path-depth' },
        (url) => !url.endsWith('/sub'),
      ],
      ['a mix, then breadth-first', { order: 'boost', boost: { '*/sub': 9 } }, {}, (url) => !url.endsWith('/sub')],
      [
        'best-first, then depth-first',
        { order: 'best-first' },
        { order: 'depth-first' },
        (url, at) => url.endsWith('/sub') || at > 0,
      ],
      ['depth-first, then breadth-first', { order: 'depth-first' }, {}, (url) => !url.endsWith('/sub')],
    ];
    // Every other of them, and all in the long run.
    for (const [name, before, after, isSooner] of runs.filter((_, at) => quickOrLong(at % 2 === 1, true)))
      test(`${name}: what waits gets places by it, and nothing is lost or asked for twice`, async () => {
        using folder = temporaryFolder();
        const first = await run(folder.path, { ...before, maxPages: 8 });
        const second = await run(folder.path, { ...after, maxPages: 12 });
        assert.equal(second.length, 4);
        assert.deepEqual(
          second.filter((url, at) => !isSooner(url, at)),
          [],
        );
        const third = await run(folder.path, after);
        const all = [...first, ...second, ...third];
        assert.equal(all.length, ALL);
        assert.equal(new Set(all).size, ALL);
      });

    for (const [before, after, said] of [
      ['best-first', 'breadth-first', /^breadth-first: depth 1$/],
      ['breadth-first', 'in-degree', /^\d+ pages? links? here$/],
      ['in-degree', 'in-degree:1,depth:2', /^\d+ pages? links? here, depth 1$/],
    ] as const)
      test(`${before}, then ${after}: explain tells the new reason`, async () => {
        using folder = temporaryFolder();
        const first = await run(folder.path, { order: before, maxPages: 6 });
        const second = await run(folder.path, { order: after, maxPages: 7 });
        const waiting = paths.map((path) => HOME + path).filter((url) => ![...first, ...second].includes(url));
        using reader = new CrawlReader(folder.path);
        for (const url of waiting) assert.match(String((await reader.explain(url)).page?.place?.why), said);
      });

    test('a stop that is asked for while the order is restored takes effect there, and nothing is lost', async () => {
      using folder = temporaryFolder();
      const first = await run(folder.path, { order: 'best-first', maxPages: 11 });
      const stopped = await createCrawl({ folder: folder.path, seeds: [HOME], order: 'best-first', workers: 0 });
      let seen = 0;
      using _heard = stopped.on('settled', () => seen++);
      setImmediate(() => stopped.stop());
      const { ended } = await stopped.run();
      await stopped[Symbol.asyncDispose]();
      assert.deepEqual([ended, seen], ['stopped', 0]);
      const rest = await run(folder.path, { order: 'best-first' });
      assert.equal(new Set([...first, ...rest]).size, ALL);
      assert.equal(first.length + rest.length, ALL);
    });
  });

  test('a boost takes the patterns of include, with a query too; one that cannot be read is told', async () => {
    using folder = temporaryFolder();
    const open = (boost: Record<string, number>) =>
      createCrawl({ folder: folder.path, seeds: [HOME], order: 'best-first', boost, workers: 0 });
    await assert.rejects(open({ 're:(': 2 }), { code: 'SETTING_INVALID', message: /re:\(/ });
    await (await open({ '/list?page=2': 5, 're:x$': -1 }))[Symbol.asyncDispose]();
  });

  test('an order that cannot be read is told before anything is opened', async () => {
    using folder = temporaryFolder();
    await assert.rejects(createCrawl({ folder: folder.path, seeds: [HOME], order: 'best' }), {
      code: 'SETTING_INVALID',
    });
  });
});

describe('focused crawls', () => {
  const spiders = 'spider silk web orb weaver legs prey venom spinneret jumping hunting';
  const cars = 'engine wheel motor gearbox brake tyre clutch diesel exhaust piston';
  /** Ten pages on spiders behind one on cars, and a hundred on cars beside it. */
  const site = ({ href, pathname }: URL) => {
    if (pathname === '/robots.txt') return undefined;
    const [, kind = '', number = ''] = /^\/(spiders|cars)-(\d+)$/.exec(pathname) ?? [];
    const words = kind === 'spiders' ? spiders : cars;
    const text = Array.from(
      { length: 120 },
      (_, i) => words.split(' ')[(i * 7 + Number(number) * 3 + (i >> 3)) % 10],
    ).join(' ');
    const at = Number(number);
    const links =
      href === HOME
        ? [...Array.from({ length: 40 }, (_, i) => `/cars-${i}`), '/spiders-0']
        : kind === 'spiders'
          ? [`/spiders-${at + 1}`, `/cars-${at + 50}`].filter((link) => link !== '/spiders-20')
          : [`/cars-${at + 100}`];
    return at > 400
      ? undefined
      : pageOf(
          `${kind} ${number}`,
          text,
          links.map((link) => new URL(link, HOME).href),
        );
  };

  test('pages on topic come first; those in a row off topic are left alone, with the reason', async () => {
    using folder = temporaryFolder();
    const { asked, summary } = await crawlAnyHosts(site, folder.path, [HOME], {
      topic: 'orb weaver spiders, their silk and webs',
      tunnel: 1,
      ...PLAINLY,
    });
    const pages = asked.map((url) => new URL(url).pathname).filter((path) => path !== '/robots.txt');
    const onTopic = pages.slice(0, 25).filter((path) => path.startsWith('/spiders')).length;
    assert.ok(onTopic >= 15, `${onTopic} of the first 25: ${pages.slice(0, 25).join(' ')}`);
    assert.equal(pages.filter((path) => path.startsWith('/spiders')).length, 20, 'all of them are found');
    assert.ok((summary.refused.topic ?? 0) > 0);
    using reader = new CrawlReader(folder.path);
    const { page } = await reader.explain(`${HOME}spiders-3`);
    assert.ok((page?.facts?.topic?.relevance ?? 0) >= 0.5);
  });

  test('sample pages stand for a description', async () => {
    using folder = temporaryFolder();
    const { asked } = await crawlAnyHosts(site, folder.path, [HOME], {
      like: [`${HOME}spiders-5`],
      maxPages: 20,
      ...PLAINLY,
    });
    const onTopic = asked.filter((url) => url.includes('/spiders-')).length;
    assert.ok(onTopic >= 8, `${onTopic} of ${asked.length}`);
  });

  test('a crawl without harvest ends', async () => {
    using folder = temporaryFolder();
    const { summary } = await crawlAnyHosts(site, folder.path, [HOME], {
      topic: 'baroque music of Venice',
      dryAfter: 20,
      ...PLAINLY,
    });
    assert.equal(summary.ended, 'limit: dry-after');
  });
});

/** What is known of the URL itself, without what changes with every visit: the words tell what was known at its last move. */
function countedIn(why: string): string {
  return why.replace(/^PageRank .*of its host visited, /, '');
}

function comparison(found: readonly string[], expected: Iterable<string>): { readonly mismatches: readonly string[] } {
  const wanted = new Set(expected);
  const there = new Set(found);
  const missing = [...wanted].filter((url) => !there.has(url)).map((url) => `missing ${url}`);
  return { mismatches: [...missing, ...found.filter((url) => !wanted.has(url)).map((url) => `too many ${url}`)] };
}
