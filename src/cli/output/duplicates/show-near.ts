import { createReadStream } from 'node:fs';
import { OrbweaverError } from '../../../base/errors.ts';
import type { CrawlReader } from '../../../crawl/report/crawl-reader.ts';
import {
  type AskedText,
  likenessOf,
  type NearPage,
  type NearSearch,
  searchNear,
  textOfPage,
} from '../../../crawl/report/near-search.ts';
import { writeText } from '../write-text.ts';

export interface NearOptions {
  readonly json: boolean;
  readonly limit: number;
  readonly threshold: number;
  readonly url?: string;
  readonly text?: string;
}

/** Of a longer text the beginning is compared: many more words than a sketch looks at. */
const MOST_BYTES = 8 << 20;

/** What is like one page of the crawl, or like a text from elsewhere. */
export async function showNear(reader: CrawlReader, options: NearOptions): Promise<void> {
  const { url, text: file = '-', json } = options;
  const asked: AskedText = url === undefined ? { text: await textOfFile(file) } : await textOfPage(reader, url);
  const found = await searchNear(reader, asked, options);
  const name = asked.url ?? (file === '-' ? 'the text' : file);
  if (json) process.stdout.write(`${JSON.stringify({ asked: name, ...found })}\n`);
  else writeText(`${describe(name, found).join('\n')}\n`);
}

async function textOfFile(file: string): Promise<string> {
  const bytes = await beginningOf(file).catch(() => undefined);
  if (bytes === undefined) {
    throw new OrbweaverError('INPUT_INVALID', `${file} is no file that can be read.`, {
      remedy: 'Give the path of a file with a text in UTF-8, or - for standard input.',
    });
  }
  const text = textIn(bytes);
  if (text !== undefined) return text;
  throw new OrbweaverError('INPUT_INVALID', `${file === '-' ? 'Standard input' : file} is no text in UTF-8.`, {
    remedy: 'Give the plain text of the document: take it out of a PDF or an office file first, and bring it to UTF-8.',
  });
}

async function beginningOf(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= MOST_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}

function textIn(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // The last character may have been cut through.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function describe(name: string, search: NearSearch): string[] {
  const { words, shingles, method, compared, byTexts, total, copies, pages } = search;
  const how = byTexts ? ', by their texts: this crawl keeps no sketches' : '';
  const lines = [
    `${name}: ${words.toLocaleString('en')} words, ${shingles.toLocaleString('en')} distinct shingles of ${method.shingle}`,
    `${total.toLocaleString('en')} of ${compared.toLocaleString('en')} compared pages are like it${how}`,
  ];
  for (const page of pages) lines.push('', ...lineOf(page));
  const shown = pages.filter(({ kind }) => kind === 'near').length;
  if (shown < total) lines.push('', `${total - shown} more: --limit ${total}`);
  const copiesShown = pages.length - shown;
  if (copiesShown < copies) lines.push('', `${copies - copiesShown} more exact copies: --limit ${copies}`);
  return lines;
}

function lineOf(page: NearPage): string[] {
  const { url, kind, of, evidence, sketchJaccard, simhashDistance } = page;
  if (kind === 'exact') return [`same   ${url}`, `       the same bytes as ${of}`];
  const told = [
    evidence === undefined ? [] : [`shingles ${percent(evidence.jaccard)}`],
    sketchJaccard === undefined ? [] : [`by sketch ${percent(sketchJaccard)}`],
    evidence === undefined ? [] : [`edit distance ${percent(evidence.editSimilarity)}`],
    evidence === undefined ? [] : [segmentsOf(evidence.segments)],
    simhashDistance === undefined ? [] : [`simhash ${simhashDistance} of 64 bits apart`],
  ].flat();
  return [`${likenessOf(page).toFixed(3)}  ${url}`, `       ${told.join(', ')}`];
}

function segmentsOf({ shared, ofFirst, ofSecond }: NonNullable<NearPage['evidence']>['segments']): string {
  return `${shared} segments shared, of ${ofFirst} here and ${ofSecond} there`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
