import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callProgram, type Ended } from '../../../called-program.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const simulateRun = (...args: readonly string[]): Promise<Ended> => callProgram(['simulate', 'run', ...args]);

describe('simulate run', () => {
  const folder = temporaryFolder();
  after(() => folder[Symbol.dispose]());
  const file = (name: string): string => join(folder.path, name);

  before(() => {
    const START = 1_700_000_000;
    const lines = [{ site: 'a.test', end: START + 60 * 86_400, pages: 20 }];
    const pages = Array.from({ length: 20 }, (_, page) => ({
      url: `http://a.test/${page}`,
      created: START,
      changes: Array.from(
        { length: page * 3 },
        (_, change) => START + Math.round(((change + 0.5) * 60 * 86_400) / (page * 3)),
      ),
      bulk: [],
    }));
    writeFileSync(file('changes.gz'), gzipSync([...lines, ...pages].map((line) => JSON.stringify(line)).join('\n')));
    writeFileSync(file('nodes.txt'), Array.from({ length: 30 }, (_, page) => `http://a.test/${page}\n`).join(''));
    const edges = Array.from(
      { length: 29 },
      (_, page) => `${Math.floor(page / 2)}\t${page + 1}\tanchor\n${page + 1}\t0\n`,
    );
    writeFileSync(file('edges.tsv'), edges.join(''));
    writeFileSync(file('bad.jsonl'), '{"url":"a","changes":[1]}\n{"url":"b"}\n');
  });

  test('one policy, one budget: the measures are at the top of one JSON document', async () => {
    const { status, stdout, stderr } = await simulateRun(
      ...['--json', '--changes', file('changes.gz'), '--policy', 'freshness', '--budget', '0.1'],
    );
    assert.deepEqual([status, stderr], [0, '']);
    const report = JSON.parse(stdout);
    assert.equal(report.policy, 'freshness');
    assert.equal(report.visitsPerPageAndDay, 0.1);
    assert.equal(report.requestsPerDay, 2);
    assert.ok(report.freshness > 0 && report.freshness < 1 && report.ageDays > 0);
    assert.ok(report.requests > 0 && report.requests <= 2 * 60 + 2);
    assert.deepEqual([report.source.pages, report.source.days], [20, 60]);
  });

  test('orders over a graph: a table, and a folder with page and plots', async () => {
    const { status, stdout } = await simulateRun(
      ...['--graph', file('edges.tsv'), '--nodes', file('nodes.txt'), '--policy', 'breadth-first,pagerank'],
      ...['--budget', '50%', '--out', file('out')],
    );
    assert.equal(status, 0);
    assert.match(stdout, /Graph edges\.tsv: 30 pages, \d+ links/);
    assert.match(stdout, /\| breadth-first \|.*\| +15 \|/);
    for (const name of ['index.html', 'results.json', 'pagerank-by-pages.svg'])
      assert.ok(existsSync(file(`out/${name}`)));
  });

  test('with --out as well, one JSON document is all that is printed', async () => {
    const { status, stdout, stderr } = await simulateRun(
      ...['--graph', file('edges.tsv'), '--order', 'opic', '--json', '--out', file('both')],
    );
    assert.deepEqual([status, stderr], [0, '']);
    const report = JSON.parse(stdout);
    assert.ok(stdout.endsWith('}\n') && stdout.trim().split('\n').length === 1);
    assert.deepEqual([report.order, report.pages, report.share], ['opic', 30, 1]);
    assert.ok(existsSync(file('both/pagerank-by-pages.svg')));
  });

  for (const [name, args, told] of [
    ['a line of a file', ['--changes', 'bad.jsonl'], /INPUT_INVALID: .*bad\.jsonl, line 2: "changes".*\n {2}A line is/],
    ['a policy', ['--changes', 'changes.gz', '--policy', 'eager'], /USAGE: --policy: "eager".*\n {2}Policies: uniform/],
    ['a goal', ['--changes', 'changes.gz', '--goal', '5'], /USAGE: --goal is "5".*\n {2}Give a share/],
    ['no budget', ['--changes', 'changes.gz', '--budget', ' , '], /USAGE: --budget names nothing.*\n {2}Give visits/],
    ['a spec', ['--spec', '{"hosts":'], /USAGE: --spec is not JSON.*\n {2}Give parameters/],
    [
      'a file for a folder',
      ['--graph', 'edges.tsv', '--out', 'nodes.txt'],
      /FOLDER_UNWRITABLE: .*\n {2}Give --out a folder/,
    ],
    ['no links', ['--changes', 'changes.gz', '--order', 'opic'], /USAGE: Orders need links.*\n {2}Add --graph/],
  ] as const) {
    test(`what is wrong is told with a remedy: ${name}`, async () => {
      const files = args.map((arg) => (/\./.test(arg) ? file(arg) : arg));
      const { status, stdout, stderr } = await simulateRun(...files);
      assert.deepEqual([status, stdout], [told.source.startsWith('FOLDER') ? 3 : 2, '']);
      assert.match(stderr, told);
    });
  }
});
