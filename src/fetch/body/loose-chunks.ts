const LF = 0x0a;
const CRLF = Buffer.from('\r\n');
const MAX_LINE = 1024;

/** Rewrites a chunked body with bare line feeds for a strict parser, uncopied. Anything else passes as it is. */
export class LooseChunks {
  #state: 'size' | 'data' | 'gap' | 'trailer' | 'done' = 'size';
  #left = 0;
  #line = '';

  /** Whether the first line of a chunked body ends in a bare line feed. */
  static looksLoose(start: Buffer): boolean {
    const lf = start.indexOf(LF);
    return lf > 0 && start[lf - 1] !== 0x0d;
  }

  rewrite(piece: Buffer): Buffer {
    const out: Buffer[] = [];
    let at = 0;
    while (at < piece.length) {
      if (this.#state === 'done') {
        out.push(piece.subarray(at));
        break;
      }
      if (this.#state === 'data') {
        const end = Math.min(piece.length, at + this.#left);
        out.push(piece.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left > 0) break;
        out.push(CRLF);
        this.#state = 'gap';
        continue;
      }
      const lf = piece.indexOf(LF, at);
      this.#line += piece.toString('latin1', at, lf === -1 ? piece.length : lf);
      if (this.#line.length > MAX_LINE) {
        // No line of a chunked body is this long: it goes on as it came, for the parser to refuse.
        this.#state = 'done';
        out.push(Buffer.from(this.#line, 'latin1'));
        at = lf === -1 ? piece.length : lf;
        continue;
      }
      if (lf === -1) break;
      at = lf + 1;
      out.push(this.#endOfLine(this.#line.trim()));
      this.#line = '';
    }
    return out.length === 1 ? out[0] : Buffer.concat(out);
  }

  #endOfLine(line: string): Buffer {
    if (this.#state === 'gap') {
      this.#state = 'size';
      return Buffer.alloc(0);
    }
    if (this.#state === 'trailer') {
      if (line !== '') return Buffer.alloc(0);
      this.#state = 'done';
      return Buffer.from('0\r\n\r\n');
    }
    const size = /^[0-9a-f]{1,8}(?=[;\s]|$)/i.exec(line);
    if (size === null) {
      this.#state = 'done';
      return Buffer.from(`${line}\r\n`, 'latin1');
    }
    this.#left = Number.parseInt(size[0], 16);
    this.#state = this.#left === 0 ? 'trailer' : 'data';
    return this.#left === 0 ? Buffer.alloc(0) : Buffer.from(`${size[0]}\r\n`);
  }
}
