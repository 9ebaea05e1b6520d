import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { brief, response, serveRaw, testFetcher, text, until } from './loopback.ts';

function reply(body: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function chunked(body: string, lineEnd = '\r\n'): string {
  const lines = [body.length.toString(16), body, '0', '', ''];
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${lines.join(lineEnd)}`;
}

/** `own /path`: tells which request a response belongs to. */
function ownBody(request: string): string {
  return `own ${request.split(' ')[1]}`;
}

const SURPLUS: Readonly<Record<string, string>> = {
  'a second response': reply('smuggled'),
  'the start of a second response': 'HTTP/1.1 200 O',
  'no HTTP at all': 'noise \0 noise',
  'a single byte': 'x',
  'an interim response': 'HTTP/1.1 103 Early Hints\r\n\r\n',
};
const PATHS = ['/1', '/2', '/3'];

/** Asks for the paths one after the other: what came for each, and over how many connections. */
async function ask(
  answer: (socket: Socket, request: string) => void,
  method?: 'HEAD',
): Promise<{ came: string[]; connections: number; requests: number }> {
  await using server = await serveRaw(answer);
  await using site = testFetcher();
  const came: string[] = [];
  for (const path of PATHS) {
    const result = await site.fetch(`http://site.test:${server.port}${path}`, method === undefined ? {} : { method });
    came.push(result.kind === 'response' ? `${result.head.status} ${text(result.body)}` : brief(result));
  }
  return { came, connections: server.connections, requests: server.requests.length };
}

describe('bytes nobody asked for', () => {
  for (const [what, surplus] of Object.entries({ ...SURPLUS, 'an empty line': '\r\n' })) {
    test(`${what} behind a response: the response alone counts, and the connection is closed`, async () => {
      assert.deepEqual(await ask((socket, request) => socket.write(`${reply(ownBody(request))}${surplus}`)), {
        ...{ came: ['200 own /1', '200 own /2', '200 own /3'], connections: 3, requests: 3 },
      });
    });

    test(`${what} on an idle connection closes it`, { timeout: 60_000 }, async () => {
      let last: Socket | undefined;
      await using server = await serveRaw((socket, request) => {
        last = socket;
        socket.write(reply(ownBody(request)));
      });
      await using site = testFetcher({ keepAliveMs: 600_000 });
      for (const path of PATHS) {
        const { body } = response(await site.fetch(`http://site.test:${server.port}${path}`));
        assert.equal(text(body), `own ${path}`);
        assert.equal(site.fetcher.openConnections, 1);
        last?.write(surplus);
        await until(() => site.fetcher.openConnections === 0);
      }
      assert.equal(server.connections, 3);
    });
  }

  for (const [what, surplus] of Object.entries(SURPLUS)) {
    test(`${what} behind a chunked response`, async () => {
      for (const lineEnd of ['\r\n', '\n']) {
        const { came, connections } = await ask((socket, request) =>
          socket.write(`${chunked(ownBody(request), lineEnd)}${surplus}`),
        );
        assert.deepEqual(came, ['200 own /1', '200 own /2', '200 own /3']);
        assert.equal(connections, 3);
      }
    });
  }

  for (const status of ['204 No Content', '304 Not Modified']) {
    test(`a body behind ${status}, announced or not`, async () => {
      for (const length of ['', 'Content-Length: 20\r\n', 'Transfer-Encoding: chunked\r\n']) {
        const { came, connections } = await ask((socket) =>
          socket.write(`HTTP/1.1 ${status}\r\n${length}\r\n${reply('smuggled')}`),
        );
        const own = `${status.slice(0, 3)} `;
        assert.deepEqual(came, [own, own, own]);
        assert.equal(connections, 3);
      }
    });
  }

  test('a body and a second response behind the answer to HEAD', async () => {
    const { came } = await ask((socket) => socket.write(`${reply('body')}${reply('smuggled')}`), 'HEAD');
    assert.deepEqual(came, ['200 ', '200 ', '200 ']);
  });

  test('a request that waits for the connection goes out over a new one', async () => {
    await using server = await serveRaw((socket, request) => socket.write(`${reply(ownBody(request))}noise`));
    await using site = testFetcher();
    const results = await Promise.all(PATHS.map((path) => site.fetch(`http://site.test:${server.port}${path}`)));
    assert.deepEqual(
      results.map((result) => text(response(result).body)),
      ['own /1', 'own /2', 'own /3'],
    );
    assert.equal(server.connections, 3);
  });

  test('one connection serves many requests of a server that sends nothing else', async () => {
    const replies = [reply, chunked, (body: string) => chunked(body, '\n')];
    await using server = await serveRaw((socket, request, nth) => {
      if (nth % 5 === 0) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      else if (nth % 7 === 0) socket.write('HTTP/1.1 304 Not Modified\r\n\r\n');
      else socket.write(replies[nth % replies.length](ownBody(request)));
    });
    await using site = testFetcher();
    for (let nth = 1; nth <= 60; nth++) {
      const { head, body } = response(await site.fetch(`http://site.test:${server.port}/${nth}`));
      assert.equal(text(body), head.status === 200 ? `own /${nth}` : '');
    }
    assert.equal(server.connections, 1);
  });
});
