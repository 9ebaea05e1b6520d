import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of a process with all its threads so far; 0 where it has ended. Linux. */
export function processSeconds(pid: number): number {
  const found = ticksOf(pid);
  return found === undefined ? 0 : found.own / ticksPerSecond();
}

/** Processor time of a server with all its processes, those that have ended included: connections come and go. Linux. */
export function serverSeconds(server: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const found = ticksOf(pid);
    if (Number(pid) === server) ticks += (found?.own ?? 0) + (found?.ofEnded ?? 0);
    else if (found?.parent === server) ticks += found.own;
  }
  return ticks / ticksPerSecond();
}

/** Processor time of all children of this process that have ended, from their start to their end. What a program tells of itself leaves out both. Linux. */
export function endedChildrenSeconds(): number {
  return (ticksOf('self')?.ofEnded ?? 0) / ticksPerSecond();
}

interface ProcessTicks {
  readonly parent: number;
  readonly own: number;
  /** Children that have ended and were waited for, with theirs. */
  readonly ofEnded: number;
}

function ticksOf(pid: number | string): ProcessTicks | undefined {
  try {
    // A name may hold spaces and brackets.
    const [, parent, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [user, system, endedUser, endedSystem] = rest.slice(9);
    return { parent, own: user + system, ofEnded: endedUser + endedSystem };
  } catch {
    // It has ended.
    return undefined;
  }
}

function ticksPerSecond(): number {
  return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}
