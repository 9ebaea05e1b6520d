import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type SitemapAssertion, SitemapTrust } from '../../../src/revisit/sitemap-trust.ts';
import { shareHeld, withObservation } from '../../../src/revisit/trust-evidence.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** A site whose pages change with a chance of 0.3 between daily visits, and say of it what `lastmod` makes of the truth. */
function measured(lastmod: (changed: boolean, day: number) => number | undefined, days = 100): SitemapTrust {
  const trust = new SitemapTrust();
  for (let day = 1; day <= days; day++) {
    const changed = (day * 7) % 10 < 3;
    const at = START + day * DAY;
    trust.observeVisit({ lastModified: lastmod(changed, day) }, at - DAY, at, changed);
  }
  return trust;
}

const visit = START + 200 * DAY;
const saysChanged: SitemapAssertion = { lastModified: visit + HOUR };
const saysUnchanged: SitemapAssertion = { lastModified: visit - 30 * DAY };
const page = (rate: number, visits = 1) => ({ rate, visits, visitedAt: visit });
const chance = (trust: SitemapTrust, claim: SitemapAssertion): number =>
  trust.expectsChange(claim, visit, visit + DAY).probability;

describe('SitemapTrust: lastmod', () => {
  const honest = measured((changed, day) => START + (changed ? day * DAY - HOUR : 0));
  const alwaysNow = measured((_, day) => START + day * DAY - 1);
  const neverMoves = measured(() => START - 1);
  const inverted = measured((changed, day) => START + (changed ? 0 : day * DAY - HOUR));

  test('an honest site is believed', () => {
    assert.ok(honest.trust('lastmod') > 0.9);
    assert.ok(chance(honest, saysChanged) > 0.9 && chance(honest, saysUnchanged) < 0.05);
  });

  test('"now" each time says no more than how often pages change', () => {
    assert.ok(alwaysNow.trust('lastmod') < 0.6);
    assert.ok(Math.abs(chance(alwaysNow, saysChanged) - 0.3) < 0.08, `${chance(alwaysNow, saysChanged)}`);
  });

  test('a date that never moves does not keep us away', () => {
    assert.ok(Math.abs(chance(neverMoves, saysUnchanged) - 0.3) < 0.08);
    assert.ok(neverMoves.trust('lastmod') < honest.trust('lastmod'));
  });

  test('the wrong way round is worse than nothing', () => {
    assert.ok(inverted.trust('lastmod') < 0.1);
    assert.ok(chance(inverted, saysChanged) < chance(inverted, saysUnchanged));
  });

  test('before anything is measured: believed a little', () => {
    const fresh = new SitemapTrust();
    assert.ok(chance(fresh, saysChanged) > 0.5 && chance(fresh, saysUnchanged) < 0.25);
    assert.equal(fresh.measured('lastmod'), 0);
  });

  test('what lastmod leaves open, leaves out or cannot know says nothing', () => {
    const said = (claim: SitemapAssertion): string => honest.expectsChange(claim, visit, visit + DAY).said;
    const midnight = Math.floor(visit / DAY) * DAY;
    const noon = midnight + 12 * HOUR;
    const saidAtNoon = (claim: SitemapAssertion): string => honest.expectsChange(claim, noon, noon + DAY).said;
    assert.equal(saidAtNoon({ lastModified: midnight }), 'nothing');
    assert.equal(saidAtNoon({ lastModified: midnight - DAY }), 'unchanged');
    assert.equal(saidAtNoon({ lastModified: midnight + DAY }), 'changed');
    assert.deepEqual(
      [said({}), said({ lastModified: Number.NaN }), said({ lastModified: visit + 9 * DAY })],
      ['nothing', 'nothing', 'nothing'],
    );
  });

  test('a site that mends its ways is believed again', () => {
    const trust = new SitemapTrust(JSON.parse(JSON.stringify(alwaysNow)));
    const before = trust.trust('lastmod');
    for (let day = 101; day < 160; day++) {
      const at = START + day * DAY;
      const changed = day % 3 === 0;
      trust.observeVisit({ lastModified: changed ? at - HOUR : START }, at - DAY, at, changed);
    }
    assert.ok(trust.trust('lastmod') > before + 0.15, `${before} to ${trust.trust('lastmod')}`);
  });
});

