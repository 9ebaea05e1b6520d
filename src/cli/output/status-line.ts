const ERASE = '\r\x1b[K';

type Terminal = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** The last line of a terminal, rewritten in place. Other output to the given streams appears above it. */
export class StatusLine implements Disposable {
  readonly #restore: (() => void)[] = [];
  readonly #draw: (text: string) => void;
  #line = '';
  /** Somebody has written part of a line: drawing would cut it in two. */
  #midLine = false;

  constructor(out: Terminal, streams: readonly Terminal[]) {
    const write = out.write;
    this.#draw = (text) => void write.call(out, text);
    for (const stream of new Set([out, ...streams])) if (stream.isTTY) this.#watch(stream);
  }

  show(line: string): void {
    this.#line = line;
    if (!this.#midLine) this.#draw(ERASE + line);
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.splice(0)) restore();
    if (!this.#midLine) this.#draw(ERASE);
  }

  #watch(stream: Terminal): void {
    const { write } = stream;
    const watched = (chunk: Uint8Array | string, ...rest: never[]): boolean => {
      if (!this.#midLine) this.#draw(ERASE);
      const accepted = write.call(stream, chunk, ...rest);
      if (chunk.length > 0) this.#midLine = chunk.at(-1) !== (typeof chunk === 'string' ? '\n' : 10);
      if (!this.#midLine) this.#draw(this.#line);
      return accepted;
    };
    stream.write = watched as Terminal['write'];
    this.#restore.push(() => {
      stream.write = write;
    });
  }
}
