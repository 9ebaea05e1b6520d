import pg from 'pg';

/** Of the URLs that a crawl knows, with six new links on a page. */
const VISITED_SHARE = 1 / 7;
/** A lane that nobody uses: its rows lie between those of the hosts. */
const LANE = 7;

export interface FilledTables {
  readonly urls: number;
  readonly partitions: number;
  /** Of each partition. */
  readonly hosts: number;
}

/**
 * How large the tables of a crawl are to be before it begins. Rows lie where those of a crawl would lie: by host, and by hash. On a connection of
 * its own: no step of a crawl may take minutes, and these do.
 */
export async function fillTables(
  { url, schema }: { readonly url: string; readonly schema: string },
  { urls, partitions, hosts }: FilledTables,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const visited = Math.round(urls * VISITED_SHARE);
  const waiting = Math.ceil((urls - visited) / partitions / hosts);
  const address = (number: string): string =>
    `'https://host-' || host || '.example.org/section/' || number % 7 || '/page-' || ${number} || '.html'`;
  const filled = {
    queue: `INSERT INTO queue (part, host, lane, ord, url, depth, redirects, tries, visited, how, via, anchor, found_at)
      SELECT part, host, ${LANE}, number, ${address('number')}, 1, 0, 0, 0, 'link', decode(md5(number::text), 'hex'), 'an anchor of usual length', 0
      FROM generate_series(0, ${partitions - 1}) AS part, generate_series(1, ${hosts}) AS host, generate_series(1, ${waiting}) AS number`,
    page: `INSERT INTO page (part, fp, url, host, depth, how, anchor, found_at, kind, outcome, tries, visited_at, facts, history)
      SELECT number % ${partitions}, hashint8extended(number, 1), ${address('number')}, host, 1, 'link', 'an anchor of usual length', 0, 'stored', '{"kind":"stored"}', 1, 0,
        repeat(md5(number::text), 14), repeat(md5(number::text), 4)
      FROM (SELECT number, number % ${hosts} AS host FROM generate_series(1, ${visited}) AS number) AS made`,
    digest: `INSERT INTO digest (part, digest, url, at, raw)
      SELECT number % ${partitions}, upper(md5(number::text)), ${address('number')}, 0, md5(number::text)
      FROM (SELECT number, number % ${hosts} AS host FROM generate_series(1, ${visited}) AS number) AS made`,
    seen: `INSERT INTO seen (part, batch, entries) SELECT number % ${partitions}, -number, decode(repeat(md5(number::text), 16), 'hex')
      FROM generate_series(1, ${Math.ceil(urls / 20)}) AS number`,
  };
  const keys = { queue: 'host, lane, ord', page: 'fp', digest: 'digest', seen: 'batch' };
  const run = async (text: string): Promise<void> => {
    await client.query(text);
  };
  await run(`SET search_path = ${schema}`);
  await run("SET maintenance_work_mem = '1GB'");
  for (const [table, rows] of Object.entries(filled)) {
    // An index is made faster of rows that are there.
    await run(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    await run(rows);
    await run(`ALTER TABLE ${table} ADD PRIMARY KEY (part, ${keys[table as keyof typeof keys]})`);
    await run(`VACUUM ANALYZE ${table}`);
  }
  await run('CHECKPOINT');
  await client.end();
}
