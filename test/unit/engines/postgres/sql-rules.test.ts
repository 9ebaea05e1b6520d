import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FINDS, SURVEYED } from '../../../../src/engines/postgres/gather/store-pages.ts';
import { MIGRATIONS } from '../../../../src/engines/postgres/migrations.ts';
import {
  countRows,
  FENCE,
  findRows,
  insertRows,
  loadRows,
  pagesWith,
  removeRow,
  STEPS,
  type Statement,
  SURVEYS,
  surveyRows,
  updateRows,
} from '../../../../src/engines/postgres/statements.ts';
import { TABLES, type Table } from '../../../../src/engines/postgres/tables.ts';
import { createStateFile } from '../../../../src/engines/sqlite/state-database.ts';

// What Citus, CockroachDB and YugabyteDB can all do, with the partition as a constant.

const FORBIDDEN: readonly RegExp[] = [
  /\b(?:LISTEN|NOTIFY|pg_\w*advisory\w*|SKIP\s+LOCKED|LOCK\s+TABLE|MERGE|LATERAL|COPY|TRUNCATE|FOR\s+UPDATE)\b/i,
  /\b(?:nextval|SERIAL|BIGSERIAL|IDENTITY|SEQUENCE|GENERATED|TRIGGER|FUNCTION|plpgsql|DO\s+\$)\b/i,
  /\b(?:REFERENCES|FOREIGN\s+KEY|TEMP|TEMPORARY|UNLOGGED|DEFERRABLE|ctid|xmin)\b/i,
  // Time is read in a statement of its own, and passed in.
  /\b(?:now\s*\(|current_timestamp|random\s*\()/i,
];
const WITHOUT_PARTITION: ReadonlySet<string> = new Set(['begin', 'commit', 'forgettable', 'time']);

/** What is wrong with a statement of one partition. */
function problems({ name, text }: Statement): string[] {
  const found = FORBIDDEN.filter((pattern) => pattern.test(text)).map((pattern) => `${name}: ${pattern}`);
  if (WITHOUT_PARTITION.has(name)) return found;
  const isInsert = /^\s*INSERT INTO \w+ \(part, /.test(text) && /(?:SELECT \$1::integer,|VALUES \(\$1,)/.test(text);
  const isRouted = isInsert || /WHERE (?:\w+\.)?part = \$1\b/.test(text);
  const writes = text.match(/\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/g)?.length ?? 0;
  return [
    ...found,
    ...(isRouted ? [] : [`${name}: the partition is not in its condition`]),
    ...(writes > 1 ? [`${name}: writes twice`] : []),
    ...(/\bpart = ANY\b|\bOR part\b/.test(text) ? [`${name}: spans partitions`] : []),
  ];
}

/** A survey spans partitions, so that it may only read. */
function surveyProblems({ name, text }: Statement): string[] {
  const reads = /^SELECT /.test(text) && !/\b(?:INSERT|UPDATE|DELETE|FOR SHARE)\b/.test(text);
  return [
    ...FORBIDDEN.filter((pattern) => pattern.test(text)).map((pattern) => `${name}: ${pattern}`),
    ...(reads ? [] : [`${name}: does more than read`]),
    ...(/WHERE part (?:= ANY \(\$1::integer\[\]\)|BETWEEN 0 AND \$1::integer\b)/.test(text)
      ? []
      : [`${name}: does not name its partitions`]),
  ];
}

function schemaProblems(statement: string): string[] {
  const name = /CREATE TABLE (\w+)/.exec(statement)?.[1] ?? statement;
  // A new column leaves the key as it is. Messages are looked for by their receivers; the partition is in their key, and decides where they lie.
  const isRouted =
    /PRIMARY KEY \(part\b|\(part integer PRIMARY KEY|^ALTER TABLE \w+ ADD COLUMN \w+ /.test(statement) ||
    /^ALTER TABLE outbox .*PRIMARY KEY \(to_part, part, number\)$/.test(statement);
  return [
    ...FORBIDDEN.filter((pattern) => pattern.test(statement)).map((pattern) => `${name}: ${pattern}`),
    ...(isRouted ? [] : [`${name}: its key does not begin with the partition`]),
  ];
}

const tableOf = (wanted: string): Table => TABLES.find(({ name }) => name === wanted) as Table;
const OF_URLS = [...FINDS.map(([name, ...by]) => findRows(tableOf(name), by)), pagesWith(tableOf('page'))];
const SURVEYS_OF_URLS = SURVEYED.map((name) => surveyRows(tableOf(name)));

const OF_ROWS = TABLES.flatMap((table) => [
  ...[insertRows(table), updateRows(table), removeRow(table)],
  ...[loadRows(table, true), loadRows(table, false), countRows(table)],
]);

describe('SQL that distributes', () => {
  test('every statement is within one partition, and of the subset', () => {
    const statements = [FENCE, ...OF_ROWS, ...OF_URLS, ...Object.values(STEPS)];
    assert.deepEqual(statements.flatMap(problems), []);
    const names = [...statements, ...Object.values(SURVEYS), ...SURVEYS_OF_URLS].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, 'a name is a prepared statement');
  });

  test('what spans partitions only reads', () => {
    assert.deepEqual([...Object.values(SURVEYS), ...SURVEYS_OF_URLS].flatMap(surveyProblems), []);
  });

  test('the key of every table begins with the partition', () => {
    assert.deepEqual(MIGRATIONS.flatMap(({ statements }) => statements).flatMap(schemaProblems), []);
    assert.deepEqual(
      MIGRATIONS.map(({ number }) => number),
      MIGRATIONS.map((_, at) => at + 1),
    );
  });

  test('the checks can fail', () => {
    const found = (text: string): number => problems({ name: 'planted', text }).length;
    assert.equal(found('SELECT 1 FROM queue WHERE part = $1'), 0);
    assert.equal(found('SELECT 1 FROM queue WHERE host = $1'), 1);
    assert.equal(found('SELECT 1 FROM queue WHERE part = $1 FOR UPDATE SKIP LOCKED'), 1);
    assert.equal(found('DELETE FROM queue WHERE part = $1 AND at < now()'), 1);
    assert.equal(found('WITH x AS (DELETE FROM a WHERE part = $1) DELETE FROM a WHERE part = $1'), 1);
    assert.equal(
      surveyProblems({ name: 'planted', text: 'DELETE FROM outbox WHERE part = ANY ($1::integer[])' }).length,
      1,
    );
    assert.equal(schemaProblems('CREATE TABLE a (id bigserial PRIMARY KEY)').length, 2);
  });
});

test('the tables of a partition are those of the working copy, column by column', () => {
  using db = createStateFile(':memory:');
  const names = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  // A lease ends with its process; the row of the owner says which hosts it was asking.
  assert.deepEqual(
    names.filter((name) => name !== 'lease'),
    TABLES.map(({ name }) => name).sort(),
  );
  const types = { integer: 'INTEGER', bigint: 'INTEGER', double: 'REAL', text: 'TEXT', bytes: 'BLOB' };
  for (const { name, columns, key } of TABLES) {
    const info = db.prepare(`SELECT name, type, pk FROM pragma_table_info('${name}')`).all() as Record<
      string,
      unknown
    >[];
    assert.deepEqual(
      info.map((column) => [column.name, column.type]),
      columns.map((column) => [column.name, types[column.type]]),
      name,
    );
    const keyed = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    assert.deepEqual(
      keyed.map((column) => column.name),
      key.map((column) => column.name),
      name,
    );
  }
});
