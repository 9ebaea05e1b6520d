import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { startSyntheticWeb } from '../../../src/simulate/web-server.ts';

const CONNECTIONS = 8;
const REQUESTS = 2000;

/** Informational: the figure is printed, never judged. Client and server share the process, so that it is a lower bound. */
describe('speed of the synthetic web', () => {
  test('requests per CPU-second over keep-alive connections', async (t) => {
    await using server = await startSyntheticWeb({
      hosts: 10,
      pagesPerHost: 200,
      linksPerPage: 60,
      pageBytes: [20_000, 60_000],
    });
    const { web, port } = server;
    const before = process.cpuUsage();
    let next = 0;
    let bytes = 0;
    const client = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let missing = 0;
        const ask = (): void => {
          if (next === REQUESTS) {
            socket.destroy();
            resolve();
            return;
          }
          const page = next++;
          socket.write(
            `GET ${web.target(page)} HTTP/1.1\r\nHost: ${web.hosts.authority(web.hostOfPage(page))}\r\n\r\n`,
          );
        };
        socket.on('connect', ask);
        socket.on('error', reject);
        socket.on('data', (part: Buffer) => {
          bytes += part.length;
          if (missing > 0) {
            missing -= part.length;
          } else {
            const head = part.toString('latin1', 0, Math.min(part.length, 500));
            const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
            missing = length + head.indexOf('\r\n\r\n') + 4 - part.length;
          }
          if (missing === 0) ask();
        });
      });
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    const cpu = process.cpuUsage(before);
    const seconds = (cpu.user + cpu.system) / 1e6;
    t.diagnostic(
      `${Math.round(REQUESTS / seconds)} requests (${Math.round(bytes / REQUESTS / 1000)} KB each) per CPU-second of server and client`,
    );
    assert.equal(server.log.length, REQUESTS);
  });
});
