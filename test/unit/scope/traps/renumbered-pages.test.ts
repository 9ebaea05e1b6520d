import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { DEFAULT_GUARD_OPTIONS, LearningGuard } from '../../../../src/scope/traps/learning-guard.ts';
import { RenumberedPages } from '../../../../src/scope/traps/renumbered-pages.ts';
import { drive, type Site, taskOf, textHash } from './drive.ts';

const HOST = 'https://www.example.org';
const HOME = `${HOST}/`;
const PAGES = 120;

/** A number of 15 digits, as in the lecture. */
const drawn = (text: string): string =>
  `${200 + (textHash(text) % 700)}${String(textHash(`${text}b`)).padStart(12, '7')}`;

/** Every link of every page bears another number, which means nothing. All pages link to ten of the site, and to the next ones. */
function sessionSite(): Site {
  const shown = new Map<string, string>();
  return {
    seeds: [HOME],
    answer(url) {
      const page = url === HOME ? HOME : url.slice(0, url.indexOf('=') + 1);
      const at = Number(/p(\d+)/.exec(page)?.[1] ?? 0);
      const first = shown.get(page);
      shown.set(page, first ?? url);
      const to = [...Array(10).keys(), at + 1, at + 2, 2 * at].filter((i) => i < PAGES);
      const links = to.map((i) => `${HOST}/p${i}/page.php?id=${drawn(`${url}|${i}`)}`);
      return first === undefined ? { links } : { novelty: 'duplicate', copyOf: first, links };
    },
  };
}

/** Ids that name pages, each in a list; `links` are those of a page beside. */
function honestSite(ids: readonly string[], copies = 0): Site & { readonly pages: number } {
  const urls = ids.map((id) => `${HOST}/order.php?id=${id}`);
  const list = (at: number): string => `${HOST}/list/${at}`;
  const lists = Math.ceil(urls.length / 50);
  return {
    seeds: [HOME],
    pages: 1 + lists + urls.length,
    answer(url) {
      if (url === HOME) return { links: Array.from({ length: lists }, (_, at) => list(at)) };
      if (url.includes('/list/')) {
        const at = Number(url.slice(url.lastIndexOf('/') + 1));
        return { links: [HOME, ...urls.slice(at * 50, at * 50 + 50)] };
      }
      const at = urls.indexOf(url);
      const near = [HOME, urls[(at + 1) % urls.length], urls[(at * 7 + 3) % urls.length]];
      // Some orders were entered twice.
      return at > 0 && at <= copies ? { novelty: 'duplicate', copyOf: urls[0], links: near } : { links: near };
    },
  };
}

const newGuard = (clock = new VirtualClock()): LearningGuard => new LearningGuard(DEFAULT_GUARD_OPTIONS, clock);

