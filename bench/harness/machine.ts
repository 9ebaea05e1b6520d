import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, type as systemType, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Less of the machine in use than this is quiet. */
const QUIET_SHARE = 0.1;

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  return {
    cpu: (cpus()[0]?.model ?? 'unknown processor').replace(/\s+/g, ' ').trim(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${systemType()} ${release()} ${arch()}`,
    node: process.version,
  };
}

export function machineInWords({ cpu, cores, memoryGb, system, node }: Machine): string {
  return `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${memoryGb} GB, ${system}, Node.js ${node}`;
}

/** CPU-seconds that the whole machine has spent since it was started. */
export function machineCpuSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}

/**
 * CPU-seconds of this process and of its children that have ended, theirs included. Node.js does not tell those of
 * children; Linux does, in ticks of 10 ms. Undefined elsewhere.
 */
export function familyCpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // The name of the program comes second, in parentheses, and may hold anything: count from its end.
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / 100;
}

/** Waits until others leave the machine alone, but no longer than `seconds`; answers whether they do. */
export async function waitForQuiet(seconds: number): Promise<boolean> {
  for (let second = 0; second < seconds; second++) {
    const before = machineCpuSeconds();
    await sleep(1000);
    if (machineCpuSeconds() - before < QUIET_SHARE * availableParallelism()) return true;
  }
  return false;
}
