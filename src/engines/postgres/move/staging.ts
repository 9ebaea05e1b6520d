import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { statePath } from '../../sqlite/state-database.ts';

/** In the folder: where its next state is put together. */
const STAGING = 'moving';

/** Empty, whatever a move that was cut off has left there. */
export function makeStaging(folder: string): string {
  const staging = join(folder, STAGING);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  return staging;
}

/** The state that was put together becomes that of the folder. */
export function putInPlace(staging: string, folder: string): void {
  const path = statePath(staging);
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  // A log of the working copy that was there would be taken for that of the new state.
  for (const part of ['-wal', '-shm']) rmSync(statePath(folder) + part, { force: true });
  renameSync(path, statePath(folder));
  rmSync(staging, { recursive: true, force: true });
}
