import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Sends all pieces as fast as the reader takes them, then calls `done`; stops when the connection is gone. */
export function pour(socket: Duplex, pieces: Iterable<Buffer>, done: () => void = () => {}): void {
  const iterator = pieces[Symbol.iterator]();
  const more = (): void => {
    while (!socket.destroyed) {
      const { done: ended, value } = iterator.next();
      if (ended === true) {
        done();
        return;
      }
      if (!socket.write(value)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** The same bytes without end, or `times` times. */
export function* repeated(piece: Buffer, times = Number.POSITIVE_INFINITY): Generator<Buffer> {
  for (let i = 0; i < times; i++) yield piece;
}

/** Sends `size` bytes every `everyMs`, over and over where `endless`. */
export function drip(socket: Socket, bytes: Buffer, everyMs: number, size = 1, endless = false): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || (at >= bytes.length && !endless)) {
      clearInterval(timer);
      if (!socket.destroyed) socket.end();
      return;
    }
    const from = at % bytes.length;
    socket.write(bytes.subarray(from, from + size));
    at += size;
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}
