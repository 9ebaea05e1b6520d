import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { BenchResult } from '../../../bench/report/bench-result.ts';
import { describeBench, writeReport } from '../../../bench/report/write-report.ts';

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
