import { type Column, type ColumnType, TABLES, type Table } from './tables.ts';

/** A statement that is prepared under its name, once for each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** It answers no rows: nobody need ask the server what they look like. */
  readonly isSilent?: true;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  bigint: 'bigint',
  double: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

/** Rows of one table that one statement loads. */
export const LOAD_ROWS = 10_000;

/** New rows of a partition: an array for each column, read side by side. Joined in FROM they would be kept as rows once more before they are. */
export function insertRows({ name, columns }: Table): Statement {
  const values = columns.map(({ type }, at) => `unnest($${at + 2}::${SQL_TYPES[type]}[])`).join(', ');
  return {
    name: `insert-${name}`,
    isSilent: true,
    text: `INSERT INTO ${name} (part, ${listOf(columns)}) SELECT $1::integer, ${values}`,
  };
}

/** Rows of a partition that have changed, as they are now: an array for each column. */
export function updateRows(table: Table): Statement {
  const { name, columns, key } = table;
  const others = columns.filter((column) => !key.includes(column));
  const update = others.map((column) => `${column.name} = excluded.${column.name}`).join(', ');
  return {
    name: `update-${name}`,
    isSilent: true,
    text: `${insertRows(table).text}
      ON CONFLICT (part, ${listOf(key)}) DO UPDATE SET ${update}`,
  };
}

/**
 * Removes one row by its whole key. A join with arrays would be one statement for many; but a table that is young, or has grown since
 * the statement was planned, is joined by going through the whole partition.
 */
export function removeRow({ name, key }: Table): Statement {
  const same = key.map((column, at) => `${column.name} = $${at + 2}::${SQL_TYPES[column.type]}`).join(' AND ');
  return { name: `remove-${name}`, isSilent: true, text: `DELETE FROM ${name} WHERE part = $1 AND ${same}` };
}

/** How rows of a table are written. */
export interface RowWrites {
  readonly insert: Statement;
  readonly update: Statement;
  readonly remove: Statement;
}

/** Of every table: made once, for every transaction needs some of them. */
export const ROW_WRITES: ReadonlyMap<string, RowWrites> = new Map(
  TABLES.map((table) => [
    table.name,
    { insert: insertRows(table), update: updateRows(table), remove: removeRow(table) },
  ]),
);

/** The first rows of a partition in the order of their keys, or those after a key. */
export function loadRows({ name, columns, key }: Table, isFirst: boolean): Statement {
  const after = key.map(({ type }, at) => `$${at + 2}::${SQL_TYPES[type]}`).join(', ');
  const where = isFirst ? '' : `AND (${listOf(key)}) > (${after})`;
  return {
    name: `load-${name}-${isFirst ? 'first' : 'next'}`,
    text: `SELECT ${listOf(columns)} FROM ${name} WHERE part = $1 ${where} ORDER BY ${listOf(key)} LIMIT ${LOAD_ROWS}`,
  };
}

export function countRows({ name }: Table): Statement {
  return { name: `count-${name}`, text: `SELECT count(*) AS rows FROM ${name} WHERE part = $1` };
}

/** The pages of a partition whose facts hold a text, those after a fingerprint: the name of an archive file, say. */
export function pagesWith({ name, columns }: Table): Statement {
  return {
    name: `${name}-with`,
    text: `SELECT ${listOf(columns)} FROM ${name} WHERE part = $1 AND position($2::text in facts) > 0 AND fp > $3::bigint
      ORDER BY fp LIMIT ${LOAD_ROWS}`,
  };
}

/** Rows of a partition that have certain values. */
export function findRows({ name, columns }: Table, by: readonly string[]): Statement {
  const typeOf = (wanted: string): string =>
    SQL_TYPES[columns.find((column) => column.name === wanted)?.type as ColumnType];
  const same = by.map((column, at) => `${column} = $${at + 2}::${typeOf(column)}`).join(' AND ');
  return {
    name: `find-${name}-${by.join('-')}`,
    text: `SELECT ${listOf(columns)} FROM ${name} WHERE part = $1 AND ${same}`,
  };
}

/** The rows of a fingerprint in whatever partition they lie ($1: the numbers of all). */
export function surveyRows({ name, columns }: Table): Statement {
  return {
    name: `survey-${name}`,
    text: `SELECT part, ${listOf(columns)} FROM ${name} WHERE part = ANY ($1::integer[]) AND fp = $2::bigint`,
  };
}

function listOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/**
 * Begins every change of a partition. Who is not its owner any more, or does not know its last commit, breaks a constraint: so
 * everything that follows in the transaction fails too, and the whole of it can be sent without waiting for an answer.
 * $2 is the epoch of the writer, $3 the number of commits that it knows of, $4 the hosts that it is asking: they rest with
 * the next owner.
 */
export const FENCE: Statement = {
  name: 'fence',
  isSilent: true,
  text: `UPDATE owner SET commits = commits + 1, asker = node, busy = $4::integer[],
      writer = CASE WHEN commits = $3::bigint THEN $2::bigint ELSE -1 END WHERE part = $1`,
};

/** The constraint that it breaks. */
export const FENCED_CONSTRAINT = 'owner_is_fenced';

