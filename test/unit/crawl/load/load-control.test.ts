import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatLoad } from '../../../../src/crawl/load/format-load.ts';
import { LoadControl, type LoadMeasurement } from '../../../../src/crawl/load/load-control.ts';
import { propertyRuns } from '../../../property-runs.ts';

const CALM: LoadMeasurement = { lagMs: 5, memoryShare: 0.1, heapShare: 0.1, requests: 20, lost: 0 };
const observe = (control: LoadControl, measured: Partial<LoadMeasurement>, times: number, most = 100) => {
  for (let time = 1; time < times; time++) control.observe({ ...CALM, ...measured }, most);
  return control.observe({ ...CALM, ...measured }, most);
};

describe('LoadControl', () => {
  test('one bad moment changes nothing; some in a row lower it, and say why', () => {
    for (const [measured, why] of [
      [{ lagMs: 900 }, 'late'],
      [{ memoryShare: 0.9 }, 'memory'],
      [{ heapShare: 0.9 }, 'memory'],
      [{ requests: 50, lost: 45 }, 'network'],
    ] as const) {
      const control = new LoadControl();
      assert.equal(observe(control, measured, 2).allowed, 100);
      const load = observe(control, measured, 3);
      assert.ok(load.allowed < 50 && load.why === why, JSON.stringify(load));
      assert.equal(observe(control, measured, 50).allowed, 4, 'and never to nothing');
      assert.match(formatLoad(control.view(100)), /^4 of 100 requests at once: \w/);
    }
  });

  test('when it is over, it rises to all again, step by step', () => {
    const control = new LoadControl();
    observe(control, { lagMs: 900 }, 10);
    const first = observe(control, {}, 1).allowed;
    assert.ok(observe(control, {}, 1).allowed - first <= 2);
    const { allowed, why } = observe(control, {}, 60);
    assert.deepEqual([allowed, why], [100, undefined]);
  });

  test('hosts that are not there are no sign of a broken line', () => {
    const control = new LoadControl();
    assert.equal(observe(control, { requests: 5, lost: 0 }, 50).allowed, 100);
    assert.equal(observe(control, { requests: 2, lost: 2 }, 50).allowed, 100, 'nor are a few requests');
  });

  test('whatever is measured, it allows some and no more than the setting says', () => {
    const measurement = fc.record({
      lagMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
      memoryShare: fc.double({ min: 0, max: 2, noNaN: true }),
      heapShare: fc.double({ min: 0, max: 2, noNaN: true }),
      requests: fc.nat(1000),
      lost: fc.nat(1000),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(measurement, fc.integer({ min: 1, max: 10_000 })), { maxLength: 100 }),
        (course) => {
          const control = new LoadControl();
          for (const [measured, most] of course) {
            const { allowed } = control.observe(measured, most);
            assert.ok(
              Number.isInteger(allowed) && allowed >= Math.min(4, most) && allowed <= most,
              `${allowed} of ${most}`,
            );
          }
        },
      ),
      { numRuns: propertyRuns(600) },
    );
  });
});
