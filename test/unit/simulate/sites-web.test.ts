import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'parse5';
import { truth } from '../../../src/simulate/model/truth.ts';
import { webFromDescription } from '../../../src/simulate/model/web-from-description.ts';
import { canonicalTarget } from '../../../src/simulate/plan/canonical-target.ts';
import { SITE_SHAPES } from '../../../src/simulate/sites/sites-plan.ts';
import { SitesWeb } from '../../../src/simulate/sites/sites-web.ts';

const PORT = 8000;
const BEGINS = Date.UTC(2026, 0, 1);
const SPAN = 3_600_000;
const HISTORY = {
  ...{ begins: BEGINS, spanMs: SPAN, changing: 0.3, moving: 0.1, vanishing: 0.1 },
  ...{ outageShare: 0.3, outageMs: 60_000 },
};

describe('shapes of honest sites', () => {
  for (const [name, shape] of Object.entries(SITE_SHAPES)) {
    it(`${name}: every page is reachable, at one address, in canonical form`, () => {
      for (const seed of [1, 2, 3, 4]) {
        for (const size of [20, 300]) {
          const pages = shape({ seed, pages: size });
          const paths = new Set(pages.map(({ path }) => path));
          assert.equal(paths.size, pages.length, 'no address twice');
          assert.equal(pages[0].path, '/');
          for (const path of paths) assert.equal(canonicalTarget(path), path);
          const found = new Set(['/']);
          const byPath = new Map(pages.map((page) => [page.path, page]));
          for (const path of found) for (const link of byPath.get(path)?.links ?? []) found.add(link);
          assert.deepEqual([...found].sort(), [...paths].sort());
          assert.ok(pages.length > 0.6 * size && pages.length < 1.5 * size + 40, `${pages.length} pages of ${size}`);
        }
      }
    });
  }
});

