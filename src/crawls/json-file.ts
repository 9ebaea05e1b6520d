import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isFile } from './library-folder.ts';

/** A file of ours is never longer; what is was not written by us. */
const MOST_BYTES = 4 * 1024 * 1024;

export function writeJson(path: string, value: unknown): void {
  replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Replaces a file as a whole: after a crash there is the old one or the new one. `mode`: who may read it, from its first byte on; absent: those who
 * could read the old one, which may hold secrets. A link stays one.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const old = statSync(path, { throwIfNoEntry: false });
  const target = old === undefined ? path : realpathSync(path);
  const draft = `${target}.${process.pid}.new`;
  // What a killed process of the same number has left may be open to others.
  rmSync(draft, { force: true });
  const kept = old === undefined || mode !== undefined ? undefined : old.mode & 0o777;
  const file = openSync(draft, 'wx', mode ?? (kept === undefined ? 0o666 : kept & 0o700));
  try {
    if (kept !== undefined) fchmodSync(file, kept);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The value of a file, not yet checked; undefined where there is none, or what is there is no JSON. */
export function readJson(path: string): unknown {
  if (!isFile(path)) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > MOST_BYTES ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
