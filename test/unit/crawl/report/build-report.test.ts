import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { TableRow } from '../../../../src/contracts/site-report.ts';
import type { KnownUrl } from '../../../../src/contracts/state/known-url.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { buildReport, type ReportParts } from '../../../../src/crawl/report/site/build-report.ts';
import { readFilter } from '../../../../src/crawl/report/site/report-filter.ts';
import { readQuery, SiteReport } from '../../../../src/crawl/report/site/site-report.ts';
import { createTable } from '../../../../src/engines/open-table.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { known, linked, page } from './known-urls.ts';

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
let made = 0;

function reportOf(urls: readonly KnownUrl[], inLinks?: ReportParts['inLinks']): SiteReport {
  const path = join(folder.path, String(made++), 'report.db');
  buildReport({ path, urls, signature: '', now: () => 0, ...(inLinks === undefined ? {} : { inLinks }) });
  return SiteReport.open(path)!;
}

async function rows(
  report: SiteReport,
  view: string,
  columns: readonly string[],
  filters: readonly string[] = [],
  sort = 'url',
) {
  const found: TableRow[] = [];
  for await (const row of report.rows(readQuery({ view, columns, sort, filters: filters.map(readFilter) })))
    found.push(row);
  return found;
}

async function paths(report: SiteReport, view: string, ...filters: string[]): Promise<string[]> {
  return (await rows(report, view, ['url'], filters)).map(({ url }) => new URL(String(url)).pathname);
}

