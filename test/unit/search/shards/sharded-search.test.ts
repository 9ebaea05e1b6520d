import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { SearchAnswer, SearchRequest } from '../../../../src/contracts/search-service.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import type { Searcher } from '../../../../src/search/searcher.ts';
import { type ServedShard, serveShard } from '../../../../src/search/shards/serve-shard.ts';
import { SHARD_PATH, SHARD_PROTOCOL } from '../../../../src/search/shards/shard-protocol.ts';
import { ShardService } from '../../../../src/search/shards/shard-service.ts';
import { openSearchThreads } from '../../../../src/search/threads/search-threads.ts';
import { quickOrLong } from '../../../property-runs.ts';
import { type ShardDocument, ShardFolders, shardDocuments } from './shard-folders.ts';

const REQUESTS: readonly SearchRequest[] = [
  ...[
    'spider',
    'jumping spiders',
    '"orb weaver"',
    'search engine -index',
    'crawl*',
    'silk OR garden',
    'query term phrase',
  ],
  ...['site:h3.example web', 'after:2019 spider', 'lang:en thread', '-site:h1.example house', 'spyder', 'unique77x'],
  ...['ranking dokument', 'spider web crawler silk orb weaver jumping house garden', 'intitle:spider', 'inurl:/12'],
].flatMap((query): SearchRequest[] => [
  { query, facets: true },
  { query, page: 2, perPage: 20, unfolded: true },
]);

const ODD_SERVER = `const { parentPort, workerData: answer } = require('node:worker_threads');
const server = require('node:http').createServer((_, response) => {
  if (answer !== undefined) response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

/** Says its state as a node does; what it answers to questions is given, by their kinds. */
const LYING_SERVER = `const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:http').createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk)).on('end', () => {
    const { question } = JSON.parse(body);
    const { replies } = workerData;
    response.writeHead(200).end(question === undefined ? replies.state : replies[question.kind] ?? replies.any);
  });
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

const TOKEN = 'of all machines';
const end = async (worker: Worker): Promise<void> => void (await worker.terminate());
const opened = new AsyncDisposableStack();
let folders: ShardFolders;
let together: Searcher;
let spread: string[];
let served: ServedShard[];
/** What the first shard answers alone. */
let withoutOdd: SearchAnswer['hits'];

before(async () => {
  folders = opened.use(new ShardFolders());
  const documents = shardDocuments(600);
  spread = await folders.spread(documents, 3);
  together = opened.use(await openSearcher(spread[0], { also: spread.slice(1) }));
  served = [];
  for (const [at, folder] of spread.entries())
    served.push(opened.use(await serveShard({ folder, node: `n${at}`, address: '127.0.0.1:0', token: TOKEN })));
  await using alone = await openSearcher('none', { remote: remoteOf([0]) });
  withoutOdd = (await alone.search({ query: 'unique0x' })).hits;
});
after(() => opened.disposeAsync());

const remoteOf = (numbers: readonly number[], token = TOKEN, timeoutMs = 120_000) => ({
  shards: numbers.map((at) => ({ name: `n${at}`, address: served[at].address })),
  ...{ token, timeoutMs },
});

const plain = ({ ms: _, ...answer }: SearchAnswer): unknown => answer;

for (const [what, here, elsewhere] of [
  ['all shards on other machines', [], [0, 1, 2]],
  ['one here, two elsewhere', [0], [1, 2]],
] as const)
  test(`${what}: hits, order, scores, counts, facets and snippets are those of one index`, async () => {
    const [first = 'none', ...also] = here.map((at) => spread[at]);
    await using searcher = await openSearcher(first, { also, remote: remoteOf(elsewhere) });
    assert.equal(searcher.documents, together.documents);
    // Every other query of each arrangement, and all in the long run.
    for (const request of REQUESTS.filter((_, at) => quickOrLong(at % 2 === here.length, true)))
      assert.deepEqual(plain(await searcher.search(request)), plain(await together.search(request)), request.query);
    assert.deepEqual(await searcher.complete('spi', 5), await together.complete('spi', 5));
    const [{ id }] = (await together.search({ query: 'jumping spiders' })).hits;
    const explained = async (by: Searcher) => JSON.stringify(await by.explainScore('jumping spiders', id));
    assert.equal(await explained(searcher), await explained(together));
    assert.deepEqual(searcher.rank('spider silk', 20), together.rank('spider silk', 20));
  });

