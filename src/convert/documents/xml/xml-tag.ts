import { withoutReferences } from './xml-characters.ts';

/** The tag just read. One object serves all tags of a document: it must not be kept. Attributes are found when asked for. */
export class XmlTag {
  /** Without prefix. */
  name = '';
  prefix = '';
  readonly #markup: boolean;
  #source = '';

  constructor(markup: boolean) {
    this.#markup = markup;
  }

  /** For the reader alone. `source`: the attributes as written. */
  set(name: string, prefix: string, source: string): void {
    this.name = name;
    this.prefix = prefix;
    this.#source = source;
  }

  /** The value of the first attribute with this name, whatever its prefix. */
  get(name: string): string | undefined {
    return this.#find(name, false);
  }

  /** The same of an attribute with a prefix: `r:id` beside `id`. */
  qualified(name: string): string | undefined {
    return this.#find(name, true);
  }

  #find(wanted: string, prefixed: boolean): string | undefined {
    const source = this.#source;
    let at = 0;
    while (at < source.length) {
      const equals = source.indexOf('=', at);
      if (equals < 0) return undefined;
      let open = equals + 1;
      while (open < source.length && isSpace(source.charCodeAt(open))) open++;
      const quote = source[open];
      if (quote !== '"' && quote !== "'") {
        at = open;
        continue;
      }
      const close = source.indexOf(quote, open + 1);
      if (close < 0) return undefined;
      let end = equals;
      while (end > at && isSpace(source.charCodeAt(end - 1))) end--;
      const start = end - wanted.length;
      if (start >= at && source.startsWith(wanted, start)) {
        const before = start === at ? 0x20 : source.charCodeAt(start - 1);
        if (before === 0x3a || (!prefixed && isSpace(before)))
          return withoutReferences(source.slice(open + 1, close), this.#markup);
      }
      at = close + 1;
    }
    return undefined;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
