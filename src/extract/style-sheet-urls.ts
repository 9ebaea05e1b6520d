/** An address in a style sheet. */
export interface StyleSheetUrl {
  /** Escapes undone; as written otherwise. */
  readonly url: string;
  /** Another style sheet, rather than a picture or a font. */
  readonly isImport: boolean;
  /** The same for all of one declaration, such as the sources of a font. */
  readonly declaration: number;
  /** Where `url(…)`, or the string of an @import, lies in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Comments, strings and escapes are read too, so that nothing in them counts. Each part ends soon or at what begins the next. A bare
 * address is not empty: with nothing between two runs of blanks, a long run would be divided in every possible way.
 */
const TOKEN =
  /\/\*.*?(?:\*\/|$)|"((?:[^"\\\n]|\\.)*)"?|'((?:[^'\\\n]|\\.)*)'?|(?<![\w-])url\(\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|((?:[^"'()\s\\]|\\.)+))\s*\)|@[a-z-]+|[;{}]|\\./gis;

/** The addresses of a style sheet, or of a style attribute, in order. Never throws. */
export function styleSheetUrls(css: string): StyleSheetUrl[] {
  const urls: StyleSheetUrl[] = [];
  let rule = '';
  let declaration = 0;
  for (const match of css.matchAll(TOKEN)) {
    const [token, double, single, inDouble, inSingle, bare] = match;
    if (token[0] === '@') rule = token.toLowerCase();
    else if (token === ';' || token === '{' || token === '}') {
      rule = '';
      declaration++;
    }
    const isImport = rule === '@import';
    const written = inDouble ?? inSingle ?? bare ?? (isImport ? (double ?? single) : undefined);
    // A namespace is a name that looks like an address.
    const url = written === undefined || rule === '@namespace' ? '' : withoutEscapes(written);
    if (url === '') continue;
    const place = { start: match.index, end: match.index + token.length };
    urls.push({ url, isImport, declaration, ...place });
    // Only the first address of an @import is the sheet; what follows are its conditions.
    if (isImport) rule = '';
  }
  return urls;
}

const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|\n|(.))/gis;

function withoutEscapes(written: string): string {
  return written.replace(ESCAPE, (_, hex: string | undefined, character: string | undefined) => {
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
