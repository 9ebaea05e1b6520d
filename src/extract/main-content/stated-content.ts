import { collapse } from '../white-space.ts';
import { escapeText } from './clean/escape-html.ts';
import { MarkdownLines } from './clean/markdown-lines.ts';
import { countWords } from './word-count.ts';

/** Content that a page states in its data and does not show: plain paragraphs. */
export class StatedContent {
  readonly confidence = 'medium';
  readonly kind = 'article';
  readonly #paragraphs: readonly string[];

  constructor(body: string) {
    this.#paragraphs = body
      .split(/\r?\n|\r/)
      .map(collapse)
      .filter((paragraph) => paragraph !== '');
  }

  get text(): string {
    return this.#paragraphs.join('\n');
  }

  get prose(): string {
    return this.text;
  }

  get unlinked(): string {
    return this.text;
  }

  get html(): string {
    return this.#paragraphs.map((paragraph) => `<p>${escapeText(paragraph)}</p>\n`).join('');
  }

  get markdown(): string {
    const lines = new MarkdownLines();
    for (const paragraph of this.#paragraphs) {
      lines.breakLine(2);
      lines.text(paragraph);
    }
    return lines.toString();
  }

  get wordCount(): number {
    return countWords(this.text);
  }
}
