/** What a column holds in PostgreSQL, and in the working copy beside it. */
export type ColumnType = 'integer' | 'bigint' | 'double' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** A time in ms; kept by the clock of the store, which all nodes share. 0 and null mean none. */
  readonly isTime: boolean;
}

/** A table of a partition. Its rows are those of the same table in the working copy, with the partition before each. */
export interface Table {
  readonly name: string;
  /** In the order of the working copy. */
  readonly columns: readonly Column[];
  /** The primary key, after the partition. */
  readonly key: readonly Column[];
  /** Places of the key's columns. */
  readonly keyAt: readonly number[];
}

const QUEUE =
  'host integer, lane integer, ord bigint, url text, depth integer, redirects integer, tries integer, visited integer, how text, via bytes, anchor text, found_at time, for_origin text';

/** Everything that outlives an owner. Leases do not: hosts rest with the next one. */
export const TABLES: readonly Table[] = [
  table('meta', 'name', 'name text, value text'),
  table(
    'host',
    'id',
    'id integer, key text, due_at time, hold_until time, hold_why text, crawl_delay double, last_fetch double, pushbacks integer, pushed_at time, queued integer, lane integer, pages integer, bytes double, spent double, parked integer, address text, as_of bigint',
  ),
  table('queue', 'host lane ord', QUEUE),
  table('later', 'at host lane ord', `at time, ${QUEUE}`),
  table('seen', 'batch', 'batch bigint, entries bytes'),
  table(
    'page',
    'fp',
    'fp bigint, url text, host integer, depth integer, how text, via bytes, anchor text, found_at time, kind text, outcome text, tries integer, visited_at time, next_visit time, facts text, history text, next_why text, changes text, held text',
  ),
  table('refusal', 'fp', 'fp bigint, by text, rule text, task text, at time'),
  table('digest', 'digest', 'digest text, url text, at time, raw text'),
  table('robots', 'origin', 'origin text, record text'),
  table('archive_file', 'name', 'name text, file_end bigint, index_end bigint'),
  table(
    'likeness',
    'document',
    'document bigint, page bigint, simhash bigint, shingles bigint, sketch bytes, near_to bigint, jaccard double, has_left integer',
  ),
  table('revisit', 'at host lane ord', `at time, ${QUEUE}`),
  table(
    'place',
    'fp',
    'fp bigint, host integer, lane integer, ord bigint, depth integer, waits integer, at time, why text, off_topic integer',
  ),
  table('change', 'number', 'number bigint, at time, url text, kind text, detail text, title text'),
  table('learning', 'number', 'number bigint, events bytes'),
  table('link_batch', 'number', 'number bigint, links bytes'),
];

function table(name: string, key: string, columns: string): Table {
  const all = columns.split(', ').map((column): Column => {
    const [of, type] = column.split(' ');
    return { name: of, type: type === 'time' ? 'double' : (type as ColumnType), isTime: type === 'time' };
  });
  const keyAt = key.split(' ').map((wanted) => all.findIndex((column) => column.name === wanted));
  return { name, columns: all, key: keyAt.map((at) => all[at]), keyAt };
}
