import type { DocumentBuilder } from '../document-builder.ts';
import { bareLinks } from './bare-links.ts';

/** A text without blank lines is cut at the end of a line after this many characters. */
const MAX_PARAGRAPH = 20_000;
const LINES_PER_LOOK = 1_000;

/** Plain text: paragraphs between blank lines, line breaks kept, addresses found. */
export function readPlainText(source: string, builder: DocumentBuilder): void {
  // A new page ends a paragraph.
  const text = source.replaceAll('\f', '\n\n');
  let paragraph: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (paragraph.length > 0) {
      const words = paragraph.join('\n');
      builder.lines(words);
      for (const url of bareLinks(words)) builder.link(url, '');
    }
    paragraph = [];
    length = 0;
  };
  let lines = 0;
  for (let at = 0; at < text.length && !builder.full; ) {
    if (++lines % LINES_PER_LOOK === 0 && !builder.budget.hasTime()) break;
    const end = lineEnd(text, at);
    const line = text
      .slice(at, end)
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g, '')
      .trimEnd();
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    if (line.trim() === '') {
      if (length > 0) flush();
      continue;
    }
    paragraph.push(line);
    length += line.length;
    if (length > MAX_PARAGRAPH) flush();
  }
  flush();
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const end = feed < 0 ? text.length : feed;
  if (text.charCodeAt(end - 1) === 0x0d && end > from) return end - 1;
  return end;
}
