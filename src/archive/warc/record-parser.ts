import { type ByteWindow, skipLineEnds } from '../byte-window.ts';
import { parseRecordHead, RECORD_END, type RecordHead } from './warc-record.ts';

/** A record found in plain (not, or no longer, compressed) bytes. */
export interface ParsedRecord {
  readonly kind: 'record';
  readonly head: RecordHead;
  readonly block: Buffer;
  /** Of the first byte, and of the byte after the record and its separator. */
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
  /** Its block is longer than what was to be kept of it: the rest was passed over. */
  readonly cut?: true;
}

export type ParsedItem = ParsedRecord | { readonly kind: 'damage'; readonly at: number; readonly why: string };

const MAGIC = Buffer.from('WARC/', 'latin1');
const MAX_HEAD = 1024 * 1024;
/** Longer blocks are taken for a damaged Content-Length. */
const MAX_BLOCK = 1024 ** 3;
/** Enough to see the separator, some stray empty lines, and the start of the next record. */
const LOOK_BEYOND = 32;
const STEP = 64 * 1024;

/**
 * Every record in the window, and every place where it is not as it should be. Goes on after damage where it can. `keep`: of a longer
 * block only so many bytes are kept in memory.
 */
export async function* parseRecords(window: ByteWindow, keep = MAX_BLOCK): AsyncGenerator<ParsedItem> {
  for (;;) {
    await skipLineEnds(window);
    if (await window.atEnd()) return;
    const start = window.position;
    if (!startsRecord(await window.see(MAGIC.length + 1))) {
      yield { kind: 'damage', at: start, why: `no record begins here: ${excerpt(await window.see(40))}` };
      await seekRecord(window);
      continue;
    }
    const head = await readHead(window);
    if (head?.contentLength === undefined || head.contentLength > MAX_BLOCK) {
      const why = head === undefined ? 'the record has no complete head' : 'the record has no valid Content-Length';
      yield { kind: 'damage', at: start, why };
      window.take(MAGIC.length);
      await seekRecord(window);
      continue;
    }
    if (head.contentLength > keep) yield* passBlock(window, start, head, head.contentLength, keep);
    else yield* readBlock(window, start, head, head.contentLength);
  }
}

/** A record that is longer than what is kept of it. */
async function* passBlock(
  window: ByteWindow,
  start: number,
  head: RecordHead,
  contentLength: number,
  keep: number,
): AsyncGenerator<ParsedItem> {
  const block = Buffer.from((await window.see(head.length + keep)).subarray(head.length, head.length + keep));
  const end = start + head.length + contentLength;
  while (window.position < end && !(await window.atEnd()))
    window.take(Math.min(window.view.length, end - window.position));
  const view = await window.see(LOOK_BEYOND);
  const after = view.subarray(0, LOOK_BEYOND);
  const isCut = window.position < end;
  const whole = !isCut && (after.length === 0 || isBetweenRecords(after));
  yield { kind: 'record', head, block, start, end: window.position, whole, cut: true };
  if (isCut) yield { kind: 'damage', at: start, why: 'the file ends within the record' };
  else if (!whole) yield { kind: 'damage', at: start, why: 'Content-Length does not lead to the next record' };
}

function isBetweenRecords(after: Buffer): boolean {
  return /^[\r\n]+(?:WARC\/\d|$)/.test(after.toString('latin1'));
}

async function* readBlock(
  window: ByteWindow,
  start: number,
  head: RecordHead,
  contentLength: number,
): AsyncGenerator<ParsedItem> {
  const blockEnd = head.length + contentLength;
  const view = await window.see(blockEnd + LOOK_BEYOND);
  const after = view.subarray(blockEnd, blockEnd + LOOK_BEYOND);
  if (view.length >= blockEnd && (after.length === 0 || isBetweenRecords(after))) {
    const separator = view.subarray(blockEnd, blockEnd + RECORD_END.length).equals(RECORD_END);
    window.take(blockEnd + (separator ? RECORD_END.length : 0));
    const block = view.subarray(head.length, blockEnd);
    yield { kind: 'record', head, block, start, end: window.position, whole: true };
    if (!separator) yield { kind: 'damage', at: window.position, why: 'the record is not followed by two empty lines' };
    return;
  }
  // Content-Length leads nowhere: too large, too small, or the file ends. The next record may begin inside the block.
  const next = findRecord(view, head.length);
  const cut = view.length < blockEnd;
  const ends = next !== -1 && next < blockEnd ? next : Math.min(blockEnd, view.length);
  yield {
    kind: 'record',
    head,
    block: view.subarray(head.length, ends),
    start,
    end: start + ends,
    whole: !cut && ends === blockEnd,
  };
  const why =
    cut && next === -1 ? 'the file ends within the record' : 'Content-Length does not lead to the next record';
  yield { kind: 'damage', at: start, why };
  if (next === -1) {
    window.take(ends);
    await seekRecord(window);
  } else {
    window.take(next);
  }
}

async function readHead(window: ByteWindow): Promise<RecordHead | undefined> {
  for (let size = 4096; size <= MAX_HEAD; size *= 4) {
    const view = await window.see(size);
    const head = parseRecordHead(view.length > size ? view.subarray(0, size) : view);
    if (head !== undefined) return head;
    if (view.length < size) return undefined;
  }
  return undefined;
}

/** Moves the window to the next line that begins a record, or to the end. */
async function seekRecord(window: ByteWindow): Promise<void> {
  for (let from = 0; ; from = 1) {
    const view = await window.see(STEP);
    const found = findRecord(view, from);
    if (found !== -1) {
      window.take(found);
      return;
    }
    // The magic may lie across the border of what is in view, and the byte before it has to be a line feed.
    const keep = view.length < STEP ? 0 : MAGIC.length + 2;
    window.take(view.length - keep);
    if (keep === 0) return;
  }
}

function findRecord(view: Buffer, from: number): number {
  for (let at = view.indexOf(MAGIC, from); at !== -1; at = view.indexOf(MAGIC, at + 1)) {
    const afterLine = at === 0 || view[at - 1] === 0x0a;
    if (afterLine && startsRecord(view.subarray(at))) return at;
  }
  return -1;
}

function startsRecord(bytes: Buffer): boolean {
  const digit = bytes[MAGIC.length];
  return bytes.subarray(0, MAGIC.length).equals(MAGIC) && digit >= 0x30 && digit <= 0x39;
}

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 40));
}
