import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import { SPAM_WEB } from '../../../../src/simulate/model/web-presets.ts';
import { webSpec } from '../../../../src/simulate/model/web-spec.ts';

const NAMES = { mode: 'names', port: 8081, hostsPerAddress: 0 } as const;
const WEB = new SyntheticWeb(webSpec(SPAM_WEB), NAMES);
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ROBOT = 'Mozilla/5.0 (compatible; Orbweaver/1.0; +https://example.org/bot)';
const TECHNIQUES = ['term-stuffing', 'hidden-text', 'doorway', 'link-farm', 'cloaking'] as const;

/** Pages of one label, from the first on. */
function labelled(label: 'spam' | 'lookalike', technique: string): number[] {
  return Array.from({ length: WEB.pageCount }, (_, page) => page).filter((page) => {
    const nature = WEB.nature(page, 'orbweaver');
    return nature.kind === 'page' && nature[label] === technique && WEB.role(page) === 'plain';
  });
}

function body(page: number, agent = ROBOT): string {
  const host = WEB.hostOfPage(page);
  return WEB.reply(host, WEB.locate(host, WEB.target(page)), { before: 1, now: 0, agent }).body;
}

describe('spam', () => {
  test('every technique and its look-alike is there, and no page is both', () => {
    for (const technique of TECHNIQUES) {
      const spam = labelled('spam', technique);
      const lookalikes = new Set(labelled('lookalike', technique));
      assert.ok(spam.length >= 20 && lookalikes.size >= 20, `${technique}: ${spam.length}, ${lookalikes.size}`);
      assert.ok(spam.every((page) => !lookalikes.has(page)));
    }
  });

  test('there is none by default', () => {
    const plain = new SyntheticWeb(webSpec(), NAMES);
    for (let page = 0; page < plain.pageCount; page++) {
      const nature = plain.nature(page, 'orbweaver');
      assert.ok(nature.kind !== 'page' || (nature.spam === undefined && nature.lookalike === undefined));
    }
  });

  test('a copy of spam is spam', () => {
    const copies = Array.from({ length: WEB.pageCount }, (_, page) => page).filter((page) => WEB.role(page) === 'copy');
    let found = 0;
    for (const page of copies) {
      const nature = WEB.nature(page, 'orbweaver');
      assert.ok(nature.kind === 'page');
      const original = WEB.nature(nature.document, 'orbweaver');
      assert.ok(original.kind === 'page');
      assert.deepEqual([nature.spam, nature.lookalike], [original.spam, original.lookalike]);
      if (nature.spam !== undefined) found++;
    }
    assert.ok(found > 0);
  });

  test('doorways leave for another host at once, by META refresh or by script', () => {
    const ways = new Set<string>();
    for (const page of labelled('spam', 'doorway')) {
      const html = body(page);
      const refresh = WEB.links(page).find((link) => link.element === 'refresh');
      const byScript = /location/.test(html);
      ways.add(byScript ? 'script' : 'refresh');
      if (byScript) continue;
      assert.match(html, /http-equiv="refresh" content="[01]; url=/);
      assert.ok(refresh !== undefined && WEB.hostOfPage(refresh.to) !== WEB.hostOfPage(page));
    }
    assert.deepEqual([...ways].sort(), ['refresh', 'script']);
  });

  test('what has moved says so with a link to where it is', () => {
    for (const page of labelled('lookalike', 'doorway')) {
      const refresh = WEB.links(page).find((link) => link.element === 'refresh');
      if (refresh === undefined) continue;
      assert.ok(WEB.links(page).some((link) => link.element === 'a' && link.to === refresh.to));
    }
  });

  test('farms link to each other from every page; rings have articles and link to front pages', () => {
    const hosts = Array.from({ length: WEB.hosts.count }, (_, host) => host);
    const farms = hosts.filter((host) => WEB.spamTraitOfHost(host) === 'linkFarm');
    assert.ok(farms.length >= 3);
    const among = (page: number): number => {
      const links = WEB.links(page);
      return links.filter(({ to }) => WEB.spamTraitOfHost(WEB.hostOfPage(to)) === 'linkFarm').length / links.length;
    };
    const farmPages = labelled('spam', 'link-farm').filter((page) => !WEB.target(page).endsWith('/'));
    assert.ok(farmPages.every((page) => among(page) > 0.8));
    const ringPages = labelled('lookalike', 'link-farm').slice(0, 100);
    const length = (pages: number[]): number => pages.reduce((sum, page) => sum + body(page).length, 0) / pages.length;
    assert.ok(ringPages.every((page) => among(page) < 0.7));
    const frontPages = (page: number): number =>
      WEB.links(page).filter(({ to }) => WEB.target(to) === '/' && WEB.hostOfPage(to) !== WEB.hostOfPage(page)).length;
    assert.ok(ringPages.every((page) => frontPages(page) >= 2));
    assert.ok(length(ringPages) > 1000);
  });

  test('a cloaked page is another one for browsers, and its look-alike nearly the same', () => {
    for (const page of labelled('spam', 'cloaking')) assert.ok(shared(body(page), body(page, BROWSER)) < 0.5);
    for (const page of labelled('lookalike', 'cloaking')) {
      assert.notEqual(body(page), body(page, BROWSER));
      assert.ok(shared(body(page), body(page, BROWSER)) > 0.6);
    }
    const [honest] = labelled('lookalike', 'link-farm');
    assert.equal(body(honest), body(honest, BROWSER));
  });

  test('pages are reached as they would be without', () => {
    const without = new SyntheticWeb(webSpec({ ...SPAM_WEB, spam: {} }), NAMES);
    const reached = truth(WEB, { seeds: [WEB.url(0)] }).counts();
    const plain = truth(without, { seeds: [without.url(0)] }).counts();
    assert.ok(Math.abs(reached.stored - plain.stored) < plain.stored * 0.02);
  });
});

/** Share of the lines of one text that the other has too. */
function shared(a: string, b: string): number {
  const lines = new Set(b.split('\n'));
  const own = a.split('\n');
  return own.filter((line) => lines.has(line)).length / own.length;
}
