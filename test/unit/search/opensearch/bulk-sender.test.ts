import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { BulkSender } from '../../../../src/search/opensearch/bulk-sender.ts';
import { openRemoteIndex } from '../../../../src/search/opensearch/open-remote-index.ts';
import { OpenSearchClient } from '../../../../src/search/opensearch/opensearch-client.ts';
import { Patience } from '../../../../src/search/opensearch/patience.ts';
import { type BulkOperation, idOf } from '../../../../src/search/opensearch/sent-document.ts';
import { selfSignedCertificate } from '../../../../src/simulate/server/self-signed-certificate.ts';
import { OpenSearchServer } from '../../../opensearch-server.ts';

/** Waits take no time. */
const clock = { ...systemClock, now: () => Date.now(), sleep: async () => {} };

async function open(server: OpenSearchServer, access: object = {}, mostBytes?: number, patienceMs = 60_000) {
  const told: string[] = [];
  const client = new OpenSearchClient({ url: server.url, ...access });
  const patience = new Patience({
    ...{ clock, random: () => 0.5, forMs: () => patienceMs, onTrouble: (message: string) => told.push(message) },
  });
  const sender = new BulkSender({ client, patience, ...(mostBytes === undefined ? {} : { mostBytes }) });
  return { client, sender, told };
}

function operation(url: string, version: number, words = 'words'): BulkOperation {
  return { kind: 'index', id: idOf(url), url, version, document: JSON.stringify({ url, body: words, source: 'here' }) };
}

