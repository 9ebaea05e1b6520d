import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { DEFAULT_GUARD_OPTIONS, LearningGuard } from '../../../../src/scope/traps/learning-guard.ts';
import { corpus, skipWithout } from '../../../corpora.ts';
import { quickOrLong } from '../../../property-runs.ts';
import { type Drive, drive, type Site, taskOf, textHash } from './drive.ts';
import { HONEST_SITES } from './honest-sites.ts';
import { HOST, isHonest, TRAPS } from './trap-sites.ts';

const MOST_PER_TRAP = 40;

function newGuard(clock = new VirtualClock()): LearningGuard {
  return new LearningGuard(DEFAULT_GUARD_OPTIONS, clock);
}

function inTrap({ visited }: Drive): number {
  return visited.filter((url) => !isHonest(url) || url.includes('?')).length;
}

describe('traps are held after a few visits, and the site around them is not', () => {
  for (const [name, make] of Object.entries(TRAPS)) {
    for (const showsKnown of quickOrLong([false], [true, false])) {
      test(`${name}${showsKnown ? '' : ', told by numbers alone'}`, () => {
        const guard = newGuard();
        const result = drive(guard, make(), { most: 3000, showsKnown });
        assert.ok(inTrap(result) <= MOST_PER_TRAP, `${inTrap(result)} visits`);
        assert.equal(result.visited.filter((url) => isHonest(url) && !url.includes('?')).length, 61);
        for (const { state, reason } of guard.report(100)) {
          if (state === 'held') assert.match(reason ?? '', /^held: \d+ of \d+ pages .+; \d+ URLs wait$/);
        }
      });
    }
  }
});

describe('honest sites that look like traps are crawled to the end', () => {
  for (const [name, make] of Object.entries(HONEST_SITES)) {
    test(name, () => {
      const site = make();
      const { visited, held, everHeld } = drive(newGuard(), site);
      assert.equal(held.size, 0, [...held].slice(0, 3).join(' '));
      assert.equal(visited.length, site.pages);
      // Pages of old versions are near-duplicates: their patterns are slowed down until samples show new ones.
      assert.ok(everHeld.size <= site.pages * 0.1, `${everHeld.size} waited for a while`);
    });
  }

  for (const [name, nodes, edges, seed] of [
    ['developer.mozilla.org', 'mdn-nodes.jsonl.gz', 'mdn-edges.tsv.gz', '/en-US/docs/Web'],
    ['hollins.edu', 'hollins-nodes.txt.gz', 'hollins-edges.tsv.gz', 'www.hollins.edu/'],
  ]) {
    let graph: ReturnType<typeof graphSite> | undefined;
    for (const showsKnown of quickOrLong([true], [true, false])) {
      test(`${name}${showsKnown ? '' : ', told by numbers alone'}`, { skip: skipWithout('web-graph') }, () => {
        graph ??= graphSite(nodes, edges, seed);
        const { site, reachable } = graph;
        const { visited, held, everHeld } = drive(newGuard(), site, { showsKnown });
        assert.equal(held.size, 0);
        assert.equal(visited.length, reachable);
        assert.ok(everHeld.size <= reachable * 0.05, `${everHeld.size} waited for a while`);
      });
    }
  }
});

/** A site with the links that a real one had. */
function graphSite(nodes: string, edges: string, seed: string): { readonly site: Site; readonly reachable: number } {
  const lines = (file: string): string[] =>
    gunzipSync(readFileSync(`${corpus('web-graph')}/${file}`))
      .toString()
      .trim()
      .split('\n');
  const urls = lines(nodes).map((line) => (line.startsWith('{') ? (JSON.parse(line).url as string) : line.trim()));
  const links = new Map<string, string[]>(urls.map((url) => [url, []]));
  for (const line of lines(edges)) {
    const [from, to] = line.split(/\s+/).map(Number);
    if (urls[to] !== undefined) links.get(urls[from])?.push(urls[to]);
  }
  const start = urls.find((url) => url.endsWith(seed)) ?? urls[0];
  const reached = new Set([start]);
  for (const url of reached) for (const to of links.get(url) ?? []) reached.add(to);
  return { site: { seeds: [start], answer: (url) => ({ links: links.get(url) ?? [] }) }, reachable: reached.size };
}

