import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

export type PauseReason = 'battery' | 'load';

export interface MachineSources {
  readonly load: () => number;
  readonly processors: number;
  /** Where Linux tells of its power supplies. */
  readonly powerFolder: string;
}

const THIS_MACHINE: MachineSources = {
  load: () => loadavg()[0],
  processors: availableParallelism(),
  powerFolder: '/sys/class/power_supply',
};

/** Why no files are to be read now, of the reasons that count; undefined where there is none. */
export function whyPause(reasons: readonly PauseReason[], machine: MachineSources = THIS_MACHINE): string | undefined {
  if (reasons.includes('battery') && isOnBattery(machine.powerFolder)) return 'the machine runs on battery';
  // The crawl itself is one of those that have something to do.
  if (reasons.includes('load') && machine.load() > machine.processors + 1) return 'the machine is busy';
  return undefined;
}

/** A battery gives power, and no supply is plugged in. False where nobody can tell. */
function isOnBattery(folder: string): boolean {
  let discharging = false;
  for (const supply of namesIn(folder)) {
    const type = read(join(folder, supply, 'type'));
    if ((type === 'Mains' || type === 'USB') && read(join(folder, supply, 'online')) === '1') return false;
    // That of a mouse says nothing of the machine.
    const isOwn = type === 'Battery' && read(join(folder, supply, 'scope')) !== 'Device';
    if (isOwn && read(join(folder, supply, 'status')) === 'Discharging') discharging = true;
  }
  return discharging;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
