import type { Readable } from 'node:stream';
import { OrbweaverError } from '../../base/errors.ts';
import { inputLines } from '../../search/indexing/imports/input-lines.ts';
import { badLine, withoutMark } from '../input-error.ts';
import type { ChangeRecord, RecordedPage } from './change-record.ts';
import { FileTimes } from './file-times.ts';

const FORM =
  'A line is {"url": "...", "changes": [time, ...]}, times in seconds or milliseconds since the epoch, or as ISO 8601.';
const HEADING =
  'A first line may be {"start": time, "end": time}: since when and until when the pages were watched; each page may have "created".';

/** All in ms. */
interface WatchedPage {
  created: number | undefined;
  changes: number[];
}

/** What the files have told so far. */
class Told {
  readonly pages = new Map<string, WatchedPage>();
  from = Number.POSITIVE_INFINITY;
  to = Number.NEGATIVE_INFINITY;
  readonly outside = { changes: 0, pages: 0 };

  include(time: number): void {
    this.from = Math.min(this.from, time);
    this.to = Math.max(this.to, time);
  }
}

/**
 * Reads when pages changed: one JSON object per line, plain or gzip. A first line without a URL is a heading; its `start`
 * and `end` say how long the pages of the file were watched, and bound what it tells; its `unit` says what numbers are.
 * Pages that come again, in one file or in several, are one page.
 */
export async function readChangeFiles(files: readonly string[], standardInput: Readable): Promise<ChangeRecord> {
  const told = new Told();
  for (const file of files) await readFile(file, standardInput, told);
  const { pages, outside } = told;
  if (pages.size === 0 && outside.pages === 0)
    throw new OrbweaverError('INPUT_INVALID', `${files.join(', ')}: no page in it.`, { remedy: FORM });
  return recordOf(told, files.join(', '));
}

async function readFile(file: string, standardInput: Readable, told: Told): Promise<void> {
  const times = new FileTimes(file, FORM);
  const watched = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  let line = 0;
  for await (const text of inputLines(file, standardInput)) {
    line++;
    const content = line === 1 ? withoutMark(text) : text;
    if (content.trim() === '') continue;
    const value = objectOf(content, file, line);
    if (line === 1 && value.url === undefined) {
      if (value.unit !== undefined) times.setUnit(value.unit, line);
      for (const name of ['start', 'end'] as const) {
        if (value[name] === undefined) continue;
        watched[name] = times.of(value[name], name, line);
        told.include(watched[name]);
      }
      if (watched.start > watched.end) throw badLine(file, line, '"end" is before "start".', `${FORM} ${HEADING}`);
      continue;
    }
    const { url, changes, created = null } = value;
    if (typeof url !== 'string' || url === '') throw badLine(file, line, '"url" is no text.', FORM);
    if (!Array.isArray(changes)) throw badLine(file, line, '"changes" is no list of times.', FORM);
    const since = created === null ? undefined : times.of(created, 'created', line);
    const all = changes.map((time) => times.of(time, 'changes', line));
    addPage(told, url, since, all, watched);
  }
}

/** As far as it was watched. A page that came to be before was there all that time; one that came after is none of it. */
function addPage(
  told: Told,
  url: string,
  created: number | undefined,
  changes: readonly number[],
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const within = changes.filter((time) => time >= start && time <= end);
  told.outside.changes += changes.length - within.length;
  if (created !== undefined && created > end) {
    told.outside.pages++;
    return;
  }
  if (created !== undefined && created >= start) told.include(created);
  const page = told.pages.get(url) ?? { created: undefined, changes: [] };
  for (const time of within) {
    told.include(time);
    page.changes.push(time);
  }
  if (created !== undefined) page.created = Math.min(created, page.created ?? Number.POSITIVE_INFINITY);
  told.pages.set(url, page);
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
function recordOf({ pages: watched, from, to, outside }: Told, names: string): ChangeRecord {
  const pages = Array.from(watched, ([url, { created, changes }]): RecordedPage => {
    changes.sort((one, other) => one - other);
    const once = changes.filter((time, at) => time !== changes[at - 1]);
    return created === undefined
      ? { url, changes: once }
      : { url, created, changes: once.filter((time) => time > created) };
  });
  const isCut = outside.changes > 0 || outside.pages > 0;
  if (to > from) return { pages, from, to, ...(isCut ? { outside } : {}) };
  const what =
    to === from ? 'tells of a single moment: there is no time to replay' : 'not a single time is given in it';
  throw new OrbweaverError('INPUT_INVALID', `${names}: ${what}.`, { remedy: `${FORM} ${HEADING}` });
}