describe('numbers that name a visitor', () => {
  test('on the host of a seed every page is visited, few twice', () => {
    const guard = newGuard();
    const { visited } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    const pages = new Set(visited.map((url) => url.replace(/=.*/, '=')));
    assert.equal(pages.size, PAGES + 1);
    assert.ok(visited.length <= PAGES + 35, `${visited.length} visits`);
    const held = guard.report(10).find(({ pattern }) => pattern === 'www.example.org/**?id');
    assert.equal(held?.state, 'held');
    assert.match(held?.reason ?? '', /what id holds changes nothing, \d+ pages were the same under another value/);
  });

  test('on a host found by links they end as well', () => {
    assert.ok(drive(newGuard(), sessionSite(), { most: 4000 }).visited.length <= PAGES + 35);
  });

  test('one page under many numbers, as in the lecture, is held after a few visits', () => {
    const first = `${HOST}/page.php?id=264684413484654`;
    const site: Site = {
      seeds: [HOME],
      answer: (url) => {
        if (url === HOME) return { links: [first] };
        const links = [1, 2, 3].map((i) => `${HOST}/page.php?id=${drawn(url + i)}`);
        return url === first ? { links } : { novelty: 'duplicate', copyOf: first, links };
      },
    };
    const { visited } = drive(newGuard(), site, { most: 4000, wanted: true });
    assert.ok(visited.length <= 30, `${visited.length} visits`);
  });

  test('the first visited URL of a page may be visited again, and a switch opens all', () => {
    const guard = newGuard();
    const { visited, held } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    const again = visited.find((url) => url.includes('/p40/')) as string;
    assert.equal(guard.judge(taskOf(again, 3, { how: 'link', from: HOME })).held, false);
    const copy = taskOf([...held][0], 3, { how: 'link', from: HOME });
    assert.equal(guard.judge(copy).held, true);
    guard.set('www.example.org/**?id', 'open');
    assert.equal(guard.judge(copy).held, false);
  });

  test('a restored guard holds the same', () => {
    const clock = new VirtualClock();
    const guard = newGuard(clock);
    const { held } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    const restored = newGuard(clock);
    restored.wants(HOME as never);
    restored.restore(JSON.parse(JSON.stringify(guard.snapshot())));
    for (const url of [...held].slice(0, 50)) {
      const task = taskOf(url, 3, { how: 'link', from: HOME });
      assert.deepEqual(restored.judge(task), guard.judge(task));
    }
  });

  test('held URLs are tried again, and pages that are others by now open them', () => {
    const clock = new VirtualClock();
    const guard = newGuard(clock);
    const { held } = drive(guard, sessionSite(), { most: 4000, wanted: true, clock });
    const tasks = [...held].slice(0, 5).map((url) => taskOf(url, 3, { how: 'link' as const, from: HOME }));
    assert.ok(tasks.every((task) => guard.judge(task).held));
    clock.advance(10 * DEFAULT_GUARD_OPTIONS.probeEvery);
    assert.deepEqual(
      tasks.map((task) => guard.judge(task).held),
      [false, true, true, true, true],
    );
    for (let i = 0; i < 20; i++) {
      const task = i === 0 ? tasks[0] : taskOf(`${HOST}/p${i}/page.php?id=${drawn(`new${i}`)}`, 3, { how: 'link' });
      guard.observe({ task, novelty: 'new', links: 0, unknownLinks: 0, fetchMs: 10, bytes: 999 * i });
    }
    assert.ok(tasks.every((task) => !guard.judge(task).held));
  });
});

/** What each number names has a page, and a dozen that ask everybody to log in first: rate it, order it and so on. */
function shop(products: number, actionsFirst: boolean): Site & { readonly products: readonly string[] } {
  const ids = Array.from({ length: products }, (_, i) => drawn(`product ${i}`));
  const actions = ids.map((id) => Array.from({ length: 12 }, (_, i) => `${HOST}/do/${'abcdefghijkl'[i]}?id=${id}`));
  const pages = ids.map((id) => `${HOST}/shop/product?id=${id}`);
  const shown = new Map<string, string>();
  return {
    seeds: [HOME],
    products: pages,
    answer(url) {
      if (url === HOME && actionsFirst) return { links: [...actions.flat(), ...pages] };
      if (url === HOME) return { links: pages.flatMap((page, at) => [page, ...actions[at]]) };
      if (url.includes('/product?')) return { links: [HOME, ...actions[pages.indexOf(url)]] };
      const page = url.slice(0, url.indexOf('='));
      const first = shown.get(page);
      shown.set(page, first ?? url);
      return first === undefined ? { links: [HOME] } : { novelty: 'duplicate', copyOf: first, links: [HOME] };
    },
  };
}

