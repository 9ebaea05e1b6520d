import type { Socket } from 'node:net';
import { type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const WHOLE = message(page('prefix'));
/** In the head byte by byte, in the body every hundredth. */
const CUTS = Array.from({ length: WHOLE.length }, (_, i) => i).filter((at) => at < 90 || at % 100 === 0);

/** Connections that break, never begin, or go on after their end. */
export const CONNECTION_CASES: readonly HostileCase[] = [
  {
    ...{ name: 'closes-at-once', group: 'connection', bound: 'retries; host parked after 3 failures' },
    expect: ['none', 'failed reset', 'failed connect-failed'],
    connect: (socket) => socket.destroy(),
  },
  {
    ...{ name: 'resets-at-once', group: 'connection', bound: 'retries; host parked after 3 failures' },
    expect: ['none', 'failed reset', 'failed connect-failed'],
    connect: (socket) => socket.resetAndDestroy(),
  },
  {
    ...{ name: 'never-answers', group: 'connection', bound: 'headers-timeout; host parked after 3' },
    expect: ['none', 'failed headers-timeout'],
    maxSeconds: REQUEST_SECONDS.headers,
    connect: (socket) => void socket.resume(),
  },
  {
    ...{ name: 'never-reads', group: 'connection', bound: 'headers-timeout; host parked after 3' },
    expect: ['none', 'failed headers-timeout'],
    maxSeconds: REQUEST_SECONDS.headers,
    connect: (socket) => void socket.pause(),
  },
  {
    ...{ name: 'half-open', group: 'connection', bound: 'end of the stream without a status line' },
    expect: ['none', 'failed reset', 'failed protocol'],
    // Our side is shut at once, theirs stays open.
    connect: (socket) => {
      socket.resume();
      socket.end();
    },
  },
  {
    ...{ name: 'answers-unasked', group: 'connection', bound: 'the answer that comes too late ends the connection' },
    // What is on its way when the request is sent cannot be told from its answer.
    expect: ['stored'],
    connect: (socket) => {
      socket.write(message(page('unasked')));
      socket.on('data', () => socket.write(message(page('late'))));
    },
  },
  {
    ...{ name: 'reset-at-every-byte', group: 'connection', bound: 'a body that breaks off is kept as truncated' },
    expect: ['stored', 'duplicate', 'failed reset', 'failed protocol'],
    maxRequests: CUTS.length * 4 + 10,
    seeds: CUTS.map((at) => `/cut-${at}`),
    answer: (socket, { target }) => cutAfter(socket, Number(target.slice(5))),
  },
  {
    ...{ name: 'smuggled-response', group: 'connection', bound: 'bytes beyond a response end the connection' },
    expect: ['stored'],
    seeds: ['/', '/second', '/third'],
    archived: (path) => page(`answer${path}`),
    answer: (socket, { target }) =>
      void socket.write(Buffer.concat([message(page(`answer${target}`)), message(page('smuggled'))])),
  },
  {
    ...{ name: 'pushes-while-idle', group: 'connection', bound: 'unsolicited bytes end the connection' },
    expect: ['stored'],
    seeds: ['/', '/second', '/third'],
    archived: (path) => page(`idle${path}`),
    // What is pushed comes long before the next request.
    robots: (socket) => void socket.write(message('User-agent: *\nCrawl-delay: 1\n', ['Content-Type: text/plain'])),
    answer: (socket, { target }) => {
      socket.write(message(page(`idle${target}`)));
      setTimeout(() => socket.write(message(page('pushed'))), 20);
    },
  },
  {
    ...{ name: 'body-after-204', group: 'connection', bound: 'bytes beyond a response end the connection' },
    // Other hosts may have empty bodies as well; what is archived tells.
    expect: ['stored', 'duplicate'],
    seeds: ['/', '/empty', '/third'],
    archived: (path) => (path === '/empty' ? '' : page(`content${path}`)),
    answer: (socket, { target }) => {
      if (target !== '/empty') socket.write(message(page(`content${target}`)));
      else socket.write(Buffer.concat([head(['Content-Length: 20'], '204 No Content'), WHOLE]));
    },
  },
];

function cutAfter(socket: Socket, bytes: number): void {
  if (bytes === 0) socket.resetAndDestroy();
  else socket.write(WHOLE.subarray(0, bytes), () => setTimeout(() => socket.resetAndDestroy(), 5));
}
