import { type BlockFlow, MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from './xml-reader.ts';
import type { XmlTag } from './xml-tag.ts';

const UNWANTED = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'head',
  'iframe',
  'object',
  'audio',
  'video',
  'rp',
]);
const HEADING = /^h([1-6])$/;
/** Elements whose ends separate texts. */
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hr legend li main menu nav ol p section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** XHTML, as chapters of e-books are written, read into blocks. */
export class MarkupBlocks implements XmlHandler {
  readonly #flow: BlockFlow;
  readonly #link: (url: string, text: string) => void;
  #text = '';
  #level: number | undefined;
  #items = 0;
  #preformatted = 0;
  #linkUrl: string | undefined;
  #linkText = '';

  constructor(flow: BlockFlow, link: (url: string, text: string) => void) {
    this.#flow = flow;
    this.#link = link;
  }

  open(tag: XmlTag): boolean {
    const { name } = tag;
    if (UNWANTED.has(name)) return false;
    const heading = HEADING.exec(name);
    if (heading !== null || name === 'pre' || BLOCKS.has(name)) this.#flush();
    if (heading !== null) this.#level = Number(heading[1]);
    else if (name === 'pre') this.#preformatted++;
    else if (name === 'li') this.#items++;
    else if (name === 'br') this.text(this.#preformatted > 0 ? '\n' : ' ');
    else if (name === 'img') this.text(` ${tag.get('alt') ?? ''} `);
    else if (name === 'rt') this.text(' (');
    else if (name === 'table') this.#flow.openTable();
    else if (name === 'tr') this.#flow.openRow();
    else if (name === 'td' || name === 'th') this.#flow.openCell(Number(tag.get('colspan') ?? 1));
    else if (name === 'a') {
      this.#linkUrl = tag.get('href');
      this.#linkText = '';
    }
    return true;
  }

  close(name: string): void {
    if (HEADING.test(name)) {
      this.#flush();
      this.#level = undefined;
      return;
    }
    if (name === 'pre' || BLOCKS.has(name)) this.#flush();
    if (name === 'pre') this.#preformatted--;
    else if (name === 'li') this.#items--;
    else if (name === 'rt') this.text(')');
    else if (name === 'table') this.#flow.closeTable();
    else if (name === 'tr') this.#flow.closeRow();
    else if (name === 'td' || name === 'th') this.#flow.closeCell();
    else if (name === 'html') this.#flush();
    else if (name === 'a' && this.#linkUrl !== undefined) {
      this.#link(this.#linkUrl, this.#linkText);
      this.#linkUrl = undefined;
    }
  }

  text(text: string): void {
    this.#text += text;
    if (this.#text.length > MAX_PARAGRAPH) this.#flush();
    if (this.#linkUrl !== undefined && this.#linkText.length < 1_000) this.#linkText += text;
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text.trim() === '') return;
    if (this.#preformatted > 0) this.#flow.add({ kind: 'code', text });
    else if (this.#level !== undefined) this.#flow.add({ kind: 'heading', level: this.#level, text });
    else this.#flow.add({ kind: this.#items > 0 ? 'item' : 'paragraph', text });
  }
}