test('threads search shards elsewhere, and count their documents', async () => {
  await using threads = await openSearchThreads('none', { remote: remoteOf([0, 1, 2]), threads: 1 });
  assert.equal(threads.documents, 600);
  const request = { query: 'jumping spiders', facets: true };
  assert.deepEqual(plain(await threads.search(request)), plain(await together.search(request)));
});

test('a search that is under way ends with the state it began with, though the shard goes on', async () => {
  const [folder] = await folders.spread(shardDocuments(60), 1);
  using service = new ShardService(folder, 'one');
  const before = service.state();
  const ask = (version: string) => service.answer(version, { kind: 'frequencies', terms: ['spider', 'later'] });
  const known = ask(before.version);
  await folders.add(folder, [{ ...shardDocuments(1)[0], id: 'http://h1.example/later', text: 'later spider' }]);
  const after = service.state();
  assert.notEqual(after.version, before.version);
  assert.deepEqual(ask(before.version), known);
  assert.deepEqual((ask(after.version) as number[])[1], 1);
  assert.equal(ask('of another process'), undefined);
});

test('a node without an answer is left out, told of, and taken back', async () => {
  const [folder] = await folders.spread(shardDocuments(90), 2);
  const address = await (async () => {
    await using gone = await serveShard({ folder, node: 'late', address: '127.0.0.1:0', token: TOKEN });
    return gone.address;
  })();
  const remote = remoteOf([0, 1]);
  const shards = [...remote.shards, { name: 'late', address }];
  await using searcher = await openSearcher('none', { remote: { ...remote, shards } });
  const without = await searcher.search({ query: 'spider' });
  assert.deepEqual(without.notes, [`Not searched: the node late at ${address}: ECONNREFUSED.`]);
  await using _both = await openSearcher('none', { remote });
  assert.deepEqual(without.hits, (await _both.search({ query: 'spider' })).hits);
  await using _back = await serveShard({ folder, node: 'late', address, token: TOKEN });
  for (;;) {
    const { notes, total } = await searcher.search({ query: 'spider' });
    if (notes.length === 0) {
      assert.ok(total > without.total);
      break;
    }
    // It is asked again every other second.
    await turn(50);
  }
});

test('one that dies during a search costs its documents, not the answer', async () => {
  const [one, two] = await folders.spread(shardDocuments(90), 2);
  await using stays = await serveShard({ folder: one, node: 'a', address: '127.0.0.1:0', token: '' });
  const dies = await serveShard({ folder: two, node: 'b', address: '127.0.0.1:0', token: '' });
  const shards = [
    { name: 'a', address: stays.address },
    { name: 'b', address: dies.address },
  ];
  await using searcher = await openSearcher('none', { remote: { shards, token: '', timeoutMs: 120_000 } });
  assert.equal(searcher.documents, 90);
  await dies[Symbol.asyncDispose]();
  const { notes, hits } = await searcher.search({ query: 'spider' });
  assert.match(notes[0], /^Not searched: the node b at /);
  assert.ok(hits.length > 0);
  assert.equal(searcher.documents, 45);
});

for (const [what, answer, why] of [
  ['is too slow', undefined, /no answer within 0\.3 s/],
  ['has another version', [409, { kind: 'refused', why: 'other', protocol: 99 }], /another version of Orbweaver.*99/],
  ['is something else', [200, 'hello'], /answers as no node does/],
  ['is another node', [200, { kind: 'state', node: 'other', state: {} }], /the node other answers there/],
] as const)
  test(`one that ${what} is left out, and it is said why`, async () => {
    // In a thread of its own: a search waits without turns of the event loop.
    const server = new Worker(ODD_SERVER, { eval: true, workerData: answer });
    const [port] = (await once(server, 'message')) as [number];
    const address = `127.0.0.1:${port}`;
    const remote = remoteOf([0], TOKEN, answer === undefined ? 300 : 120_000);
    const shards = [...remote.shards, { name: 'odd', address }];
    await using searcher = await openSearcher('none', { remote: { ...remote, shards } });
    const { notes, hits } = await searcher.search({ query: 'spider' });
    assert.match(notes.join(), why);
    assert.ok(answer === undefined || hits.length > 0);
    await server.terminate();
  });

const STATE = { version: 'v', numbers: 5, documents: 5, lengthSums: [9, 9, 9, 9, 9, 9], newest: 0 };
const stateOf = (state: unknown): string => JSON.stringify({ kind: 'state', node: 'odd', state });
const answerOf = (answer: unknown): string => JSON.stringify({ kind: 'answer', answer });
const MATCHES = { total: 1, exact: true, isPart: false, best: 1, documents: [0], candidates: [], stored: [] };
const MATCH = { document: 0, byWords: 1, score: 1, host: 'h', cluster: 0, language: 'en', mediaType: 'text/html' };

