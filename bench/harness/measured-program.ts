import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that has ended, with all processes that it had started. */
export interface MeasuredProgram {
  readonly code: number | null;
  readonly output: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** How `cpuSeconds` was counted. */
  readonly countedBy: 'group' | 'samples';
  readonly browser: BrowserMemory;
}

/** Memory of the browser in the tree of processes, MB; medians and maxima over the looks at which pages were open. */
export interface BrowserMemory {
  readonly looks: number;
  /** PSS of one renderer process: what it has for itself, and its share of what it shares. */
  readonly renderer: Spread;
  /** RSS of the same: what it shares counts in full, in each. */
  readonly rendererRss: Spread;
  /** Renderer processes at once, the spare one of the browser included. */
  readonly renderers: Spread;
  /** PSS of all processes of the browser. */
  readonly whole: Spread;
}

interface Spread {
  readonly median: number;
  readonly most: number;
}

interface ProcessLook {
  readonly key: string;
  readonly parent: number;
  readonly ticks: number;
}

const TICKS = 100;
const LOOK_MS = 200;
const LOOKS_PER_MEMORY = 5;
/** Where the kernel counts the time of groups of processes: version 1 of its groups, then version 2. */
const GROUPS = [
  { folder: '/sys/fs/cgroup/cpuacct', file: 'cpuacct.usage', seconds: (text: string) => Number(text) / 1e9 },
  {
    ...{ folder: '/sys/fs/cgroup', file: 'cpu.stat' },
    seconds: (text: string) => Number(/^usage_usec (\d+)/m.exec(text)?.[1]) / 1e6,
  },
];

/**
 * Runs a program and counts its processor time with that of all processes that it starts, those that have ended included: by a group of the
 * kernel where this process may make one, else by looking at the tree of processes five times a second, which misses the last moments of each. Linux.
 */
export async function measureProgram(command: readonly string[], limitMs: number): Promise<MeasuredProgram> {
  using group = openGroup();
  const [program, ...args] =
    group === undefined
      ? command
      : ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group.path, 'cgroup.procs'), ...command];
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const late = setTimeout(() => child.kill('SIGTERM'), limitMs);
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => {
    isOver = true;
  });
  const times = new Map<string, number>();
  const memory = new MemoryLooks();
  for (let look = 0; !isOver; look++) {
    const tree = treeOf(child.pid ?? 0);
    for (const { key, ticks } of tree.values()) times.set(key, ticks);
    if (look % LOOKS_PER_MEMORY === 0) memory.look([...tree.keys()]);
    await Promise.race([ended, sleep(LOOK_MS)]);
  }
  clearTimeout(late);
  const seconds = (performance.now() - began) / 1000;
  const sampled = [...times.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS;
  return {
    ...{ code: await ended, output, seconds },
    cpuSeconds: group?.seconds() ?? sampled,
    countedBy: group === undefined ? 'samples' : 'group',
    browser: memory.result(),
  };
}

interface CpuGroup extends Disposable {
  readonly path: string;
  seconds(): number;
}

function openGroup(): CpuGroup | undefined {
  for (const { folder, file, seconds } of GROUPS) {
    const path = join(folder, `orbweaver-bench-${process.pid}-${Date.now()}`);
    const read = (): number => seconds(readFileSync(join(path, file), 'utf8'));
    try {
      readFileSync(join(folder, 'cgroup.procs'));
      mkdirSync(path);
      if (Number.isFinite(read())) return { path, seconds: read, [Symbol.dispose]: () => removeGroup(path) };
      removeGroup(path);
    } catch {
      // Not there, or not ours to use.
    }
  }
  return undefined;
}

function removeGroup(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something of it runs on.
  }
}

/** All processes below one, by their numbers. */
function treeOf(root: number): Map<number, ProcessLook> {
  const all = new Map<number, ProcessLook>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      all.set(Number(name), { key: `${name} ${fields[19]}`, parent: Number(fields[1]), ticks });
    } catch {
      // It has just ended.
    }
  }
  const isBelow = (pid: number): boolean => {
    for (let at = pid, steps = 0; at > 1 && steps < 100; at = all.get(at)?.parent ?? 0, steps++)
      if (at === root) return true;
    return false;
  };
  return new Map([...all].filter(([pid]) => isBelow(pid)));
}

class MemoryLooks {
  readonly #renderer: number[] = [];
  readonly #rendererRss: number[] = [];
  readonly #renderers: number[] = [];
  readonly #whole: number[] = [];

  look(pids: readonly number[]): void {
    let whole = 0;
    let renderers = 0;
    for (const pid of pids) {
      const type = browserType(pid);
      if (type === undefined) continue;
      const { pss, rss } = sizesOf(pid);
      if (pss === 0) continue;
      whole += pss;
      if (type !== 'renderer') continue;
      renderers++;
      this.#renderer.push(pss);
      this.#rendererRss.push(rss);
    }
    if (renderers === 0) return;
    this.#renderers.push(renderers);
    this.#whole.push(whole);
  }

  result(): BrowserMemory {
    return {
      looks: this.#whole.length,
      renderer: spreadOf(this.#renderer),
      rendererRss: spreadOf(this.#rendererRss),
      renderers: spreadOf(this.#renderers),
      whole: spreadOf(this.#whole),
    };
  }
}

/** What a process is to a browser; undefined where it is none of one. */
function browserType(pid: number): string | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const type = /--type=([\w-]+)/.exec(command)?.[1];
    return (
      type ??
      (/--remote-debugging-(?:pipe|port)/.test(command) && !command.startsWith('/bin/sh') ? 'browser' : undefined)
    );
  } catch {
    return undefined;
  }
}

function sizesOf(pid: number): { readonly pss: number; readonly rss: number } {
  try {
    const sums = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(sums)?.[1] ?? 0) / 1024;
    return { pss: megabytes('Pss'), rss: megabytes('Rss') };
  } catch {
    return { pss: 0, rss: 0 };
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}
