import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { runNodeHistory } from '../conformance/nodes/node-histories.ts';

/**
 * Many histories of nodes: what a seed does to them is in test/conformance/nodes. Prints seeds that went wrong with what happened, and
 * how long a seed took. Exit status 1 where there was one.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
    nearest: { type: 'boolean', default: false },
    part: { type: 'boolean', default: false },
  },
});
const [seeds, from, processes] = [Number(values.seeds), Number(values.from), Number(values.processes)];

if (values.part) {
  let [wrong, outlived] = [0, 0];
  const before = process.cpuUsage();
  for (let at = 0; at < seeds; at++) {
    const { seed, violations, log, outlived: some } = await runNodeHistory(from + at, { isNearest: values.nearest });
    outlived += some;
    if (violations.length === 0) continue;
    wrong++;
    process.stdout.write(`seed ${seed}: ${violations.join('\n  ')}\n    ${log.join('\n    ')}\n`);
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ wrong, outlived, cpuMs: (user + system) / 1000 });
} else {
  const began = Date.now();
  const share = Math.ceil(seeds / processes);
  const parts = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const first = from + number * share;
      const count = Math.min(share, from + seeds - first);
      const child = fork(import.meta.filename, [
        ...['--part', '--from', String(first), '--seeds', String(count)],
        ...(values.nearest ? ['--nearest'] : []),
      ]);
      const [part] = (await once(child, 'message')) as [{ wrong: number; outlived: number; cpuMs: number }];
      return part;
    }),
  );
  const sum = (of: 'wrong' | 'outlived' | 'cpuMs'): number => parts.reduce((total, part) => total + part[of], 0);
  const each = (sum('cpuMs') / seeds).toFixed(1);
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(
    `${seeds} seeds from ${from} on: ${sum('wrong')} went wrong; ${sum('outlived')} requests of stopped processes outlived their lease; ${each} ms of CPU each, ${seconds} s in all\n`,
  );
  process.exitCode = sum('wrong') > 0 ? 1 : 0;
}
