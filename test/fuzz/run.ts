/**
 * Fuzzes the parsers.
 * npm run fuzz -- [--target NAME[,NAME…]] [--inputs N] [--seed S] [--seconds N] [--resume] [--folder PATH] [--replay FILE]
 * npm run fuzz -- --exponents [--target NAME[,NAME…]]
 */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { exponentTable } from './exponents/exponent-table.ts';
import { FuzzFolder } from './fuzz-folder.ts';
import { loadTarget, TARGET_NAMES } from './targets/list.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    inputs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'orbweaver-fuzz') },
    resume: { type: 'boolean', default: false },
    replay: { type: 'string' },
    exponents: { type: 'boolean', default: false },
  },
});
const names = values.target?.split(',') ?? [];

if (values.exponents) {
  const { text, tooSteep } = exponentTable(names, (line) => console.error(line));
  console.log(text);
  if (tooSteep > 0) process.exitCode = 1;
} else if (values.replay !== undefined) {
  const [name] = names;
  if (name === undefined) throw new Error('--replay needs --target');
  const target = await loadTarget(name);
  await target.run(readFileSync(values.replay));
  await target.close?.();
  console.log(`${name}: the input passes`);
} else {
  const unknown = names.find((name) => !TARGET_NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`There is no target ${unknown}. Targets: ${TARGET_NAMES.join(', ')}`);
  const folder = new FuzzFolder(values.folder, wholeNumber('seed', values.seed), values.resume);
  const targets = names.length === 0 ? TARGET_NAMES : names;
  const findings = await runCampaign(
    folder,
    {
      targets,
      inputs: wholeNumber('inputs', values.inputs),
      ...(values.seconds === undefined ? {} : { seconds: wholeNumber('seconds', values.seconds) }),
    },
    console.log,
  );
  let total = 0;
  for (const target of targets) total += folder.progressOf(target).inputs;
  console.log(`${total.toLocaleString('en')} inputs over ${targets.length} targets, ${findings.length} findings`);
  if (findings.length > 0) process.exitCode = 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}