describe('SitemapTrust: changefreq', () => {
  test('changefreq is believed where pages keep to it', () => {
    const kept = new SitemapTrust();
    const broken = new SitemapTrust();
    for (let day = 1; day < 60; day++) {
      const at = START + day * DAY;
      kept.observeVisit({ changeFrequency: 'hourly' }, at - DAY, at, true);
      kept.observeVisit({ changeFrequency: 'yearly' }, at - DAY, at, false);
      broken.observeVisit({ changeFrequency: 'hourly' }, at - DAY, at, false);
    }
    assert.ok(kept.trust('changefreq') > 0.9 && broken.trust('changefreq') < 0.1);
    assert.ok(chance(kept, { changeFrequency: 'hourly' }) > 0.85 && chance(kept, { changeFrequency: 'never' }) < 0.2);
    assert.ok(chance(broken, { changeFrequency: 'hourly' }) < 0.1);
    assert.equal(chance(kept, { changeFrequency: 'toString' as 'never' }), chance(kept, {}));
  });

  test('that nothing changes is no merit: only changes that were foretold count', () => {
    const quiet = new SitemapTrust();
    for (let day = 1; day < 60; day++) {
      quiet.observeVisit({ changeFrequency: 'yearly' }, START + (day - 1) * DAY, START + day * DAY, false);
    }
    assert.equal(quiet.trust('changefreq'), new SitemapTrust().trust('changefreq'));
    assert.equal(quiet.changefreqChance({ changeFrequency: 'hourly' }, page(0.1), visit + DAY), 0);
  });

  test('changefreq adds to what is expected of a page, and less where its own history is long', () => {
    const kept = new SitemapTrust();
    for (let day = 1; day < 60; day++) {
      kept.observeVisit({ changeFrequency: 'hourly' }, START + (day - 1) * DAY, START + day * DAY, true);
    }
    const added = (rate: number, visits = 1): number =>
      kept.changefreqChance({ changeFrequency: 'daily' }, page(rate, visits), visit + DAY);
    assert.ok(added(0.1) > 0.4 && added(0.1) > added(0.5));
    assert.ok(added(0.1, 20) < added(0.1) / 5);
    assert.equal(added(2), 0, 'it changes more often than that');
  });
});

describe('SitemapTrust: whatever comes', () => {
  test('evidence fades, and never weighs more than a bound', () => {
    const none = { held: 0, failed: 0, at: 0 };
    let evidence = none;
    for (let n = 0; n < 1000; n++) evidence = withObservation(evidence, false, START);
    assert.ok(evidence.failed <= 100);
    const later = withObservation(evidence, true, START + 60 * DAY);
    assert.ok(Math.abs(later.failed - 50) < 1);
    assert.equal(shareHeld(none, 0.7), 0.7);
  });

  test('chances stay chances, and a record goes through JSON unchanged', () => {
    const claim = fc.record(
      {
        lastModified: fc.double(),
        changeFrequency: fc.constantFrom('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<SitemapAssertion>;
    const time = fc.integer({ min: START, max: START + 1000 * DAY });
    fc.assert(
      fc.property(fc.array(fc.tuple(claim, time, time, fc.boolean())), claim, (visits, asked) => {
        const trust = new SitemapTrust();
        for (const [entry, last, at, changed] of visits) {
          trust.observeVisit(entry, last, at, changed);
        }
        const { probability } = trust.expectsChange(asked, START, START + DAY);
        assert.ok(probability >= 0 && probability <= 1);
        for (const kind of ['lastmod', 'changefreq'] as const) {
          assert.ok(trust.trust(kind) >= 0 && trust.trust(kind) <= 1);
        }
        const json = JSON.stringify(trust);
        assert.equal(JSON.stringify(new SitemapTrust(JSON.parse(json))), json);
      }),
    );
  });

  test('a record that is none counts as far as it can be read', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (changed, unchanged) => {
        const trust = new SitemapTrust({ changed, unchanged } as object);
        assert.ok(trust.trust('lastmod') <= 1);
      }),
    );
  });
});