/** Steps that are not rows of tables, each within one partition ($1) unless it says otherwise. */
export const STEPS = {
  begin: { name: 'begin', isSilent: true, text: 'BEGIN' },
  commit: { name: 'commit', isSilent: true, text: 'COMMIT' },
  /** The transaction may be lost in a crash of the server, together with all that came after it. */
  forgettable: { name: 'forgettable', isSilent: true, text: 'SET LOCAL synchronous_commit = off' },
  /** Judged by one clock: that of the store. */
  time: { name: 'time', text: 'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now' },

  /**
   * Takes a partition that nobody owns, whose lease has run out, or which a former process of the same node left. Epochs rise with
   * the time ($5), so that a store which forgot the last owner (it failed over to a copy that was behind) does not give its epoch to another.
   */
  take: {
    name: 'take-partition',
    text: `UPDATE owner SET epoch = GREATEST(epoch + 1, $5::double precision::bigint),
        writer = GREATEST(epoch + 1, $5::double precision::bigint), node = $2::text, lease_until = $3::double precision
      WHERE part = $1 AND epoch = $4::bigint AND (node IS NULL OR node = $2::text OR lease_until <= $5::double precision)
      RETURNING epoch, commits, asker, busy`,
  },
  renew: {
    name: 'renew-partition',
    text: `UPDATE owner SET lease_until = GREATEST(lease_until, $3::double precision)
      WHERE part = $1 AND epoch = $2::bigint AND node IS NOT NULL RETURNING part, commits`,
  },
  /** The epoch rises, so that what the former owner still sends is fenced. */
  release: {
    name: 'release-partition',
    text: `UPDATE owner SET epoch = epoch + 1, writer = epoch + 1, node = NULL, lease_until = 0
      WHERE part = $1 AND epoch = $2::bigint AND node IS NOT NULL`,
  },
  ownerOf: { name: 'owner-of', text: 'SELECT epoch, commits FROM owner WHERE part = $1 AND node IS NOT NULL' },

  send: {
    name: 'send',
    isSilent: true,
    text: `INSERT INTO outbox (part, to_part, number, body)
      SELECT $1::integer, unnest($2::integer[]), unnest($3::bigint[]), unnest($4::text[])`,
  },
  /** Of one sender, whose numbers are distinct: the receivers have applied them. */
  acknowledge: {
    name: 'acknowledge',
    text: 'DELETE FROM outbox WHERE part = $1 AND to_part = ANY ($2::integer[]) AND number = ANY ($3::bigint[])',
  },

  /** Nodes are kept in partition 0. $6: the node has just been started. */
  beat: {
    name: 'beat',
    text: `INSERT INTO node (part, name, seen_at, seen_until, draining, report)
      VALUES ($1, $2, $3, $4, false, $5)
      ON CONFLICT (part, name) DO UPDATE SET seen_at = excluded.seen_at, seen_until = excluded.seen_until,
        draining = node.draining AND NOT $6::boolean, report = excluded.report`,
  },
  leave: { name: 'leave', text: 'UPDATE node SET seen_until = 0 WHERE part = $1 AND name = $2' },
  drain: { name: 'drain', text: 'UPDATE node SET draining = true WHERE part = $1 AND name = $2 RETURNING name' },

  queueLength: {
    name: 'queue-length',
    text: 'SELECT count(*) AS length FROM queue WHERE part = $1 AND host = $2::integer',
  },

  readNote: {
    name: 'read-note',
    text: 'SELECT value, version FROM note WHERE part = $1 AND scope = $2::text AND name = $3::text',
  },
  addNote: {
    name: 'add-note',
    text: `INSERT INTO note (part, scope, name, value, version) VALUES ($1, $2, $3, $4, 1)
      ON CONFLICT (part, scope, name) DO NOTHING RETURNING version`,
  },
  replaceNote: {
    name: 'replace-note',
    text: `UPDATE note SET value = $4::text, version = version + 1
      WHERE part = $1 AND scope = $2::text AND name = $3::text AND version = $5::bigint RETURNING version`,
  },
} as const satisfies Record<string, Statement>;

/** Reads that span partitions ($1: their numbers). They change and lock nothing. */
export const SURVEYS = {
  owners: {
    name: 'survey-owners',
    text: 'SELECT part, epoch, commits, node, lease_until FROM owner WHERE part = ANY ($1::integer[]) ORDER BY part',
  },
  nodes: {
    name: 'survey-nodes',
    text: 'SELECT name, seen_at, seen_until, draining, report FROM node WHERE part = ANY ($1::integer[]) ORDER BY name',
  },
  /** $2: the writers that the names of a node's archive files end in. */
  archiveFiles: {
    name: 'survey-archive-files',
    text: `SELECT name, max(file_end) AS file_end, max(index_end) AS index_end FROM archive_file
      WHERE part = ANY ($1::integer[]) AND substring(name from '-([^-]+)[.]warc[.]gz$') = ANY ($2::text[]) GROUP BY name ORDER BY name`,
  },
  lastHosts: {
    name: 'survey-last-hosts',
    text: 'SELECT part, max(id) AS last FROM host WHERE part = ANY ($1::integer[]) GROUP BY part',
  },
  queueLengths: {
    name: 'survey-queue-lengths',
    text: 'SELECT part, host, count(*) AS length FROM queue WHERE part = ANY ($1::integer[]) GROUP BY part, host',
  },
  /** $1: the last partition. A list of all senders would be read with every look; the key of the table finds messages by their receivers, in this order. */
  receive: {
    name: 'receive',
    text: `SELECT part, to_part, number, body FROM outbox WHERE part BETWEEN 0 AND $1::integer AND to_part = ANY ($2::integer[])
      ORDER BY to_part, part, number LIMIT $3::integer`,
  },
  pending: { name: 'pending', text: 'SELECT count(*) AS pending FROM outbox WHERE part = ANY ($1::integer[])' },
} as const satisfies Record<string, Statement>;
