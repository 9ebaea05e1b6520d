import type { DocumentBuilder } from '../document-builder.ts';
import type { PdfLine } from './pdf-page-lines.ts';

/** Lines that are that much larger than the text are headings. */
const HEADING_RATIO = 1.15;
const MAX_HEADING = 200;
const MAX_HEADING_LINES = 4;
const ITEM = /^(?:[\u2022\u25cf\u25aa\u25e6\u2023\u2043\u00b7\uf0b7\uf0a7\u25a0]|[-\u2013*](?=\s))\s*(?=\S)/;
/** Chinese and Japanese have no spaces that a line break could stand for. */
const IDEOGRAPH_LAST = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]$/;
const IDEOGRAPH_FIRST = /^[\u3040-\u30ff\u3400-\u9fff]/;
const SENTENCE_END = /[.!?:;\u3002\u2026)"'\u201d\u2019\]]$/;
/** From this many pages on, what stands on most of them is a header or a footer. */
const PAGES_FOR_RUNNING_TEXT = 4;
const EDGE_LINES = 2;

interface Paragraph {
  /** Texts of its lines, as they are to be put together. Only the last is ever looked at: paragraphs can be long. */
  readonly parts: string[];
  readonly size: number;
  last: PdfLine;
}

/** Joins the lines of a document to paragraphs, finds its headings, and writes them. `outline` has titles and levels. */
export function writeLines(
  lines: readonly PdfLine[],
  outline: ReadonlyMap<string, number>,
  document: DocumentBuilder,
): void {
  const kept = withoutRunningText(lines);
  const body = bodySize(kept);
  const paragraphs = joinLines(kept);
  const levels = headingLevels(paragraphs, body);
  for (const { parts, size } of paragraphs) {
    if (document.full) return;
    const clean = parts.join('').toWellFormed();
    const isShort = parts.length <= MAX_HEADING_LINES && isHeadingText(clean);
    const level = isShort ? (outline.get(titleKey(clean)) ?? levels.get(rounded(size))) : undefined;
    if (ITEM.test(clean)) document.item(clean.replace(ITEM, ''));
    else if (level !== undefined) document.heading(level, clean);
    else document.paragraph(clean);
  }
}

/** How titles of the outline and lines of the text are compared. */
export function titleKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();
}

function isHeadingText(text: string): boolean {
  return text.length <= MAX_HEADING && /\p{L}/u.test(text);
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** The height that most characters have. */
function bodySize(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines) counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + text.length);
  let best = 0;
  let most = 0;
  for (const [size, count] of counts) {
    if (count > most) {
      best = size;
      most = count;
    }
  }
  return best;
}

function headingLevels(paragraphs: readonly Paragraph[], body: number): Map<number, number> {
  const sizes = new Set<number>();
  for (const { size, parts } of paragraphs) {
    const isCandidate = body > 0 && size > body * HEADING_RATIO && parts.length <= MAX_HEADING_LINES;
    if (isCandidate && isHeadingText(parts.join(''))) sizes.add(rounded(size));
  }
  return new Map([...sizes].sort((a, b) => b - a).map((size, rank) => [size, Math.min(rank + 1, 6)]));
}

/** Headers and footers come on nearly every page, at its edges: the first of each is kept. */
function withoutRunningText(lines: readonly PdfLine[]): readonly PdfLine[] {
  const pages = Map.groupBy(lines, ({ page }) => page);
  if (pages.size < PAGES_FOR_RUNNING_TEXT) return lines;
  const keyOf = (line: PdfLine) => `${Math.round(line.baseline / 4)} ${withoutPageNumber(line.text.trim())}`;
  const counts = new Map<string, number>();
  const edges = new Set<PdfLine>();
  for (const page of pages.values()) {
    if (page.length <= EDGE_LINES * 2) continue;
    const atEdges = [...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)];
    for (const line of atEdges) edges.add(line);
    for (const key of new Set(atEdges.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const written = new Set<string>();
  return lines.filter((line) => {
    if (!edges.has(line)) return true;
    const key = keyOf(line);
    if ((counts.get(key) ?? 0) <= pages.size / 2 || !written.has(key)) {
      written.add(key);
      return true;
    }
    return false;
  });
}

/** Page numbers stand at the ends of headers and footers, alone or with the number of all pages. */
function withoutPageNumber(text: string): string {
  return text.replace(/^\d+|\d+$/g, '').replace(/\d+(?=\s*(?:\/|of|von|de)\s*$)/, '');
}

function joinLines(lines: readonly PdfLine[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const spacing = lineSpacing(lines);
  const rights = rightEdges(lines);
  for (const line of lines) {
    const open = paragraphs.at(-1);
    if (open !== undefined && continues(open, line, spacing, rights)) {
      append(open, line);
      continue;
    }
    paragraphs.push({ parts: [line.text.trimEnd()], size: line.size, last: line });
  }
  return paragraphs;
}

function append(open: Paragraph, line: PdfLine): void {
  const next = line.text.trim();
  const at = open.parts.length - 1;
  const text = open.parts[at];
  // A hyphen between small letters parts a word; elsewhere it belongs to it.
  if (/\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) open.parts[at] = text.slice(0, -1);
  const isWhole =
    open.last.isHyphenated ||
    /\p{L}[-\u2010]$/u.test(text) ||
    (IDEOGRAPH_LAST.test(text) && IDEOGRAPH_FIRST.test(next));
  open.parts.push(isWhole ? next : ` ${next}`);
  open.last = line;
}

function continues(open: Paragraph, line: PdfLine, spacing: number, rights: ReadonlyMap<string, number>): boolean {
  const { last } = open;
  const size = Math.max(last.size, line.size, 1);
  if (last.isHyphenated) return true;
  if (Math.abs(last.size - line.size) > size * 0.12 || ITEM.test(line.text)) return false;
  const text = open.parts[open.parts.length - 1];
  const drop = last.baseline - line.baseline;
  const mayGoOn = !SENTENCE_END.test(text) && /^[\p{Ll}\p{N}(]/u.test(line.text.trimStart());
  // The next page or column.
  if (last.page !== line.page || drop < -size * 0.5) return mayGoOn && open.parts.length > 1;
  if (Math.abs(drop) <= size * 0.5) return true;
  if (drop > Math.max(spacing * 1.3, 1.15) * size) return false;
  const isIndented = line.left > last.left + size * 0.8 && open.parts.length > 1;
  if (isIndented) return mayGoOn;
  const right = rights.get(columnKey(last)) ?? last.right;
  // A line that leaves room for several words is the last of its paragraph.
  const isShort = last.right < right - size * 6;
  return !isShort || (mayGoOn && last.right > right - size * 12);
}

/** Usual distance of lines, in heights of characters. */
function lineSpacing(lines: readonly PdfLine[]): number {
  const drops: number[] = [];
  for (let i = 1; i < lines.length; i++) {
    const drop = (lines[i - 1].baseline - lines[i].baseline) / Math.max(lines[i].size, 1);
    if (lines[i - 1].page === lines[i].page && drop > 0.5 && drop < 3) drops.push(drop);
  }
  drops.sort((a, b) => a - b);
  return drops[drops.length >> 1] ?? 1.2;
}

/** Lines that start at about the same place of a page share a right edge. */
function columnKey(line: PdfLine): string {
  return `${line.page} ${Math.round(line.left / 40)}`;
}

function rightEdges(lines: readonly PdfLine[]): Map<string, number> {
  const edges = new Map<string, number>();
  for (const line of lines) {
    const key = columnKey(line);
    edges.set(key, Math.max(edges.get(key) ?? 0, line.right));
  }
  return edges;
}
