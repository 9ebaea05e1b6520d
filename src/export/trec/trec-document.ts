/** A page as TREC's collections of the web hold it. */
export interface TrecPage {
  readonly url: string;
  /** When the request was sent, ms since the epoch. */
  readonly date: number;
  readonly address?: string;
  readonly statusLine: string;
  readonly rawHeaders: readonly string[];
  /** The document, as HTML. */
  readonly html: string;
}

/** Tags that mean something to those who read the format, wherever they stand. */
const MARKUP = /<(?=\/?(?:DOC|DOCNO|DOCHDR|DOCOLDNO)\b)/gi;
/** They tell how the bytes came, which are other ones now. */
const ABOUT_BYTES = /^(?:content-type|content-length|content-encoding|transfer-encoding)$/i;

/**
 * `<DOC>` with number, header and content. A page may hold the very tags that end a document: their `<` is written as `&lt;`, so that
 * every document has one end, and is that of the page.
 */
export function trecDocument({ url, date, address, statusLine, rawHeaders, html }: TrecPage): string {
  const body = guarded(html);
  const length = Buffer.byteLength(body);
  let headers = `${oneLine(statusLine)}\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!ABOUT_BYTES.test(rawHeaders[at])) headers += `${oneLine(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)}\n`;
  headers += `Content-Type: text/html; charset=utf-8\nContent-Length: ${length}\n`;
  const about = `${docno(url)} ${address || '0.0.0.0'} ${stampOf(date)} text/html ${length}`;
  return (
    `<DOC>\n<DOCNO>${docno(url)}</DOCNO>\n<DOCHDR>\n${guarded(about)}\n${guarded(headers)}</DOCHDR>\n` +
    `${body}${body.endsWith('\n') ? '' : '\n'}</DOC>\n`
  );
}

/** The URL, without what would end the field, or a column of a run or of judgements. */
function docno(url: string): string {
  return url.toWellFormed().replace(/[\s<>\0]/g, (character) => encodeURIComponent(character));
}

function guarded(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd').replace(MARKUP, '&lt;');
}

function oneLine(text: string): string {
  // Control characters would begin another line, or end the text for some readers.
  return text.replace(/[\0-\x1f\x7f]+/g, ' ').trim();
}

/** 20260102030405 */
function stampOf(date: number): string {
  return new Date(date).toISOString().replace(/[-T:]/g, '').slice(0, 14);
}
