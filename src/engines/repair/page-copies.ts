import type { DatabaseSync } from 'node:sqlite';
import { fromSigned } from '../../base/fingerprint.ts';
import type { PageCopy } from '../../contracts/state/repair.ts';
import { all } from './url-tables.ts';

interface CopyRow {
  readonly fp: string;
  readonly kind: string;
  readonly held: string | null;
  readonly location: string | null;
}

/** Where the copies of settled pages lie. */
export function* pageCopies(db: DatabaseSync): Generator<PageCopy> {
  const select = `SELECT CAST(fp AS TEXT) AS fp, kind, held, facts -> '$.location' AS location
    FROM page WHERE kind <> 'deferred'`;
  for (const { fp, kind, held, location } of all<CopyRow>(db, select))
    yield {
      fp: fromSigned(BigInt(fp)),
      isHeld: held !== null || kind === 'stored' || kind === 'duplicate',
      ...(location === null ? {} : { location: JSON.parse(location) }),
    };
}
