import type { Readable } from 'node:stream';
import { OrbweaverError } from '../base/errors.ts';
import { inputLines } from '../search/follow/input-lines.ts';
import type { ChangeRecord, RecordedPage } from './change-record.ts';
import { badLine } from './input-error.ts';

/** Seconds since the epoch stay below this until the year 5138, milliseconds have been above it since 1973. */
const SECONDS_BELOW = 1e11;
const FORM = 'A line is {"url": "...", "changes": [time, ...]}, times in seconds or milliseconds since the epoch.';

interface RawPage {
  created: number | undefined;
  changes: number[];
}

/**
 * Reads when pages changed: one JSON object per line, plain or gzip. A first line without a URL is a heading; its `end`
 * says until when the pages were watched. Pages that come again, in one file or in several, are one page.
 */
export async function readChangeFiles(files: readonly string[], standardInput: Readable): Promise<ChangeRecord> {
  const pages = new Map<string, RawPage>();
  const ends: number[] = [];
  for (const file of files) {
    let line = 0;
    for await (const text of inputLines(file, standardInput)) {
      line++;
      if (text.trim() === '') continue;
      const value = objectOf(text, file, line);
      if (line === 1 && value.url === undefined) {
        if (value.end !== undefined) ends.push(timeOf(value.end, 'end', file, line));
        continue;
      }
      if (typeof value.url !== 'string' || value.url === '') throw badLine(file, line, '"url" is no text.', FORM);
      addPage(pages, value.url, value, file, line);
    }
  }
  if (pages.size === 0)
    throw new OrbweaverError('INPUT_INVALID', `${files.join(', ')}: no page in it.`, { remedy: FORM });
  return recordOf(pages, ends);
}

function addPage(
  pages: Map<string, RawPage>,
  url: string,
  value: Readonly<Record<string, unknown>>,
  file: string,
  line: number,
): void {
  if (!Array.isArray(value.changes)) throw badLine(file, line, '"changes" is no list of times.', FORM);
  const changes = value.changes.map((time) => timeOf(time, 'changes', file, line));
  const created =
    value.created === undefined || value.created === null ? undefined : timeOf(value.created, 'created', file, line);
  const known = pages.get(url);
  if (known === undefined) {
    pages.set(url, { created, changes });
    return;
  }
  known.changes.push(...changes);
  if (created !== undefined) known.created = Math.min(created, known.created ?? created);
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

function timeOf(value: unknown, name: string, file: string, line: number): number {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw badLine(file, line, `"${name}" holds ${JSON.stringify(value)}, which is no time.`, FORM);
}

/** One unit for all: a single time is too little to tell it by. */
function recordOf(raw: ReadonlyMap<string, RawPage>, ends: readonly number[]): ChangeRecord {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { created, changes } of raw.values()) {
    changes.sort((one, other) => one - other);
    const least = Math.min(created ?? Number.POSITIVE_INFINITY, changes[0] ?? Number.POSITIVE_INFINITY);
    const most = Math.max(created ?? Number.NEGATIVE_INFINITY, changes.at(-1) ?? Number.NEGATIVE_INFINITY);
    first = Math.min(first, least);
    last = Math.max(last, most);
  }
  for (const end of ends) last = Math.max(last, end);
  if (!Number.isFinite(last)) {
    throw new OrbweaverError('INPUT_INVALID', 'Not a single time is given: nothing can be said of changes.', {
      remedy: FORM,
    });
  }
  const factor = last < SECONDS_BELOW ? 1000 : 1;
  const pages = Array.from(raw, ([url, { created, changes }]): RecordedPage => {
    const after = changes.map((time) => time * factor);
    if (created === undefined) return { url, changes: after };
    const birth = created * factor;
    return { url, created: birth, changes: after.filter((time) => time > birth) };
  });
  return { pages, from: Math.min(first, last) * factor, to: last * factor };
}
