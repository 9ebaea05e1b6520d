import type { Readable } from 'node:stream';
import { OrbweaverError } from '../base/errors.ts';
import { inputLines } from '../search/follow/input-lines.ts';
import type { ChangeRecord, RecordedPage } from './change-record.ts';
import { FileTimes } from './file-times.ts';
import { badLine, withoutMark } from './input-error.ts';

const FORM =
  'A line is {"url": "...", "changes": [time, ...]}, times in seconds or milliseconds since the epoch, or as ISO 8601.';
const HEADING =
  'A first line may be {"start": time, "end": time}: since when and until when the pages were watched; each page may have "created".';

/** All in ms. */
interface WatchedPage {
  created: number | undefined;
  changes: number[];
}

/**
 * Reads when pages changed: one JSON object per line, plain or gzip. A first line without a URL is a heading; its `start`
 * and `end` say how long the pages were watched, its `unit` what numbers are. Pages that come again, in one file or in
 * several, are one page.
 */
export async function readChangeFiles(files: readonly string[], standardInput: Readable): Promise<ChangeRecord> {
  const pages = new Map<string, WatchedPage>();
  const edges: number[] = [];
  for (const file of files) await readFile(file, standardInput, pages, edges);
  if (pages.size === 0)
    throw new OrbweaverError('INPUT_INVALID', `${files.join(', ')}: no page in it.`, { remedy: FORM });
  return recordOf(pages, edges, files.join(', '));
}

async function readFile(
  file: string,
  standardInput: Readable,
  pages: Map<string, WatchedPage>,
  edges: number[],
): Promise<void> {
  const times = new FileTimes(file, FORM);
  let line = 0;
  for await (const text of inputLines(file, standardInput)) {
    line++;
    const content = line === 1 ? withoutMark(text) : text;
    if (content.trim() === '') continue;
    const value = objectOf(content, file, line);
    if (line === 1 && value.url === undefined) {
      if (value.unit !== undefined) times.setUnit(value.unit, line);
      for (const name of ['start', 'end']) if (value[name] !== undefined) edges.push(times.of(value[name], name, line));
      continue;
    }
    const { url, changes, created = null } = value;
    if (typeof url !== 'string' || url === '') throw badLine(file, line, '"url" is no text.', FORM);
    if (!Array.isArray(changes)) throw badLine(file, line, '"changes" is no list of times.', FORM);
    const page = pages.get(url) ?? { created: undefined, changes: [] };
    for (const time of changes) page.changes.push(times.of(time, 'changes', line));
    if (created !== null) {
      page.created = Math.min(times.of(created, 'created', line), page.created ?? Number.POSITIVE_INFINITY);
    }
    pages.set(url, page);
  }
}

function objectOf(text: string, file: string, line: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badLine(file, line, `no JSON: ${(cause as Error).message}`, FORM);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badLine(file, line, 'no JSON object.', FORM);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** From the first moment that is told of to the last. */
function recordOf(watched: ReadonlyMap<string, WatchedPage>, edges: readonly number[], names: string): ChangeRecord {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  const include = (time: number | undefined): void => {
    if (time === undefined) return;
    from = Math.min(from, time);
    to = Math.max(to, time);
  };
  for (const edge of edges) include(edge);
  const pages = Array.from(watched, ([url, { created, changes }]): RecordedPage => {
    changes.sort((one, other) => one - other);
    for (const time of [created, changes[0], changes.at(-1)]) include(time);
    const once = changes.filter((time, at) => time !== changes[at - 1]);
    return created === undefined
      ? { url, changes: once }
      : { url, created, changes: once.filter((time) => time > created) };
  });
  if (to > from) return { pages, from, to };
  const what =
    to === from ? 'tells of a single moment: there is no time to replay' : 'not a single time is given in it';
  throw new OrbweaverError('INPUT_INVALID', `${names}: ${what}.`, { remedy: `${FORM} ${HEADING}` });
}
