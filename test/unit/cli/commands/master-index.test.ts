import assert from 'node:assert/strict';
import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { callProgram } from '../../../called-program.ts';
import { FedFolders, Texts } from '../../search/indexing/master/fed-folders.ts';

const folders = new FedFolders();
const texts = new Texts(41);
let a: string;
let b: string;
const master = folders.of('master');
const run = (...args: string[]) => callProgram(args);

before(async () => {
  a = await folders.change('a', [{ ...texts.document(1), title: 'Jumping spiders' }, texts.document(2)]);
  b = await folders.change('b', [texts.document(3)]);
});
after(() => folders[Symbol.dispose]());

test('index --from feeds a master, tells what it took, and search finds it', async () => {
  const first = await run('index', '--dir', master, '--from', a, '--from', b);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /^2 sources taken in [\d.]+ s; 3 documents can be found: orbweaver search QUERY --dir /);
  assert.match(first.stderr, /a: the whole index, 2 documents, 0 removed, 0 with another rank, \d+ bytes/);
  const found = await run('search', 'jumping', 'spiders', '--dir', master, '--json');
  assert.equal(JSON.parse(found.stdout).hits[0].id, texts.document(1).id);
  await folders.change('b', [texts.document(4)], [texts.document(3).id]);
  // Without names: from all that it knows.
  const { sources, documents } = JSON.parse((await run('index', '--dir', master, '--json')).stdout);
  assert.equal(documents, 3);
  assert.deepEqual(
    sources.map(({ sent, removed, whole }: Record<string, unknown>) => [sent, removed, whole]),
    [
      [0, 0, false],
      [1, 1, false],
    ],
  );
});

test('index --delta writes a file that index --from takes', async () => {
  const file = folders.of('b.delta');
  const written = await run('index', '--dir', b, '--delta', file);
  assert.equal(written.status, 0, written.stderr);
  assert.match(
    written.stdout,
    /b\.delta: the whole index, 1 document of 1, 0 removed, .* bytes\. Where the master is: /,
  );
  assert.equal((await run('index', '--dir', b, '--delta', folders.of('c.delta'))).stdout, NOTHING);
  const other = folders.of('other');
  const taken = await run('index', '--dir', other, '--from', file, '--json');
  assert.equal(JSON.parse(taken.stdout).documents, 1);
});

const NOTHING = 'Nothing has changed since the last delta: no file was written.\n';

test('what makes no sense is refused with a remedy', async () => {
  const refused = async (status: number, message: RegExp, ...args: string[]): Promise<void> => {
    const ended = await run(...args);
    assert.equal(ended.status, status, ended.stderr);
    assert.match(ended.stderr, message);
  };
  await refused(2, /--whole belongs to --delta/, 'index', '--dir', a, '--whole');
  await refused(2, /are for the index of a crawl/, 'index', '--dir', master, '--rebuild');
  await refused(2, /one at a time/, 'index', '--dir', a, '--delta', 'x', '--from', b);
  await refused(2, /from itself/, 'index', '--dir', master, '--from', master);
  await refused(2, /is a master index/, 'crawl', '--dir', master, 'http://127.0.0.1:1/');
  await refused(3, /is a master index: the pages lie in .*a on /, 'get', 'http://x.example/', '--dir', master);
  assert.ok(!existsSync(`${master}/state.db`));
});

test('check looks at its segments and ledgers', async () => {
  const sound = await run('check', '--dir', master);
  assert.deepEqual([sound.status, /3 documents in the search index/.test(sound.stdout)], [0, true], sound.stderr);
  const ledger = readdirSync(`${master}/index`).find((name) => name.includes('ledger'))!;
  truncateSync(`${master}/index/${ledger}`, 20);
  const damaged = await run('check', '--dir', master);
  assert.equal(damaged.status, 8);
  assert.match(damaged.stdout, /The ledger of .* cannot be read[\s\S]*Damaged: a master index is fed again/);
  assert.equal((await run('check', '--repair', '--dir', master)).status, 2);
});