describe('numbers that mean nothing to some pages and name others', () => {
  for (const wanted of [true, false]) {
    for (const actionsFirst of [true, false]) {
      test(`no product is held${wanted ? ' on the host of a seed' : ''}${actionsFirst ? ', also where they come last' : ''}`, () => {
        const site = shop(100, actionsFirst);
        const { visited } = drive(newGuard(), site, { wanted });
        assert.deepEqual(
          site.products.filter((url) => !visited.includes(url)),
          [],
        );
      });
    }
  }

  test('a page that was another under another value is never held, and the others stay held', () => {
    const guard = newGuard();
    const { held } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    const isHeld = (url: string): boolean => guard.judge(taskOf(url, 3, { how: 'link', from: HOME })).held;
    const news = (i: number): string => `${HOST}/p40/page.php?id=${drawn(`news ${i}`)}`;
    const others = [...held].filter((url) => !url.includes('/p40/'));
    assert.ok(isHeld(news(0)));
    for (let i = 1; i < 50; i++) {
      const task = taskOf(news(i), 3, { how: 'link' });
      guard.observe({ task, novelty: 'new', links: 0, unknownLinks: 0, fetchMs: 10, bytes: 999 * i });
    }
    assert.equal(isHeld(news(0)), false);
    assert.ok(others.every(isHeld));
  });

  test('copies that are visited again and have changed with their page tell nothing', () => {
    const guard = newGuard();
    const { visited, held } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    for (const [i, url] of visited.entries()) {
      const visit = { links: 0, unknownLinks: 0, fetchMs: 10, bytes: 999 * i };
      guard.observe({ task: taskOf(url, 3, { how: 'link' }), novelty: 'new', ...visit });
    }
    assert.ok([...held].every((url) => guard.judge(taskOf(url, 3, { how: 'link', from: HOME })).held));
  });

  test('a page that is gone under the value it was visited by may come under another', () => {
    const guard = newGuard();
    const { visited, held } = drive(guard, sessionSite(), { most: 4000, wanted: true });
    const first = visited.find((url) => url.includes('/p5/')) as string;
    const other = [...held].find((url) => url.includes('/p5/')) as string;
    const [task, again] = [first, other].map((url) => taskOf(url, 3, { how: 'link', from: HOME }));
    const visit = { links: 0, unknownLinks: 0, fetchMs: 10, bytes: 999 };
    guard.observe({ task, novelty: 'failed', ...visit });
    assert.equal(guard.judge(again).held, true);
    guard.observe({ task, novelty: 'gone', ...visit });
    assert.equal(guard.judge(again).held, false);
  });

  test('what is remembered is bounded', () => {
    const pages = new RenumberedPages(1000);
    const visit = { novelty: 'new' as const, links: 0, unknownLinks: 0, fetchMs: 10, bytes: 999 };
    for (let host = 0; host < 24; host++) {
      for (let page = 0; page < 5000; page++) {
        const task = taskOf(`https://h${host}.test/${page}?id=264684413484654`, 3, { how: 'link' });
        pages.observe({ task, ...visit }, false, 0);
      }
    }
    const kept = pages.save().flatMap(([, names]) => names.map((name) => name[7].length));
    const sum = kept.reduce((all, size) => all + size, 0);
    assert.ok(sum > 90_000 && sum <= 100_000, `${sum} pages`);
  });
});

describe('long numbers that name pages', () => {
  const START = Date.UTC(2024, 0, 1);
  const range = Array.from({ length: 300 }, (_, i) => i);
  const sites: Readonly<Record<string, Site & { readonly pages: number }>> = {
    'order numbers': honestSite(range.map((i) => String(4_000_120_000_000 + 17 * i))),
    'ids drawn by lot': honestSite(range.map((i) => drawn(`order ${i}`))),
    timestamps: honestSite(range.map((i) => String(START + i * 3_600_000))),
    'snowflake ids': honestSite(
      range.map((i) => String(((BigInt(i) * 86_400_000n) << 22n) | 100_000_000_000_000_000n)),
    ),
    'ids of which some are copies': honestSite(
      range.map((i) => drawn(`copy ${i}`)),
      8,
    ),
  };
  for (const [name, site] of Object.entries(sites)) {
    for (const wanted of [true, false]) {
      test(`${name}${wanted ? ' on the host of a seed' : ''}: the site stays whole`, () => {
        const guard = newGuard();
        const { visited, held } = drive(guard, site, { wanted });
        assert.equal(held.size, 0);
        assert.equal(visited.length, site.pages);
        assert.deepEqual(
          guard.report(10).filter(({ state }) => state !== 'open'),
          [],
        );
      });
    }
  }
});
