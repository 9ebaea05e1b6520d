import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'parse5';
import { axisScale } from '../../../../src/laboratory/plots/axis-scale.ts';
import type { AxisOptions } from '../../../../src/laboratory/plots/chart.ts';
import { plainNumber } from '../../../../src/laboratory/plots/plain-number.ts';
import { svgChart } from '../../../../src/laboratory/plots/svg-chart.ts';
import { textTable } from '../../../../src/laboratory/plots/text-table.ts';

describe('numbers and tables', () => {
  test('numbers show what matters of them', () => {
    const shown = [0, 7, 0.0004, 0.123, 3.456, 12.34, 123.4, 1234567.8, Number.NaN].map(plainNumber);
    assert.deepEqual(shown, ['0', '7', '0.0004', '0.12', '3.46', '12.3', '123', '1,234,568', '-']);
  });

  test('a table is Markdown, with columns in line and numbers to the right', () => {
    const table = textTable({
      columns: ['what', 'pages/s'],
      rows: [
        ['ours', 1234],
        ['a peer', undefined],
      ],
    });
    assert.deepEqual(table.split('\n'), [
      '| what   | pages/s |',
      '|--------|--------:|',
      '| ours   |   1,234 |',
      '| a peer |       - |',
    ]);
  });
});

describe('charts', () => {
  const numbersIn = (svg: string): number[] =>
    Array.from(svg.matchAll(/ (?:x|y|x1|x2|y1|y2|width|height)="([^"]*)"/g), ([, value]) => Number(value));

  test('bars end in proportion, and odd labels break nothing', () => {
    const svg = svgChart(
      {
        kind: 'bars',
        name: 'a',
        title: 'Speed & <care>',
        unit: 'pages per second',
        bars: [
          { label: 'ours "quoted"', value: 100 },
          { label: 'half', value: 50, peer: true },
          { label: 'nothing', value: 0 },
        ],
      },
      'a machine',
    );
    const widths = Array.from(svg.matchAll(/<rect [^>]* width="([^"]*)" [^>]* rx=/g), ([, width]) => Number(width));
    assert.equal(widths.length, 3);
    assert.ok(Math.abs(widths[0] - 2 * widths[1]) < 0.2);
    assert.ok(svg.includes('Speed &#38; &#60;care&#62;'));
    assert.ok(numbersIn(svg).every((value) => Number.isFinite(value) && value >= 0 && value <= 760));
    assert.deepEqual(
      elementsOf(svg).filter((name) => !['svg', 'style', 'rect', 'text', 'path'].includes(name)),
      [],
    );
  });

  for (const points of [
    [[0, 0]],
    [[5, 3]],
    [
      [0, 10],
      [200_000, 431.5],
    ],
    [
      [0, 0.001],
      [1, 0.002],
    ],
  ] as const) {
    test(`lines stay on the picture: ${JSON.stringify(points)}`, () => {
      const lines = ['one', 'two'].map((label) => ({ label, points }));
      const svg = svgChart({ kind: 'lines', name: 'a', title: 'Memory', x: 'pages', y: 'MB', lines }, 'a machine');
      const [, path] = / d="([^"]*)" fill="none" stroke-width="2.25"/.exec(svg) as RegExpExecArray;
      const places = Array.from(path.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g), ([, x, y]) => [Number(x), Number(y)]);
      assert.equal(places.length, points.length);
      assert.ok(
        places.every(([x, y]) => x >= 0 && x <= 760 && y >= 0 && y <= 420),
        path,
      );
      assert.ok(numbersIn(svg).every(Number.isFinite));
    });
  }

  function elementsOf(svg: string): string[] {
    const names: string[] = [];
    const walk = (node: object): void => {
      if ('tagName' in node && typeof node.tagName === 'string') names.push(node.tagName);
      if ('childNodes' in node) for (const child of node.childNodes as object[]) walk(child);
    };
    walk(parse(svg));
    return names.filter((name) => !['html', 'head', 'body'].includes(name));
  }
});

describe('axes', () => {
  const shown = (values: readonly number[], options: AxisOptions, open = false): string[] => {
    const scale = axisScale(values, options, open);
    return scale.ticks.map((tick) => scale.name(tick));
  };

  test('round steps, from 0 or from the data', () => {
    assert.deepEqual(shown([0.3, 0.93], { percent: true }), ['0 %', '20 %', '40 %', '60 %', '80 %', '100 %']);
    assert.deepEqual(shown([0.91, 0.97], { percent: true, from: 'data' }), ['90 %', '92 %', '94 %', '96 %', '98 %']);
    assert.deepEqual(shown([0, 730], {}, true), ['0', '200', '400', '600']);
  });

  test('powers of ten, with halves where there are few', () => {
    assert.deepEqual(shown([0.01, 1], { log: true }), ['0.01', '0.03', '0.1', '0.3', '1']);
    assert.deepEqual(shown([0.001, 100], { log: true }), ['0.001', '0.01', '0.1', '1', '10', '100']);
    assert.deepEqual(shown([0.1], { log: true }), ['0.1', '0.2']);
  });

  test('every value has its place on the axis', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), { minLength: 1 }),
        fc.boolean(),
        fc.constantFrom(0, 'data' as const),
        fc.boolean(),
        (values, log, from, open) => {
          const scale = axisScale(values, { log, from }, open);
          const places = values.map((value) => scale.place(value));
          assert.ok(places.every((place) => place >= -1e-9 && place <= 1 + 1e-9));
          assert.ok(scale.ticks.length >= 1 && scale.ticks.length <= 20);
        },
      ),
    );
  });

  test('names beside lines stay apart, however close the lines end', () => {
    const lines = Array.from({ length: 8 }, (_, at) => ({
      label: `line ${at}`,
      points: [
        [0, 1],
        [1, 1 + at / 1000],
      ] as const,
    }));
    const svg = svgChart({ kind: 'lines', name: 'a', title: 't', x: 'days', y: 'share', lines }, '');
    const heights = Array.from(svg.matchAll(/ y="([^"]*)"[^>]*>line \d/g), ([, y]) => Number(y)).sort((a, b) => a - b);
    assert.equal(heights.length, 8);
    assert.ok(
      heights.every((y, at) => at === 0 || y - heights[at - 1] >= 18.9),
      heights.join(' '),
    );
    assert.ok(heights[0] >= 70 && heights[7] <= 345);
  });
});
