import type { DocumentLink } from '../../contracts/content/document.ts';

/** Links whose text is looked for at a time: they stand in reading order, but for some. */
const AHEAD = 8;

/** Puts the links of a document back where their texts stand: blocks hold the words alone. Each link once. */
export class MarkdownLinks {
  readonly #waiting: DocumentLink[];
  readonly #without: DocumentLink[];

  constructor(links: readonly DocumentLink[]) {
    this.#waiting = links.filter(({ text }) => text.trim() !== '');
    this.#without = links.filter(({ text }) => text.trim() === '');
  }

  /** The text with its links; `toMarkdown` makes plain text into Markdown. */
  inline(text: string, toMarkdown: (text: string) => string): string {
    let written = '';
    let from = 0;
    for (let ahead = 0; ahead < Math.min(AHEAD, this.#waiting.length); ) {
      const { url, text: label } = this.#waiting[ahead];
      const at = text.indexOf(label.trim(), from);
      if (at < 0) {
        ahead++;
        continue;
      }
      written += `${toMarkdown(text.slice(from, at))}[${toMarkdown(label.trim())}](${destination(url)})`;
      from = at + label.trim().length;
      this.#waiting.splice(ahead, 1);
    }
    return written + toMarkdown(text.slice(from));
  }

  /** What stood nowhere, as a list; '' where nothing is left. */
  rest(toMarkdown: (text: string) => string): string {
    return [...this.#waiting, ...this.#without]
      .map(({ url, text }) => `- [${toMarkdown(text.trim() === '' ? url : text.trim())}](${destination(url)})`)
      .join('\n');
  }
}

function destination(url: string): string {
  return url.replace(/[\s<>()\\]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'));
}
