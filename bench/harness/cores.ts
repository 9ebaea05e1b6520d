import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export interface Cores {
  readonly server: string;
  readonly crawler: string;
}

/** Why processes cannot be kept to cores here; undefined where they can. */
export function whyNoCores(): string | undefined {
  if (process.platform !== 'linux') return 'processes are kept to cores on Linux alone';
  if (availableParallelism() < 2) return 'there is one core only';
  const { error, status, stderr } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  if (error !== undefined) return 'there is no taskset (it comes with util-linux)';
  return status === 0 ? undefined : `taskset failed: ${stderr.trim()}`;
}

/** The numbers of the cores that this process may use, such as [0, 1]. */
export function ownCores(): number[] {
  const list =
    taskset(['-cp', String(process.pid)])
      .split(': ')
      .at(-1) ?? '';
  return list
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
}

/** From now on this process and whatever it starts keep to these cores ("0", "0,1"). Those started before keep theirs. */
export function keepTo(cores: string): void {
  taskset(['-acp', cores, String(process.pid)]);
}

function taskset(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout;
}
