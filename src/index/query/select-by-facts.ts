import type { ColumnBuffers } from '../memory/column-buffers.ts';
import { documentsBySegment } from './documents-by-segment.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** Hosts and clusters are told apart by their last bits first, because hardly any document is of one that is asked for. */
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
  for (const [place, local] of documentsBySegment(documents, segments, buffers).entries()) {
    if (local.length === 0) continue;
    const { base, segment } = segments[place];
    const { columns } = segment;
    const ofHosts = new Set([...hosts].flatMap((host) => columns.hostNumber(host) ?? []));
    const hostColumn = columns.column('host');
    const clusterColumn = columns.column('cluster');
    const maybe = buffers.flags(local.length);
    hostColumn.flag(
      local,
      flagsOf(ofHosts, (number) => hostColumn.step(number), buffers),
      BITS,
      maybe,
    );
    clusterColumn.flag(
      local,
      flagsOf(clusters, (cluster) => clusterColumn.step(cluster), buffers),
      BITS,
      maybe,
    );
    for (let at = 0; at < local.length; at++) {
      if (maybe[at] === 0) continue;
      const document = local[at];
      if (ofHosts.has(hostColumn.at(document)) || clusters.has(clusterColumn.at(document)))
        selected.push(base + document);
    }
  }
  return selected;
}

/** They stay until the next call. */
function flagsOf(values: ReadonlySet<number>, stepOf: (value: number) => number, buffers: ColumnBuffers): Uint8Array {
  const flags = buffers.wanted(BITS + 1);
  for (const value of values) flags[stepOf(value) & BITS] = 1;
  return flags;
}
