/** A level of quotes, lists or headings: what its first line begins with, and what the others do. */
interface Level {
  readonly first: string;
  readonly rest: string;
  used: boolean;
}

interface Mark {
  readonly start: string;
  readonly end: string;
  written: boolean;
}

/** Deeper levels are left out: every line repeats what all levels begin with. */
const DEEPEST = 12;

/**
 * Writes lines of Markdown: blocks with blank lines between them, levels before each line, and marks (emphasis, links)
 * that hug their text and never cross a block. Nothing is written for levels and marks without a text.
 */
export class MarkdownLines {
  readonly #parts: string[] = [];
  readonly #levels: Level[] = [];
  readonly #marks: Mark[] = [];
  /** Line breaks that are due before the next text: 1 for a new line, 2 for a blank line between. */
  #gap = 0;
  /** The new line is one that must be seen. */
  #hard = false;
  #space = false;
  /** Levels and marks that lie too deep and are not written. */
  #hidden = 0;

  toString(): string {
    return this.#parts.join('');
  }

  /** The next text starts a line, or a block. */
  breakLine(lines: 1 | 2): void {
    this.#hard = false;
    this.#endMarks(0);
    this.#space = false;
    // After the marker of a list nothing is due: the text goes on in its line.
    const level = this.#levels[this.#levels.length - 1];
    if (this.#parts.length > 0 && level?.used !== false) this.#gap = Math.max(this.#gap, lines);
  }

  /** The next text starts a block, unless a break is due already. */
  separate(): void {
    if (this.#gap === 0) this.breakLine(2);
  }

  pushLevel(first: string, rest: string): void {
    if (this.#levels.length >= DEEPEST) this.#hidden++;
    else this.#levels.push({ first, rest, used: false });
  }

  popLevel(): void {
    if (this.#hidden > 0) this.#hidden--;
    else this.#levels.pop();
  }

  pushMark(start: string, end: string): void {
    this.#marks.push({ start, end, written: false });
  }

  popMark(): void {
    this.#endMarks(this.#marks.length - 1);
    this.#marks.pop();
  }

  /** Text with its white space collapsed already; markup is escaped. */
  text(text: string): void {
    let start = 0;
    let end = text.length;
    if (text.startsWith(' ')) {
      this.#space = true;
      start = 1;
    }
    if (end <= start) return;
    const spaceAfter = text.endsWith(' ');
    if (spaceAfter) end--;
    const startsLine = this.#begin();
    const escaped = escapeMarkdown(text.slice(start, end));
    this.#parts.push(startsLine ? escapeLineStart(escaped) : escaped);
    this.#space = spaceAfter;
  }

  /** Markup that stands in a line as it is. */
  inline(markup: string): void {
    this.#begin();
    this.#parts.push(markup);
  }

  /** Lines that stand as they are, each after its levels. */
  block(lines: readonly string[]): void {
    this.breakLine(2);
    for (const line of lines) {
      this.#begin();
      this.#parts.push(line);
      this.#gap = 1;
    }
    this.breakLine(2);
  }

  /** A line break inside a block; a second one starts a block. */
  hardBreak(): void {
    if (this.#gap > 0) this.breakLine(2);
    else {
      this.breakLine(1);
      this.#hard = this.#gap === 1;
    }
  }

  /** Writes what is due before a text; answers whether the text begins a line. */
  #begin(): boolean {
    const startsLine = this.#gap > 0 || this.#parts.length === 0 || this.#levels.some((level) => !level.used);
    if (this.#gap === 1 && this.#hard) this.#parts.push('  ');
    if (this.#gap === 2) this.#parts.push('\n', this.#prefix(true).trimEnd());
    if (this.#gap > 0) this.#parts.push('\n');
    if (startsLine) this.#parts.push(this.#prefix(false));
    else if (this.#space) this.#parts.push(' ');
    this.#gap = 0;
    this.#hard = false;
    this.#space = false;
    for (const mark of this.#marks) {
      if (mark.written) continue;
      mark.written = true;
      this.#parts.push(mark.start);
    }
    return startsLine;
  }

  /** What the levels put before a line. A blank line uses up no level. */
  #prefix(blank: boolean): string {
    let prefix = '';
    for (const level of this.#levels) {
      if (blank && !level.used) break;
      prefix += level.used ? level.rest : level.first;
      if (!blank) level.used = true;
    }
    return prefix;
  }

  /** Ends the marks from this place on, for now: they start again with the next text. */
  #endMarks(from: number): void {
    for (let at = this.#marks.length - 1; at >= from; at--) {
      const mark = this.#marks[at];
      if (mark.written) this.#parts.push(mark.end);
      mark.written = false;
    }
  }
}

/** Backslashes before what would be markup. Underscores inside words mean nothing. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w{1,31};)/giu, '\\$&');
}

function escapeLineStart(text: string): string {
  return text
    .replace(/^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|=+$|-+$|~~~)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
