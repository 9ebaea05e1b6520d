import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type {
  ColumnSpec,
  TableFilter,
  TableQuery,
  TableReader,
  TableRow,
} from '../../../../src/contracts/site-report.ts';
import { createTable, openTable } from '../../../../src/engines/open-table.ts';
import { propertyRuns } from '../../../property-runs.ts';

const COLUMNS: readonly ColumnSpec[] = [
  { name: 'url', kind: 'text' },
  { name: 'title', kind: 'text' },
  { name: 'type', kind: 'word' },
  { name: 'size', kind: 'number' },
  { name: 'at', kind: 'time' },
];

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-table-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function tableOf(rows: readonly TableRow[], flagged: (row: TableRow) => boolean = () => false): TableReader {
  const path = join(folder, String(made++), 'table.db');
  using writer = createTable(path, COLUMNS, ['odd', 'marked']);
  for (const row of rows) {
    const number = writer.add(row);
    if (number % 2 === 1) writer.flag(number, 'odd');
    if (flagged(row)) writer.flag(number, 'marked');
  }
  writer.publish({ made });
  return openTable(path)!;
}

const row = fc.record(
  {
    title: fc.oneof(fc.constantFrom('Home', 'home', 'News', ''), fc.string({ unit: 'binary', maxLength: 6 })),
    type: fc.constantFrom('text/html', 'TEXT/HTML', 'image/png', 'application/pdf'),
    size: fc.oneof(fc.nat(3), fc.nat(4_294_967_294)),
    at: fc.oneof(fc.constantFrom(0, 1000), fc.integer({ min: -8e13, max: 8e13 })),
  },
  { requiredKeys: [] },
);
const rowsOf = (max: number) =>
  fc.array(row, { maxLength: max }).map((rows): TableRow[] => rows.map((one, at) => ({ ...one, url: urlOf(at) })));

/** Not in their order, some differing by case alone. */
function urlOf(at: number): string {
  return `http://${at % 3}.test/${at % 2 === 0 ? 'A' : 'a'}${Math.floor(at / 2)}`;
}

const sorts = fc.constantFrom(
  undefined,
  ...COLUMNS.flatMap(({ name: column }) => [{ column }, { column, descending: true }]),
);
const filters: readonly (readonly TableFilter[])[] = [
  [],
  [{ column: 'title', is: 'containing', text: 'OM' }],
  [{ column: 'title', is: 'equal', value: 'HOME' }],
  [{ column: 'title', is: 'beginning', text: 'n' }],
  [{ column: 'title', is: 'missing' }],
  [{ column: 'type', is: 'equal', value: 'text/HTML', not: true }],
  [{ column: 'size', is: 'between', from: 1, to: 2 }],
  [{ column: 'size', is: 'between', to: 2, not: true }],
  [
    { column: 'at', is: 'missing', not: true },
    { column: 'url', is: 'containing', text: '1.test' },
  ],
];

/** The same by going through the rows. */
function meets(one: TableRow, { column, not = false, ...how }: TableFilter): boolean {
  const value = one[column];
  const text = kept(value).toLowerCase();
  const holds = (): boolean => {
    if (how.is === 'missing') return value === undefined || value === '';
    if (value === undefined || value === '') return false;
    if (how.is === 'between') return Number(value) >= (how.from ?? -Infinity) && Number(value) <= (how.to ?? Infinity);
    if (how.is === 'equal') return text === how.value.toLowerCase();
    return how.is === 'beginning' ? text.startsWith(how.text.toLowerCase()) : text.includes(how.text.toLowerCase());
  };
  return holds() !== not;
}

function kept(value: TableRow[string]): string {
  return String(value ?? '')
    .replace(/[\n\r\u2028\u2029]+/g, ' ')
    .toWellFormed();
}

async function walk(table: TableReader, query: Omit<TableQuery, 'limit'>, limit: number): Promise<string[]> {
  const urls: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await table.find({ ...query, limit, ...(after === undefined ? {} : { after }) });
    if (page.rows.length > 0) assert.equal(page.skipped, urls.length);
    urls.push(
      ...table
        .read(
          page.rows.map(({ row: number }) => number),
          ['url'],
        )
        .map(({ url }) => String(url)),
    );
    if (page.rows.length < limit) return urls;
    after = page.rows.at(-1)!.key;
  }
}

async function walkBack(table: TableReader, query: Omit<TableQuery, 'limit'>, limit: number): Promise<string[]> {
  const { rows: last } = await table.find({ ...query, limit: table.rows + 1 });
  if (last.length === 0) return [];
  const urls = table.read([last.at(-1)!.row], ['url']).map(({ url }) => String(url));
  for (let before = last.at(-1)!.key; ; ) {
    const { rows } = await table.find({ ...query, limit, before });
    urls.unshift(
      ...table
        .read(
          rows.map(({ row: number }) => number),
          ['url'],
        )
        .map(({ url }) => String(url)),
    );
    if (rows.length < limit) return urls;
    before = rows[0].key;
  }
}

