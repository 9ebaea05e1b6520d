import { hash as digestOf } from 'node:crypto';
import { FIELDS } from '../fields.ts';
import { idHash } from '../format/id-hash.ts';
import type { Segment } from '../store/segment.ts';
import { DOCUMENT_STATES, type LedgerEntry } from './ledger.ts';
import type { Standing } from './restamp-segment.ts';

/** What tells a document of a segment from others, and one version of it from the next. */
export function documentEntry(segment: Segment, document: number): LedgerEntry {
  const { columns } = segment;
  const { id, title } = segment.strings(document);
  const { host, mediaType, language, date, fetchedAt, spam, rank, cluster } = columns.facts(document);
  const lengths = FIELDS.map((_, field) => columns.lengths[field][document]);
  const anchors = columns.number('anchorSum', document);
  const said = JSON.stringify([title, host, mediaType, language, date, fetchedAt, spam, anchors, ...lengths]);
  return {
    hash: idHash(id),
    mark: idMark(id),
    version: digestOf('sha256', said, 'buffer').readBigUInt64LE(),
    standing: standingMark({ rank, cluster }),
    state: DOCUMENT_STATES.held,
  };
}

/** Another number where rank or cluster is another. */
export function standingMark({ rank, cluster }: Standing): number {
  return digestOf('sha256', `${rank} ${cluster}`, 'buffer').readUInt32LE();
}

/** A hash of an id that tells it from others. */
export function idMark(id: string): bigint {
  return digestOf('sha256', id, 'buffer').readBigUInt64LE();
}
