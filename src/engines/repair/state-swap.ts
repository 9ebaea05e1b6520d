import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import { repairedStatePath, statePath } from '../sqlite/state-database.ts';

/** Room for what is not counted: index lines, new pages of the database. */
const SPARE_BYTES = 32 * 2 ** 20;
const HASH_PIECE = 2 ** 20;

/** Where the repaired state is made. It counts for nothing until it is complete and renamed. */
export function draftPath(folder: string): string {
  return `${statePath(folder)}.draft`;
}

export function damagedPath(folder: string): string {
  return `${statePath(folder)}.damaged`;
}

/** Refuses before anything is written where the copies of the state, and `more` bytes, have no room. */
export function requireRoom(folder: string, more: number, what = 'A repair'): void {
  const { bavail, bsize } = statfsSync(folder);
  const state = sizeOf(statePath(folder)) + sizeOf(`${statePath(folder)}-wal`);
  const needed = 3 * state + more + SPARE_BYTES;
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new OrbweaverError(
    'DISK_FULL',
    `${what} in ${folder} needs ${megabytes(needed)}, and ${megabytes(free)} are free.`,
    {
      remedy: 'Free some space and run the same command again. Nothing was changed.',
    },
  );
}

/** Copies the state as it is to state.db.damaged, once: an earlier copy of another state is kept under a number. */
export function keepDamagedState(folder: string): string {
  const source = statePath(folder);
  const hash = hashOf(source, `${source}-wal`);
  for (let number = 1; ; number++) {
    const target = number === 1 ? damagedPath(folder) : `${damagedPath(folder)}-${number}`;
    if (existsSync(target)) {
      if (hashOf(target, `${target}-wal`) === hash) return target;
      continue;
    }
    if (existsSync(`${source}-wal`)) copySynced(`${source}-wal`, `${target}-wal`);
    // The copy has its name only when it is whole.
    copySynced(source, `${target}.part`);
    renameSync(`${target}.part`, target);
    syncFolder(folder);
    return target;
  }
}

/** Puts the draft in the place of the state. A kill at any instant leaves the old state, or one that `finishSwap` completes. */
export function swapState(folder: string): void {
  const draft = draftPath(folder);
  syncFile(draft);
  renameSync(draft, repairedStatePath(folder));
  syncFolder(folder);
  finishSwap(folder);
}

/** Completes a swap that was cut off. The log of the old state must not be applied to the new one, so it goes first. */
export function finishSwap(folder: string): boolean {
  const repaired = repairedStatePath(folder);
  if (!existsSync(repaired)) return false;
  for (const end of ['-wal', '-shm']) rmSync(statePath(folder) + end, { force: true });
  renameSync(repaired, statePath(folder));
  syncFolder(folder);
  return true;
}

/** What a repair that was cut off has left. */
export function removeDrafts(folder: string): void {
  for (const name of [draftPath(folder), `${draftPath(folder)}.source`, `${damagedPath(folder)}.part`])
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(name + end, { force: true });
}

function copySynced(from: string, to: string): void {
  copyFileSync(from, to);
  syncFile(to);
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function hashOf(...paths: readonly string[]): string {
  const hash = createHash('sha1');
  for (const path of paths) {
    hash.update(`${sizeOf(path)} `);
    if (existsSync(path)) hashPieces(path, (piece) => hash.update(piece));
  }
  return hash.digest('hex');
}

function hashPieces(path: string, take: (piece: Uint8Array) => void): void {
  const fd = openSync(path, 'r');
  const piece = Buffer.allocUnsafe(HASH_PIECE);
  try {
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) take(piece.subarray(0, read));
  } finally {
    closeSync(fd);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}
