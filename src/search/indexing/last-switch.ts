import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexFolder } from './index-folder.ts';

/** The last time that a shadow took the place of the index, and what was meant to follow. */
export interface LastSwitch {
  /** ms since the epoch. */
  readonly at: number;
  /** Until the next shadow is begun. */
  readonly waitMs: number;
}

/** Kept beside the index, and gone with it. Undefined where there was no switch yet, or none that can be read. */
export function lastSwitch(folder: string): LastSwitch | undefined {
  try {
    const { at, waitMs } = JSON.parse(readFileSync(switchPath(folder), 'utf8')) as Partial<LastSwitch>;
    return Number.isFinite(at) && Number.isFinite(waitMs) ? ({ at, waitMs } as LastSwitch) : undefined;
  } catch {
    return undefined;
  }
}

/** Were it lost, the next shadow would only come sooner: it need not outlast a power failure. */
export function noteSwitch(folder: string, made: LastSwitch): void {
  const draft = `${switchPath(folder)}.new`;
  writeFileSync(draft, JSON.stringify(made));
  renameSync(draft, switchPath(folder));
}

function switchPath(folder: string): string {
  return join(indexFolder(folder), 'switch.json');
}
