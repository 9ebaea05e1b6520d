import { StatusLine } from '../../output/status-line.ts';
import { terminalText } from '../../output/terminal-text.ts';

const TERMINAL_MS = 200;
const PLAIN_MS = 5000;

/** How far an export is: a line that is rewritten in a terminal, a plain one now and then elsewhere. */
export class ExportDisplay {
  readonly #out: NodeJS.WriteStream;
  readonly #line: StatusLine | undefined;
  readonly #began = performance.now();
  #written = performance.now();
  #first: number | undefined;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#line = out.isTTY === true ? new StatusLine(out, [process.stdout, process.stderr]) : undefined;
  }

  show(rows: number): void {
    this.#first ??= rows;
    const now = performance.now();
    if (now - this.#written < (this.#line === undefined ? PLAIN_MS : TERMINAL_MS)) return;
    this.#written = now;
    const perSecond = Math.round(((rows - this.#first) * 1000) / (now - this.#began));
    const text = `${rows.toLocaleString('en')} rows, ${perSecond.toLocaleString('en')} a second`;
    if (this.#line !== undefined) this.#line.show(text);
    else this.#out.write(`${text}\n`);
  }

  notice(text: string): void {
    this.#out.write(`${terminalText(text)}\n`);
  }

  end(): void {
    this.#line?.[Symbol.dispose]();
  }
}
