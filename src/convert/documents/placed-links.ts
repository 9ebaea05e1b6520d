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
  readonly #links: readonly DocumentLink[];
  readonly #without: readonly DocumentLink[];
  /** Those that are looked for, and how many have been so far: there may be tens of thousands. */
  readonly #waiting: DocumentLink[];
  #taken: number;

  constructor(links: readonly DocumentLink[]) {
    const leading = links.filter(({ url }) => leadsSomewhere(url));
    this.#links = leading.filter(({ text }) => text.trim() !== '');
    this.#without = leading.filter(({ text }) => text.trim() === '');
    this.#waiting = this.#links.slice(0, AHEAD);
    this.#taken = this.#waiting.length;
  }

  /** The text with its links, in the markup of the writer. */
  inline(text: string, { text: toMarkup, link }: MarkupWriter): string {
    let written = '';
    let from = 0;
    for (let ahead = 0; ahead < this.#waiting.length; ) {
      const { url, text: label } = this.#waiting[ahead];
      const at = text.indexOf(label.trim(), from);
      if (at < 0) {
        ahead++;
        continue;
      }
      written += toMarkup(text.slice(from, at)) + link(url, toMarkup(label.trim()));
      from = at + label.trim().length;
      this.#waiting.splice(ahead, 1);
      if (this.#taken < this.#links.length) this.#waiting.push(this.#links[this.#taken++]);
    }
    return written + toMarkup(text.slice(from));
  }

  /** What stood nowhere. */
  rest({ text: toMarkup, link }: MarkupWriter): string[] {
    return [...this.#waiting, ...this.#links.slice(this.#taken), ...this.#without].map(({ url, text }) =>
      link(url, toMarkup(text.trim() === '' ? url : text.trim())),
    );
  }
}

/** Whether an address leads to another document. As browsers read it, who overlook control characters: a page made of a document runs nothing. */
export function leadsSomewhere(address: string): boolean {
  return !/^(?!https?:|ftp:)[a-z][a-z0-9+.-]*:/i.test(address.replace(/[\0- ]+/g, ''));
}
