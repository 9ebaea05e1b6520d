import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { csvCell } from '../../../../src/crawl/report/csv-cell.ts';
import { propertyRuns } from '../../../property-runs.ts';

/** A cell as RFC 4180 reads it. */
function readCell(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

describe('csvCell', () => {
  test('no spreadsheet takes a text for a formula', () => {
    for (const text of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      ' =1',
      '\u00a0=1',
      '＝1',
      '＋1',
      '－1',
      '＠x',
    ])
      assert.match(readCell(csvCell(text)), /^'/, JSON.stringify(text));
  });

  test('numbers and plain texts stay as they are', () => {
    assert.equal(csvCell(-5), '-5');
    assert.equal(csvCell(undefined), '');
    assert.equal(csvCell('http://a.test/?q=1'), 'http://a.test/?q=1');
    assert.equal(csvCell('a, "b"'), '"a, ""b"""');
  });

  test('any text is one cell, and comes back, but for the apostrophe', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cell = csvCell(text);
        if (!cell.startsWith('"')) assert.doesNotMatch(cell, /[",\r\n]/);
        else assert.doesNotMatch(cell.slice(1, -1).replaceAll('""', ''), /"/);
        const back = readCell(cell);
        const kept = text.replaceAll('\0', '\ufffd');
        assert.ok(back === kept || back === `'${kept}`);
      }),
      { numRuns: propertyRuns(1200) },
    );
  });
});
