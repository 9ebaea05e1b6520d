import { charsetOf, decode } from '../../convert/charset.ts';
import { mediaTypeOf } from '../../convert/media-type.ts';
import { styleSheetUrls } from '../../extract/style-sheet-urls.ts';
import type { WebCopy } from '../web-reader.ts';
import { fontType, pictureType } from './part-types.ts';

/** Of all parts of a page, each time that they are named. Enough for nearly every page; a browser shows more only slowly. */
const MAX_BYTES = 16 * 2 ** 20;
/** Addresses that are looked up for a page. */
const MAX_LOOKUPS = 500;
/** Style sheets that import each other. */
const MAX_IMPORTS = 5;

/**
 * Pictures, fonts and style sheets of a page, from the archive alone, as data: URLs. So the page that they belong to needs no leave
 * to load anything from anywhere, and no address of this server hands them to others.
 */
export class ArchivedParts {
  readonly #read: (url: string) => Promise<WebCopy | undefined>;
  /** What was made of each address; bodies are not kept, for they may be large and of no use. */
  readonly #known = new Map<string, string | undefined>();
  #left = MAX_BYTES;
  #missing = 0;

  constructor(read: (url: string) => Promise<WebCopy | undefined>) {
    this.#read = read;
  }

  /** Parts that are not held, or were too much. */
  get missing(): number {
    return this.#missing;
  }

  async image(url: string): Promise<string | undefined> {
    const data = await this.#media(url);
    return data?.startsWith('data:image/') === true ? this.#taken(data) : undefined;
  }

  async sheet(url: string): Promise<string | undefined> {
    return this.#taken(await this.#sheet(url, 0));
  }

  /** A style sheet, or the text of a style attribute, with what it names in it. `base`: what its addresses count from. */
  async css(text: string, base: string): Promise<string> {
    return await this.#css(text, base, 0);
  }

  async #css(text: string, base: string, imports: number): Promise<string> {
    let written = '';
    let at = 0;
    let fontIn = -1;
    for (const { url: reference, isImport, declaration, start, end } of styleSheetUrls(text)) {
      const url = partUrl(reference, base);
      // The same font in other formats: a browser takes the first that it can read.
      if (url === undefined || declaration === fontIn) continue;
      const data = this.#taken(await (isImport ? this.#sheet(url, imports + 1) : this.#media(url)));
      if (data === undefined) continue;
      if (data.startsWith('data:font/')) fontIn = declaration;
      written += `${text.slice(at, start)}url("${data}")`;
      at = end;
    }
    return written + text.slice(at);
  }

  #sheet(url: string, imports: number): Promise<string | undefined> {
    return this.#once(`sheet ${url}`, url, async (copy) => {
      const media = mediaTypeOf(copy.contentType, copy.body, copy.url);
      if (media.type !== 'text/css' || imports > MAX_IMPORTS) return undefined;
      const { encoding } = charsetOf(copy.body, media.charset === undefined ? {} : { label: media.charset });
      const css = await this.#css(decode(copy.body, encoding), copy.url, imports);
      // Not as base64, which would make what is in it as base64 a third larger once more.
      return `data:text/css;charset=utf-8,${encodeURI(css.toWellFormed()).replaceAll('#', '%23')}`;
    });
  }

  /** A picture or a font. */
  #media(url: string): Promise<string | undefined> {
    return this.#once(`media ${url}`, url, async (copy) => {
      const type = pictureType(copy) ?? fontType(copy);
      return type && `data:${type};base64,${Buffer.from(copy.body).toString('base64')}`;
    });
  }

  /** A sheet that imports itself finds that nothing was made of it so far. */
  async #once(
    key: string,
    url: string,
    make: (copy: WebCopy) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    const copy = this.#known.size <= MAX_LOOKUPS ? await this.#read(url) : undefined;
    if (copy === undefined || copy.body.byteLength > this.#left) {
      this.#missing++;
      return undefined;
    }
    const data = await make(copy);
    this.#known.set(key, data);
    return data;
  }

  #taken(data: string | undefined): string | undefined {
    if (data === undefined) return undefined;
    if (data.length > this.#left) {
      this.#missing++;
      return undefined;
    }
    this.#left -= data.length;
    return data;
  }
}

/** The address of a part that could be held; undefined for data: URLs, places in the same document and the like. */
export function partUrl(reference: string, base: string): string | undefined {
  const trimmed = reference.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const url = URL.parse(trimmed, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  url.hash = '';
  return url.href;
}
