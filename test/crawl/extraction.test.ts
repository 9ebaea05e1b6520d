import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { openRowReader } from '../../src/engines/open-rows.ts';
import { createCrawl } from '../../src/index.ts';
import { callProgram } from '../called-program.ts';
import { onlyLong } from '../property-runs.ts';
import { LISTING_RULES, listingPage, PRODUCT_RULES, productPage } from '../unit/extract/rules/templates.ts';
import { temporaryFolder } from './crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
const PRODUCTS = 12;
const RULES = `${PRODUCT_RULES}${LISTING_RULES}
never: { match: /no-such-place/*, fields: { x: h1 } }
half: { match: /product/*, fields: { name: h1, missing: .not-there } }
`;

/** Lets the rules for the news of this site match on its own host. */
const bare = (text: string): string => text.replace('<base href="https://cdn.example/news/">', '');

describe('rows of a crawl', () => {
  let requests = 0;
  let prices = '10.00';
  let isGone = false;
  let onRequest: (url: string) => void = () => {};
  let news = [
    { path: '/a', title: 'A', day: '2026-01-01' },
    { path: '/b', title: 'B', day: '2026-01-02' },
  ];
  const server = createServer(({ url = '' }, response) => {
    requests++;
    onRequest(url);
    const page = (html: string): void => void response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    const number = /^\/product\/(\d+)$/.exec(url)?.[1];
    if (url === '/')
      page(
        `<title>Shop</title><a href=/news>n</a>${Array.from({ length: PRODUCTS }, (_, at) => `<a href=/product/${at}>${at}</a>`).join('')}`,
      );
    else if (url === '/news') page(bare(listingPage(news)));
    else if (number !== undefined && !(isGone && number === '3'))
      page(
        productPage({
          sku: `S${number}`,
          name: `Lamp ${number}`,
          price: number === '1' ? prices : '5.00',
          stock: Number(number),
        }),
      );
    else if (url === '/latin')
      response
        .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
        .end(Buffer.from(`<title>x</title><h1>Caf\u00e9</h1><p>${'word '.repeat(150_000)}`, 'latin1'));
    else response.writeHead(404).end();
  });
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const crawl = async (folder: string, extract: string, settings: object = {}): Promise<void> => {
    await using run = await createCrawl({
      ...{ folder, seeds: [`${origin}/`], extract, delay: 0, workers: 0, sitemaps: 'off', allowPrivate: true },
      ...{ softNotFound: false, nearDuplicates: false, extractTime: 60_000, spam: false, mirrors: false, ...settings },
    });
    await run.run();
  };
  const rowsOf = (folder: string, set: string) => {
    using reader = openRowReader(folder);
    return [...(reader?.rows({ set }) ?? [])];
  };

  test('two crawls: typed rows, and every change with its values', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, RULES);
    const products = rowsOf(folder.path, 'products');
    assert.equal(products.length, PRODUCTS);
    const first = products.find(({ url }) => url === `${origin}/product/1`);
    assert.equal(first?.fields.price, 10);
    assert.equal(first?.fields.available, true);
    assert.deepEqual(
      rowsOf(folder.path, 'articles').map(({ fields }) => fields.title),
      ['A', 'B'],
    );

    prices = '8.50';
    isGone = true;
    news = [
      { path: '/c', title: 'C', day: '2026-01-03' },
      { path: '/b', title: 'B, corrected', day: '2026-01-02' },
    ];
    await crawl(folder.path, RULES, { again: true });
    const { stdout } = await callProgram(['rows', '--changes', '--json', '--dir', folder.path]);
    const changes = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const later = changes.filter(({ kind }) => kind !== 'new');
    assert.deepEqual(
      later
        .map(({ kind, set, url, fields }) => [kind, set, url.slice(origin.length), Object.keys(fields).length])
        .sort(),
      [
        ['changed', 'articles', '/news', 2],
        ['changed', 'products', '/product/1', 1],
        ['gone', 'articles', '/news', 6],
        ['gone', 'half', '/product/3', 2],
        ['gone', 'products', '/product/3', 13],
      ],
    );
    assert.deepEqual(later.find(({ url, kind }) => kind === 'changed' && url.endsWith('/product/1'))?.fields, {
      price: { before: 10, after: 8.5 },
    });
    assert.equal(changes.filter(({ kind }) => kind === 'new').length, 2 * PRODUCTS + 3);

    const asked = requests;
    const { stdout: csv } = await callProgram(['rows', 'products', '--csv', '--dir', folder.path]);
    assert.equal(csv.trim().split('\n').length, PRODUCTS, 'a line for the columns, and one row is gone');
    assert.match(csv, /^set,url,time,firstSeen,changed,gone,sku,name,/);

    const exported = await callProgram(['export', 'jsonl', '--table', 'rows', '--dir', folder.path]);
    const lines = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 2 * PRODUCTS + 3, exported.stderr);
    assert.equal(lines.filter(({ goneAt }) => goneAt !== undefined && goneAt !== null).length, 3);
    assert.equal(JSON.parse(lines.find(({ set, url }) => set === 'products' && url.endsWith('/1')).fields).price, 8.5);

    const file = join(folder.path, 'products.parquet');
    const ofProducts = ['--table', 'rows', '--set', 'products', '--limit', String(PRODUCTS), '--dir', folder.path];
    const typed = await callProgram(['export', 'parquet', ...ofProducts, '--output', file]);
    assert.equal(typed.status, 0, typed.stderr);
    const { buffer, byteOffset, byteLength } = readFileSync(file);
    const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer });
    assert.equal(rows.length, PRODUCTS, 'the limit counts rows of the set');
    const lamp = rows.find(({ url }) => url.endsWith('/product/1'));
    assert.deepEqual(
      [lamp?.name, lamp?.price, lamp?.stock],
      ['Lamp 1', 8.5, 1n],
      JSON.stringify(Object.keys(lamp ?? {})),
    );
    const unknown = await callProgram(['export', 'csv', '--table', 'rows', '--set', 'no', '--dir', folder.path]);
    assert.match(unknown.stderr, /There is no set no\.\n.*products/);
    const wrong = await callProgram(['export', 'csv', '--set', 'products', '--dir', folder.path]);
    assert.match(wrong.stderr, /--set is about rows .*\n.*--table rows/);

    for (const command of ['status', 'rows']) {
      const { stdout: told } = await callProgram([command, '--dir', folder.path]);
      assert.match(told, /never: 0 rows from 0 pages/);
      assert.match(told, /never has a rule without effect: no page matches \/no-such-place\/\*/);
      assert.match(
        told,
        /half has a rule without effect: missing \(\.not-there\) finds nothing on 11 pages that match/,
      );
    }

    const rules = join(folder.path, 'other.yaml');
    writeFileSync(rules, 'products: { match: /product/*, fields: { title: h1, cost: { css: .now, type: number } } }\n');
    const again = await callProgram([
      'rows',
      'products',
      '--again',
      '--extract',
      rules,
      '--json',
      '--limit',
      '1',
      '--dir',
      folder.path,
    ]);
    assert.match(again.stderr, /^11 pages read again from the archive/);
    assert.deepEqual(Object.keys(JSON.parse(again.stdout).fields), ['title', 'cost']);
    assert.equal(requests, asked, 'nobody was asked');
    const { stdout: byRules } = await callProgram([
      'rows',
      'products',
      '--changes',
      '--json',
      '--after',
      String(changes.length),
      '--dir',
      folder.path,
    ]);
    assert.ok(
      byRules
        .trim()
        .split('\n')
        .every((line) => JSON.parse(line).byRules),
    );
  });

  test('page threads, too; the summary names what found nothing; wrong rules make no folder', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'rules.yaml');
    writeFileSync(file, RULES);
    const flags = [
      '--allow-private',
      '--delay',
      '0',
      '--no-index',
      '--sitemaps',
      'off',
      '--quiet',
      '--extract-time',
      '60s',
    ];
    const dir = join(folder.path, 'crawl');
    const { stdout, status } = await callProgram([
      'crawl',
      origin,
      '--dir',
      dir,
      '--extract',
      file,
      '--workers',
      '1',
      ...flags,
    ]);
    assert.equal(status, 0);
    assert.match(stdout, / products: 11 rows from 11 pages/);
    assert.match(stdout, /never has a rule without effect/);

    writeFileSync(file, 'a:\n  fields:\n    x: "h1["\n');
    const other = join(folder.path, 'other');
    const wrong = await callProgram(['crawl', origin, '--dir', other, '--extract', file, ...flags]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /RULES_INVALID: .*rules\.yaml, line 3: a\.x: css h1\[ cannot be used/);
    assert.equal(existsSync(other), false);
  });

  test('a crawl without rules makes no file for rows, and rows says what to do', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, '');
    assert.equal(existsSync(join(folder.path, 'rows.db')), false);
    const { status, stderr } = await callProgram(['rows', '--dir', folder.path]);
    assert.equal(status, 3);
    assert.match(stderr, /ROWS_MISSING: No extraction rule was ever used/);
  });

  test('large pages in other charsets are read as they are meant, from the archive as well', async () => {
    using folder = temporaryFolder();
    const rules = 'latin: { match: /latin, fields: { x: h1 } }\n';
    await crawl(folder.path, rules, { seeds: [`${origin}/latin`], documentTime: 60_000 });
    assert.deepEqual(
      rowsOf(folder.path, 'latin').map(({ fields }) => fields.x),
      ['Caf\u00e9'],
    );
    const file = join(folder.path, 'again.yaml');
    writeFileSync(file, 'again: { match: /latin, fields: { y: h1 } }\n');
    await callProgram(['rows', '--again', '--extract', file, '--dir', folder.path]);
    assert.deepEqual(
      rowsOf(folder.path, 'again').map(({ fields }) => fields.y),
      ['Caf\u00e9'],
    );
  });

  test('inspect extract shows what was found, or why nothing was', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'rules.yaml');
    writeFileSync(file, RULES);
    const { stdout } = await callProgram([
      'inspect',
      'extract',
      `${origin}/product/1`,
      '--extract',
      file,
      '--allow-private',
      '--extract-time',
      '60s',
    ]);
    const { sets } = JSON.parse(stdout);
    const by = Object.fromEntries(sets.map((set: { set: string }) => [set.set, set]));
    assert.equal(by.products.rows[0].sku, 'S1');
    assert.equal(by.never.why, 'the URL matches none of /no-such-place/*');
    assert.match(by.half.fields[1].why, /css \.not-there selects nothing/);
  });

  test('kill -9 and resume: every page has its row, once', onlyLong(), async () => {
    using folder = temporaryFolder();
    isGone = false;
    const dir = join(folder.path, 'crawl');
    const file = join(folder.path, 'rules.yaml');
    writeFileSync(file, RULES);
    const args = [
      'crawl',
      origin,
      '--dir',
      dir,
      '--extract',
      file,
      '--allow-private',
      '--quiet',
      '--no-index',
      '--sitemaps',
      'off',
    ];
    const flags = [
      '--workers',
      '1',
      '--delay',
      '20ms',
      '--delay-factor',
      '0',
      '--extract-time',
      '60s',
      '--no-soft-not-found',
      '--no-mirrors',
    ];
    for (const killAt of [4, 4, undefined]) {
      let seen = 0;
      const child = spawn(process.execPath, [LAUNCHER, ...args, ...flags], { stdio: 'ignore' });
      onRequest = (url) => {
        if (url.startsWith('/product/') && ++seen === killAt) child.kill('SIGKILL');
      };
      const [code, signal] = await once(child, 'exit');
      onRequest = () => {};
      if (killAt === undefined) assert.deepEqual([code, signal], [0, null]);
    }
    for (const [set, count] of [
      ['products', PRODUCTS],
      ['articles', 2],
    ] as const) {
      const rows = rowsOf(dir, set);
      assert.equal(rows.length, count);
      using reader = openRowReader(dir);
      const kinds = [...(reader?.changes({ set }) ?? [])].map(({ kind }) => kind);
      assert.deepEqual(
        kinds,
        Array.from({ length: count }, () => 'new'),
        'each is new once',
      );
    }
  });
});
