import type { ExportedCopy } from '../archive/exported-visits.ts';
import { jsonLine } from '../json-line.ts';
import { isPagePart } from '../page-parts.ts';

/** Digits that put the notes in order. */
const NUMBER = 12;
/** Of each page; the text is there to be searched in a browser, and the page itself is in the archive. */
const MOST_TEXT = 200_000;

/** Redirects, errors and parts of pages are in the archive, but nobody begins to read with them. */
export function isListed({ status, mediaType }: ExportedCopy): boolean {
  return status < 300 && !isPagePart(mediaType);
}

/** The line of a page, behind a number by which lines are sorted. */
export async function notedPage(number: number, { url, date, title, text }: ExportedCopy): Promise<string> {
  const words = await text();
  const page = {
    id: String(number),
    url,
    ts: new Date(date).toISOString(),
    title: title ?? url,
    ...(words === undefined || words === '' ? {} : { text: words.slice(0, MOST_TEXT) }),
  };
  return `${String(number).padStart(NUMBER, '0')}${jsonLine(page)}`;
}

/** The list of pages, of notes in their order. */
export async function* pageLines(notes: Iterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(jsonLine({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: true }));
  for (const note of notes) yield Buffer.from(note.slice(NUMBER));
}
