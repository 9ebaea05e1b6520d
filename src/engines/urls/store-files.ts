import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { OrbweaverError } from '../../base/errors.ts';
import { damagedUrls } from './damaged-urls.ts';
import { SPILL_PREFIX } from './key-sorter.ts';

const FORMAT = 'orbweaver-urls';
const FORMAT_VERSION = 1;
const LIST_NAME = 'urls.json';

export const LOCK_NAME = 'urls.lock';

/** A run that counts. */
export interface ListedRun {
  readonly file: string;
  readonly urls: number;
  readonly bytes: number;
}

interface RunList {
  readonly runs: readonly ListedRun[];
  /** Of the next run. Numbers are not used twice, so that no reader takes a new run for an old one. */
  readonly next: number;
}

export const NO_RUNS: RunList = { runs: [], next: 1 };

/** Which runs a store consists of; undefined where the folder holds no store. */
export function readRunList(folder: string): RunList | undefined {
  const path = join(folder, LIST_NAME);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw cause;
  }
  const written = parsed(text);
  if (written?.format !== FORMAT) throw damagedUrls(path, 'it is no list of runs');
  if (written.version > FORMAT_VERSION) {
    throw new OrbweaverError('FOLDER_NEWER_VERSION', `${folder} was written by a newer version of Orbweaver.`, {
      remedy: 'Use that version, or a newer one.',
    });
  }
  const { runs, next } = written;
  if (crc32(JSON.stringify({ runs, next })) !== written.crc32) {
    throw damagedUrls(path, 'it has another checksum than when it was written');
  }
  return { runs, next };
}

/** From here on the store consists of these runs, also after a power cut. */
export function writeRunList(folder: string, { runs, next }: RunList): void {
  const path = join(folder, LIST_NAME);
  const draft = `${path}.part`;
  const checksum = crc32(JSON.stringify({ runs, next }));
  const text = JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, next, runs, crc32: checksum }, undefined, 2);
  writeFileSync(draft, `${text}\n`, { flush: true });
  renameSync(draft, path);
  syncFolder(folder);
}

export function runName(number: number): string {
  return `run-${String(number).padStart(6, '0')}.urls`;
}

/** Removes what a writer that was killed has left, and runs that were merged. */
export function removeLeftovers(folder: string, runs: readonly ListedRun[]): void {
  const listed = new Set(runs.map(({ file }) => file));
  for (const name of readdirSync(folder)) {
    const isOurs =
      /^run-\d+\.urls(?:\.part)?$/.test(name) || name.startsWith(SPILL_PREFIX) || name === `${LIST_NAME}.part`;
    if (isOurs && !listed.has(name)) rmSync(join(folder, name), { force: true });
  }
}

function syncFolder(folder: string): void {
  // Folders cannot be opened everywhere; where not, the system keeps renames in order itself.
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
}

function parsed(
  text: string,
): (RunList & { readonly format: string; readonly version: number; readonly crc32: number }) | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
