import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archivedResponse, asShown, type Referral } from '../../archive/archived-response.ts';
import { markerOf } from '../../archive/shipping/shipped-markers.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { isBeside, isRenderedPage, isText } from '../../archive/warc/warc-record.ts';
import type { ArchivedDocument } from '../../contracts/archive.ts';

/** One visit as it lies in a file: the response (or the revisit that stands for it) and the text stored beside it. */
export interface ArchivedVisit {
  readonly document: ArchivedDocument;
  /** Set for a revisit: its body is elsewhere. */
  readonly refersTo?: Referral;
  readonly text?: string;
  /** Where the next visit begins: reading can go on there. */
  readonly next: number;
}

/**
 * The visits of one archive file from a place on, in write order, with one sequential read. `to` bounds a file that is
 * still growing: what lies beyond belongs to visits that are not settled.
 */
export async function* archivedVisits(
  folder: string,
  file: string,
  from: number,
  to: number,
): AsyncGenerator<ArchivedVisit> {
  // A file that somebody has taken away has nothing to say any more.
  if (!existsSync(join(folder, file)) && !existsSync(join(folder, markerOf(file)))) return;
  let pending: Omit<ArchivedVisit, 'next'> | undefined;
  for await (const item of readWarc(join(folder, file), { from, to })) {
    // Damage costs the records it strikes; what can be read after it is read.
    if (item.kind === 'damage') continue;
    const { record } = item;
    if (pending !== undefined && isBeside(record.type)) {
      if (isText(record.type, record.fields)) pending = { ...pending, text: Buffer.from(record.block).toString() };
      // What a browser has shown is what the page says; what a document was converted to has its headings and links.
      if (isRenderedPage(record.type, record.fields))
        pending = { document: asShown(pending.document, Buffer.from(record.block)), ...textOf(pending) };
      continue;
    }
    if (pending !== undefined) yield { ...pending, next: record.offset };
    pending = record.whole ? archivedResponse(record, file) : undefined;
  }
  if (pending !== undefined) yield { ...pending, next: to };
}

function textOf({ text }: Pick<ArchivedVisit, 'text'>): Pick<ArchivedVisit, 'text'> {
  return text === undefined ? {} : { text };
}