/** Every other of them, and all in the long run. */
const lies = [
  ['has no state', { state: stateOf(null) }],
  ['has no numbers in its state', { state: stateOf({ version: 'v' }) }],
  ['has fewer fields', { state: stateOf({ ...STATE, lengthSums: [1] }) }],
  ['answers nothing', { any: answerOf(null) }],
  ['answers fewer frequencies', { frequencies: answerOf([]) }],
  ['answers frequencies that are none', { frequencies: '{"kind":"answer","answer":[1e999]}' }],
  ['answers with its state', { any: stateOf(STATE) }],
  ['has always gone on', { any: '{"kind":"moved"}' }],
  ['has matches without lists', { matches: answerOf({ total: 1 }) }],
  ['has a score that is no number', { matches: answerOf({ ...MATCHES, candidates: [{ ...MATCH, score: null }] }) }],
  ['has a document of another', { matches: answerOf({ ...MATCHES, candidates: [{ ...MATCH, document: 5 }] }) }],
  ['stores what it does not list', { matches: answerOf({ ...MATCHES, stored: [{ id: 'x' }] }) }],
  ['stores no facts', { matches: answerOf({ ...MATCHES, candidates: [MATCH], stored: [{ id: 'x', title: '' }] }) }],
] as const;
for (const [what, replies] of lies.filter((_, at) => quickOrLong(at % 2 === 0, true)))
  test(`one that ${what} is left out, and the others answer`, async () => {
    const frequencies = answerOf([1]);
    const data = { replies: { state: stateOf(STATE), frequencies, any: answerOf([]), ...replies } };
    const server = opened.adopt(new Worker(LYING_SERVER, { eval: true, workerData: data }), end);
    const [port] = (await once(server, 'message')) as [number];
    const remote = remoteOf([0]);
    const shards = [...remote.shards, { name: 'odd', address: `127.0.0.1:${port}` }];
    await using searcher = await openSearcher('none', { remote: { ...remote, shards } });
    const { notes, hits } = await searcher.search({ query: 'unique0x' });
    assert.match(notes.join(), /^Not searched: the node odd at /);
    assert.deepEqual(hits, withoutOdd);
    assert.equal(hits.length, 1);
  });

test('what another machine says of itself is shown shortly, and rules no terminal', async () => {
  const why = `\u001b[2J${'long '.repeat(100_000)}`;
  const data = [400, { kind: 'refused', why, protocol: SHARD_PROTOCOL }];
  const server = opened.adopt(new Worker(ODD_SERVER, { eval: true, workerData: data }), end);
  const [port] = (await once(server, 'message')) as [number];
  const remote = remoteOf([0]);
  const shards = [
    ...remote.shards,
    { name: 'odd', address: `127.0.0.1:${port}` },
    { name: 'nowhere', address: 'no address:1' },
  ];
  await using searcher = await openSearcher('none', { remote: { ...remote, shards } });
  const { notes, hits } = await searcher.search({ query: 'spider' });
  assert.equal(notes.length, 2);
  assert.ok(notes[0].length < 400 && !notes[0].includes('\u001b'), notes[0].slice(0, 400));
  assert.match(notes[1], /nowhere/);
  assert.ok(hits.length > 0);
});