describe('FileTable', () => {
  test('pages by keys give every matching row once, under every sort and filter, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf(40),
        sorts,
        fc.constantFrom(...filters),
        fc.integer({ min: 1, max: 9 }),
        async (rows, sort, asked, limit) => {
          using table = tableOf(rows);
          const query = { filters: asked, ...(sort === undefined ? {} : { sort }) };
          const expected = rows
            .filter((one) => asked.every((filter) => meets(one, filter)))
            .map(({ url }) => String(url));
          const forwards = await walk(table, query, limit);
          assert.deepEqual([...forwards].sort(), expected.sort());
          assert.deepEqual(await walkBack(table, query, limit), forwards);
          const scanned: number[] = [];
          for await (const number of table.scan(query)) scanned.push(number);
          assert.deepEqual(
            table.read(scanned, ['url']).map(({ url }) => url),
            forwards,
          );
        },
      ),
      { numRuns: propertyRuns(600) },
    );
  });

  test('a sort is by value, then by the first column; missing values come last in both directions', async () => {
    using table = tableOf([
      { url: 'http://c/', size: 2 },
      { url: 'http://b/', size: 10 },
      { url: 'http://e/' },
      { url: 'http://a/', size: 2 },
      { url: 'http://d/' },
    ]);
    const order = (descending: boolean) => walk(table, { sort: { column: 'size', descending } }, 2);
    assert.deepEqual(await order(false), ['http://a/', 'http://c/', 'http://b/', 'http://d/', 'http://e/']);
    assert.deepEqual(await order(true), ['http://b/', 'http://c/', 'http://a/', 'http://d/', 'http://e/']);
  });

  test('values come back as given, over more rows than a part has', async () => {
    const rows = Array.from(
      { length: 1000 },
      (_, at): TableRow => ({
        url: urlOf(at),
        ...(at % 3 === 0 ? {} : { title: `Ünï ${at} 'x" \u{1f577}` }),
        ...(at % 5 === 0 ? {} : { type: at % 2 === 0 ? 'text/html' : 'image/png' }),
        ...(at % 7 === 0 ? {} : { size: at * 1_000_000 }),
        ...(at % 11 === 0 ? {} : { at: at * 1_000_000 - 500_000_000 }),
      }),
    );
    using table = tableOf(rows, ({ size }) => size === undefined);
    const names = COLUMNS.map(({ name }) => name);
    const read = table.read([...rows.keys()], names);
    assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(rows)));
    assert.deepEqual(table.flags, { odd: 500, marked: 143 });
    const { total, rows: found } = await table.find({ flag: 'marked', limit: 3, sort: { column: 'url' } });
    assert.equal(total, 143);
    assert.equal(found.length, 3);
    const { total: named } = await table.find({
      filters: [{ column: 'title', is: 'containing', text: 'ÜNÏ 99' }],
      limit: 1,
    });
    assert.equal(named, rows.filter(({ title }) => String(title ?? '').includes('Ünï 99')).length);
  });

  test('a key stays good when the table is made again with other rows', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({
      url: `http://h/${String(at).padStart(2, '0')}`,
      size: at % 5,
    }));
    using before = tableOf(many);
    const query = { sort: { column: 'size' }, limit: 12 };
    const first = await before.find(query);
    using later = tableOf(many.filter((_, at) => at % 3 !== 0).reverse());
    const next = await later.find({ ...query, limit: 100, after: first.rows.at(-1)!.key });
    const rest = later
      .read(
        next.rows.map(({ row: number }) => number),
        ['url'],
      )
      .map(({ url }) => url);
    const seen = new Set(
      before
        .read(
          first.rows.map(({ row: number }) => number),
          ['url'],
        )
        .map(({ url }) => url),
    );
    assert.ok(rest.length > 0);
    assert.ok(rest.every((url) => !seen.has(url)));
  });

  test('groups of rows that share a text', () => {
    using writer = createTable(join(folder, 'groups', 'table.db'), COLUMNS, []);
    for (const [at, title] of ['A', 'b', 'a', undefined, 'b', 'b', undefined].entries())
      writer.add({ url: `http://h/${at}`, ...(title === undefined ? {} : { title }) });
    assert.deepEqual(
      [...writer.sameTexts('title', () => true)],
      [
        [0, 2],
        [1, 4, 5],
      ],
    );
    assert.deepEqual([...writer.sameTexts('title', (one) => one !== 2 && one !== 1)], [[4, 5]]);
    writer.set(3, 'size', 7);
    assert.equal(writer.get(3, 'size'), 7);
    assert.equal(writer.get(2, 'size'), undefined);
  });

  test('nobody sees a table before it is published; a draft that was left is removed', () => {
    const path = join(folder, 'draft', 'table.db');
    {
      using writer = createTable(path, COLUMNS, []);
      writer.add({ url: 'http://a/' });
      assert.equal(openTable(path), undefined);
      assert.throws(() => createTable(path, COLUMNS, []), { code: 'FOLDER_IN_USE' });
    }
    assert.deepEqual(readdirSync(join(folder, 'draft')), ['state.lock']);
    using writer = createTable(path, COLUMNS, []);
    writer.publish({});
    assert.ok(existsSync(path));
    using table = openTable(path)!;
    assert.equal(table.rows, 0);
  });

  test('an empty table answers', async () => {
    using table = tableOf([]);
    assert.deepEqual(await table.find({ limit: 10, filters: [{ column: 'title', is: 'containing', text: 'x' }] }), {
      rows: [],
      total: 0,
      skipped: 0,
    });
  });

  test('what there is not is refused', async () => {
    using table = tableOf([{ url: 'http://a/' }]);
    const asked: readonly Partial<TableQuery>[] = [
      { sort: { column: 'nothing' } },
      { flag: 'nothing' },
      { after: 'x' },
      { after: Buffer.from('[{},1]').toString('base64url') },
      { filters: [{ column: 'size', is: 'containing', text: 'x' }] },
      { filters: [{ column: 'title', is: 'between', from: 1 }] },
    ];
    for (const query of asked) await assert.rejects(table.find({ limit: 1, ...query }), { code: 'USAGE' });
  });
});
