import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { ClusterPage, DuplicateEdge } from '../../contracts/state/duplicate-listing.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { type SketchRow, sketchOf } from './rows/sketch-rows.ts';
import { hasTable } from './state-database.ts';

/** Every pair of pages that was found to be the same or nearly so. */
export function* duplicateEdges(db: DatabaseSync): Generator<DuplicateEdge> {
  const copies = db.prepare("SELECT url, outcome ->> '$.of' AS of FROM page WHERE kind = 'duplicate'");
  for (const row of copies.iterate() as Iterable<unknown>) yield row as DuplicateEdge;
  if (!hasTable(db, 'likeness')) return;
  const near = db.prepare(`SELECT page.url AS url, other.url AS of, likeness.jaccard AS jaccard
    FROM likeness JOIN page ON page.fp = likeness.page
    JOIN likeness AS second ON second.document = likeness.near_to JOIN page AS other ON other.fp = second.page
    WHERE likeness.near_to IS NOT NULL`);
  for (const row of near.iterate() as Iterable<unknown>) yield row as DuplicateEdge;
}

/** The sketch of every page that is there. */
export function* pageSketches(db: DatabaseSync): Generator<readonly [url: CanonicalUrl, sketch: ContentSketch]> {
  if (!hasTable(db, 'likeness')) return;
  const rows = db.prepare(`SELECT page.url AS url, simhash, shingles, sketch
    FROM likeness JOIN page ON page.fp = likeness.page WHERE has_left IS NULL`);
  rows.setReadBigInts(true);
  for (const row of rows.iterate() as Iterable<unknown>) {
    const { url, ...sketch } = row as SketchRow & { url: CanonicalUrl };
    yield [url, sketchOf(sketch)];
  }
}

export function clusterPage(db: DatabaseSync, asked: CanonicalUrl): ClusterPage | undefined {
  const row = db
    .prepare("SELECT url, facts ->> '$.canonical' AS canonical, found_at AS foundAt FROM page WHERE fp = ?")
    .get(toSigned(fingerprint(asked))) as { url: CanonicalUrl; canonical: string | null; foundAt: number } | undefined;
  if (row === undefined) return undefined;
  const { url, canonical, foundAt } = row;
  return { url, foundAt, ...(canonical === null ? {} : { canonical }) };
}
