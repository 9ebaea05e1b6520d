import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { urlsBySample } from '../../../../src/crawl/plan/urls-by-sample.ts';

const pages = (count: number, links: number, unknown: number) =>
  Array.from({ length: count }, () => ({ links, unknown }));

describe('urlsBySample', () => {
  test('a table of contents that names all: nothing else is likely, and little possible', () => {
    const discoveries = [{ links: 506, unknown: 506 }, ...pages(29, 9, 0)];
    const { low, likely, high } = urlsBySample({ known: 507, discoveries });
    assert.equal(low, 507);
    assert.ok(Math.abs(likely - 507) < 1);
    assert.ok(high > 507 && high < 700, `${high}`);
  });

  test('a list that is come across late does not pass for one that is come across again and again', () => {
    const quiet = [...pages(28, 20, 1), ...pages(2, 20, 1)];
    const withList = [...pages(28, 20, 1), { links: 500, unknown: 450 }, { links: 20, unknown: 0 }];
    const without = urlsBySample({ known: 100, discoveries: quiet });
    const { likely, high } = urlsBySample({ known: 550, discoveries: withList });
    assert.ok(likely < 8 * without.likely, `${likely}, ${without.likely}`);
    assert.ok(high > 3 * likely, 'how many more such lists there are is not known');
  });

  test('as many new URLs as ever: more than one for each page that is worked off', () => {
    const { perPage, high, likely, low } = urlsBySample({ known: 301, discoveries: pages(30, 12, 10) });
    assert.equal(perPage, 10);
    assert.ok(likely > 2 * low && high > 10 * low);
  });

  test('links that lead anywhere alike: the size of the web is within the range, and likely to a factor of four', () => {
    const inAll = 1000;
    let known = 1;
    const discoveries = Array.from({ length: 60 }, () => {
      const unknown = Math.round(20 * (1 - known / inAll));
      known += unknown;
      return { links: 20, unknown };
    });
    const { low, likely, high } = urlsBySample({ known, discoveries });
    assert.ok(low < inAll && likely > 0.9 * inAll && likely < 4 * inAll && high >= inAll, `${low} ${likely} ${high}`);
  });

  test('low, likely and high are in order, finite, and never below what is known', () => {
    const page = fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2000 }));
    fc.assert(
      fc.property(fc.array(page, { maxLength: 60 }), fc.integer({ min: 0, max: 100_000 }), (read, more) => {
        const discoveries = read.map(([one, other]) => ({
          links: Math.max(one, other),
          unknown: Math.min(one, other),
        }));
        const known = discoveries.reduce((sum, { unknown }) => sum + unknown, more);
        const { low, likely, high } = urlsBySample({ known, discoveries });
        assert.equal(low, known);
        assert.ok(likely >= low * (1 - 1e-9) && high >= likely * (1 - 1e-9) && Number.isFinite(high));
      }),
    );
  });
});