describe('a maze that every honest page leads into', () => {
  test('is held, and the honest pages are fetched', () => {
    const posts = 2000;
    const site: Site = {
      seeds: [`${HOST}/`],
      answer(url) {
        const maze = TRAPS['a maze of random text']().answer(`${url}/m/`).links ?? [];
        if (url.includes('/m/')) return { links: maze };
        const i = Number(url.split('/')[4] ?? 0);
        const near = [7 * i + 3, 3 * i + 1, i + 1].map((to) => `${HOST}/post/${to % posts}`);
        return { links: [`${HOST}/`, maze[0], ...near] };
      },
    };
    const { visited } = drive(newGuard(), site, { most: 6000 });
    const honest = visited.filter((url) => !url.includes('/m/')).length;
    assert.equal(honest, posts + 1);
    assert.ok(visited.length - honest <= 150, `${visited.length - honest} visits`);
  });
});

describe('new content', () => {
  const endless = ['a maze of random text', 'a maze with navigation and a way back to its start'];
  for (const name of endless) {
    test(`${name}: on the host of a seed the crawl goes on, and shows it`, () => {
      const guard = newGuard();
      const result = drive(guard, TRAPS[name](), { most: 2000, wanted: true });
      assert.equal(result.everHeld.size, 0);
      assert.equal(result.visited.length, 2000);
      assert.ok(guard.report(10).some(({ growing, novel }) => growing === true && novel > 500));
    });
  }

  test('which links from other domains lead to has a budget that grows with them', () => {
    // Each page names four more, and each fourth page is named by a page of another domain too.
    const pages = (domains: number): number => {
      const guard = newGuard();
      const host = 'https://found.example';
      for (let i = 0; i < 400; i++) {
        const task = taskOf(`${host}/node/${i}`, 5, { how: 'link', from: `${host}/node/${Math.floor((i - 1) / 4)}` });
        if (guard.judge(task).held) return i;
        for (let at = 1; at <= 4; at++) {
          const from = at === 4 && domains > 0 ? `https://d${i % domains}.test/${i}` : task.url;
          guard.found(taskOf(`${host}/node/${4 * i + at}`, 6, { how: 'link', from }));
        }
        const rest = { links: 4, unknownLinks: 4, fetchMs: 10, bytes: 5000 + 50 * i, words: 200 };
        guard.observe({ task, novelty: 'new', ...rest, simhash: BigInt(textHash(task.url)) << 20n });
      }
      return 400;
    };
    assert.ok(pages(0) < 40);
    assert.ok(pages(1) > pages(0) + 20);
    assert.equal(pages(19), 400);
  });

  test('hosts that the user named are none that a domain makes up, whichever part of them this guard has met', () => {
    const hosts = Array.from({ length: 200 }, (_, i) => `https://h${i}.example.org`);
    const guard = newGuard();
    for (const host of hosts) guard.wants(`${host}/` as CanonicalUrl);
    for (const [i, host] of hosts.slice(0, 40).entries()) {
      const task = taskOf(`${host}/`, 0, { how: 'seed' });
      // Seeds of other partitions are not met here as seeds, but by links.
      const named = [1, 2, 3].map((step) => `${hosts[40 + 3 * i + step]}/page`);
      for (const url of named)
        assert.equal(guard.found(taskOf(url, 1, { how: 'link', from: task.url })).held, false, url);
      const rest = { links: 3, unknownLinks: 3, fetchMs: 10, bytes: 5000 + 50 * i, words: 200 };
      guard.observe({ task, novelty: 'new', ...rest, simhash: BigInt(textHash(task.url)) << 20n });
    }
  });

  describe('on another host of the domain of a seed, which only links lead to', () => {
    const found = 'https://part.example.org';
    const tree = (fan: number, pages: number): Site => ({
      seeds: [`${HOST}/`],
      answer(url) {
        if (!url.startsWith(found)) return { links: [`${found}/node/0`] };
        const first = fan * Number(url.split('/')[4]) + 1;
        const nodes = Array.from({ length: fan }, (_, at) => first + at).filter((node) => node < pages);
        return { links: nodes.map((node) => `${found}/node/${node}`) };
      },
    });

    for (const [fan, pages] of [
      [2, 10_000],
      [4, 30_000],
      [1, 30_000],
    ]) {
      test(`${pages} pages of which each names ${fan} more are fetched`, () => {
        const { visited, everHeld } = drive(newGuard(), tree(fan, pages), { wanted: true });
        assert.equal(everHeld.size, 0);
        assert.equal(visited.length, pages + 1);
      });
    }

    test('a maze is shown, then held, also by a guard that was restored meanwhile', () => {
      const maze = tree(3, Number.POSITIVE_INFINITY);
      const first = newGuard();
      drive(first, maze, { most: 6000, wanted: true });
      assert.ok(first.report(10).some(({ pattern, growing }) => growing === true && pattern.startsWith('part.')));
      const guard = newGuard();
      guard.restore(JSON.parse(JSON.stringify(first.snapshot())));
      const { visited } = drive(guard, maze, { wanted: true, most: 20_000 });
      assert.ok(visited.length > 3900 && visited.length < 4100, `${visited.length} pages`);
      assert.ok(guard.report(10).some(({ pattern, state }) => state === 'held' && pattern.startsWith('part.')));
    });

    test('links from other domains let it go on for longer', () => {
      const guard = newGuard();
      for (let i = 0; i < 10; i++) {
        guard.found(taskOf(`${found}/node/named-${i}`, 3, { how: 'link', from: `https://d${i}.test/` }));
      }
      const { visited } = drive(guard, tree(3, Number.POSITIVE_INFINITY), { wanted: true, most: 20_000 });
      assert.ok(visited.length > 10_900 && visited.length < 11_100, `${visited.length} pages`);
    });
  });

  test('among what brings nothing opens a pattern that was slowed down', () => {
    const guard = newGuard();
    guard.wants(HOST as CanonicalUrl);
    const at = (i: number) => taskOf(`${HOST}/list/${i}`, 5, { how: 'link', from: `${HOST}/list/${i - 1}` });
    const rest = { links: 3, unknownLinks: 1, fetchMs: 10, bytes: 9000 };
    for (let i = 0; i < 5; i++) guard.observe({ task: at(i), novelty: 'duplicate', ...rest });
    assert.deepEqual(
      [6, 7, 8, 9].map((i) => guard.judge(at(i)).held),
      [false, false, true, true],
      'two samples at a time',
    );
    assert.equal(guard.report(1)[0].state, 'slowed');
    guard.observe({ task: at(6), novelty: 'new', ...rest });
    assert.equal(guard.judge(at(8)).held, false);
    assert.equal(guard.report(1)[0].state, 'open');
  });
});

