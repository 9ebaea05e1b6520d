import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { lockFile } from '../../../engines/folder-lock.ts';
import { SectionsReader } from '../../../index/delta/delta-sections.ts';
import { Ledger } from '../../../index/delta/ledger.ts';
import { type DeltaHead, makeDelta } from '../../../index/delta/make-delta.ts';
import { checkedDisk } from '../../../index/store/checked-disk.ts';
import { nodeIndexDisk } from '../../../index/store/index-disk.ts';
import { isThere, openSourceIndex } from './source-index.ts';

export interface WriteDeltaOptions {
  /** Everything, whatever was written into files before. */
  readonly whole?: boolean;
  readonly clock?: Clock;
}

export interface WrittenDelta {
  readonly sent: number;
  readonly removed: number;
  readonly restamped: number;
  /** Documents of the index. */
  readonly documents: number;
  /** Of the file; 0 where nothing has changed and none was written. */
  readonly bytes: number;
  readonly whole: boolean;
}

/** What the deltas so far have told, and whose index that was. */
interface Sent {
  readonly id: string;
  readonly generation: number;
  readonly ledger: Ledger;
}

/** Where a file was about to be put when its ledger was written. */
interface Pending {
  readonly file: string;
  readonly result: string;
}

/**
 * Writes what has changed in the index of a folder since the last call into a file, compressed, for a master somewhere else. What was
 * sent is remembered in the folder `deltas`: cut off at any moment, the next call goes on from what was put into files.
 */
export async function writeDelta(folder: string, file: string, options: WriteDeltaOptions = {}): Promise<WrittenDelta> {
  const { whole = false, clock = systemClock } = options;
  if (isThere(file))
    throw new OrbweaverError(
      'USAGE',
      `${file} is there already, and a delta that was not taken yet must not be lost.`,
      {
        remedy: 'Name another file, or delete that one where the master has taken it.',
      },
    );
  using opened = openSourceIndex(folder, undefined);
  const { source } = opened;
  const deltas = join(folder, 'deltas');
  mkdirSync(deltas, { recursive: true });
  using _lock = lockFile(join(deltas, 'deltas.lock'), `Another process is writing a delta of ${folder}.`);
  settlePending(deltas);
  const sent = whole ? undefined : readSent(deltas);
  const origin = { ...opened.origin, at: clock.now() };
  const isSame = sent?.id === origin.id && sent.generation === origin.generation;
  const base = isSame ? { base: sent.ledger } : {};
  const staging = join(deltas, 'staging');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  const path = `${file}.new`;
  try {
    const made = await makeDelta({
      source,
      origin,
      ...base,
      path,
      staging,
      pack: true,
      disk: checkedDisk(nodeIndexDisk, file, () => {}),
    });
    const { head, bytes, ledger } = made;
    if (bytes > 0) {
      writeSent(deltas, { id: origin.id, generation: origin.generation, ledger }, resolve(file), head.result);
      renameSync(path, file);
      nodeIndexDisk.syncFolder(dirname(resolve(file)));
      settlePending(deltas);
    }
    const { sent: count, removed, restamped } = head;
    return { sent: count, removed, restamped, documents: ledger.size, bytes, whole: head.base === undefined };
  } finally {
    rmSync(path, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

/** A call that was cut off between its two renames: where its file is in place, what it told counts. */
function settlePending(deltas: string): void {
  const path = join(deltas, 'pending.json');
  if (!isThere(path)) return;
  const next = join(deltas, 'sent.new');
  const { file, result } = JSON.parse(readFileSync(path, 'utf8')) as Pending;
  if (isThere(next) && resultOf(file) === result) renameSync(next, join(deltas, 'sent'));
  else rmSync(next, { force: true });
  rmSync(path);
  nodeIndexDisk.syncFolder(deltas);
}

/** Undefined where there is no such file, or another one. */
function resultOf(file: string): string | undefined {
  try {
    using delta = new SectionsReader<DeltaHead>(file);
    return delta.head.result;
  } catch {
    return undefined;
  }
}

function writeSent(deltas: string, { id, generation, ledger }: Sent, file: string, result: string): void {
  const head = Buffer.from(JSON.stringify({ id, generation }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  writeDurably(join(deltas, 'sent.new'), Buffer.concat([length, head, ledger.encode()]));
  writeDurably(join(deltas, 'pending.new'), Buffer.from(JSON.stringify({ file, result } satisfies Pending)));
  renameSync(join(deltas, 'pending.new'), join(deltas, 'pending.json'));
  nodeIndexDisk.syncFolder(deltas);
}

/** Undefined where nothing was sent; what cannot be read is taken for that, and everything is sent. */
function readSent(deltas: string): Sent | undefined {
  const path = join(deltas, 'sent');
  if (!isThere(path)) return undefined;
  const bytes = readFileSync(path);
  const ledger = bytes.length < 4 ? undefined : Ledger.decode(bytes.subarray(4 + bytes.readUInt32LE(0)));
  if (ledger === undefined) return undefined;
  const { id, generation } = JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0)));
  return { id, generation, ledger };
}

function writeDurably(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
