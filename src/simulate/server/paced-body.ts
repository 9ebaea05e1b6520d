import type { Writable } from 'node:stream';

/** Slices a second. */
const BEAT = 20;

/** Writes a body no faster than `bytesPerSecond`; returns whether all of it went out, and when. Leaves the stream open. */
export function writePaced(
  stream: Writable,
  body: string,
  bytesPerSecond: number,
  now: () => number,
  done: (complete: boolean, lastWriteAt: number) => void,
): void {
  // Slow lines send single bytes rather than nothing for seconds.
  const slice = Math.max(1, Math.floor(bytesPerSecond / BEAT));
  const beatMs = (slice / bytesPerSecond) * 1000;
  const start = performance.now();
  let sent = 0;
  let lastWriteAt = now();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (complete: boolean): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    stream.removeListener('close', onClose);
    done(complete, lastWriteAt);
  };
  const onClose = (): void => end(false);
  const step = (): void => {
    const due = Math.min(body.length, Math.floor(((performance.now() - start) * bytesPerSecond) / 1000));
    const piece = body.slice(sent, due);
    sent = due;
    if (piece !== '') lastWriteAt = now();
    if (sent === body.length) {
      stream.write(piece, 'latin1', (error) => end(error === undefined || error === null));
      return;
    }
    if (piece !== '') stream.write(piece, 'latin1');
    timer = setTimeout(step, beatMs);
  };
  stream.once('close', onClose);
  timer = setTimeout(step, beatMs);
}