describe('a web of sites', () => {
  const web = new SitesWeb({ sitesPerShape: 2, pagesPerSite: 30, trapHosts: 4, history: HISTORY }, PORT);
  const steady = { before: 0, now: BEGINS - 1 };
  const bodyOf = (page: number, now = steady.now): string =>
    web.reply(web.hostOfPage(page), { kind: 'page', id: page }, { before: 0, now }).body;
  const stored = [...truth(web, { seeds: web.seeds }).pages('stored')];

  it('is the same when it is made again from its description', () => {
    const again = webFromDescription(web.description);
    for (const page of stored.filter((_, at) => at % 7 === 0)) {
      assert.equal(again.reply(web.hostOfPage(page), { kind: 'page', id: page }, steady).body, bodyOf(page));
    }
  });

  it('writes the links that it says it has', () => {
    for (const page of stored) {
      const written = hrefsOf(bodyOf(page)).map((href) => new URL(href, web.url(page)));
      const known = written.flatMap((url) => {
        const located = web.locate(web.hosts.find(url.host), url.pathname + url.search);
        assert.notEqual(located.kind, 'unknown', url.href);
        return located.kind === 'page' ? [located.id] : [];
      });
      const home = web.locate(web.hostOfPage(page), '/');
      const expected = web.links(page).map(({ to }) => to);
      assert.deepEqual(new Set(known), new Set([...expected, home.kind === 'page' ? home.id : -1]));
    }
  });

  it('has texts of which no two are alike', () => {
    const owners = new Map<string, number>();
    const shared = new Map<string, number>();
    for (const page of stored) {
      const words =
        /<article>([\s\S]*)<\/article>/
          .exec(bodyOf(page))?.[1]
          .replace(/<[^>]*>/g, ' ')
          .split(/\s+/) ?? [];
      for (let at = 0; at + 3 < words.length; at++) {
        const run = words.slice(at, at + 4).join(' ');
        const owner = owners.get(run);
        if (owner === undefined) owners.set(run, page);
        else if (owner !== page) shared.set(`${owner} ${page}`, (shared.get(`${owner} ${page}`) ?? 0) + 1);
      }
    }
    for (const [pair, runs] of shared) assert.ok(runs <= 5, `pages ${pair} share ${runs} runs of four words`);
  });

  it('leads to all sites and to the traps, which go on for ever', () => {
    const hosts = new Set(stored.map((page) => web.hostOfPage(page)));
    assert.equal(hosts.size, web.sites.length - 4);
    for (let host = hosts.size; host < web.sites.length; host++) {
      const origin = web.hosts.origin(host);
      assert.ok(
        stored.some((page) => bodyOf(page).includes(`href="${origin}/"`)),
        origin,
      );
      let target = '/';
      for (let step = 0; step < 30; step++) {
        const located = web.locate(host, target);
        assert.equal(located.kind, 'trap');
        target = hrefsOf(web.reply(host, located, steady).body)[0];
      }
    }
  });

  it('changes, moves and loses pages in the course of its history, and none that others depend on', () => {
    const over = BEGINS + SPAN;
    const kinds = { stays: 0, moves: 0, vanishes: 0 };
    let changed = 0;
    for (const page of stored) {
      const fate = web.fate(page);
      kinds[fate.kind]++;
      const reply = web.reply(web.hostOfPage(page), { kind: 'page', id: page }, { before: 0, now: over });
      if (fate.kind === 'stays') {
        assert.equal(reply.status, 200);
        if (reply.body !== bodyOf(page)) changed++;
        continue;
      }
      assert.match(String(reply.status), fate.kind === 'moves' ? /301/ : /404|410/);
      const to = web.movesTo(page) as number;
      const there = (now: number) => web.reply(web.hostOfPage(to), { kind: 'page', id: to }, { before: 0, now });
      assert.equal(there(BEGINS - 1).status, 404);
      assert.equal(there(over).status, fate.kind === 'moves' ? 200 : 404);
    }
    assert.ok(kinds.moves > 0.05 * stored.length && kinds.vanishes > 0.05 * stored.length, JSON.stringify(kinds));
    assert.ok(changed > 0.2 * stored.length, `${changed} of ${stored.length} changed`);
    // A crawl that begins when all is over still finds every page that stays.
    const left = new Set(stored.filter((page) => web.fate(page).kind === 'stays').map((page) => web.url(page)));
    const met = new Set(web.seeds);
    for (const url of met) {
      const { host, pathname, search } = new URL(url);
      const located = web.locate(web.hosts.find(host), pathname + search);
      if (located.kind !== 'page') continue;
      const reply = web.reply(web.hosts.find(host), located, { before: 0, now: over });
      if (reply.status === 200) for (const href of hrefsOf(reply.body)) met.add(new URL(href, url).href);
    }
    assert.deepEqual(
      [...left].filter((url) => !met.has(url) && !url.includes('/private/draft')),
      [],
    );
  });

  it('is out of order on some hosts for a while', () => {
    const outages = web.sites.flatMap((_, host) => web.history.outage(host) ?? []);
    assert.ok(outages.length > 0 && outages.length < web.sites.length);
    const host = web.sites.findIndex((_, at) => web.history.outage(at) !== undefined);
    const { from, to } = web.history.outage(host) ?? { from: 0, to: 0 };
    const at = (now: number): number => web.reply(host, web.locate(host, '/robots.txt'), { before: 0, now }).status;
    assert.notEqual(at(from - 1), 503);
    assert.equal(at(from), 503);
    assert.notEqual(at(to), 503);
  });
});

function hrefsOf(html: string): string[] {
  const hrefs: string[] = [];
  const walk = (node: {
    attrs?: { name: string; value: string }[];
    childNodes?: unknown[];
    nodeName: string;
  }): void => {
    const href = node.nodeName === 'a' ? node.attrs?.find(({ name }) => name === 'href')?.value : undefined;
    if (href !== undefined) hrefs.push(href);
    for (const child of node.childNodes ?? []) walk(child as typeof node);
  };
  walk(parse(html) as unknown as Parameters<typeof walk>[0]);
  return hrefs;
}
