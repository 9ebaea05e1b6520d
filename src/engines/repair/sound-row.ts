import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { SEEN_ENTRY_BYTES } from '../sqlite/rows/seen-rows.ts';
import type { StoredValue } from './sqlite-file.ts';

export type NamedRow = Readonly<Record<string, StoredValue>>;

/** Tables whose contents follow from others. */
export const DERIVED_TABLES: ReadonlySet<string> = new Set(['place']);

const ARCHIVE_FILE = /^orbweaver-[\w.-]+\.warc\.gz$/;

/** Whether a row can be what Orbweaver wrote. A flipped bit in a page is nothing that SQLite notices. */
export function isSoundRow(table: string, row: NamedRow): boolean {
  switch (table) {
    case 'meta':
      return isText(row.name) && isJson(row.value);
    case 'host':
      return isText(row.key) && row.key !== '' && isCount(row.id) && ['due_at', 'hold_until', 'queued'].every(number);
    case 'queue':
      return isWaiting(row);
    case 'later':
    case 'revisit':
      return isNumber(row.at) && isWaiting(row);
    case 'lease':
      return ['host', 'lane', 'ord', 'until'].every(number);
    case 'seen':
      return row.entries instanceof Uint8Array && row.entries.length % SEEN_ENTRY_BYTES === 0;
    case 'page':
      return isPage(row);
    case 'refusal':
      return isText(row.by) && isText(row.rule) && isTaskOf(row.task, row.fp);
    case 'digest':
      return [row.digest, row.raw].every((value) => /^[A-Z2-7]{32}$/.test(String(value))) && isUrl(row.url);
    case 'robots':
      return isText(row.origin) && isJson(row.record);
    case 'archive_file':
      return ARCHIVE_FILE.test(String(row.name)) && isCount(row.file_end) && isCount(row.index_end);
    case 'likeness':
      return row.sketch instanceof Uint8Array && isCount(row.document) && row.page !== null && row.simhash !== null;
    case 'change':
      return isUrl(row.url) && isText(row.kind) && isNumber(row.at);
    default:
      return true;
  }
  function number(name: string): boolean {
    return isNumber(row[name]);
  }
}

function isPage(row: NamedRow): boolean {
  const { fp, url, kind, outcome, facts, history, host } = row;
  if (!isUrl(url) || BigInt(fp as number) !== toSigned(fingerprint(url))) return false;
  if (!isCount(host) || !isText(history) || (facts !== null && !isJson(facts)) || !isJson(outcome)) return false;
  return (JSON.parse(outcome as string) as { kind?: unknown }).kind === kind;
}

function isWaiting({ url, host, lane, ord, visited, tries }: NamedRow): boolean {
  return isUrl(url) && isCount(host) && isCount(lane) && isNumber(ord) && isCount(visited) && isCount(tries);
}

function isTaskOf(task: StoredValue, fp: StoredValue): boolean {
  if (!isJson(task)) return false;
  const { url } = JSON.parse(task as string) as { url?: unknown };
  return typeof url === 'string' && BigInt(fp as number) === toSigned(fingerprint(url));
}

function isUrl(value: StoredValue): value is CanonicalUrl {
  // Also of a scheme that a plug-in fetches; files have no host.
  return typeof value === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/[^/\s]+|file:\/\/)\//.test(value);
}

function isText(value: StoredValue): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isNumber(value: StoredValue): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: StoredValue): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isJson(value: StoredValue): boolean {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
