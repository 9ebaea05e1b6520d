import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../../src/simulate/server/child-web.ts';
import { familyCpuSeconds } from '../harness/machine.ts';
import type { Bench } from './bench.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));

interface StartTimes {
  readonly what: string;
  readonly ms: readonly number[];
  readonly cpuMs: number | undefined;
}

/** From the command to its end: of one that does nothing, and of a crawl of one page. */
export const startUp: Bench = {
  name: 'start-up',
  title: 'Start of the command line',
  async run(quick) {
    const times = quick ? 3 : 10;
    await using site = await startWebProcess({ ...PLAIN_SHARES, hosts: 1, pagesPerHost: 1, linksPerPage: 0 });
    const hosts = Object.entries(site.hostsMap).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]);
    const crawl = ['crawl', site.origins[0], '--delay', '0', '--allow-private', '--quiet', ...hosts];
    const all = [
      await started('orbweaver --version', times, () => ['--version']),
      await started('crawl of one page', times, (dir) => [...crawl, '--dir', dir]),
      await started('crawl of one page, no page threads', times, (dir) => [...crawl, '--dir', dir, '--workers', '0']),
    ];
    const median = ({ ms }: StartTimes): number => Math.round(ms[Math.floor(ms.length / 2)]);
    return {
      table: {
        columns: ['what', 'median ms', 'best ms', 'CPU ms'],
        rows: all.map((one) => [one.what, median(one), Math.round(one.ms[0]), one.cpuMs]),
      },
      checks: [],
      charts: [
        {
          kind: 'bars',
          name: 'start-up',
          title: 'Start of the command line',
          unit: 'ms from the command to its end',
          bars: all.map((one) => ({ label: one.what, value: median(one) })),
        },
      ],
      notes: [`${times} starts each. From a checkout, so that Node.js strips the types as it loads the files.`],
      data: all,
    };
  },
};

async function started(what: string, times: number, argsIn: (folder: string) => string[]): Promise<StartTimes> {
  const cpuBefore = familyCpuSeconds();
  const ms: number[] = [];
  for (let time = 0; time < times; time++) {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
    try {
      const began = performance.now();
      const args = [LAUNCHER, ...argsIn(join(folder, 'crawl'))];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(child, 'exit');
      ms.push(performance.now() - began);
      if (code !== 0) throw new Error(`${what} ended with exit code ${code}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const cpuAfter = familyCpuSeconds();
  const cpu = cpuAfter === undefined || cpuBefore === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    what,
    ms: ms.sort((a, b) => a - b),
    cpuMs: cpu === undefined ? undefined : Math.round((1000 * cpu) / times),
  };
}
