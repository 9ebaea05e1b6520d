import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { Novelty } from '../../../../src/contracts/trap-guard.ts';
import { DEFAULT_GUARD_OPTIONS, LearningGuard } from '../../../../src/scope/traps/learning-guard.ts';
import { PatternForest } from '../../../../src/scope/traps/pattern-forest.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { drive, taskOf } from './drive.ts';
import { HOST, TRAPS } from './trap-sites.ts';

const NOVELTIES: readonly Novelty[] = [
  'new',
  'near-duplicate',
  'duplicate',
  'soft-not-found',
  'gone',
  'failed',
  'redirected',
  'refused',
];

const path = fc
  .array(fc.constantFrom('a', 'b', 'news', '12', '2026', 'ab12cd', 'x-1', 'page.html', 'p;q=1', '%20'), {
    maxLength: 5,
  })
  .map((segments) => `/${segments.join('/')}`);
const query = fc
  .array(fc.constantFrom('a=1', 'b=2', 'a=3', 'id=7', 'flag'), { maxLength: 3 })
  .map((fields) => (fields.length === 0 ? '' : `?${fields.join('&')}`));
const url = fc
  .tuple(
    fc.constantFrom('example.org', 'x.example.org', 'y.x.example.org', '[2001:db8::1]:81', '203.0.113.9'),
    path,
    query,
  )
  .map(([host, below, asked]) => `https://${host}${below}${asked}`);
const step = fc.record({
  url,
  from: url,
  novelty: fc.constantFrom(...NOVELTIES),
  depth: fc.nat(5),
  repeat: fc.integer({ min: 1, max: 30 }),
});

function play(guard: LearningGuard, steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): void {
  for (const { url: at, from, novelty, depth, repeat } of steps) {
    const task = taskOf(at, depth, { how: 'link', from });
    for (let i = 0; i < repeat; i++) {
      guard.found(task);
      guard.observe({ task, novelty, links: i, unknownLinks: i >> 1, fetchMs: 10, bytes: 100 * i });
    }
  }
}

/** Of 13 patterns, all but the traits visited. The engine takes 7,150; another one may take some more. */
const PER_HOST = 7700;

