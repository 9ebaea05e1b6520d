import type { DocumentBuilder } from '../document-builder.ts';
import { bareLinks } from './bare-links.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 30;
/** A quote that is not closed within this many characters is a character like any other. */
const MAX_QUOTED = 100_000;
const ROWS_PER_LOOK = 1_000;
/** As many as sheets have; what stands further right is left out. */
const MAX_COLUMNS = 16_384;

/** CSV and its kin as one table. `delimiter` is what the type says; otherwise the text tells. */
export function readDelimited(text: string, builder: DocumentBuilder, delimiter?: string): void {
  const declared = /^sep=(.)\r?\n/.exec(text);
  const start = declared?.[0].length ?? 0;
  const between = declared?.[1] ?? delimiter ?? delimiterOf(text.slice(start, start + SAMPLE_CHARACTERS));
  const rows: string[][] = [];
  let room = builder.budget.limits.maxText;
  eachRow(text, start, between, (row) => {
    rows.push(row);
    for (const cell of row) {
      room -= cell.length + 1;
      for (const url of bareLinks(cell)) builder.link(url, '');
    }
    return room > 0 && (rows.length % ROWS_PER_LOOK !== 0 || builder.budget.hasTime());
  });
  builder.table(rows);
  if (room <= 0) builder.cutAt('text');
}

/** The character that cuts the first lines into the same number of columns, as many as may be. */
export function delimiterOf(sample: string): string {
  let best = ',';
  let bestScore = 0;
  for (const candidate of DELIMITERS) {
    const widths = new Map<number, number>();
    let rows = 0;
    eachRow(sample, 0, candidate, (row) => {
      rows++;
      widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
      return rows < SAMPLE_ROWS;
    });
    for (const [width, count] of widths) {
      const score = width > 1 ? (count / rows) ** 2 * Math.min(width, 10) : 0;
      if (score > bestScore) {
        best = candidate;
        bestScore = score;
      }
    }
  }
  return best;
}

/** Hands out the rows that are not empty until the receiver answers false. Quotes as RFC 4180 has them. */
function eachRow(text: string, from: number, delimiter: string, receive: (row: string[]) => boolean): void {
  let row: string[] = [];
  let at = from;
  while (at <= text.length) {
    if (row.length === 0 && (text[at] === '\n' || text[at] === '\r')) {
      at++;
      continue;
    }
    const [cell, end] = text[at] === '"' ? quotedCell(text, at, delimiter) : bareCell(text, at, delimiter);
    if (row.length < MAX_COLUMNS) row.push(cell);
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    if (row.some((value) => value !== '') && !receive(row)) return;
    row = [];
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
}

function bareCell(text: string, from: number, delimiter: string): [string, number] {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return [text.slice(from, end), end];
}

function quotedCell(text: string, from: number, delimiter: string): [string, number] {
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && close - from < MAX_QUOTED && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || close - from >= MAX_QUOTED) return bareCell(text, from, delimiter);
  const [after, end] = bareCell(text, close + 1, delimiter);
  return [text.slice(from + 1, close).replaceAll('""', '"') + after.trim(), end];
}
