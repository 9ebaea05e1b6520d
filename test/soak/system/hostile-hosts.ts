import { appendFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What such a host does to whoever asks for a page; its robots.txt and its home page are in order. */
const TRICKS: Readonly<Record<string, (socket: Socket, path: string) => void>> = {
  silent: () => {},
  drip: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>');
    every(socket, 1000, () => socket.write('x'));
  },
  garbage: (socket) => socket.end(Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 37) % 256))),
  'long-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(socket, 20, () => socket.write(`X-Filler: ${'f'.repeat(4000)}\r\n`));
  },
  cut: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90000\r\n\r\n<p>and so'),
  reset: (socket) => socket.resetAndDestroy(),
  bomb: (socket) => {
    const body = gzipSync(Buffer.alloc(60_000_000, 'a'));
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n`);
    socket.write(`Content-Length: ${body.length}\r\n\r\n`);
    socket.end(body);
  },
  loop: (socket, path) => answer(socket, '302 Found', `Location: ${path}x\r\n`, ''),
};

export const HOSTILE_NAMES = Object.keys(TRICKS).map((trick) => `${trick}.hostile.test`);
export const HOSTILE_ADDRESS = '127.30.0.1';
const PAGES = 6;

/** Hosts that mean no good, at an address of their own. Each request is appended to `logFile`: host, path, arrival. */
export async function serveHostileHosts(port: number, logFile: string): Promise<Server> {
  const server = createServer((socket) => {
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end);
        received = received.slice(end + 4);
        const path = head.split(' ')[1] ?? '/';
        const host = /^host: ([^:\r]*)/im.exec(head)?.[1] ?? '';
        appendFileSync(
          logFile,
          `${JSON.stringify({ host, path, arrive: performance.timeOrigin + performance.now() })}\n`,
        );
        if (path === '/robots.txt')
          answer(socket, '200 OK', 'Content-Type: text/plain\r\n', 'User-agent: *\nDisallow:\n');
        else if (path === '/') answer(socket, '200 OK', 'Content-Type: text/html\r\n', home(host));
        else (TRICKS[host.split('.')[0]] ?? TRICKS.reset)(socket, path);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, HOSTILE_ADDRESS, resolve));
  return server;
}

function home(host: string): string {
  const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page-${at + 1}">Page ${at + 1}</a>`);
  return `<!DOCTYPE html><title>${host}</title><p>This is ${host}.</p>${links.join('\n')}\n`;
}

function answer(socket: Socket, status: string, headers: string, body: string): void {
  socket.write(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
}

function every(socket: Socket, ms: number, act: () => void): void {
  const timer = setInterval(act, ms);
  socket.on('close', () => clearInterval(timer));
}
