import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TableRow } from '../../src/contracts/site-report.ts';
import { reportPath } from '../../src/crawl/crawl-folder.ts';
import { linksOf, makeReport } from '../../src/crawl/report/site/make-report.ts';
import { REPORT_COLUMNS } from '../../src/crawl/report/site/report-columns.ts';
import { readFilter } from '../../src/crawl/report/site/report-filter.ts';
import { REPORT_VIEWS } from '../../src/crawl/report/site/report-views.ts';
import { readQuery, SiteReport } from '../../src/crawl/report/site/site-report.ts';
import { updateIndex } from '../../src/index.ts';
import { type Truth, truth } from '../../src/simulate/model/truth.ts';
import { RICH_WEB } from '../../src/simulate/model/web-presets.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

/** All columns of a view, by URL. */
async function rowsOf(
  report: SiteReport,
  view: string,
  filters: readonly string[] = [],
): Promise<Map<string, TableRow>> {
  const columns = REPORT_COLUMNS.map(({ name }) => name);
  const rows = new Map<string, TableRow>();
  for await (const row of report.rows(readQuery({ view, filters: filters.map(readFilter), columns })))
    rows.set(String(row.url), row);
  return rows;
}

describe('The site report of a synthetic web', () => {
  const folder = temporaryFolder();
  let web: WebServer;
  let expected: Truth;
  let report: SiteReport;

  before(async () => {
    web = await startSyntheticWeb({
      ...RICH_WEB,
      ...{ hosts: 8, pagesPerHost: 25, seed: 14, retryAfterSeconds: 1, pageBytes: [1_000, 6_000], changingShare: 0 },
      // Every page is crawled, so that each view can be told from the model.
      sites: { mirror: 0, sitemap: 0, feed: 0, softNotFound: 0, validators: 0 },
      pages: { ...RICH_WEB.pages, redirectLoop: 0.04, tooManyRequests: 0, unavailable: 0 },
    });
    await crawlWeb(web, folder.path, { softNotFound: false, spam: 'off' } as object);
    await updateIndex(folder.path);
    makeReport(folder.path);
    report = SiteReport.open(reportPath(folder.path), () => linksOf(folder.path))!;
    expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  });
  after(async () => {
    report?.[Symbol.dispose]();
    await web[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('pages, redirects, broken and blocked URLs are those of the model', async () => {
    const fates = { pages: 'stored', redirects: 'redirected', broken: 'failed', robots: 'disallowed' } as const;
    for (const [view, fate] of Object.entries(fates)) {
      const urls = [...(await rowsOf(report, view)).keys()].sort();
      assert.deepEqual(urls, expected.urls(fate).sort(), view);
      assert.ok(urls.length > 0, `the web has none: ${view}`);
    }
  });

  test('each view counts its rows', async () => {
    for (const view of REPORT_VIEWS)
      assert.equal((await rowsOf(report, view.name)).size, report.count(view), view.name);
  });

  test('redirects are followed to their ends, loops and errors told', async () => {
    const ends = new Map<string, string>();
    for (const page of expected.pages('redirected')) {
      const seen = new Set<number>();
      let at = page;
      for (let nature = web.web.nature(at, 'orbweaver'); nature.kind === 'redirect' && !seen.has(at); ) {
        seen.add(at);
        at = nature.to;
        nature = web.web.nature(at, 'orbweaver');
      }
      const isLoop = seen.has(at);
      const fate = expected.fate(at);
      const end = isLoop ? 'loop' : fate === 'stored' ? 'page' : fate === 'failed' ? 'broken' : 'refused';
      ends.set(web.web.url(page), `${seen.size} ${end} ${isLoop ? undefined : web.web.url(at)}`);
    }
    const told = new Map<string, string>();
    for (const [url, { redirects, redirectEnd, finalUrl }] of await rowsOf(report, 'redirects'))
      told.set(url, `${redirects} ${redirectEnd} ${finalUrl}`);
    assert.deepEqual([...told].sort(), [...ends].sort());
    const chains = [...ends].filter(([, end]) => !end.startsWith('1 ') || /^\d+ (loop|broken)/.test(end));
    assert.deepEqual([...(await rowsOf(report, 'chains')).keys()].sort(), chains.map(([url]) => url).sort());
    assert.ok(
      [...ends.values()].some((end) => end.includes('loop')),
      'the web has no loop',
    );
  });

  test('in-links and the pages that hold them are those of the model', async () => {
    const holders = new Map<string, Set<string>>();
    // A copy is not read: its links are those of its original.
    const stored = await rowsOf(report, 'pages', ['outcome!=duplicate']);
    for (const page of expected.pages('stored')) {
      const from = web.web.url(page);
      if (!stored.has(from)) continue;
      for (const { to, element } of web.web.links(page)) {
        if (element === 'canonical' || element === 'alternate' || element === 'feed') continue;
        const url = web.web.url(to);
        holders.set(url, (holders.get(url) ?? new Set()).add(from));
      }
    }
    for (const [url, { inLinks }] of await rowsOf(report, 'broken')) {
      const told = new Set<string>();
      for await (const { from } of report.linksTo(url)) told.add(from);
      const pages = [...(holders.get(url) ?? [])].filter((from) => from !== url);
      assert.ok(
        pages.every((from) => told.has(from)),
        `${url}: ${pages.filter((from) => !told.has(from))}`,
      );
      assert.ok(Number(inLinks) >= pages.length, url);
    }
    for (const [url, { inLinks }] of await rowsOf(report, 'visited'))
      if (!holders.has(url)) assert.equal(inLinks, 0, url);
  });

  test('exact copies are in one group, with their original', async () => {
    const documents = Map.groupBy(expected.pages('stored'), (page) => {
      const nature = web.web.nature(page, 'orbweaver');
      return nature.kind === 'page' ? nature.document : -1;
    });
    const groups = [...documents.values()].filter((pages) => pages.length > 1);
    assert.ok(groups.length > 0, 'the web has no copies');
    const rows = await rowsOf(report, 'duplicates');
    for (const group of groups)
      for (const page of group)
        assert.ok(Number(rows.get(web.web.url(page))?.duplicates) >= group.length, web.web.url(page));
  });

  test('titles: as the pages have them, and how many share one', async () => {
    const rows = await rowsOf(report, 'pages', ['mediaType=text/html']);
    const counts = Map.groupBy(rows.values(), ({ title }) => String(title ?? '').toLowerCase());
    for (const [url, { title, sameTitle = 1 }] of rows)
      assert.equal(sameTitle, title === undefined ? 1 : counts.get(String(title).toLowerCase())?.length, url);
    const repeated = [...rows].filter(
      ([, { title }]) => title && (counts.get(String(title).toLowerCase())?.length ?? 0) > 1,
    );
    assert.deepEqual([...(await rowsOf(report, 'titles-repeated')).keys()].sort(), repeated.map(([url]) => url).sort());
  });

  test('noindex and status', async () => {
    const noindex = Array.from(expected.pages('stored')).filter((page) => {
      const nature = web.web.nature(page, 'orbweaver');
      return nature.kind === 'page' && nature.noindex;
    });
    const urls = [...(await rowsOf(report, 'noindex')).keys()];
    assert.deepEqual(urls.sort(), noindex.map((page) => web.web.url(page)).sort());
    for (const [url, { status, outcome }] of await rowsOf(report, 'visited')) {
      if (outcome === 'stored' || outcome === 'duplicate') assert.equal(status, 200, url);
    }
  });

  test('the report made again is the same, row by row', async () => {
    const before = await rowsOf(report, 'all');
    makeReport(folder.path);
    using again = SiteReport.open(reportPath(folder.path))!;
    assert.deepEqual(await rowsOf(again, 'all'), before);
  });
});
