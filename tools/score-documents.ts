/**
 * Scores the document converters against the data set of documents with known contents, and tells the time and the peak
 * memory of the worst file of each kind.
 *
 *   node tools/score-documents.ts [folder of the data set] [--all] [--no-memory]
 *
 * `--all` also lists facts that no second tool confirmed. Every file is read in a process of its own for the memory;
 * `--file=PATH` prints outcome, time and peak memory of one file of yours.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Conversion } from '../src/contracts/content/document.ts';
import { convertDocument } from '../src/convert/documents/convert-document.ts';
import { PdfWorker } from '../src/convert/documents/pdf/pdf-worker.ts';
import { renderText } from '../src/convert/documents/render-blocks.ts';
import { mediaTypeOf } from '../src/convert/media-type.ts';

interface Expected {
  readonly file: string;
  readonly type: string;
  readonly contains: readonly { readonly text: string; readonly confirmed: boolean }[];
  readonly not_contains: readonly string[];
}

interface Score {
  files: number;
  found: number;
  facts: number;
  unconfirmedFound: number;
  unconfirmed: number;
  worstMs: number;
  worstFile: string;
  peakMb: number;
  peakFile: string;
}

await using pdfWorker = new PdfWorker();
const args = process.argv.slice(2);
const [single] = args.filter((arg) => arg.startsWith('--file=')).map((arg) => arg.slice('--file='.length));
if (single === undefined) await scoreAll();
else await measureOne(single);

async function convertFile(
  path: string,
  pdfWorker: PdfWorker,
): Promise<{ readonly conversion: Conversion; readonly ms: number }> {
  const bytes = readFileSync(path);
  const url = `http://host.test/${encodeURIComponent(path.replace(/^.*[\\/]/, ''))}`;
  const { type } = mediaTypeOf(undefined, bytes, url);
  const start = performance.now();
  const conversion = await convertDocument(bytes, { mediaType: type, url, pdfWorker });
  return { conversion, ms: performance.now() - start };
}

/** Prints how much memory one file takes in a fresh process beyond what the process takes without it. */
async function measureOne(path: string): Promise<void> {
  await convertDocument(Buffer.from('words'), { mediaType: 'text/plain' });
  const before = process.resourceUsage().maxRSS;
  const { conversion, ms } = await convertFile(path, pdfWorker);
  const outcome = conversion.kind === 'unreadable' ? conversion.why : (conversion.document.cut ?? 'converted');
  console.log(JSON.stringify({ outcome, ms, mb: (process.resourceUsage().maxRSS - before) / 1024 }));
}

async function scoreAll(): Promise<void> {
  const own = fileURLToPath(new URL('../../shared/corpora/documents', import.meta.url));
  const folder = args.find((arg) => !arg.startsWith('--')) ?? own;
  const listAll = args.includes('--all');
  const scores = new Map<string, Score>();
  const lines = readFileSync(join(folder, 'expected.jsonl'), 'utf8').split('\n').filter(Boolean);
  // The first file of a kind loads its reader, which is no fault of the file.
  for (const file of readdirSync(join(folder, 'files'))) await convertFile(join(folder, 'files', file), pdfWorker);
  for (const line of lines) {
    const expected = JSON.parse(line) as Expected;
    const score = scores.get(expected.type) ?? emptyScore();
    scores.set(expected.type, score);
    const path = join(folder, 'files', expected.file);
    const { conversion, ms } = await convertFile(path, pdfWorker);
    score.files++;
    if (ms > score.worstMs) [score.worstMs, score.worstFile] = [ms, expected.file];
    if (!args.includes('--no-memory')) {
      const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), `--file=${path}`], {
        encoding: 'utf8',
      });
      const { mb } = JSON.parse(output) as { mb: number };
      if (mb > score.peakMb) [score.peakMb, score.peakFile] = [mb, expected.file];
    }
    judge(expected, conversion, score, listAll);
  }
  report(scores);
}

function judge(expected: Expected, conversion: Conversion, score: Score, listAll: boolean): void {
  const said = bare(everythingIn(conversion));
  const outcome = conversion.kind === 'unreadable' ? ` (${conversion.why}: ${conversion.detail})` : '';
  for (const { text, confirmed } of expected.contains) {
    const found = said.includes(bare(text));
    if (confirmed) {
      score.facts++;
      if (found) score.found++;
    } else {
      score.unconfirmed++;
      if (found) score.unconfirmedFound++;
    }
    if (!found && (confirmed || listAll))
      console.log(`${confirmed ? 'MISSING' : 'missing'} ${expected.file}: ${text}${outcome}`);
  }
  for (const text of expected.not_contains)
    if (said.includes(bare(text))) console.log(`UNWANTED ${expected.file}: ${text}`);
}

function everythingIn(conversion: Conversion): string {
  if (conversion.kind === 'unreadable') return '';
  const { title, authors, description, keywords, blocks, links } = conversion.document;
  return [
    title,
    ...authors,
    description,
    ...(keywords ?? []),
    renderText(blocks),
    ...links.map((link) => link.url),
  ].join('\n');
}

/** Facts are compared white space aside. */
function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

function report(scores: ReadonlyMap<string, Score>): void {
  const row = (cells: readonly (string | number)[]) =>
    console.log(cells.map((cell) => String(cell).padEnd(12)).join(''));
  row(['type', 'files', 'confirmed', 'others', 'worst ms', 'peak MB', 'worst file / file with peak']);
  const all = emptyScore();
  for (const [type, score] of [...scores].sort()) {
    row([
      type,
      score.files,
      `${score.found}/${score.facts}`,
      `${score.unconfirmedFound}/${score.unconfirmed}`,
      score.worstMs.toFixed(1),
      score.peakMb.toFixed(1),
      `${score.worstFile} / ${score.peakFile}`,
    ]);
    all.files += score.files;
    all.found += score.found;
    all.facts += score.facts;
    all.unconfirmedFound += score.unconfirmedFound;
    all.unconfirmed += score.unconfirmed;
  }
  row(['all', all.files, `${all.found}/${all.facts}`, `${all.unconfirmedFound}/${all.unconfirmed}`]);
}

function emptyScore(): Score {
  return {
    files: 0,
    found: 0,
    facts: 0,
    unconfirmedFound: 0,
    unconfirmed: 0,
    worstMs: 0,
    worstFile: '',
    peakMb: 0,
    peakFile: '',
  };
}