describe('copies under another name', () => {
  const visit = (guard: LearningGuard, url: string, copyOf: string): boolean => {
    const task = taskOf(url, 2, { how: 'link', from: `${HOST}/` });
    const { held } = guard.found(task);
    const rest = { links: 5, unknownLinks: 0, fetchMs: 10, bytes: 5000, copyOf: copyOf as CanonicalUrl };
    if (!held) guard.observe({ task, novelty: 'duplicate', ...rest });
    return held;
  };

  test('at the same path of another host say nothing of the pattern', () => {
    const guard = newGuard();
    for (let i = 0; i < 100; i++)
      assert.equal(visit(guard, `${HOST}/news/item-${i}.html`, `https://petals.test/news/item-${i}.html`), false);
  });

  test('but hosts without end that all show the same are held', () => {
    const guard = newGuard();
    const visits = Array.from({ length: 100 }, (_, i) =>
      visit(guard, `https://h${i}.petals.org/a`, 'https://petals.org/a'),
    );
    assert.ok(visits.filter((held) => !held).length <= 20);
  });

  test('and copies at other paths cost what they always did', () => {
    const guard = newGuard();
    const visits = Array.from({ length: 100 }, (_, i) =>
      visit(guard, `${HOST}/news/${i}.html`, 'https://petals.test/a'),
    );
    assert.ok(visits.filter((held) => !held).length <= 20);
  });
});

describe('short pages of one size', () => {
  const chain = (simhash: (i: number) => bigint | undefined): number => {
    const guard = newGuard();
    for (let i = 0; i < 100; i++) {
      const from = i === 0 ? `${HOST}/` : `${HOST}/day/n${i - 1}.html`;
      const task = taskOf(`${HOST}/day/n${i}.html`, i + 2, { how: 'link', from });
      if (i === 0) guard.found(task);
      if (guard.judge(task).held) return i;
      guard.found(taskOf(`${HOST}/day/n${i + 1}.html`, i + 3, { how: 'link', from: task.url }));
      const text = simhash(i);
      const told = text === undefined ? {} : { simhash: text };
      guard.observe({ task, novelty: 'new', links: 2, unknownLinks: 1, fetchMs: 10, bytes: 1800, ...told });
    }
    return 100;
  };
  const random = (i: number): bigint => (BigInt(textHash(`${i} high`)) << 32n) | BigInt(textHash(`${i} low`));

  test('are one form over and over where their texts are alike, or not read', () => {
    assert.ok(chain(() => undefined) < 20);
    assert.ok(chain((i) => random(0) ^ BigInt(i & 15)) < 20);
  });

  test('are followed to the end where every text is new', () => {
    assert.equal(chain(random), 100);
  });
});

