import { timestamp14 } from './cdxj/cdxj-line.ts';

/** Names sort in the order in which one writer wrote its files: `orbweaver-20260102030405-00000-main.warc.gz`. */
const NAME = /^orbweaver-(\d{14})-(\d{5,})-([A-Za-z0-9._]+)\.warc\.gz$/;

export interface ArchiveFileName {
  readonly stamp: string;
  readonly serial: number;
  readonly writerId: string;
}

export function formatArchiveFileName(name: ArchiveFileName): string {
  return `orbweaver-${name.stamp}-${String(name.serial).padStart(5, '0')}-${name.writerId}.warc.gz`;
}

/** Undefined for files that are not ours. */
export function parseArchiveFileName(file: string): ArchiveFileName | undefined {
  const match = NAME.exec(file);
  return match === null ? undefined : { stamp: match[1], serial: Number(match[2]), writerId: match[3] };
}

/** Whether one of these wrote the file. */
export function isWrittenBy(file: string, writers: readonly string[]): boolean {
  const writer = parseArchiveFileName(file)?.writerId;
  return writer !== undefined && writers.includes(writer);
}

export function isWriterId(text: string): boolean {
  return /^[A-Za-z0-9._]{1,32}$/.test(text);
}

/** The name after `last`: never one that sorts before it, even when the clock was set back. */
export function nextArchiveFileName(writerId: string, now: number, last: ArchiveFileName | undefined): ArchiveFileName {
  const stamp = timestamp14(new Date(now).toISOString());
  if (last === undefined) return { stamp, serial: 0, writerId };
  return { stamp: stamp > last.stamp ? stamp : last.stamp, serial: last.serial + 1, writerId };
}

/** The index of a WARC file, in write order; and its sorted copy. */
export function cdxjOf(file: string): string {
  return file.replace(/\.warc\.gz$/, '.cdxj');
}

export function sortedCdxjOf(file: string): string {
  return `${cdxjOf(file)}.sorted`;
}
