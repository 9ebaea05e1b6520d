import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MirrorFinder } from '../../../../src/dedupe/mirrors/mirror-finder.ts';
import { translate } from '../../../../src/dedupe/mirrors/mirror-url.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { RICH_WEB, TRAP_WEB } from '../../../../src/simulate/model/web-presets.ts';
import { type WebSpecOverrides, webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { quickOrLong } from '../../../property-runs.ts';
import { type WalkedPage, walkWeb } from './walk-web.ts';

const SMALL = { hosts: 20, pagesPerHost: 40, linksPerPage: 10, pageBytes: [1500, 4000] } as const;

interface Score {
  readonly truth: number;
  readonly found: number;
  readonly right: number;
  readonly lost: number;
  readonly fetched: number;
  /** What a walk without a finder fetches. */
  readonly without: () => number;
}

/** Walks a web with a finder; every visit is told, and a mirror's pages are asked for on its original. */
function score(overrides: WebSpecOverrides, most = 1e6, duplicates = true): Score {
  const spec = webSpec({ ...RICH_WEB, ...SMALL, ...overrides });
  const web = new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 });
  const finder = new MirrorFinder();
  const seeds = Array.from({ length: web.hosts.count }, (_, host) => `${web.hosts.origin(host)}/`);
  const limits = { seeds, maxPerHost: 120, maxFetches: most };
  let lost = 0;
  const without = (): number => walkWeb(web, { ...limits, visited: () => {} });
  const instead = (url: string): string => {
    const { origin } = new URL(url);
    const mirror = finder.mirrorOf(origin);
    return mirror === undefined || finder.isCheck(url.slice(origin.length))
      ? url
      : translate(url, origin, mirror.origin);
  };
  const visited = (page: WalkedPage): void => {
    const { origin, target, status, at, digest, contentSketch, words, sameAs } = page;
    const more = { digest, simhash: contentSketch?.simhash, ...(duplicates ? { sameAs } : {}) };
    if (finder.observe({ origin, target, status, at, words, ...more })?.kind === 'lost') lost++;
  };
  const fetched = walkWeb(web, { ...limits, instead, visited });
  const sourceOf = (origin: string): number => web.mirrorOf(web.hosts.parent(web.hosts.find(new URL(origin).host)));
  const pairs = finder.report();
  const right = pairs.filter(({ mirror, original }) => sourceOf(mirror) === sourceOf(original)).length;
  const truth = Array.from({ length: web.hosts.count }, (_, host) => host).filter(
    (host) => web.mirrorOf(host) !== host,
  );
  return { truth: truth.length, found: pairs.length, right, lost, fetched, without };
}

describe('Mirrors of the synthetic web', () => {
  for (const seed of quickOrLong([1], [1, 4, 5])) {
    test(`seed ${seed}: all of them, and nothing else`, (t) => {
      const { truth, found, right, lost, fetched, without: walked } = score({ seed });
      const without = walked();
      t.diagnostic(`${right} right of ${found} found of ${truth}; ${without - fetched} of ${without} fetches saved`);
      assert.ok(truth >= 2);
      assert.equal(found, truth);
      assert.equal(right, found);
      assert.equal(lost, 0);
      // What cannot be saved: the pages that prove it, checks, and what only the mirror links to.
      assert.ok(without - fetched > 0.6 * without * (truth / SMALL.hosts));
    });
  }

  test('without word of duplicates', () => {
    const { truth, found, right } = score({ seed: 2 }, 1e6, false);
    assert.equal(found, truth);
    assert.equal(right, found);
  });

  test('traps, the same on many hosts, make no mirrors', () => {
    const traps = { ...TRAP_WEB.traps, bomb: 0, tarpit: 0, endlessSubdomains: 0.05 };
    const { found, right } = score({ seed: 3, hosts: 12, traps, sites: { ...RICH_WEB.sites, mirror: 0.1 } }, 1500);
    assert.equal(right, found);
  });

  test('a web without mirrors has none', () => {
    const { found } = score({ seed: 6, sites: { mirror: 0, softNotFound: 0.5 } });
    assert.equal(found, 0);
  });
});
