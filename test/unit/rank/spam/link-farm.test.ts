import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LinkFarmWatch } from '../../../../src/rank/spam/link-farm.ts';

/** A small web: honest sites, each linking to a few others, by numbers that look random. */
function ordinaryWeb(watch: LinkFarmWatch, sites = 120): void {
  for (let from = 0; from < sites; from++)
    for (let k = 1; k <= 6; k++) link(watch, `site${from}.org`, `site${(from * 31 + k * k * 17 + 7) % sites}.org`);
}

function link(watch: LinkFarmWatch, from: string, to: string): void {
  if (from === to) return;
  watch.observe({ fromDomain: from, fromHost: `www.${from}`, toDomain: to, toHost: `www.${to}` });
}

function everybodyToEverybody(watch: LinkFarmWatch, domains: readonly string[]): void {
  for (const from of domains) for (const to of domains) link(watch, from, to);
}

const named = (count: number, name: string, ending = 'com'): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}.${ending}`);

describe('LinkFarmWatch', () => {
  test('finds sites that link each other and are linked by hardly anybody else', () => {
    const watch = new LinkFarmWatch();
    ordinaryWeb(watch);
    const farm = named(15, 'best-loans-');
    everybodyToEverybody(watch, farm);
    link(watch, 'site3.org', farm[2]);
    link(watch, 'site9.org', farm[8]);
    const signs = watch.farmSigns();
    assert.deepEqual([...signs.keys()].sort(), farm.map((domain) => `www.${domain}`).sort());
    const sign = signs.get(`www.${farm[0]}`);
    assert.ok(sign !== undefined && sign.weight >= 0.8 && sign.technique === 'link-farm');
    assert.match(sign.evidence, /one of 15 sites that link each other \(100 % of all pairs\)/);
  });

  test('a farm with gaps and a few links to well-known sites is one too', () => {
    const watch = new LinkFarmWatch();
    ordinaryWeb(watch);
    const farm = named(20, 'offer');
    for (const [at, from] of farm.entries()) {
      for (let k = 1; k <= 14; k++) link(watch, from, farm[(at + k * 3) % farm.length]);
      for (let k = 1; k <= 14; k++) link(watch, farm[(at + k * 3) % farm.length], from);
      link(watch, from, 'site1.org');
      link(watch, from, 'site2.org');
    }
    assert.equal(watch.farmSigns().size, 20);
  });

  test('pages of links alone make it surer', () => {
    const weigh = (words: number): number => {
      const watch = new LinkFarmWatch();
      ordinaryWeb(watch);
      const farm = named(7, 'shop');
      everybodyToEverybody(watch, farm);
      for (const domain of farm) watch.observePage({ domain, words, foreignLinks: 40 });
      return watch.farmSigns().get('www.shop0.com')?.weight ?? 0;
    };
    assert.ok(weigh(20) > weigh(900));
  });

  const honest: Readonly<Record<string, (watch: LinkFarmWatch) => void>> = {
    'a web ring': (watch) => {
      const ring = named(30, 'hobby');
      for (const [at, from] of ring.entries()) {
        link(watch, from, ring[(at + 1) % ring.length]);
        link(watch, from, ring[(at + 29) % ring.length]);
      }
    },
    'blogs that read each other and the rest of the web': (watch) => {
      const blogs = named(8, 'blog');
      everybodyToEverybody(watch, blogs);
      for (const [at, blog] of blogs.entries())
        for (let k = 0; k < 12; k++) link(watch, blog, `site${(at * 13 + k * 5) % 120}.org`);
    },
    'a company under many endings': (watch) =>
      everybodyToEverybody(
        watch,
        'de fr it es nl pl at ch be co.uk'.split(' ').map((ending) => `harbour-tools.${ending}`),
      ),
    'magazines of one publisher, which others quote': (watch) => {
      const magazines = named(8, 'magazine');
      everybodyToEverybody(watch, magazines);
      for (const [at, magazine] of magazines.entries())
        for (let k = 0; k < 14; k++) link(watch, `site${(at * 7 + k * 11) % 120}.org`, magazine);
    },
    'departments of a university': (watch) => {
      for (let from = 0; from < 30; from++)
        for (let to = 0; to < 30; to++)
          watch.observe({
            ...{ fromDomain: 'uni.edu', fromHost: `dep${from}.uni.edu` },
            ...{ toDomain: 'uni.edu', toHost: `dep${to}.uni.edu` },
          });
    },
    'partners in the footer of a few': (watch) => {
      for (const shop of named(40, 'shop')) for (const partner of named(10, 'partner')) link(watch, shop, partner);
    },
  };
  for (const [name, draw] of Object.entries(honest)) {
    test(`is not misled by ${name}`, () => {
      const watch = new LinkFarmWatch();
      ordinaryWeb(watch);
      draw(watch);
      assert.deepEqual([...watch.farmSigns()], []);
    });
  }

  test('where everybody links to everybody, nobody is remarkable', () => {
    const watch = new LinkFarmWatch();
    everybodyToEverybody(watch, named(25, 'site'));
    assert.equal(watch.farmSigns().size, 0);
  });

  test('memory is bounded, and farms outlive the sites around them', () => {
    const watch = new LinkFarmWatch({ maxDomains: 300 });
    const farm = named(12, 'farm');
    everybodyToEverybody(watch, farm);
    for (let at = 0; at < 3000; at++) link(watch, `a${at}.net`, `b${at}.net`);
    assert.ok((watch.snapshot() as { links: unknown[] }).links.length <= 300);
    assert.equal(watch.farmSigns().size, 12);
  });

  test('comes back from its snapshot as it was', () => {
    const watch = new LinkFarmWatch();
    ordinaryWeb(watch);
    everybodyToEverybody(watch, named(10, 'farm'));
    watch.observePage({ domain: 'farm0.com', words: 3, foreignLinks: 30 });
    const again = new LinkFarmWatch();
    again.restore(JSON.parse(JSON.stringify(watch.snapshot())));
    assert.deepEqual(again.farmSigns(), watch.farmSigns());
    assert.deepEqual(again.snapshot(), watch.snapshot());
    again.restore({ form: 2 });
    assert.deepEqual(again.snapshot(), watch.snapshot());
  });
});
