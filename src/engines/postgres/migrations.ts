/** A change of the tables. Numbers rise by one; what was published is never edited. */
export interface Migration {
  readonly number: number;
  readonly statements: readonly string[];
}

const QUEUE_COLUMNS = `host integer NOT NULL, lane integer NOT NULL, ord bigint NOT NULL, url text NOT NULL, depth integer NOT NULL,
  redirects integer NOT NULL, tries integer NOT NULL, visited integer NOT NULL, how text NOT NULL, via bytea, anchor text,
  found_at double precision NOT NULL, for_origin text`;

/** Every primary key begins with the partition. The tables of a partition are those of state.db (sqlite/state-database.ts). */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    statements: [
      // One row: how the crawl is spread, fixed for its life.
      'CREATE TABLE store (part integer PRIMARY KEY, id text NOT NULL, partitions integer NOT NULL, by_domain boolean NOT NULL)',
      // Who owns a partition. writer: the epoch of whoever wrote last, which must be that of the owner. busy: the hosts that
      // asker was asking when it wrote last.
      `CREATE TABLE owner (part integer PRIMARY KEY, epoch bigint NOT NULL, writer bigint NOT NULL, commits bigint NOT NULL,
        node text, lease_until double precision NOT NULL, asker text, busy integer[] NOT NULL,
        CONSTRAINT owner_is_fenced CHECK (writer = epoch))`,
      // Messages, in the partition of their sender.
      `CREATE TABLE outbox (part integer NOT NULL, to_part integer NOT NULL, number bigint NOT NULL, body text NOT NULL,
        PRIMARY KEY (part, to_part, number))`,
      `CREATE TABLE note (part integer NOT NULL, scope text NOT NULL, name text NOT NULL, value text NOT NULL,
        version bigint NOT NULL, PRIMARY KEY (part, scope, name))`,

      'CREATE TABLE meta (part integer NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (part, name))',
      `CREATE TABLE host (part integer NOT NULL, id integer NOT NULL, key text NOT NULL, due_at double precision NOT NULL,
        hold_until double precision NOT NULL, hold_why text, crawl_delay double precision NOT NULL,
        last_fetch double precision NOT NULL, pushbacks integer NOT NULL, pushed_at double precision NOT NULL,
        queued integer NOT NULL, lane integer NOT NULL, pages integer NOT NULL, bytes double precision NOT NULL,
        spent double precision NOT NULL, parked integer NOT NULL, address text, as_of bigint NOT NULL, PRIMARY KEY (part, id))`,
      `CREATE TABLE queue (part integer NOT NULL, ${QUEUE_COLUMNS}, PRIMARY KEY (part, host, lane, ord))`,
      `CREATE TABLE later (part integer NOT NULL, at double precision NOT NULL, ${QUEUE_COLUMNS},
        PRIMARY KEY (part, at, host, lane, ord))`,
      'CREATE TABLE seen (part integer NOT NULL, batch bigint NOT NULL, entries bytea NOT NULL, PRIMARY KEY (part, batch))',
      `CREATE TABLE page (part integer NOT NULL, fp bigint NOT NULL, url text NOT NULL, host integer NOT NULL,
        depth integer NOT NULL, how text NOT NULL, via bytea, anchor text, found_at double precision NOT NULL,
        kind text NOT NULL, outcome text NOT NULL, tries integer NOT NULL, visited_at double precision NOT NULL,
        next_visit double precision, facts text, history text NOT NULL, next_why text, changes text, held text,
        PRIMARY KEY (part, fp))`,
      `CREATE TABLE refusal (part integer NOT NULL, fp bigint NOT NULL, by text NOT NULL, rule text NOT NULL, task text NOT NULL,
        at double precision NOT NULL, PRIMARY KEY (part, fp))`,
      `CREATE TABLE digest (part integer NOT NULL, digest text NOT NULL, url text NOT NULL, at double precision NOT NULL,
        raw text NOT NULL, PRIMARY KEY (part, digest))`,
      'CREATE TABLE robots (part integer NOT NULL, origin text NOT NULL, record text NOT NULL, PRIMARY KEY (part, origin))',
      `CREATE TABLE archive_file (part integer NOT NULL, name text NOT NULL, file_end bigint NOT NULL,
        index_end bigint NOT NULL, PRIMARY KEY (part, name))`,
      `CREATE TABLE likeness (part integer NOT NULL, document bigint NOT NULL, page bigint NOT NULL, simhash bigint NOT NULL,
        shingles bigint NOT NULL, sketch bytea NOT NULL, near_to bigint, jaccard double precision, has_left integer,
        PRIMARY KEY (part, document))`,
      `CREATE TABLE revisit (part integer NOT NULL, at double precision NOT NULL, ${QUEUE_COLUMNS},
        PRIMARY KEY (part, at, host, lane, ord))`,
      `CREATE TABLE place (part integer NOT NULL, fp bigint NOT NULL, host integer NOT NULL, lane integer NOT NULL,
        ord bigint NOT NULL, depth integer NOT NULL, waits integer NOT NULL, at double precision, why text,
        off_topic integer, PRIMARY KEY (part, fp))`,
      `CREATE TABLE change (part integer NOT NULL, number bigint NOT NULL, at double precision NOT NULL, url text NOT NULL,
        kind text NOT NULL, detail text, title text, PRIMARY KEY (part, number))`,
      'CREATE TABLE learning (part integer NOT NULL, number bigint NOT NULL, events bytea NOT NULL, PRIMARY KEY (part, number))',
      `CREATE TABLE link_batch (part integer NOT NULL, number bigint NOT NULL, links bytea NOT NULL,
        PRIMARY KEY (part, number))`,
    ],
  },
  {
    number: 2,
    statements: [
      // The nodes of the crawl, all in partition 0.
      `CREATE TABLE node (part integer NOT NULL, name text NOT NULL, seen_at double precision NOT NULL,
        seen_until double precision NOT NULL, draining boolean NOT NULL, report text NOT NULL,
        PRIMARY KEY (part, name))`,
    ],
  },
  {
    number: 3,
    statements: ["ALTER TABLE store ADD COLUMN spread_by text NOT NULL DEFAULT 'site'"],
  },
  {
    number: 4,
    // Who receives looks every second: with the sender first, a look read whatever waits for anybody.
    statements: ['ALTER TABLE outbox DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (to_part, part, number)'],
  },
];
