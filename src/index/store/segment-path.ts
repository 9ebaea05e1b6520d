import { join } from 'node:path';

export const SEGMENT_PARTS = ['postings', 'positions', 'strings', 'documents'] as const;
export type SegmentPart = (typeof SEGMENT_PARTS)[number];

export function segmentPath(folder: string, name: string, part: SegmentPart): string {
  return join(folder, `${name}.${part}`);
}