test('a page in a browser that lets its name point to this machine is refused', async () => {
  await using open = await serveShard({ folder: spread[0], node: 'n', address: '127.0.0.1:0', token: '' });
  const [, port] = open.address.split(':');
  const statusFor = async (host: string): Promise<number | undefined> => {
    const headers = { 'content-type': 'application/json', host };
    const sent = request({ port: Number(port), path: SHARD_PATH, method: 'POST', headers });
    sent.end(JSON.stringify({ protocol: SHARD_PROTOCOL }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  assert.equal(await statusFor(`attacker.example:${port}`), 404);
  assert.equal(await statusFor(`127.0.0.1:${port}`), 200);
  assert.equal(await statusFor(`localhost:${port}`), 200);
});

test('who has another token is refused; nobody listens to others without one', async () => {
  await using searcher = await openSearcher('none', { remote: remoteOf([0], 'wrong') });
  const { notes, hits } = await searcher.search({ query: 'spider' });
  assert.deepEqual([hits, notes.length], [[], 1]);
  assert.match(notes[0], /another ORBWEAVER_SEARCH_TOKEN/);
  await assert.rejects(
    serveShard({ folder: spread[0], node: 'n', address: '0.0.0.0:0', token: '' }),
    /Without a token nobody else may search/,
  );
  await assert.rejects(serveShard({ folder: spread[0], node: 'n', address: '8790', token: '' }), /no address/);
});

test('of more equals by words than are looked at closer, each division looks at others; of fewer, all at the same', async () => {
  const equals = (count: number): ShardDocument[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `http://h.example/${at}`, title: 'equal', text: 'spider silk', host: 'h.example', date: 0 },
      rank: at === 99 || at === 120 ? 1 : 0,
    }));
  const firstOf = async (searcher: Searcher): Promise<string[]> =>
    (await searcher.search({ query: 'spider', unfolded: true, perPage: 100 })).hits.map(({ id }) => id).slice(0, 1);
  for (const [count, ofOne, ofTwo] of [
    [150, 99, 120],
    [100, 99, 99],
  ]) {
    const documents = equals(count);
    await using one = await openSearcher(await folders.make(documents));
    assert.deepEqual(await firstOf(one), [`http://h.example/${ofOne}`]);
    const [even, odd] = await folders.spread(documents, 2);
    await using both = await openSearcher(even, { also: [odd] });
    await using here = await serveShard({ folder: even, node: 'even', address: '127.0.0.1:0', token: '' });
    await using there = await serveShard({ folder: odd, node: 'odd', address: '127.0.0.1:0', token: '' });
    const shards = [
      { name: 'even', address: here.address },
      { name: 'odd', address: there.address },
    ];
    await using sharded = await openSearcher('none', { remote: { shards, token: '', timeoutMs: 120_000 } });
    for (const searcher of [both, sharded])
      assert.deepEqual(await firstOf(searcher), [`http://h.example/${ofTwo}`], `${count}`);
  }
});

test('no query is too long for a shard that is not for one index', async () => {
  const letters = [...quickOrLong('abcdef', 'abcdefghijklmnopqrstuvwxyz')];
  const pairs = letters.flatMap((one) => letters.flatMap((two) => [`${one}${two}`, `${two}${one}s`]));
  await using searcher = await openSearcher('none', { remote: remoteOf([0, 1, 2]) });
  for (const query of [
    `spider ${pairs.map((pair) => `${pair}*`).join(' OR ')}`,
    `spider OR ${pairs.join(' ')} ${letters.map((letter) => `${letter}*`).join(' ')}`,
    `spider OR ${Array.from({ length: quickOrLong(800, 7900) }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')}`,
    `spider -"${pairs.join(' ')}"`,
    'spider OR __proto__ OR constructor OR toString OR constr*',
  ]) {
    const answer = await searcher.search({ query });
    assert.deepEqual(plain(answer), plain(await together.search({ query })), query.slice(0, 40));
    assert.deepEqual(
      answer.notes.filter((note) => note.startsWith('Not searched')),
      [],
    );
  }
});

test('what is no question is refused, whatever is sent', async () => {
  const send = async (body: string, headers: Record<string, string> = {}): Promise<number> => {
    const to = `http://${served[0].address}${SHARD_PATH}`;
    const usual = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(to, { method: 'POST', body, headers: { ...usual, ...headers } });
    await answer.text();
    return answer.status;
  };
  const question = (sent: unknown): string =>
    JSON.stringify({ protocol: SHARD_PROTOCOL, version: 'x', question: sent });
  const deep = Array.from({ length: 100 }).reduce((node) => ({ kind: 'not', node }), { kind: 'all' });
  const totals = { documents: 1, lengthSums: [1, 1, 1, 1, 1, 1], newest: 0 };
  const statistics = { totals, frequencies: {}, prefixes: {} };
  assert.equal(await send(JSON.stringify({ protocol: SHARD_PROTOCOL })), 200);
  assert.equal(await send('{}', { authorization: 'Bearer x' }), 401);
  assert.equal(await send('{}', { 'content-type': 'text/plain' }), 404);
  assert.equal(await send(JSON.stringify({ protocol: SHARD_PROTOCOL + 1 })), 409);
  for (const bad of ['', '[]', '{"protocol":"1"}', question({ kind: 'other' }), question({ kind: 'find', id: 7 })])
    assert.equal(await send(bad), 400, bad);
  for (const query of [
    deep,
    { kind: 'term', terms: 'x' },
    { kind: 'prefix' },
    { kind: 'term', terms: ['x'], field: 'y' },
  ])
    assert.equal(await send(question({ kind: 'matches', query, most: 10, filter: {}, statistics })), 400);
  assert.equal(await send(question({ kind: 'documents', documents: [-1] })), 400);
  assert.equal(await send(`"${'x'.repeat(40_000_000)}"`), 413);
});