describe('bulks', () => {
  test('an older write never overwrites a newer, however late; a deletion counts as a write', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages' });
    const { client, sender } = await open(server);
    await using _client = client;
    await openRemoteIndex(client);
    sender.add(operation('http://a/', 200, 'new'));
    sender.add({ kind: 'delete', id: 'http://b/', url: 'http://b/', version: 300 });
    assert.deepEqual(await sender.flush(), []);
    sender.add(operation('http://a/', 100, 'old'));
    sender.add(operation('http://b/', 250, 'old'));
    sender.add(operation('http://c/', 1));
    assert.deepEqual(await sender.flush(), []);
    assert.deepEqual(server.urls, ['http://a/', 'http://c/']);
    assert.equal(server.documents.get('http://a/')?.source.body, 'new');
    assert.deepEqual(sender.counts, { indexed: 2, deleted: 1, superseded: 2 });
  });

  test('items that fail are sent again alone; those that never will be taken are told', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages' });
    const { client, sender } = await open(server);
    await using _client = client;
    await openRemoteIndex(client);
    let bulks = 0;
    server.fault = ({ path }) => {
      if (path !== '/_bulk' || bulks++ > 1) return undefined;
      return {
        fails: (id) => (id.endsWith('1') ? { status: 429, type: 'rejected_execution_exception' } : undefined),
      };
    };
    for (let page = 0; page < 10; page++) sender.add(operation(`http://a/${page}`, 5));
    sender.add({ ...operation('http://a/bad', 5), document: JSON.stringify({ url: 'http://a/bad', spam: 'much' }) });
    const rejected = await sender.flush();
    assert.deepEqual(
      rejected.map(({ url }) => url),
      ['http://a/bad'],
    );
    assert.match(rejected[0].why, /mapper_parsing_exception.*spam/);
    assert.equal(server.documents.size, 10);
    assert.deepEqual(
      server.bulks.map(({ operations }) => operations),
      [11, 1, 1],
    );
  });

  test('bulks that are too large are halved, and stay smaller; a document that is too large alone is told', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages', mostBytes: 5000 });
    const { client, sender } = await open(server);
    await using _client = client;
    await openRemoteIndex(client);
    for (let page = 0; page < 40; page++) sender.add(operation(`http://a/${page}`, 5, 'x'.repeat(500)));
    sender.add(operation('http://a/huge', 5, 'x'.repeat(6000)));
    const rejected = await sender.flush();
    assert.deepEqual(
      rejected.map(({ url }) => url),
      ['http://a/huge'],
    );
    assert.match(rejected[0].why, /413/);
    assert.equal(server.documents.size, 40);
    const refused = server.bulks.filter(({ status }) => status === 413).length;
    assert.ok(refused <= 6, `${refused} bulks were too large`);
  });

  test('429, 503, lost answers and broken connections are waited out; nothing is lost', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages' });
    const { client, sender, told } = await open(server, {}, 2000);
    await using _client = client;
    await openRemoteIndex(client);
    const faults = [
      { status: 429, retryAfter: 1 },
      { reset: 'before' },
      { reset: 'after' },
      { status: 503 },
      undefined,
      { lateMs: 30 },
      { status: 502 },
    ] as const;
    let at = 0;
    server.fault = ({ path }) => (path === '/_bulk' ? faults[at++ % faults.length] : undefined);
    for (let page = 0; page < 60; page++) sender.add(operation(`http://a/${page}`, 5, 'x'.repeat(100)));
    assert.deepEqual(await sender.flush(), []);
    assert.equal(server.documents.size, 60);
    assert.match(told[0], /429.*sent again/);
    assert.ok(told.some((message) => /again\.$/.test(message)));
  });

  test('a server that stays away is given up after a while, and its password is in no word of it', async () => {
    const server = await OpenSearchServer.start({ index: 'pages' });
    const { client, sender, told } = await open(server, { user: 'me', password: 'pass-word-1' }, undefined, 0);
    await using _client = client;
    await openRemoteIndex(client);
    await server[Symbol.asyncDispose]();
    sender.add(operation('http://a/', 1));
    await assert.rejects(sender.flush(), (error: Error) => {
      assert.ok(error instanceof OrbweaverError && error.code === 'SINK_FAILED');
      assert.match(error.message, /cannot be reached \((ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET)\)/);
      assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${told}`, /pass-word-1/);
      return true;
    });
  });

  test('an API key, or a user; who is not let in is told so, without the secret', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages', authorization: 'ApiKey a2V5' });
    await using right = (await open(server, { apiKey: 'a2V5' })).client;
    await openRemoteIndex(right);
    await using wrong = (await open(server, { user: 'me', password: 'pass-word-1' })).client;
    await assert.rejects(openRemoteIndex(wrong), (error: OrbweaverError) => {
      assert.equal(error.code, 'SINK_FAILED');
      assert.match(error.message, /does not let us write \(HTTP 401\)/);
      assert.match(error.remedy ?? '', /ORBWEAVER_OPENSEARCH_KEY/);
      assert.doesNotMatch(`${error.stack}`, /pass-word-1|bWU6/);
      return true;
    });
  });

  test('TLS with a certificate of one’s own', async () => {
    const tls = selfSignedCertificate(['127.0.0.1', 'localhost']);
    await using server = await OpenSearchServer.start({ index: 'pages', tls });
    await using trusting = (await open(server, { ca: tls.cert })).client;
    await openRemoteIndex(trusting);
    assert.ok(server.mapping !== undefined);
    await using doubting = (await open(server)).client;
    await assert.rejects(openRemoteIndex(doubting), /cannot be reached \((DEPTH_ZERO_)?SELF_SIGNED_CERT/);
  });

  test('an index with fields of other kinds is refused', async () => {
    await using server = await OpenSearchServer.start({ index: 'pages' });
    server.mapping = { properties: { url: { type: 'long' } } };
    await using client = (await open(server)).client;
    await assert.rejects(openRemoteIndex(client), /fields of other kinds than ours \(mapper \[url\]/);
  });

  test('an id is the URL, or its hash where that is too long', () => {
    assert.equal(idOf('http://a/'), 'http://a/');
    assert.match(idOf(`http://a/${'ä'.repeat(300)}`), /^sha256:[0-9a-f]{64}$/);
  });
});
