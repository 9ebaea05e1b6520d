import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svgChart } from '../../src/laboratory/plots/svg-chart.ts';
import { textTable } from '../../src/laboratory/plots/text-table.ts';
import { type Machine, machineInWords } from '../harness/machine.ts';
import type { BenchResult } from './bench-result.ts';

/** One benchmark that has run. */
export interface BenchEntry {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  /** Share of the machine that other processes used meanwhile; undefined where it cannot be told. */
  readonly othersShare: number | undefined;
  /** Undefined where it failed; `error` then says why. */
  readonly result: BenchResult | undefined;
  readonly error?: string;
}

export interface BenchRun {
  readonly date: string;
  readonly version: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly benches: readonly BenchEntry[];
}

/** Title, table, checks and notes of one benchmark, as Markdown that reads well in a terminal. */
export function describeBench({ title, seconds, othersShare, result, error }: BenchEntry): string {
  const others = othersShare === undefined ? '' : `, others used ${Math.round(100 * othersShare)} % of the machine`;
  const heading = `## ${title} (${seconds.toFixed(0)} s${others})`;
  if (result === undefined) return `${heading}\n\nFAILED: ${error}\n`;
  const checks = result.checks.map(({ kind, what, found, passed }) => {
    const verdict = passed ? 'ok' : kind === 'correct' ? 'FAILED' : 'missed';
    return `- ${verdict}: ${what}: ${found}`;
  });
  const blocks = [heading, textTable(result.table), checks.join('\n'), result.notes.join('\n')];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Writes results.json, results.md and a picture for each chart. */
export function writeReport(folder: string, run: BenchRun): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(run, undefined, 1)}\n`);
  const machine = machineInWords(run.machine);
  const caption = `Orbweaver ${run.version}, ${run.date.slice(0, 10)}${run.quick ? ', quick run' : ''}. ${machine}`;
  const parts = run.benches.map((bench) => {
    const charts = bench.result?.charts ?? [];
    for (const chart of charts) writeFileSync(join(folder, `${chart.name}.svg`), svgChart(chart, caption));
    const pictures = charts.map(({ name, title }) => `![${title}](${name}.svg)`);
    return [describeBench(bench), ...(pictures.length === 0 ? [] : [`${pictures.join('\n')}\n`])].join('\n');
  });
  writeFileSync(join(folder, 'results.md'), [`# Benchmarks\n\n${caption}\n`, ...parts].join('\n'));
}
