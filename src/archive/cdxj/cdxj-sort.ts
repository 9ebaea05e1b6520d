import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cdxjOf, sortedCdxjOf } from '../archive-file-name.ts';

const PIECE_BYTES = 2 ** 20;

/**
 * Writes the sorted copy of a WARC's index, for look-ups by halving. The index itself stays in write order for ever, so
 * that a restart can cut it at the length it had when a page was settled. The copy is good when it is as long as the
 * index: sorting does not change the length, and cutting always does.
 */
export async function sortCdxj(folder: string, file: string): Promise<void> {
  const index = await readFile(join(folder, cdxjOf(file)));
  const target = join(folder, sortedCdxjOf(file));
  const draft = `${target}.tmp`;
  const handle = await open(draft, 'w');
  try {
    for (const piece of sortedLines(index)) await handle.writeFile(piece);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(draft, target);
}

/**
 * The lines in the order of their bytes, as other tools expect it, in pieces to be written one after the other. Lines are
 * sorted by their place: as strings they would take several times the memory of the index.
 */
function* sortedLines(index: Buffer): Generator<Buffer> {
  const starts: number[] = [];
  let start = 0;
  // What follows the last line feed is empty, or the beginning of a line that is still being written.
  for (let end = index.indexOf(0x0a); end !== -1; end = index.indexOf(0x0a, start)) {
    starts.push(start);
    start = end + 1;
  }
  const ends = new Uint32Array(starts.length);
  for (let at = 0; at < starts.length; at++) ends[at] = starts[at + 1] ?? start;
  const order = Uint32Array.from(starts.keys()).sort(
    (a, b) => index.compare(index, starts[b], ends[b] - 1, starts[a], ends[a] - 1) || a - b,
  );
  let piece: Buffer[] = [];
  let bytes = 0;
  for (const line of order) {
    piece.push(index.subarray(starts[line], ends[line]));
    bytes += ends[line] - starts[line];
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(piece);
    piece = [];
    bytes = 0;
  }
  yield Buffer.concat(piece);
}

/** The lines of the first bytes of an index, sorted: from the sorted copy, where there is one of them. */
export async function sortedCdxj(folder: string, file: string, indexEnd: number): Promise<Buffer> {
  if ((await hasSortedCdxj(folder, file)) && (await fileLength(join(folder, sortedCdxjOf(file)))) === indexEnd)
    return await readFile(join(folder, sortedCdxjOf(file)));
  const index = await readFile(join(folder, cdxjOf(file)));
  return Buffer.concat([...sortedLines(index.subarray(0, indexEnd))]);
}

export async function hasSortedCdxj(folder: string, file: string): Promise<boolean> {
  const [index, sorted] = await Promise.all([
    fileLength(join(folder, cdxjOf(file))),
    fileLength(join(folder, sortedCdxjOf(file))),
  ]);
  return index !== undefined && index === sorted;
}

export async function removeSortedCdxj(folder: string, file: string): Promise<void> {
  await rm(join(folder, sortedCdxjOf(file)), { force: true });
}

/** Undefined when there is no such file. */
export async function fileLength(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
