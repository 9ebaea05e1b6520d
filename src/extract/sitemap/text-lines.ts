import type { EntrySink } from './entry-sink.ts';

/** A sitemap in plain text: one address per line. */
export class TextLines {
  readonly #sink: EntrySink;
  /** The line that has not ended yet; never longer than an address may be. */
  #line = '';
  #tooLong = false;

  constructor(sink: EntrySink) {
    this.#sink = sink;
  }

  push(text: string): void {
    let start = 0;
    for (;;) {
      const end = lineEnd(text, start);
      if (end === -1) break;
      this.#keep(text.slice(start, end));
      this.#take();
      start = end + 1;
    }
    this.#keep(text.slice(start));
  }

  end(): void {
    this.#take();
  }

  #keep(piece: string): void {
    // Room for white space around an address; whatever is longer is none.
    if (this.#line.length + piece.length > this.#sink.limits.maxUrlLength + 100) {
      this.#tooLong = true;
      this.#line = '';
    } else if (!this.#tooLong) {
      this.#line += piece;
    }
  }

  #take(): void {
    const line = this.#line;
    const tooLong = this.#tooLong;
    this.#line = '';
    this.#tooLong = false;
    if (tooLong) this.#sink.skip();
    else if (line.trim() !== '') this.#sink.addEntry(line, {}, false);
  }
}

function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return -1;
}
