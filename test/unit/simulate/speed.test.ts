import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import type { WebSpecOverrides } from '../../../src/simulate/model/web-spec.ts';
import { type ChildWeb, startWebProcess } from '../../../src/simulate/server/child-web.ts';
import { quickOrLong } from '../../property-runs.ts';

const CONNECTIONS = 8;
const REQUESTS = quickOrLong(50, 300);
const PAGES = { hosts: 10, pagesPerHost: 30, linksPerPage: 60, pageBytes: [20_000, 75_000] } as const;

/** Asks for all pages once, over connections that are kept. */
async function load({ web }: ChildWeb, headers: string): Promise<number> {
  const { port } = new URL(web.url(0));
  let next = 0;
  let bytes = 0;
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let missing = 0;
      const ask = (): void => {
        if (next === REQUESTS) {
          socket.destroy();
          resolve();
          return;
        }
        const page = next++;
        const host = web.hosts.authority(web.hostOfPage(page));
        socket.write(`GET ${web.target(page)} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);
      };
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('data', (part: Buffer) => {
        bytes += part.length;
        if (missing > 0) {
          missing -= part.length;
        } else {
          const head = part.toString('latin1', 0, Math.min(part.length, 700));
          const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
          missing = length + head.indexOf('\r\n\r\n') + 4 - part.length;
        }
        if (missing === 0) ask();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return bytes;
}

/** Informational: the figures are printed, never judged. */
describe('speed of the synthetic web', () => {
  const cases: [string, WebSpecOverrides, string][] = [
    ['plain', {}, ''],
    ['gzip', { gzipShare: 1 }, 'Accept-Encoding: gzip\r\n'],
  ];
  for (const [name, spec, headers] of cases) {
    test(`requests per CPU-second of the server, ${name}`, async (t) => {
      await using child = await startWebProcess({ ...PAGES, ...spec });
      const bytes = await load(child, headers);
      const seconds = await child.cpuSeconds();
      const size = Math.round(bytes / REQUESTS / 1000);
      t.diagnostic(
        `${Math.round(REQUESTS / seconds)} requests (${size} KB each) per CPU-second, the first ones included`,
      );
      assert.equal((await child.log()).length, REQUESTS);
    });
  }
});
