import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { PushRequest, PushResponse } from '../../../src/contracts/push.ts';
import { type PushKind, PushRoutes, type PushRoutesParts } from '../../../src/web/push-routes.ts';
import { serve } from './serving.ts';

type Taking = (kind: PushKind, request: PushRequest) => Promise<PushResponse>;

function routes(
  handle: Taking,
  parts: Partial<PushRoutesParts> = {},
  kinds: readonly PushKind[] = ['indexnow', 'websub'],
) {
  const desk = { takes: (kind: PushKind) => kinds.includes(kind), handle };
  return new PushRoutes({ desk, clock: systemClock, address: 'https://crawler.example', maxBytes: 1000, ...parts });
}

const echo: Taking = async (kind, { method, url, body }) => ({
  status: 200,
  headers: {},
  body: `${kind} ${method} ${url} ${body.length}`,
});

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

function send(port: number, path: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false },
      async (answer) => {
        const text = (await answer.toArray()).join('');
        resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers });
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

test('pushes reach whoever answers them, bodies and all; the other pages take none', async () => {
  await using served = await serve({ push: routes(echo) });
  const { port } = served.listening;
  assert.equal((await send(port, '/indexnow', 'x'.repeat(10))).text, 'indexnow POST /indexnow 10');
  assert.equal((await served.get('/push/websub/abc?hub.mode=x')).text, 'websub GET /push/websub/abc?hub.mode=x 0');
  const { headers } = await send(port, '/push/websub/abc', '');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['content-type']), /text\/plain/);
  assert.equal((await send(port, '/search', 'x')).status, 405);
  assert.equal((await served.get('/')).status, 200);
});

test('what is not asked for is not there', async () => {
  await using none = await serve();
  assert.equal((await none.get('/indexnow')).status, 404);
  await using one = await serve({ push: routes(echo, {}, ['indexnow']) });
  assert.equal((await one.get('/indexnow')).status, 200);
  assert.equal((await one.get('/push/websub/abc')).status, 404);
});

test('the public name counts for pushes alone', async () => {
  await using served = await serve({ push: routes(echo) });
  const host = { host: 'crawler.example' };
  assert.equal((await served.get('/indexnow', host)).status, 200);
  assert.equal((await served.get('/', host)).status, 421);
  assert.equal((await served.get('/indexnow', { host: 'rebound.example' })).status, 421);
});

test('bodies over the limit are refused, said to be or not, and nothing of them is handed on', async () => {
  let handed = 0;
  const count: Taking = async (kind, asked) => {
    handed++;
    return echo(kind, asked);
  };
  await using served = await serve({ push: routes(count) });
  const { port } = served.listening;
  const said = await send(port, '/indexnow', 'x'.repeat(1001));
  assert.deepEqual([said.status, said.text], [413, 'More than 1000 bytes.\n']);
  const unsaid = await send(port, '/indexnow', 'x'.repeat(5000), { 'transfer-encoding': 'chunked' });
  assert.equal(unsaid.status, 413);
  assert.equal(handed, 0);
  assert.equal((await send(port, '/indexnow', 'x'.repeat(1000))).status, 200);
});

test('floods are turned away: too many at once, too much in a minute', async () => {
  const waiting: (() => void)[] = [];
  const slow: Taking = (kind, asked) => new Promise((resolve) => waiting.push(() => resolve(echo(kind, asked))));
  await using served = await serve({ push: routes(slow, { limits: { atOnce: 2, bytesPerMinute: 500 } }) });
  const { port } = served.listening;
  const held = [send(port, '/indexnow', 'a'), send(port, '/indexnow', 'b')];
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const turned = await send(port, '/indexnow', 'c');
  assert.deepEqual([turned.status, turned.headers['retry-after']], [503, '5']);
  for (const go of waiting) go();
  assert.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200],
  );
  const large = send(port, '/indexnow', 'x'.repeat(600));
  while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  waiting[2]();
  assert.equal((await large).status, 200);
  const { status, headers } = await send(port, '/indexnow', 'd');
  assert.equal(status, 429);
  assert.ok(Number(headers['retry-after']) > 0);
});

test('a fault of ours is told without particulars', async () => {
  const broken: Taking = async () => {
    throw new Error('secret path /var/x');
  };
  await using served = await serve({ push: routes(broken) });
  const { status, text } = await send(served.listening.port, '/indexnow', '{}');
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret/);
  assert.equal(served.faults.length, 1);
});

test('whoever sends a body byte by byte is cut off, and makes room for others', async () => {
  await using served = await serve({ push: routes(echo, { limits: { atOnce: 1 } }) }, { requestMs: 200 });
  const { port } = served.listening;
  const trickling = connect(port, '127.0.0.1', () =>
    trickling.write('POST /indexnow HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nx'),
  );
  // Our side stays open, whatever the server does to its own.
  trickling.allowHalfOpen = true;
  let answer = '';
  trickling.on('data', (chunk) => {
    answer += chunk;
  });
  trickling.on('error', () => {});
  await new Promise((resolve) => trickling.once('end', resolve).once('close', resolve));
  assert.match(answer, /^HTTP\/1\.1 408 /);
  let { status } = await send(port, '/indexnow', 'b');
  // 408: a busy machine is no quicker than whoever trickles.
  while (status === 503 || status === 408) ({ status } = await send(port, '/indexnow', 'b'));
  assert.equal(status, 200);
  trickling.destroy();
});
