import type { Writable } from 'node:stream';

/** Slices a second. */
const BEAT = 20;

/** Writes a body no faster than `bytesPerSecond`, and tells whether all of it went out. The stream is left open. */
export function writePaced(
  stream: Writable,
  body: string,
  bytesPerSecond: number,
  done: (complete: boolean) => void,
): void {
  // Slow lines send single bytes rather than nothing for seconds.
  const slice = Math.max(1, Math.floor(bytesPerSecond / BEAT));
  const beatMs = (slice / bytesPerSecond) * 1000;
  const start = performance.now();
  let sent = 0;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (complete: boolean): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    stream.removeListener('close', onClose);
    done(complete);
  };
  const onClose = (): void => end(false);
  const step = (): void => {
    const due = Math.min(body.length, Math.floor(((performance.now() - start) * bytesPerSecond) / 1000));
    const piece = body.slice(sent, due);
    sent = due;
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
