import type { ColumnBuffers } from './column-buffers.ts';
import { documentsOfSegment } from './documents-of-segment.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Clusters are told apart by their last bits first, because hardly any document is of one that is asked for. */
const BITS = 1023;

/** The documents of any of the hosts or any of the clusters, read from columns by the numbers of words. */
export function selectByFacts(
  documents: ArrayLike<number>,
  hosts: ReadonlySet<string>,
  clusters: ReadonlySet<number>,
  segments: readonly SearchedSegment[],
  buffers: ColumnBuffers,
): number[] {
  const selected: number[] = [];
  const maybe = new Uint8Array(BITS + 1);
  for (const cluster of clusters) maybe[cluster & BITS] = 1;
  const values = buffers.values(documents.length);
  for (const searched of segments) {
    const { segment, base } = searched;
    const local = documentsOfSegment(documents, searched, buffers);
    const taken = new Uint8Array(local.length);
    const ofHost = new Uint8Array(segment.columns.words('host').length);
    for (const host of hosts) {
      const number = segment.columns.hostNumber(host);
      if (number !== undefined) ofHost[number] = 1;
    }
    segment.columns.column('host').read(local, values);
    for (let at = 0; at < local.length; at++) taken[at] = ofHost[values[at]];
    segment.columns.column('cluster').read(local, values);
    for (let at = 0; at < local.length; at++) {
      if (taken[at] === 1 || (maybe[values[at] & BITS] === 1 && clusters.has(values[at])))
        selected.push(base + local[at]);
    }
  }
  return selected;
}
