import { createHash } from 'node:crypto';
import type { IndexedDocument } from '../../contracts/search-index.ts';

/** One thing to be done to the index. */
export interface BulkOperation {
  readonly kind: 'index' | 'delete';
  readonly id: string;
  readonly url: string;
  /** The time of the visit that it follows from, ms: what follows from an earlier one never overwrites it, however late it arrives. */
  readonly version: number;
  /** JSON, in one line; absent for a deletion. */
  readonly document?: string;
}

const MOST_ID_BYTES = 512;

/** The URL; its hash where it is longer than an id may be. */
export function idOf(url: string): string {
  return Buffer.byteLength(url) <= MOST_ID_BYTES ? url : `sha256:${createHash('sha256').update(url).digest('hex')}`;
}

/** A page as it is sent; field for field as in `MAPPING`. */
export function sentDocument({ id: url, ...page }: IndexedDocument, source: string): string {
  const { host, mediaType, language, date, fetchedAt, cluster, spam } = page.facts;
  return JSON.stringify({
    ...{ url, host, title: page.title, headings: page.headings, description: page.description, body: page.body },
    ...{ mediaType, fetchedAt: Math.trunc(fetchedAt), spam, source },
    ...(language === '' ? {} : { language }),
    ...(date === 0 ? {} : { date: Math.trunc(date) }),
    ...(cluster === 0 ? {} : { cluster }),
  });
}

/** The lines of a bulk request. */
export function bulkLines({ kind, id, version, document }: BulkOperation): string {
  const action = JSON.stringify({ [kind]: { _id: id, version, version_type: 'external_gte' } });
  return document === undefined ? `${action}\n` : `${action}\n${document}\n`;
}

/** What the index makes of the fields. Others are kept and not searched. */
export const MAPPING = {
  dynamic: false,
  properties: {
    url: { type: 'keyword', ignore_above: 8191 },
    host: { type: 'keyword' },
    source: { type: 'keyword' },
    title: { type: 'text' },
    headings: { type: 'text' },
    description: { type: 'text' },
    body: { type: 'text' },
    mediaType: { type: 'keyword' },
    language: { type: 'keyword' },
    date: { type: 'date', format: 'epoch_millis' },
    fetchedAt: { type: 'date', format: 'epoch_millis' },
    spam: { type: 'float' },
    cluster: { type: 'long' },
  },
} as const;

/** A deletion is remembered for so long: an older write that arrives later is still refused. */
export const INDEX_SETTINGS = { index: { gc_deletes: '1h' } } as const;
