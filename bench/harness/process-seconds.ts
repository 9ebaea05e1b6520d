import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The process that starts them. */
const KERNEL_THREADS = 2;

/** Processor time of processes with all their threads so far; 0 of those that have ended. Linux. */
export function processSeconds(pids: readonly (number | undefined)[]): number {
  const ticks = pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : (ticksOf(pid)?.own ?? 0)), 0);
  return ticks / ticksPerSecond();
}

/** Processor time of processes, also of those that have ended: as it was at the last look, a tenth of a second before at most. Linux. */
export class SecondsOfProcesses implements Disposable {
  readonly #last = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(pids: readonly number[]) {
    const look = (): void => {
      for (const pid of pids) this.#last.set(pid, Math.max(this.#last.get(pid) ?? 0, processSeconds([pid])));
    };
    this.#timer = setInterval(look, 100);
  }

  get seconds(): number {
    return [...this.#last.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Of their first threads alone: where a node decides, and where it reads pages unless it has threads for that. Linux. */
export function firstThreadSeconds(pids: readonly (number | undefined)[]): number {
  const ticks = pids.map((pid) => (pid === undefined ? 0 : (ticksOf(`${pid}/task/${pid}`)?.own ?? 0)));
  return ticks.reduce((sum, some) => sum + some, 0) / ticksPerSecond();
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

/** Processor time of the threads of the kernel. Linux. */
export function kernelSeconds(): number {
  return serverSeconds(KERNEL_THREADS);
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

let clockTicks: number | undefined;

function ticksPerSecond(): number {
  clockTicks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return clockTicks;
}
