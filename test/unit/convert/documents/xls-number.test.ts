import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { builtInFormat, spreadsheetNumber } from '../../../../src/convert/documents/spreadsheet-number.ts';

test('numbers as their formats show them', () => {
  const shown: [number, string, string][] = [
    [196, '', '196'],
    [0.1 + 0.2, 'General', '0.3'],
    [123_456_789_012_345, '', '123456789012345'],
    [1599.99, '#,##0.00', '1,599.99'],
    [-1599.99, '#,##0.00', '-1,599.99'],
    [-1599.99, '$#,##0.00;[Red]($#,##0.00)', '($1,599.99)'],
    [1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
    [0.025, '0.00%', '2.50%'],
    [198_000_000, '0.00E+00', '1.98E+08'],
    [2.5, '# ?/?', '2 1/2'],
    [7, '000', '007'],
    [19.99, '#" dollars and ".00" cents"', '19 dollars and .99 cents'],
    [1_234_567, '0.0,,"M"', '1.2M'],
    [0, '0;-0;"none"', 'none'],
    [5, '"literal"', 'literal'],
    [1.5, '0.###', '1.5'],
  ];
  for (const [value, code, text] of shown) assert.equal(spreadsheetNumber(value, code), text, `${value} as ${code}`);
});

test('dates and times in the order of ISO 8601', () => {
  assert.equal(spreadsheetNumber(39_219, 'd-mmm-yy'), '2007-05-17');
  assert.equal(spreadsheetNumber(39_219.180_555_6, '"At" h:mm AM/PM "on" dddd mmmm d, yyyy'), '2007-05-17 04:20');
  assert.equal(spreadsheetNumber(0.760_416_67, 'h:mm'), '18:15');
  assert.equal(spreadsheetNumber(1.5, '[h]:mm:ss'), '36:00:00');
  assert.equal(spreadsheetNumber(39_219, 'mmm yyyy'), '2007-05');
  assert.equal(spreadsheetNumber(37_757, 'yyyy-mm-dd', true), '2007-05-17');
  assert.equal(spreadsheetNumber(1, builtInFormat(14)), '1900-01-01');
  assert.equal(spreadsheetNumber(-5, 'yyyy-mm-dd'), '-5');
});

test('no format and no number make it throw', () => {
  const code = fc.string({ unit: fc.constantFrom(...'0#?.,;%[]$-E+"\\_*@ymdhs/ '), maxLength: 30 });
  fc.assert(
    fc.property(fc.double(), code, fc.boolean(), (value, format, from1904) => {
      assert.equal(typeof spreadsheetNumber(value, format, from1904), 'string');
    }),
  );
});
