import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { switchesPath, writeSwitches } from '../../src/crawl/learning/switches.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const SITE = 'http://site.test/';
const PATTERN = 'site.test/list/*{n}';

describe('what a crawl holds back is not lost', () => {
  const pages = Array.from({ length: 12 }, (_, i) => `${SITE}list/page-${i}`);
  /** A page with links into a folder that somebody has closed. */
  const site = ({ href, pathname }: URL) =>
    href === SITE || pathname.startsWith('/list/') ? pageOf(href, textOf(href), href === SITE ? pages : []) : undefined;

  test('URLs held by hand come back when the switch is taken back, also beyond the refusals that are recorded', async () => {
    using folder = temporaryFolder();
    writeSwitches(folder.path, { traps: { [PATTERN]: 'hold' }, mirrors: {} });
    const first = await crawlAnyHosts(site, folder.path, [SITE], { recordRefusals: 2 });
    assert.equal(first.summary.pages, 1);
    assert.equal(first.summary.refused.trap, pages.length);

    rmSync(switchesPath(folder.path));
    const second = await crawlAnyHosts(site, folder.path, [SITE], { recordRefusals: 2 });
    assert.equal(second.summary.pages, 1 + pages.length);
    assert.deepEqual(storedPages(folder.path).sort(), [SITE, ...pages].sort());
  });

  test('a switch that another file no longer names is taken back as well', async () => {
    using folder = temporaryFolder();
    writeSwitches(folder.path, { traps: { [PATTERN]: 'hold' }, mirrors: {} });
    assert.equal((await crawlAnyHosts(site, folder.path, [SITE])).summary.pages, 1);
    writeSwitches(folder.path, { traps: {}, mirrors: {} });
    const { summary } = await crawlAnyHosts(site, folder.path, [SITE]);
    assert.equal(summary.pages, 1 + pages.length);
  });
});

test('pages of a domain beyond its budget come in by as many as a raised budget has room for', async () => {
  using folder = temporaryFolder();
  const other = 'http://other.test/';
  const pages = Array.from({ length: 20 }, (_, i) => `${other}${i}`);
  const web = ({ href, host }: URL) =>
    host === 'site.test' || host === 'other.test' ? pageOf(href, textOf(href), href === SITE ? pages : []) : undefined;
  const budget = { domainPagesPerLink: 0, softNotFound: false };
  const first = await crawlAnyHosts(web, folder.path, [SITE], { ...budget, domainPages: 5 });
  assert.equal(first.summary.pages, 1 + 5);
  const second = await crawlAnyHosts(web, folder.path, [SITE], { ...budget, domainPages: 12 });
  assert.equal(second.summary.pages, 1 + 12);
});

test('a host that asks for patience when it is probed gets it', async () => {
  using folder = temporaryFolder();
  const known = new Set(['/', '/a', '/b', '/c', '/d']);
  const { asked, summary } = await crawlAnyHosts(
    ({ href, pathname }) => {
      if (pathname === '/robots.txt') return undefined;
      // A title like that of an error over a long text is a cause to ask for a page that cannot exist.
      if (known.has(pathname))
        return pageOf(
          'Page not found',
          textOf(href, 400),
          [...known].map((path) => `http://site.test${path}`),
        );
      return { status: 503, headers: { 'retry-after': '36000' }, body: 'busy' };
    },
    folder.path,
    [SITE],
  );
  // Not by time: on a busy machine that would be over before the probe.
  assert.equal(summary.ended, 'limit: max-wait');
  const probe = asked.findIndex((url) => !known.has(new URL(url).pathname) && !url.endsWith('/robots.txt'));
  assert.ok(probe > 0, 'a page that cannot exist was asked for');
  assert.equal(asked.length, probe + 1, 'and nothing after it');
  using reader = new CrawlReader(folder.path);
  const { host } = await reader.explain(SITE);
  assert.match(String(host?.hold?.why), /503/);
});
