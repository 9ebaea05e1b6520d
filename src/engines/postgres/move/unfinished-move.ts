import { OrbweaverError } from '../../../base/errors.ts';
import type { Versioned } from '../../../contracts/state/notes.ts';
import type { PostgresNotes } from '../postgres-notes.ts';

/** What is being moved into a database, as long as it is not complete. */
export interface UnfinishedMove {
  readonly from: string;
  /** Changes with every transaction of the folder. */
  readonly counters: string;
  /** Of the node that the folder becomes. */
  readonly name?: string;
}

const SCOPE = 'crawl';
const MOVE = 'move';

/** Undefined where nothing was ever moved into the database; null: it is complete. */
export async function readMove(notes: PostgresNotes): Promise<Versioned<UnfinishedMove | null> | undefined> {
  return await notes.read<UnfinishedMove | null>(SCOPE, MOVE);
}

export async function writeMove(notes: PostgresNotes, move: UnfinishedMove | null): Promise<void> {
  await notes.write(SCOPE, MOVE, move, (await readMove(notes))?.version ?? 0);
}

/** Whoever would crawl with a part of the state. */
export async function refuseUnfinishedMove(notes: PostgresNotes): Promise<void> {
  const move = (await readMove(notes))?.value ?? null;
  if (move === null) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `The crawl of ${move.from} was not moved into this database completely.`,
    {
      remedy: 'To go on with it: orbweaver migrate --from DIR --to postgres://…, as it was begun.',
    },
  );
}
