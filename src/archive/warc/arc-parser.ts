import { type ByteWindow, skipLineEnds } from '../byte-window.ts';
import type { ParsedItem } from './record-parser.ts';
import { WarcFields } from './warc-fields.ts';
import type { RecordHead } from './warc-record.ts';

/** `URL IP-address date media-type … length`; URLs may hold blanks, so that fields are counted from the right. */
const HEAD_LINE =
  /^([a-z][a-z0-9+.-]*:.*?) (\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+|-) (\d{8,14}) (\S+|) ?(?:\S+ \S+ \S+ \d+ \S+ )?(\d{1,12})$/i;
const MAX_LINE = 64 * 1024;
const STEP = 64 * 1024;

/**
 * The records of an ARC file (versions 1 and 2), in the form of WARC records: the file description as `warcinfo`, all others as
 * `response`. A length that leads nowhere costs what lies before the next line that begins a record.
 */
export async function* parseArcRecords(
  window: ByteWindow,
  keep = Number.POSITIVE_INFINITY,
): AsyncGenerator<ParsedItem> {
  for (;;) {
    await skipLineEnds(window);
    if (await window.atEnd()) return;
    const start = window.position;
    const line = await firstLine(window);
    const head = line === undefined ? undefined : headOf(line);
    if (head?.contentLength === undefined) {
      yield {
        kind: 'damage',
        at: start,
        why: `no ARC record begins here: ${JSON.stringify((line ?? '').slice(0, 40))}`,
      };
      await seekRecord(window);
      continue;
    }
    yield* readBlock(window, start, head, Math.min(keep, head.contentLength), head.contentLength);
  }
}

async function* readBlock(
  window: ByteWindow,
  start: number,
  head: RecordHead,
  kept: number,
  contentLength: number,
): AsyncGenerator<ParsedItem> {
  const view = await window.see(head.length + kept);
  const block = Buffer.from(view.subarray(head.length, head.length + kept));
  const blockEnd = start + head.length + contentLength;
  window.take(Math.min(view.length, head.length + kept));
  while (window.position < blockEnd && !(await window.atEnd()))
    window.take(Math.min(window.view.length, blockEnd - window.position));
  const isCut = window.position < blockEnd;
  const whole = !isCut && ((await window.atEnd()) || (await isFollowed(window)));
  const cut = kept < contentLength ? { cut: true as const } : {};
  yield { kind: 'record', head, block, start, end: window.position, whole, ...cut };
  if (isCut) yield { kind: 'damage', at: start, why: 'the file ends within the record' };
  else if (!whole) {
    yield { kind: 'damage', at: start, why: 'the length of the record does not lead to the next' };
    await seekRecord(window);
  }
}

async function isFollowed(window: ByteWindow): Promise<boolean> {
  const view = await window.see(MAX_LINE);
  const [line] = view
    .toString('latin1', 0, MAX_LINE)
    .replace(/^[\r\n]+/, '')
    .split('\n', 1);
  return line === '' || HEAD_LINE.test(line.trimEnd());
}

function headOf(line: string): RecordHead | undefined {
  const found = HEAD_LINE.exec(line.trimEnd());
  if (found === null) return undefined;
  const [, url, address, date, mediaType, length] = found;
  const isAbout = url.startsWith('filedesc:');
  const fields: [string, string][] = [
    ['WARC-Type', isAbout ? 'warcinfo' : 'response'],
    ['WARC-Target-URI', url],
    ['WARC-Date', isoDate(date)],
    ...(address === '-' || address === '0.0.0.0' ? [] : [['WARC-IP-Address', address] as [string, string]]),
    ['Content-Type', mediaType],
    ['Content-Length', length],
  ];
  return { version: 'ARC', fields: new WarcFields(fields), contentLength: Number(length), length: line.length };
}

/** 20080430204825 -> 2008-04-30T20:48:25Z; early files leave out the time, or a part of it. */
function isoDate(digits: string): string {
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8)];
  const time = digits.slice(8).padEnd(6, '0');
  return `${year}-${month}-${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}Z`;
}

/** With its line feed. */
async function firstLine(window: ByteWindow): Promise<string | undefined> {
  const view = await window.see(MAX_LINE);
  const end = view.subarray(0, MAX_LINE).indexOf(0x0a);
  if (end !== -1) return view.toString('latin1', 0, end + 1);
  return view.length < MAX_LINE ? view.toString('latin1') : undefined;
}

/** Moves the window to the next line that begins a record, or to the end. */
async function seekRecord(window: ByteWindow): Promise<void> {
  for (;;) {
    const view = await window.see(STEP + MAX_LINE);
    const text = view.toString('latin1', 0, STEP + MAX_LINE);
    for (let at = text.indexOf('\n'); at !== -1 && at < STEP; at = text.indexOf('\n', at + 1)) {
      const end = text.indexOf('\n', at + 1);
      if (HEAD_LINE.test(text.slice(at + 1, end === -1 ? text.length : end).trimEnd())) {
        window.take(at + 1);
        return;
      }
    }
    if (view.length < STEP + MAX_LINE) {
      window.take(view.length);
      return;
    }
    window.take(STEP);
  }
}
