import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OrbweaverError } from '../../../src/base/errors.ts';
import { type DomainBudgetOptions, DomainBudgets } from '../../../src/frontier/domain-budgets.ts';
import { EXACT_SUPPORTERS } from '../../../src/frontier/supporter-counts.ts';
import { propertyRuns } from '../../property-runs.ts';

const OPTIONS: DomainBudgetOptions = {
  base: 10,
  perDomain: 5,
  most: 10_000,
  hosts: { base: 3, perDomain: 1, most: 50 },
};

const domain = fc.integer({ min: 0, max: 40 }).map((number) => `d${number}.example`);
const link = fc.record({ from: domain, to: domain, weight: fc.constantFrom(1, 1, 0.5, 0.1) });

function supported(links: readonly { from: string; to: string; weight?: number }[]): DomainBudgets {
  const budgets = new DomainBudgets(OPTIONS);
  for (const { from, to, weight } of links) budgets.support(from, to, weight);
  return budgets;
}

function supportBy(count: number, weight = 1, options = OPTIONS, name = 'honest'): number {
  const budgets = new DomainBudgets(options);
  for (let i = 0; i < count; i++) budgets.support(`${name}-${i}.example`, 'target.example', weight);
  return budgets.supporters('target.example');
}

describe('pages', () => {
  test('an unknown domain has the base, each domain that links to it adds its share, up to the most', () => {
    const budgets = new DomainBudgets(OPTIONS);
    assert.equal(budgets.allowance('a.example'), 10);
    assert.ok(budgets.hasRoom('a.example'));
    budgets.support('b.example', 'a.example');
    budgets.support('c.example', 'a.example');
    assert.equal(budgets.allowance('a.example'), 20);
    assert.equal(budgets.allowance('b.example'), 10);
    for (let i = 0; i < 5000; i++) budgets.support(`s${i}.example`, 'a.example');
    assert.equal(budgets.allowance('a.example'), 10_000);
  });

  test('links of a domain to itself count nothing', () => {
    const budgets = supported([{ from: 'a.example', to: 'a.example' }]);
    assert.equal(budgets.allowance('a.example'), 10);
    assert.equal(budgets.size, 0);
  });

  test('what is spent is gone, and a further domain opens the door again', () => {
    const budgets = new DomainBudgets(OPTIONS);
    for (let i = 0; i < 10; i++) {
      assert.ok(budgets.hasRoom('a.example'));
      budgets.spend('a.example');
    }
    assert.equal(budgets.spent('a.example'), 10);
    assert.ok(!budgets.hasRoom('a.example'));
    assert.ok(!budgets.support('a.example', 'a.example'));
    assert.ok(budgets.support('b.example', 'a.example'), 'tells that there is room where there was none');
    assert.ok(budgets.hasRoom('a.example'));
    assert.ok(!budgets.support('c.example', 'a.example'), 'there was room already');
    assert.ok(!budgets.support('c.example', 'a.example'));
  });

  test('no bound takes away what any domain has', () => {
    const unlimited = new DomainBudgets({ ...OPTIONS, base: Number.POSITIVE_INFINITY });
    unlimited.support('b.example', 'a.example');
    assert.equal(unlimited.allowance('a.example'), Number.POSITIVE_INFINITY);
    assert.equal(new DomainBudgets({ ...OPTIONS, base: 20_000 }).allowance('a.example'), 20_000);
  });

  test('seeds have no limit', () => {
    const budgets = new DomainBudgets(OPTIONS);
    budgets.exempt('seed.example', 'seed.example');
    for (let i = 0; i < 100; i++) budgets.spend('seed.example');
    assert.ok(budgets.hasRoom('seed.example'));
    assert.equal(budgets.allowance('seed.example'), Number.POSITIVE_INFINITY);
  });
});

