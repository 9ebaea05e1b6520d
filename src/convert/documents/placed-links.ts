import type { DocumentLink } from '../../contracts/content/document.ts';

/** Links whose text is looked for at a time: they stand in reading order, but for some. */
const AHEAD = 8;

/** How plain text, and a link around text that is markup already, are written. */
export interface MarkupWriter {
  readonly text: (text: string) => string;
  readonly link: (url: string, label: string) => string;
}

/** Puts the links of a document back where their texts stand: blocks hold the words alone. Each link once. */
export class PlacedLinks {
  readonly #waiting: DocumentLink[];
  readonly #without: DocumentLink[];

  constructor(links: readonly DocumentLink[]) {
    this.#waiting = links.filter(({ text }) => text.trim() !== '');
    this.#without = links.filter(({ text }) => text.trim() === '');
  }

  /** The text with its links, in the markup of the writer. */
  inline(text: string, { text: toMarkup, link }: MarkupWriter): string {
    let written = '';
    let from = 0;
    for (let ahead = 0; ahead < Math.min(AHEAD, this.#waiting.length); ) {
      const { url, text: label } = this.#waiting[ahead];
      const at = text.indexOf(label.trim(), from);
      if (at < 0) {
        ahead++;
        continue;
      }
      written += toMarkup(text.slice(from, at)) + link(url, toMarkup(label.trim()));
      from = at + label.trim().length;
      this.#waiting.splice(ahead, 1);
    }
    return written + toMarkup(text.slice(from));
  }

  /** What stood nowhere. */
  rest({ text: toMarkup, link }: MarkupWriter): string[] {
    return [...this.#waiting, ...this.#without].map(({ url, text }) =>
      link(url, toMarkup(text.trim() === '' ? url : text.trim())),
    );
  }
}