describe('buildReport', () => {
  test('each URL is in the views that it belongs to', async () => {
    using report = reportOf(
      [
        page('/', {}, { foundBy: 'seed', depth: 0 }),
        page('/orphan', {}, { foundBy: 'sitemap' }),
        page('/linked', { canonical: 'http://site.test/' }),
        page('/no-title', { title: '  ' }),
        page('/no-description', { about: { textLength: 1, words: 1 } }),
        page('/unread', { title: 'Unread', about: undefined as never }),
        page('/slow', { fetchMs: 1000 }),
        page('/hidden', { noindex: true, directives: ['META robots: noindex'] }),
        page('/file.pdf', { mediaType: 'application/pdf', title: '' }, { foundBy: 'sitemap' }),
        known('/asks-not-to', { outcome: { kind: 'refused', by: 'directive', rule: 'X-Robots-Tag: noindex' } }),
        known('/forbidden', { outcome: { kind: 'refused', by: 'robots', rule: 'Disallow: /' } }),
        known('/gone', { outcome: { kind: 'gone', status: 404 }, status: 404 }),
        known('/unreachable', { outcome: { kind: 'failed', code: 'connection-refused' } }),
        known('/waiting'),
        known('http://else.test/', { state: 'refused-link', outcome: { kind: 'refused', by: 'scope', rule: 'host' } }),
      ],
      linked({
        '/linked': 2,
        '/no-title': 1,
        '/no-description': 1,
        '/unread': 1,
        '/slow': 1,
        '/hidden': 1,
        '/gone': 7,
      }),
    );
    assert.deepEqual(await paths(report, 'orphans'), ['/orphan']);
    assert.deepEqual(await paths(report, 'canonicalised'), ['/linked']);
    assert.deepEqual(await paths(report, 'titles-missing'), ['/no-title']);
    assert.deepEqual(await paths(report, 'descriptions-missing'), ['/no-description']);
    assert.deepEqual(await paths(report, 'slow'), ['/slow']);
    assert.deepEqual(await paths(report, 'noindex'), ['/asks-not-to', '/hidden']);
    assert.deepEqual(await paths(report, 'robots'), ['/forbidden']);
    assert.deepEqual(await paths(report, 'broken'), ['/gone', '/unreachable']);
    assert.deepEqual(await paths(report, 'waiting'), ['/waiting']);
    assert.deepEqual(await paths(report, 'refused'), ['/', '/asks-not-to']);
    assert.equal((await paths(report, 'visited')).length, 13);
    assert.equal((await paths(report, 'all')).length, 15);
    assert.deepEqual(await rows(report, 'broken', ['url', 'status', 'detail', 'inLinks'], [], '-inLinks'), [
      { url: 'http://site.test/gone', status: 404, detail: undefined, inLinks: 7 },
      { url: 'http://site.test/unreachable', status: undefined, detail: 'connection-refused', inLinks: 0 },
    ]);
  });

  test('without links nothing is said of them', async () => {
    using report = reportOf([page('/a', {}, { foundBy: 'sitemap' })]);
    assert.deepEqual(await rows(report, 'all', ['inLinks']), [{ inLinks: undefined }]);
    assert.deepEqual(await paths(report, 'orphans'), []);
    assert.equal(report.about.hasLinks, false);
  });

  test('chains: their length, where they end, and loops', async () => {
    const redirect = (from: string, to: string): KnownUrl =>
      known(from, { outcome: { kind: 'redirected', to: `http://site.test${to}` }, status: 301 });
    using report = reportOf([
      page('/end'),
      redirect('/one', '/end#part'),
      redirect('/two', '/one'),
      redirect('/to-gone', '/gone'),
      known('/gone', { outcome: { kind: 'gone', status: 410 }, status: 410 }),
      redirect('/loop', '/pool'),
      redirect('/pool', '/loop'),
      redirect('/into-loop', '/loop'),
      redirect('/itself', '/itself'),
      redirect('/nowhere', '/never-seen'),
      redirect('/later', '/waits'),
      known('/waits'),
    ]);
    const told = await rows(report, 'redirects', ['url', 'redirects', 'redirectEnd', 'finalUrl', 'finalStatus']);
    const lines = told.map(({ url, redirects, redirectEnd, finalUrl, finalStatus }) =>
      [url, redirects, redirectEnd, finalUrl ?? '-', finalStatus ?? '-'].join(' ').replaceAll('http://site.test', ''),
    );
    assert.deepEqual(lines, [
      '/into-loop 20 loop - -',
      '/itself 1 loop - -',
      '/later 1 waiting /waits -',
      '/loop 2 loop - -',
      '/nowhere 1 unknown /never-seen -',
      '/one 1 page /end 200',
      '/pool 2 loop - -',
      '/to-gone 1 broken /gone 410',
      '/two 2 page /end 200',
    ]);
    assert.deepEqual(await paths(report, 'chains'), ['/into-loop', '/itself', '/loop', '/pool', '/to-gone', '/two']);
  });

  test('duplicates are one group over any number of steps', async () => {
    const copy = (path: string, of: string): KnownUrl =>
      page(path, {}, { outcome: { kind: 'duplicate', of: `http://site.test${of}` as CanonicalUrl } });
    using report = reportOf([
      page('/a'),
      copy('/b', '/a'),
      copy('/c', '/b'),
      page('/near', { nearDuplicateOf: { url: 'http://site.test/c' as CanonicalUrl, jaccard: 0.9 } }),
      page('/alone'),
      copy('/of-the-unknown', '/unknown'),
    ]);
    assert.deepEqual(await rows(report, 'duplicates', ['url', 'duplicates']), [
      ...['/a', '/b', '/c', '/near'].map((path) => ({ url: `http://site.test${path}`, duplicates: 4 })),
    ]);
  });

  test('titles and descriptions that pages share', async () => {
    const described = (description: string) => ({ about: { textLength: 1, words: 1, description } });
    using report = reportOf([
      page('/1', { title: 'Shop', ...described('Same') }),
      page('/2', { title: ' SHOP ', ...described('Other') }),
      page('/3', { title: 'Shop now', ...described('Same') }),
      page('/4.pdf', { title: 'Shop', mediaType: 'application/pdf' }),
      known('/5', { outcome: { kind: 'gone', status: 404 }, facts: page('/x', { title: 'Shop' }).facts! }),
    ]);
    assert.deepEqual(await rows(report, 'titles-repeated', ['url', 'sameTitle']), [
      { url: 'http://site.test/1', sameTitle: 2 },
      { url: 'http://site.test/2', sameTitle: 2 },
    ]);
    assert.deepEqual(await paths(report, 'descriptions-repeated'), ['/1', '/3']);
  });

  test('a URL that comes twice counts once, as it came first', async () => {
    using report = reportOf([page('/a', { title: 'First' }), known('/a'), known('/b'), known('/b', { depth: 9 })]);
    assert.deepEqual(await rows(report, 'all', ['title', 'depth']), [
      { title: 'First', depth: 1 },
      { title: undefined, depth: 1 },
    ]);
  });

  test('filters as people type them', async () => {
    using report = reportOf([
      page('/a', { bytes: 200_000, title: 'Ein Haus' }, { depth: 0, visitedAt: Date.UTC(2026, 10, 14, 23, 59, 59) }),
      page('/b', { title: '' }, { depth: 3, visitedAt: Date.UTC(2026, 10, 15, 12) }),
      known('/c', { outcome: { kind: 'gone', status: 410 }, status: 410, depth: 5 }),
      known('/d'),
    ]);
    const asked: Readonly<Record<string, string>> = {
      'status=200': '/a /b',
      'status=4xx': '/c',
      'status!=200': '/c /d',
      'STATUS>=400': '/c',
      'status=': '/d',
      'depth<=3': '/a /b /d',
      'depth>3': '/c',
      'depth < 1': '/a',
      'bytes>=200k': '/a',
      'bytes<0.2M': '/b',
      'title~HAUS': '/a',
      'title!~haus': '/b /c /d',
      'title^=ein ': '/a',
      'title=ein haus': '/a',
      'title=': '/b /c /d',
      'title!=': '/a',
      'url~/A': '/a',
      'outcome=gone': '/c',
      'outcome!=waiting': '/a /b /c',
      'visitedAt=2026-11-15': '/b',
      'visitedAt<2026-11-15': '/a',
      'visitedAt>2026-11-14': '/b',
      'visitedAt>=2026-11-15T12:00': '/b',
    };
    for (const [filter, expected] of Object.entries(asked))
      assert.equal((await paths(report, 'all', filter)).join(' '), expected, filter);
    assert.deepEqual(await paths(report, 'all', 'depth<=3', 'status=200', 'title!='), ['/a']);
  });

  test('what there is not is refused with a remedy', () => {
    for (const text of [
      '',
      'status',
      'nothing=1',
      'title<3',
      'status~4',
      'status=many',
      'visitedAt=soon',
      'depth>',
      'finalUrl~x',
    ])
      assert.throws(() => readFilter(text), { code: 'USAGE' }, text);
    assert.throws(() => readFilter('x'.repeat(100_000)), { code: 'USAGE' });
    assert.throws(() => readQuery({ view: 'nothing', filters: [] }), /The views are|no view/);
    assert.throws(() => readQuery({ view: 'all', filters: [], columns: ['url', 'nothing'] }), { code: 'USAGE' });
    assert.throws(() => readQuery({ view: 'all', filters: [], sort: '-finalUrl' }), { code: 'USAGE' });
  });

  test('a report of other columns is made again, not misread; so is one that is damaged', () => {
    const path = join(folder.path, 'other', 'report.db');
    assert.equal(SiteReport.open(path), undefined);
    using writer = createTable(path, [{ name: 'url', kind: 'text' }], ['all']);
    writer.publish({});
    assert.equal(SiteReport.open(path), undefined);
    writeFileSync(path, 'no table');
    assert.equal(SiteReport.open(path), undefined);
    buildReport({ path, urls: [known('/a')], signature: '', now: () => 0 });
    using report = SiteReport.open(path);
    assert.ok(report !== undefined);
  });
});
