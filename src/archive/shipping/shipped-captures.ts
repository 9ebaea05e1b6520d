import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { surtOf } from '../../url/surt.ts';
import { parseArchiveFileName } from '../archive-file-name.ts';
import { type Capture, parseCdxj, timestamp14 } from '../cdxj/cdxj-line.ts';
import { searchSortedLines } from '../cdxj/sorted-cdxj.ts';
import { type ArchiveBytes, openShipped } from './archive-bytes.ts';

/** What was shipped of a crawl, by whomever. */
export interface ShippedArchive extends Pick<ShippedFiles, 'read'> {
  /** The names of all archive files of the crawl, in order, also of those that are not shipped. */
  files(): Promise<readonly string[]>;
}

const BLOCK_BYTES = 64 * 1024;
const AT_ONCE = 8;
/** Requests, redirects and reading; and the clocks of two machines may differ. */
const LONGEST_VISIT_MS = 15 * 60_000;

/** Captures of a URL by the indexes in the store of the named files, oldest first: a few requests for each file. */
export async function shippedCaptures(
  url: string,
  files: readonly string[],
  shipped: Pick<ShippedFiles, 'read'>,
): Promise<Capture[]> {
  const surt = surtOf(url as CanonicalUrl);
  const waiting = [...files];
  const found: Capture[] = [];
  const search = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const place = await shipped.read(file);
      if (place === undefined) continue;
      const lines = await searchSortedLines(inBlocks(await openShipped(place.store, place.index)), surt);
      found.push(...lines.flatMap((line) => parseCdxj(line) ?? []).filter((capture) => capture.url === url));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, search));
  return found.sort((a, b) => a.date - b.date || (a.file < b.file ? -1 : 1));
}

/** The files that may hold a visit that began at a time: it lies in the one that was open when it ended. */
export function filesAround(files: readonly string[], at: number): string[] {
  const stampOf = (file: string): string => parseArchiveFileName(file)?.stamp ?? '';
  const stamp = (time: number): string => timestamp14(new Date(time).toISOString());
  const byWriter = Map.groupBy(files, (file) => parseArchiveFileName(file)?.writerId);
  return [...byWriter.values()].flatMap((own) =>
    own.filter((file, number) => {
      const next = own[number + 1];
      return stampOf(file) <= stamp(at + LONGEST_VISIT_MS) && (next === undefined || stampOf(next) >= stamp(at));
    }),
  );
}

/** Halving looks at neighbouring places several times: each block is asked for once. */
function inBlocks(source: ArchiveBytes): Pick<ArchiveBytes, 'read' | 'size'> {
  const blocks = new Map<number, Promise<Buffer>>();
  const block = (number: number): Promise<Buffer> => {
    const known = blocks.get(number) ?? source.read(number * BLOCK_BYTES, BLOCK_BYTES);
    blocks.set(number, known);
    return known;
  };
  return {
    size: () => source.size(),
    async read(position, length) {
      const end = Math.min(source.size(), position + length);
      if (end <= position) return Buffer.alloc(0);
      const first = Math.floor(position / BLOCK_BYTES);
      const numbers = Array.from({ length: Math.ceil(end / BLOCK_BYTES) - first }, (_, at) => first + at);
      const bytes = Buffer.concat(await Promise.all(numbers.map(block)));
      return bytes.subarray(position - first * BLOCK_BYTES, end - first * BLOCK_BYTES);
    },
  };
}
