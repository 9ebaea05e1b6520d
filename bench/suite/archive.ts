import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';

const SCRIPT = fileURLToPath(new URL('../archive.ts', import.meta.url));
const HEADING = /pages, (\d+) bytes each/;
const LINE = /^(.*?) +(\d+) visits\/CPU-s written, (\d+) bytes each; (\d+)\/CPU-s scanned$/;

interface ArchiveSpeed {
  readonly what: string;
  readonly visitsPerCpuSecond: number;
  readonly megabytesPerCpuSecond: number;
  readonly bytesEach: number;
  readonly scannedPerCpuSecond: number;
}

/** What the archive takes in, at several levels of compression. The work is done by the script of the same name. */
export const archive: Bench = {
  name: 'archive',
  title: 'Archive',
  async run(quick) {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, quick ? '300' : '2000']);
    const lines = stdout.trim().split('\n');
    const pageBytes = Number(HEADING.exec(lines[0])?.[1]);
    const speeds = lines.slice(1).flatMap((line): ArchiveSpeed[] => {
      const found = LINE.exec(line);
      if (found === null) return [];
      const [visits, bytesEach, scanned] = found.slice(2).map(Number);
      return [
        {
          what: found[1],
          visitsPerCpuSecond: visits,
          megabytesPerCpuSecond: (visits * pageBytes) / 1e6,
          bytesEach,
          scannedPerCpuSecond: scanned,
        },
      ];
    });
    if (speeds.length === 0 || Number.isNaN(pageBytes)) throw new Error(`archive.ts told something else:\n${stdout}`);
    return {
      table: {
        columns: ['what', 'MB/CPU s', 'visits/CPU s', 'bytes each', 'scanned/CPU s'],
        rows: speeds.map((one) => [
          ...[one.what, one.megabytesPerCpuSecond, one.visitsPerCpuSecond, one.bytesEach, one.scannedPerCpuSecond],
        ]),
      },
      checks: [],
      charts: [
        {
          kind: 'bars',
          name: 'archive',
          title: 'Archive: pages written',
          unit: 'MB of HTML per CPU-second, three records for each page',
          bars: speeds.map(({ what, megabytesPerCpuSecond }) => ({ label: what, value: megabytesPerCpuSecond })),
        },
      ],
      notes: [lines[0]],
      data: { pageBytes, speeds },
    };
  },
};
