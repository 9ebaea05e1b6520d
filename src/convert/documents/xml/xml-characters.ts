const FIVE: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Names that chapters of e-books use without declaring them where we would look. */
export const MARKUP_ENTITIES: ReadonlyMap<string, string> = new Map([
  ...FIVE,
  ...Object.entries({
    nbsp: '\xa0',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    bull: '•',
    middot: '·',
    deg: '°',
    sect: '§',
    para: '¶',
    times: '×',
    divide: '÷',
    plusmn: '±',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    shy: '',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    zwnj: '\u200c',
    zwj: '\u200d',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    agrave: 'à',
    aacute: 'á',
    acirc: 'â',
    atilde: 'ã',
    aring: 'å',
    aelig: 'æ',
    ccedil: 'ç',
    egrave: 'è',
    eacute: 'é',
    ecirc: 'ê',
    euml: 'ë',
    igrave: 'ì',
    iacute: 'í',
    icirc: 'î',
    iuml: 'ï',
    ntilde: 'ñ',
    ograve: 'ò',
    oacute: 'ó',
    ocirc: 'ô',
    otilde: 'õ',
    oslash: 'ø',
    ugrave: 'ù',
    uacute: 'ú',
    ucirc: 'û',
    oelig: 'œ',
    Eacute: 'É',
    Egrave: 'È',
    Agrave: 'À',
    Ccedil: 'Ç',
    iexcl: '¡',
    iquest: '¿',
  }),
]);

/**
 * Text with its references replaced: numeric ones and those of `entities`. Whatever else a document declares is never
 * expanded and stays as written.
 */
export function withoutReferences(text: string, entities: ReadonlyMap<string, string> = FIVE): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|([a-z][a-z0-9]{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const exists = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return exists ? String.fromCodePoint(code) : '\ufffd';
  });
}
