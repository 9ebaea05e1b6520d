import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of a server with all its processes, those that have ended included: connections come and go. Linux. */
export function serverSeconds(server: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number);
      if (Number(pid) === server) ticks += stat[11] + stat[12] + stat[13] + stat[14];
      else if (stat[1] === server) ticks += stat[11] + stat[12];
    } catch {
      // It has ended.
    }
  }
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}
