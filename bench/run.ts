/**
 * All benchmarks, or those that are named: `npm run bench -- [name...] [--quick] [--strict] [--quiet SECONDS] [--out FOLDER]`.
 * What each measures is told in docs/benchmarks.md.
 */
import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/index.ts';
import {
  describeMachine,
  familyCpuSeconds,
  machineCpuSeconds,
  machineInWords,
  waitForQuiet,
} from './harness/machine.ts';
import { type BenchEntry, describeBench, writeReport } from './report/write-report.ts';
import type { Bench } from './suite/bench.ts';
import { BENCHES } from './suite/benches.ts';

const USAGE = `npm run bench -- [name...] [--quick] [--strict] [--quiet SECONDS] [--out FOLDER]

Names: ${BENCHES.map(({ name }) => name).join(', ')}. Without any, all of them.
  --quick   on a smaller scale, to see that everything works
  --strict  a goal that is missed fails the run, not only a crawl that went wrong
  --quiet   longest wait before each, in seconds, for others to leave the machine alone (10)
  --out     folder for results.json, results.md and the plots; a temporary one by default`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    quiet: { type: 'string', default: '10' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));

if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n\n${USAGE}` : USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = await runAll(
    BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    values.out ?? mkdtempSync(join(tmpdir(), 'orbweaver-bench-results-')),
  );
}

/** Runs them in order and writes the report after each, so that a run that is broken off leaves something. */
async function runAll(benches: readonly Bench[], out: string): Promise<number> {
  const { quick } = values;
  const machine = describeMachine();
  const date = new Date().toISOString();
  const entries: BenchEntry[] = [];
  console.log(`Orbweaver ${version} on ${machineInWords(machine)}${quick ? ' (quick run)' : ''}\n`);
  for (const bench of benches) {
    if (!quick) await waitForQuiet(Number(values.quiet));
    const entry = await runOne(bench, quick);
    entries.push(entry);
    console.log(describeBench(entry));
    writeReport(out, { date, version, quick, machine, benches: entries });
  }
  console.log(`Tables, figures and plots: ${out}`);
  const failed = entries.filter(({ result }) => {
    return (
      result === undefined || result.checks.some(({ kind, passed }) => !passed && (kind === 'correct' || values.strict))
    );
  });
  if (failed.length > 0) console.log(`Failed: ${failed.map(({ name }) => name).join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

async function runOne({ name, title, run }: Bench, quick: boolean): Promise<BenchEntry> {
  const began = performance.now();
  const machineBefore = machineCpuSeconds();
  const familyBefore = familyCpuSeconds();
  const outcome = await run(quick).then(
    (result) => ({ result }),
    (error: unknown) => ({ result: undefined, error: String(error instanceof Error ? error.stack : error) }),
  );
  const seconds = (performance.now() - began) / 1000;
  const familyAfter = familyCpuSeconds();
  const own = familyAfter === undefined || familyBefore === undefined ? undefined : familyAfter - familyBefore;
  const others = own === undefined ? undefined : machineCpuSeconds() - machineBefore - own;
  const othersShare = others === undefined ? undefined : Math.max(0, others / (seconds * availableParallelism()));
  return { name, title, seconds, othersShare, ...outcome };
}
