import { closeSync, ftruncateSync, lstatSync, openSync, readSync, writeSync } from 'node:fs';
import { isFile, logPath } from './library-folder.ts';

/** A log that has grown beyond the first is cut to about the second; the newest lines stay. */
const MOST_BYTES = 1024 * 1024;
const KEPT_BYTES = 256 * 1024;
const SHOWN_BYTES = 32 * 1024;

/** For a process to write to: everything goes to the end, also after the file was cut. Close it. */
export function openLog(folder: string): number {
  return openSync(logPath(folder), 'a', 0o644);
}

export function noteInLog(folder: string, line: string): void {
  const file = openLog(folder);
  try {
    writeSync(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

/** Keeps a log within bounds, also while a process writes to it; lines that come in that instant may be lost. */
export function trimLog(folder: string): void {
  const path = logPath(folder);
  const size = lstatSync(path, { throwIfNoEntry: false });
  if (size?.isFile() !== true || size.size <= MOST_BYTES) return;
  const newest = tailOf(folder, KEPT_BYTES);
  const file = openSync(path, 'a');
  try {
    ftruncateSync(file, 0);
    writeSync(file, `… earlier lines were left out\n${newest}`);
  } finally {
    closeSync(file);
  }
}

/** The last lines, whole ones. */
export function tailOf(folder: string, bytes = SHOWN_BYTES): string {
  const path = logPath(folder);
  if (!isFile(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = lstatSync(path);
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const read = readSync(file, buffer, 0, buffer.length, from);
    const text = buffer.toString('utf8', 0, read);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}
