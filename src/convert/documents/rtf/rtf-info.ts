import { authorsIn } from '../compound/cfb-properties.ts';
import type { DocumentFacts } from '../document-builder.ts';

const TEXTS = new Set(['title', 'subject', 'author', 'operator', 'keywords', 'doccomm']);
const DATES = new Set(['creatim', 'revtim']);
const DATE_PARTS = new Set(['yr', 'mo', 'dy', 'hr', 'min', 'sec']);

/** The information group of an RTF file: title, author, dates. */
export class RtfInfo {
  readonly #texts = new Map<string, string>();
  readonly #dates = new Map<string, Map<string, number>>();
  #pages: number | undefined;

  static isText(name: string): boolean {
    return TEXTS.has(name);
  }

  static isDate(name: string): boolean {
    return DATES.has(name);
  }

  text(name: string, text: string): void {
    if (!this.#texts.has(name)) this.#texts.set(name, text.trim());
  }

  datePart(name: string, part: string, value: number): void {
    if (!DATE_PARTS.has(part)) return;
    const parts = this.#dates.get(name) ?? new Map<string, number>();
    parts.set(part, value);
    this.#dates.set(name, parts);
  }

  pages(count: number): void {
    if (count > 0) this.#pages = count;
  }

  facts(): DocumentFacts {
    const text = (name: string) => this.#texts.get(name) ?? '';
    const created = this.#date('creatim');
    const modified = this.#date('revtim');
    const keywords = text('keywords');
    return {
      title: text('title'),
      authors: authorsIn(text('author') || text('operator')),
      description: [text('subject'), text('doccomm')].filter((part) => part !== '').join('. '),
      ...(keywords === '' ? {} : { keywords: keywords.split(/[,;]/) }),
      ...(created === undefined ? {} : { created }),
      ...(modified === undefined ? {} : { modified }),
      ...(this.#pages === undefined ? {} : { pages: this.#pages }),
    };
  }

  #date(name: string): number | undefined {
    const parts = this.#dates.get(name);
    const year = parts?.get('yr') ?? 0;
    if (parts === undefined || year < 1970 || year > 2200) return undefined;
    const part = (key: string, least: number) => Math.max(least, parts.get(key) ?? least);
    return Date.UTC(year, part('mo', 1) - 1, part('dy', 1), part('hr', 0), part('min', 0), part('sec', 0));
  }
}
