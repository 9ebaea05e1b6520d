import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Who used the processors while something was measured, as shares of all cores. */
export interface MachineUse {
  readonly own: number;
  /** Other processes of this machine. */
  readonly others: number;
  /** What other machines on the same hardware took. */
  readonly stolen: number;
}

export interface UsedTicks {
  readonly busy: number;
  readonly stolen: number;
}

/** More than this in other hands is no quiet machine: what is measured then is not what is asked about. */
const QUIET_SHARE = 0.05;

/** Ticks since the start of the machine, by its own account. Linux. */
export function usedTicks(stat = readFileSync('/proc/stat', 'utf8')): UsedTicks {
  const [user, nice, system, , , irq, softIrq, stolen = 0] = (stat.split('\n')[0].match(/\d+/g) ?? []).map(Number);
  return { busy: user + nice + system + irq + softIrq, stolen };
}

/**
 * `ownSeconds`: processor time of whatever was measured, from the start of its processes to their end. `kernelSeconds`: of threads of the kernel, which carry to the disk what
 * was written here; where others write, their processes show it. `ticks`: of a second.
 */
export function machineUse(
  before: UsedTicks,
  after: UsedTicks,
  { ownSeconds, kernelSeconds = 0, wallSeconds, ticks = 100, cores = availableParallelism() }: MeasuredTimes,
): MachineUse {
  const all = wallSeconds * cores;
  const shareOf = (seconds: number): number => Math.max(0, seconds / all);
  return {
    own: shareOf(ownSeconds),
    others: shareOf((after.busy - before.busy) / ticks - ownSeconds - kernelSeconds),
    stolen: shareOf((after.stolen - before.stolen) / ticks),
  };
}

interface MeasuredTimes {
  readonly ownSeconds: number;
  readonly kernelSeconds?: number;
  readonly wallSeconds: number;
  readonly ticks?: number;
  readonly cores?: number;
}

/** Why figures of that time are none; undefined where the machine was quiet. */
export function disturbance({ others, stolen }: MachineUse): string | undefined {
  if (others + stolen <= QUIET_SHARE) return undefined;
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  return `machine not quiet: others used ${percent(others)} of all cores, ${percent(stolen)} were stolen`;
}