describe('support', () => {
  test('neither the order of links nor how often they come matters', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 400 }), fc.array(fc.nat(), { maxLength: 60 }), (links, again) => {
        const straight = supported(links);
        const repeats = links.length === 0 ? [] : again.map((at) => links[at % links.length]);
        const other = supported([...repeats, ...links.toReversed(), ...repeats]);
        for (let i = 0; i <= 40; i++) {
          assert.equal(other.supporters(`d${i}.example`), straight.supporters(`d${i}.example`));
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('a further link never takes anything away', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 200 }), (links) => {
        const budgets = new DomainBudgets(OPTIONS);
        for (const { from, to, weight } of links) {
          const before = budgets.allowance(to);
          budgets.support(from, to, weight);
          assert.ok(budgets.allowance(to) >= before);
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('few supporters are counted exactly', () => {
    for (let count = 0; count <= EXACT_SUPPORTERS; count++) assert.equal(supportBy(count), count);
  });

  test('many are counted within the error of the sketch, at every size', () => {
    for (const count of [9, 12, 20, 50, 150, 400, 1000, 5000, 20_000]) {
      const estimates = Array.from({ length: 40 }, (_, seed) => supportBy(count, 1, { ...OPTIONS, seed }));
      const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length;
      const error = Math.sqrt(estimates.reduce((sum, one) => sum + (one / count - 1) ** 2, 0) / estimates.length);
      assert.ok(Math.abs(mean / count - 1) < 0.08, `${count}: ${mean} on average`);
      assert.ok(error < 0.2, `${count}: error ${error}`);
    }
  });

  test('domains that link to each other on purpose gain as much as honest ones, unless their links weigh less', () => {
    const farm = (weight: number): number => {
      const budgets = new DomainBudgets(OPTIONS);
      for (let from = 0; from < 100; from++) {
        for (let to = 0; to < 100; to++) budgets.support(`farm-${from}.example`, `farm-${to}.example`, weight);
      }
      let sum = 0;
      for (let to = 0; to < 100; to++) sum += budgets.supporters(`farm-${to}.example`);
      return sum / 100;
    };
    assert.ok(Math.abs(farm(1) / 99 - 1) < 0.3, `${farm(1)} of 99`);
    assert.ok(Math.abs(farm(0.1) - 9.9) < 1.5, `${farm(0.1)} where 9.9 are expected`);
    assert.equal(farm(0), 0);
  });

  test('the best link between two domains counts for both', () => {
    for (let i = 0; i < 50; i++) {
      const budgets = new DomainBudgets(OPTIONS);
      const from = `d${i}.example`;
      budgets.support(from, 'a.example', 0.2);
      const light = budgets.supporters('a.example');
      budgets.support(from, 'a.example', 1);
      assert.equal(budgets.supporters('a.example'), 1);
      budgets.support(from, 'a.example', 0.2);
      assert.equal(budgets.supporters('a.example'), 1);
      assert.ok(light <= 1);
    }
  });

  test('another seed draws other lots: nobody can choose names that count for many', () => {
    const counts = new Set(Array.from({ length: 20 }, (_, seed) => supportBy(500, 1, { ...OPTIONS, seed })));
    assert.ok(counts.size > 5);
  });
});

describe('hosts below a domain', () => {
  test('their number grows with support; a host that was let in stays', () => {
    const budgets = new DomainBudgets(OPTIONS);
    for (const name of ['a', 'b', 'c']) assert.ok(budgets.newHost('d.example', `${name}.d.example`));
    assert.ok(!budgets.newHost('d.example', 'd.d.example'));
    assert.ok(budgets.newHost('d.example', 'a.d.example'));
    assert.deepEqual(
      ['a', 'd'].map((name) => budgets.hasMet(`${name}.d.example`)),
      [true, false],
    );
    budgets.support('other.example', 'd.example');
    assert.equal(budgets.hostAllowance('d.example'), 4);
    assert.ok(budgets.newHost('d.example', 'd.d.example'));
    assert.ok(!budgets.newHost('d.example', 'e.d.example'));
  });

  test('a seed may have as many as any domain can, and no more', () => {
    const budgets = new DomainBudgets(OPTIONS);
    budgets.exempt('seed.example', 'seed.example');
    let met = 0;
    for (let i = 0; i < 200; i++) if (budgets.newHost('seed.example', `h${i}.seed.example`)) met++;
    assert.equal(met, 50);
  });

  test('hosts that are seeds themselves are let in, however many, and take no room from others', () => {
    const budgets = new DomainBudgets(OPTIONS);
    for (let i = 0; i < 200; i++) budgets.exempt('seed.example', `s${i}.seed.example`);
    for (let i = 0; i < 200; i++) assert.ok(budgets.newHost('seed.example', `s${i}.seed.example`), `${i}`);
    let met = 0;
    for (let i = 0; i < 200; i++) if (budgets.newHost('seed.example', `h${i}.seed.example`)) met++;
    assert.equal(met, 50);
  });
});

test('the report begins with the domains that have no room left', () => {
  const budgets = new DomainBudgets(OPTIONS);
  budgets.support('x.example', 'never-visited.example');
  for (let i = 0; i < 12; i++) budgets.spend('wide.example');
  budgets.exempt('wide.example', 'wide.example');
  for (let i = 0; i < 10; i++) budgets.spend('full.example');
  for (let i = 0; i < 4; i++) budgets.newHost('many-hosts.example', `${i}.many-hosts.example`);
  budgets.spend('small.example');
  assert.deepEqual(
    budgets.report(10).map(({ domain: name }) => name),
    ['full.example', 'many-hosts.example', 'wide.example', 'small.example'],
  );
  assert.deepEqual(budgets.report(1), [
    {
      domain: 'full.example',
      supporters: 0,
      spent: 10,
      allowance: 10,
      hosts: 0,
      hostAllowance: 3,
      exempt: false,
    },
  ]);
});

describe('snapshot', () => {
  test('goes through JSON and comes back the same, in whatever state', () => {
    const act = fc.oneof(
      { weight: 6, arbitrary: fc.record({ act: fc.constant('support' as const), from: domain, to: domain }) },
      fc.record({ act: fc.constant('spend' as const), from: domain, to: domain }),
      fc.record({ act: fc.constant('host' as const), from: domain, to: domain }),
      fc.record({ act: fc.constant('exempt' as const), from: domain, to: domain }),
    );
    const apply = (budgets: DomainBudgets, acts: readonly { act: string; from: string; to: string }[]) => {
      for (const { act: kind, from, to } of acts) {
        if (kind === 'support') budgets.support(from, to);
        else if (kind === 'spend') budgets.spend(to);
        else if (kind === 'host') budgets.newHost(to, `${from}.${to}`);
        else budgets.exempt(to, to);
      }
    };
    fc.assert(
      fc.property(fc.array(act, { maxLength: 300 }), fc.array(act, { maxLength: 100 }), (before, after) => {
        const kept = new DomainBudgets({ ...OPTIONS, seed: 7 });
        apply(kept, before);
        const restored = new DomainBudgets(OPTIONS);
        restored.support('left.example', 'over.example');
        restored.restore(JSON.parse(JSON.stringify(kept.snapshot())));
        apply(kept, after);
        apply(restored, after);
        assert.deepEqual(restored.report(100), kept.report(100));
        assert.deepEqual(restored.snapshot(), kept.snapshot());
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('of another form is refused', () => {
    assert.throws(() => new DomainBudgets(OPTIONS).restore({ version: 99 }), OrbweaverError);
  });

  test('holds whatever a larger budget allows now', () => {
    const small = new DomainBudgets(OPTIONS);
    small.support('a.example', 'b.example');
    const large = new DomainBudgets({ ...OPTIONS, base: 1000, perDomain: 100 });
    large.restore(small.snapshot());
    assert.equal(large.allowance('b.example'), 1100);
  });
});

describe('memory', () => {
  test('is bounded: the least telling are forgotten, seeds and those with links or visits stay', () => {
    const budgets = new DomainBudgets({ ...OPTIONS, maxDomains: 1000 });
    for (let i = 0; i < 20; i++) budgets.exempt(`seed-${i}.example`, `seed-${i}.example`);
    for (let i = 0; i < 30; i++) budgets.support(`s${i}.example`, 'linked.example');
    const linked = budgets.supporters('linked.example');
    for (let i = 0; i < 9; i++) budgets.spend('visited.example');
    for (let i = 0; i < 50_000; i++) budgets.support('hub.example', `stray-${i}.example`);
    assert.ok(budgets.size <= 1020);
    assert.equal(budgets.supporters('linked.example'), linked);
    assert.equal(budgets.spent('visited.example'), 9);
    for (let i = 0; i < 20; i++) assert.equal(budgets.allowance(`seed-${i}.example`), Number.POSITIVE_INFINITY);
    assert.equal(budgets.supporters('stray-49999.example'), 1);
    assert.equal(budgets.supporters('stray-0.example'), 0);
  });

  test('is below 75 bytes a domain, names apart', () => {
    const budgets = new DomainBudgets(OPTIONS);
    for (let i = 0; i < 200_000; i++) budgets.support(`from-${i % 1000}.example`, `to-${i}.example`);
    assert.equal(budgets.size, 200_000);
    assert.ok(budgets.bytes / budgets.size < 75, `${budgets.bytes / budgets.size} bytes`);
  });
});