describe('the memory of the guard', () => {
  test('a restored guard judges and reports the same', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(url, { maxLength: 20 }), (steps, asked) => {
        const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
        play(guard, steps);
        guard.set('example.org/news/**', 'hold');
        const other = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
        other.restore(JSON.parse(JSON.stringify(guard.snapshot())));
        assert.deepEqual(other.report(1000), guard.report(1000));
        for (const at of [...asked, ...steps.map((played) => played.url)]) {
          const task = taskOf(at, 2, { how: 'link', from: steps[0]?.url ?? at });
          assert.deepEqual(other.judge(task), guard.judge(task));
        }
        assert.deepEqual(other.snapshot(), guard.snapshot());
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('what cannot be read is not restored', () => {
    for (const broken of [undefined, null, 7, 'x', {}, { version: 2, hosts: [] }]) {
      const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
      guard.restore(broken);
      assert.deepEqual(guard.report(10), []);
    }
  });

  test('patterns whose pages are new and lead nowhere new are never held', () => {
    fc.assert(
      fc.property(fc.array(url, { minLength: 1, maxLength: 200 }), (urls) => {
        const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
        urls.forEach((at, i) => {
          const task = taskOf(at, 2, { how: 'link', from: `${HOST}/lists/${i % 7}` });
          assert.equal(guard.found(task).held, false);
          assert.equal(guard.judge(task).held, false);
          guard.observe({ task, novelty: 'new', links: 5, unknownLinks: 0, fetchMs: 10, bytes: 3000 + 97 * i });
        });
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('is bounded, and what is held is forgotten last', () => {
    const maxPatterns = 1000;
    const guard = new LearningGuard({ ...DEFAULT_GUARD_OPTIONS, maxPatterns }, new VirtualClock());
    drive(guard, TRAPS['a maze of random text'](), { most: 3000 });
    const held = guard.report(50).filter(({ state }) => state === 'held');
    for (let i = 0; i < 5000; i++)
      guard.found(taskOf(`https://host-${i}.test/a/b/${i}`, 2, { how: 'link', from: `${HOST}/` }));
    assert.ok(guard.report(1e6).length <= maxPatterns);
    assert.ok(JSON.stringify(guard.snapshot()).length < maxPatterns * 400);
    assert.deepEqual(
      guard
        .report(50)
        .filter(({ state }) => state === 'held')
        .map(({ pattern }) => pattern),
      held.map(({ pattern }) => pattern),
    );
  });

  test('to judge a URL of an unknown host makes nothing and forgets nothing', () => {
    const guard = new LearningGuard({ ...DEFAULT_GUARD_OPTIONS, maxPatterns: 100 }, new VirtualClock());
    const names = Array.from({ length: 60 }, (_, i) => `https://h${i}.example.org/`);
    for (const name of names.slice(0, 30))
      play(guard, [{ url: name, from: name, novelty: 'gone', depth: 3, repeat: 1 }]);
    const before = JSON.stringify(guard.snapshot());
    const asked = names.map((name) => guard.judge(taskOf(name, 3, { how: 'link', from: names[0] })));
    assert.equal(JSON.stringify(guard.snapshot()), before);
    const last = asked[59];
    assert.ok(last.held, 'a host that was never seen lies in its domain');
    assert.equal(last.pattern, '*.example.org/**');
  });

  test('domains with something to tell give way too, and room is made in large steps', () => {
    const most = 500;
    const forest = new PatternForest(7, most);
    let steps = 0;
    let last = 0;
    let largest = 0;
    for (let i = 0; i < 5000; i++) {
      const tree = forest.treeOf(`x.site-${i}.org`);
      const domain = tree.account.up;
      assert.ok(domain);
      domain.enter({ finding: 'gone', amount: -20, slow: false }, 0, 1000);
      const size = [...forest.accounts()].length;
      if (size < last) steps++;
      last = size;
      largest = Math.max(largest, size);
    }
    assert.ok(largest <= most + 2, String(largest));
    assert.ok(steps <= 110, `${steps} times`);
  });

  test('one host that makes up folders and queries without end stays bounded too', () => {
    const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
    for (let i = 0; i < 20_000; i++) {
      const name = (salt: number): string => `n${((i * 7919 + salt * 104_729) % 99_991).toString(36)}x`;
      guard.found(
        taskOf(`${HOST}/${name(1)}/${name(2)}/${name(3)}/${name(4)}?${name(5)}=1&${name(6)}=2`, 3, {
          how: 'link',
          from: `${HOST}/`,
        }),
      );
    }
    assert.ok(guard.report(1e6).length <= 2100);
  });

  test('what is known of a host stays small', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const hosts = 800;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const learn = (): LearningGuard => {
      const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, new VirtualClock());
      for (let visit = 0; visit < 8 * hosts; visit++) {
        const [host, page] = [visit % hosts, Math.floor(visit / hosts)];
        const at = (other: number): string =>
          `https://host${host}.test/${other % 2 === 0 ? 'news' : 'guides'}/page-${other}.html${other % 5 === 0 ? `?id=${other}` : ''}`;
        for (let link = 1; link < 5; link++) guard.found(taskOf(at(page + link), 2, { how: 'link', from: at(page) }));
        const evidence = { links: 8 + (page % 3), unknownLinks: 2, fetchMs: 20, bytes: 700 + 31 * page, words: 80 };
        guard.observe({
          ...{ task: taskOf(at(page), 2, { how: 'link', from: at(page + 7) }), novelty: 'new', ...evidence },
          simhash: BigInt(visit) << 20n,
        });
      }
      return guard;
    };
    learn();
    const before = used();
    const guard = learn();
    const bytes = (used() - before) / hosts;
    assert.ok(guard.report(1e6).length >= 4 * hosts);
    assert.ok(bytes < PER_HOST, `${bytes} bytes a host`);
  });
});
