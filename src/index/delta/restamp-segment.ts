import { type ColumnForm, packColumn } from '../format/number-column.ts';
import type { IndexDisk } from '../store/index-disk.ts';
import type { Segment } from '../store/segment.ts';
import { SEGMENT_PARTS, segmentPath } from '../store/segment-path.ts';
import type { SegmentHead } from '../store/segment-writer.ts';

/** How a document stands among others: what changes of it without its words. */
export interface Standing {
  readonly rank: number;
  readonly cluster: number;
}

interface Restamping {
  readonly disk: IndexDisk;
  readonly folder: string;
  readonly segment: Segment;
  /** Its file of columns. */
  readonly documents: Uint8Array;
  readonly name: string;
  readonly standingOf: (document: number, before: Standing) => Standing;
}

/**
 * Writes a segment under another name, with other ranks and clusters: no bound of its postings depends on them. Only the file of
 * columns is new; the others are the same files under a second name. Durable when it resolves.
 */
export async function restampSegment({
  disk,
  folder,
  segment,
  documents,
  name,
  standingOf,
}: Restamping): Promise<void> {
  const ranks: number[] = [];
  const clusters: number[] = [];
  for (let document = 0; document < segment.documents; document++) {
    const before = {
      rank: segment.columns.number('rank', document),
      cluster: segment.columns.number('cluster', document),
    };
    const { rank, cluster } = standingOf(document, before);
    ranks.push(rank);
    clusters.push(cluster);
  }
  const file = disk.create(segmentPath(folder, name, 'documents'));
  try {
    for (const bytes of withColumns(documents, { rank: ranks, cluster: clusters })) file.append(bytes);
    await file.sync();
  } finally {
    file.close();
  }
  for (const part of SEGMENT_PARTS)
    if (part !== 'documents') await disk.link(segmentPath(folder, segment.name, part), segmentPath(folder, name, part));
}

/** A documents file with other columns of numbers. */
function withColumns(documents: Uint8Array, columns: Readonly<Record<string, readonly number[]>>): Uint8Array[] {
  const bytes = Buffer.from(documents.buffer, documents.byteOffset, documents.byteLength);
  const sectionsAt = 4 + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, sectionsAt)) as SegmentHead;
  const forms: Record<string, ColumnForm> = { ...head.forms };
  const places: Record<string, readonly [number, number]> = {};
  const sections: Uint8Array[] = [];
  let at = 0;
  for (const [name, [from, length]] of Object.entries(head.sections)) {
    const column = name.startsWith('number-') ? columns[name.slice('number-'.length)] : undefined;
    const packed = column === undefined ? undefined : packColumn(column);
    if (packed !== undefined) forms[name.slice('number-'.length)] = packed.form;
    const section = packed?.bytes ?? bytes.subarray(sectionsAt + from, sectionsAt + from + length);
    places[name] = [at, section.length];
    sections.push(section);
    at += section.length;
  }
  const headBytes = Buffer.from(JSON.stringify({ ...head, forms, sections: places }));
  const headLength = Buffer.alloc(4);
  headLength.writeUInt32LE(headBytes.length);
  return [headLength, headBytes, ...sections];
}
