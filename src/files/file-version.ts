import type { BigIntStats } from 'node:fs';

/** By which one content of a file is told from the next, without reading it: an ETag. */
export function versionOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  return `"${size.toString(36)}-${mtimeNs.toString(36)}-${ino.toString(36)}"`;
}

/** How long a file is to be left alone, in ms: it was written a moment ago. A time in the future says nothing. */
export function unquietMs({ mtimeMs }: Pick<BigIntStats, 'mtimeMs'>, now: number, quietMs: number): number {
  const age = now - Number(mtimeMs);
  return age < 0 || age >= quietMs ? 0 : quietMs - age;
}
