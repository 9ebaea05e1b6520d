import { DocumentsFile } from '../renewal/documents-file.ts';
import type { IndexDisk } from '../store/index-disk.ts';
import type { Segment } from '../store/segment.ts';
import { SEGMENT_PARTS, segmentPath } from '../store/segment-path.ts';

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
    const columns = { rank: ranks, cluster: clusters };
    for (const bytes of new DocumentsFile(documents).with({ columns })) file.append(bytes);
    await file.sync();
  } finally {
    file.close();
  }
  for (const part of SEGMENT_PARTS)
    if (part !== 'documents') await disk.link(segmentPath(folder, segment.name, part), segmentPath(folder, name, part));
}