describe('what people and lists name', () => {
  test('seeds and submitted URLs are never held', () => {
    const guard = newGuard();
    drive(guard, TRAPS['a maze of random text'](), { most: 3000 });
    const url = `${HOST}/m/abcdefg-abcdefg/a1b2c3`;
    assert.equal(guard.judge(taskOf(url, 3, { how: 'link', from: `${HOST}/m/start` })).held, true);
    for (const how of ['seed', 'push', 'sitemap-file'] as const) {
      assert.deepEqual(guard.judge(taskOf(url, 0, { how })), { held: false });
      assert.deepEqual(guard.found(taskOf(url, 0, { how })), { held: false });
    }
  });

  test('a maze that a sitemap lists is not one', () => {
    const listed = Array.from({ length: 3000 }, (_, i) => `${HOST}/m/page-number-${i}`);
    const site: Site = {
      seeds: [`${HOST}/`],
      listed,
      answer: (url) => ({ links: [`${url}/below-${url.length}`] }),
    };
    const { visited } = drive(newGuard(), site, { most: 3001 });
    assert.deepEqual(
      listed.filter((url) => !visited.includes(url)),
      [],
    );
  });
});

describe('what is held can come back', () => {
  test('by the switch, which also holds what is open', () => {
    const guard = newGuard();
    drive(guard, TRAPS['a calendar without events'](), { most: 3000 });
    const held = guard.report(10).filter(({ state }) => state === 'held');
    const task = taskOf(`${HOST}/when/1999/4/`, 9, { how: 'link', from: `${HOST}/when/1999/3/` });
    const verdict = guard.judge(task);
    assert.equal(verdict.held, true);
    assert.ok(held.length > 0);
    guard.set(`${HOST.slice(8)}/when/**`, 'open');
    assert.equal(guard.judge(task).held, false);
    assert.ok(guard.report(10).some(({ state }) => state === 'opened-by-hand'));
    guard.set(`${HOST.slice(8)}/when/**`, 'learn');
    assert.deepEqual(guard.judge(task), verdict);
    guard.set(`${HOST.slice(8)}/about/*{n}.html`, 'hold');
    const honest = guard.judge(taskOf(`${HOST}/about/page-3.html`, 1, { how: 'link', from: `${HOST}/` }));
    assert.equal(honest.held && honest.reason, 'www.example.org/about/*{n}.html is held by hand');
    assert.equal(guard.report(1)[0].state, 'held-by-hand');
  });

  test('by itself: it is probed rarely, and opened when the probe is worth it', () => {
    const clock = new VirtualClock();
    const guard = newGuard(clock);
    drive(guard, TRAPS['a calendar without events'](), { most: 3000 });
    const day = (i: number) => taskOf(`${HOST}/when/1999/${i}/`, 9, { how: 'link', from: `${HOST}/when/1999/1/` });
    assert.equal(guard.judge(day(1)).held, true);
    clock.advance(DEFAULT_GUARD_OPTIONS.probeEvery);
    assert.equal(guard.judge(day(1)).held, false);
    assert.equal(guard.judge(day(1)).held, false, 'the probe is still wanted when its turn has come');
    assert.equal(guard.judge(day(2)).held, true, 'one at a time');
    guard.observe({ task: day(1), novelty: 'near-duplicate', links: 0, unknownLinks: 0, fetchMs: 1, bytes: 9000 });
    assert.equal(guard.judge(day(2)).held, true);
    clock.advance(2 * DEFAULT_GUARD_OPTIONS.probeEvery);
    let opened = 0;
    for (let i = 2; i <= 12 && guard.judge(day(i)).held === false; i++) {
      guard.observe({ task: day(i), novelty: 'new', links: 0, unknownLinks: 0, fetchMs: 1, bytes: 9000 + 100 * i });
      clock.advance(4 * DEFAULT_GUARD_OPTIONS.probeEvery);
      opened = i;
    }
    assert.equal(opened, 12);
    assert.deepEqual(
      guard.report(100).filter(({ state, pattern }) => state === 'held' && pattern.endsWith('{n}/')),
      [],
    );
  });
});
