/** The terminator has not been met yet. */
export const END = -1;

/** Gathers text up to a terminator that may be cut by the border of two pieces. */
export class UntilTerminator {
  readonly #terminator: string;
  readonly #limit: number;
  #content = '';
  /** Characters at the end of what was read that may be the start of the terminator. */
  #tail = '';
  #cut = false;

  /** With a limit of 0 the content is not wanted. */
  constructor(terminator: string, limit: number) {
    this.#terminator = terminator;
    this.#limit = limit;
  }

  get content(): string {
    return this.#content;
  }

  /** Content was left out because of the limit. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Reads on; the position after the terminator, or END where the whole piece belongs to the content. */
  read(chunk: string, at: number): number {
    const terminator = this.#terminator;
    if (this.#tail !== '') {
      const border = this.#tail + chunk.slice(at, at + terminator.length - 1);
      const found = border.indexOf(terminator);
      if (found !== -1) {
        this.#keep(border.slice(0, found));
        return at + found + terminator.length - this.#tail.length;
      }
    }
    const found = chunk.indexOf(terminator, at);
    if (found !== -1) {
      this.#keep(this.#tail);
      this.#keep(chunk.slice(at, found));
      return found + terminator.length;
    }
    const rest = this.#tail + chunk.slice(at);
    const held = Math.max(0, rest.length - terminator.length + 1);
    this.#keep(rest.slice(0, held));
    this.#tail = rest.slice(held);
    return END;
  }

  #keep(piece: string): void {
    if (this.#limit === 0) return;
    const room = this.#limit - this.#content.length;
    if (piece.length > room) this.#cut = true;
    this.#content += piece.length > room ? piece.slice(0, room) : piece;
  }
}
