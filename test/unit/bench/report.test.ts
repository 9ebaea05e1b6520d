import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'parse5';
import type { BenchResult } from '../../../bench/report/bench-result.ts';
import { plainNumber } from '../../../bench/report/plain-number.ts';
import { svgChart } from '../../../bench/report/svg-chart.ts';
import { textTable } from '../../../bench/report/text-table.ts';
import { describeBench, writeReport } from '../../../bench/report/write-report.ts';

describe('numbers and tables of the benchmarks', () => {
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

describe('charts of the benchmarks', () => {
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
    const widths = Array.from(svg.matchAll(/<rect x="[^"]*" y="[^"]*" width="([^"]*)"/g), ([, width]) => Number(width));
    assert.equal(widths.length, 3);
    assert.ok(Math.abs(widths[0] - 2 * widths[1]) < 0.2);
    assert.ok(svg.includes('Speed &#38; &#60;care&#62;'));
    assert.ok(numbersIn(svg).every((value) => Number.isFinite(value) && value >= 0 && value <= 760));
    assert.deepEqual(
      elementsOf(svg).filter((name) => !['svg', 'rect', 'text', 'line'].includes(name)),
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
      const [, path] = / d="([^"]*)"/.exec(svg) as RegExpExecArray;
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

describe('the report of the benchmarks', () => {
  const result: BenchResult = {
    table: { columns: ['pages/s'], rows: [[5]] },
    checks: [
      { kind: 'correct', what: 'nothing missed', found: '5 requests', passed: true },
      { kind: 'goal', what: 'fast', found: 'slow', passed: false },
    ],
    charts: [{ kind: 'bars', name: 'speed', title: 'Speed', unit: 'pages/s', bars: [{ label: 'ours', value: 5 }] }],
    notes: ['A note.'],
    data: { pages: 5 },
  };
  const entry = { name: 'crawl', title: 'Crawl', seconds: 3, othersShare: 0.5, result };

  test('tells table, checks and notes; a failure tells why', () => {
    const text = describeBench(entry);
    assert.match(text, /^## Crawl \(3 s, others used 50 % of the machine\)/);
    assert.match(text, /- ok: nothing missed: 5 requests\n- missed: fast: slow/);
    assert.match(describeBench({ ...entry, result: undefined, error: 'it broke' }), /FAILED: it broke/);
  });

  test('writes figures, tables and a picture for each chart', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'));
    try {
      const machine = { cpu: 'a cpu', cores: 2, memoryGb: 4, system: 'Linux', node: 'v24.0.0' };
      const run = { date: '2026-01-02T03:04:05Z', version: '0.1.0', quick: true, machine, benches: [entry] };
      writeReport(join(folder, 'out'), run);
      assert.deepEqual(readdirSync(join(folder, 'out')).sort(), ['results.json', 'results.md', 'speed.svg']);
      assert.deepEqual(JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8')).benches[0].result, result);
      assert.match(readFileSync(join(folder, 'out', 'results.md'), 'utf8'), /!\[Speed\]\(speed\.svg\)/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
