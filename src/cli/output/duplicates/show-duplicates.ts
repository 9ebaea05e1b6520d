import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OrbweaverError } from '../../../base/errors.ts';
import {
  type ClusterMember,
  type DuplicateCluster,
  duplicateClusters,
} from '../../../crawl/report/duplicate-clusters.ts';
import { methodOfCrawl } from '../../../crawl/report/near-search.ts';
import { type AskedCrawl, openAskedCrawl } from '../../arguments/asked-crawl.ts';
import { writeText } from '../write-text.ts';

export interface DuplicateOptions {
  readonly json: boolean;
  readonly limit: number;
  /** Default: 0.8, and 0.5 for what is like one page or text. */
  readonly threshold?: number;
  /** Words of a shingle, of pairs. Default: that of the crawl, else 5. */
  readonly shingle?: number;
  /** Compares all stored texts with each other instead of telling what the crawl has found. */
  readonly scan: boolean;
  /** A file of texts, or '-'. */
  readonly jsonl?: string;
  /** A page of the crawl, or a file with a text ('-': standard input): what is like it is searched for. */
  readonly url?: string;
  readonly text?: string;
}

const THRESHOLD = 0.8;
const SEARCH_THRESHOLD = 0.5;

export async function showDuplicates(crawl: AskedCrawl, options: DuplicateOptions): Promise<void> {
  refuseMixture(options);
  const { threshold = THRESHOLD } = options;
  const given = options.shingle === undefined ? {} : { shingle: options.shingle };
  if (options.jsonl !== undefined) return await printPairs(await linesOf(options.jsonl), { threshold, ...given });
  using reader = await openAskedCrawl(crawl, 'duplicates');
  if (options.scan) {
    const { shingle } = methodOfCrawl(reader);
    return await printPairs(reader.texts(), { threshold, shingle, ...given });
  }
  if (options.url !== undefined || options.text !== undefined) {
    const { showNear } = await import('./show-near.ts');
    return await showNear(reader, { ...options, threshold: options.threshold ?? SEARCH_THRESHOLD });
  }
  const clusters = duplicateClusters(reader.duplicateListing);
  const shown = clusters.slice(0, options.limit);
  if (options.json) process.stdout.write(`${JSON.stringify({ total: clusters.length, clusters: shown })}\n`);
  else writeText(`${describe(clusters, shown).join('\n')}\n`);
}

function refuseMixture({ url, text, scan, jsonl, shingle }: DuplicateOptions): void {
  if (shingle !== undefined && !scan && jsonl === undefined)
    throw new OrbweaverError('USAGE', '--shingle is for --scan and --jsonl.', {
      remedy: 'What a crawl compares by is its setting near-shingle, from its first page on.',
    });
  const given = [
    url === undefined ? [] : ['a URL'],
    text === undefined ? [] : ['--text'],
    scan ? ['--scan'] : [],
    jsonl === undefined ? [] : ['--jsonl'],
  ].flat();
  if (given.length < 2) return;
  throw new OrbweaverError('USAGE', `${given.join(' and ')} exclude each other.`, { remedy: 'Give one of them.' });
}

type Documents = AsyncIterable<{ readonly id: string | number; readonly text: string }>;

async function printPairs(
  documents: Documents,
  how: { readonly threshold: number; readonly shingle?: number },
): Promise<void> {
  const { printDuplicatePairs } = await import('../duplicate-pairs.ts');
  await printDuplicatePairs({ ...how, documents, output: process.stdout });
}

async function linesOf(file: string): Promise<Documents> {
  const { documentLines } = await import('../duplicate-pairs.ts');
  if (file !== '-') {
    const kind = await stat(file).catch(() => undefined);
    if (kind === undefined || kind.isDirectory()) {
      throw new OrbweaverError('INPUT_INVALID', `${file} is no file that can be read.`, {
        remedy: 'Give the path of a file with one {"id", "text"} object per line, or - for standard input.',
      });
    }
  }
  return documentLines(file === '-' ? process.stdin : createReadStream(file));
}

function describe(clusters: readonly DuplicateCluster[], shown: readonly DuplicateCluster[]): string[] {
  if (clusters.length === 0) return ['No page says what another says.'];
  const members = clusters.flatMap((cluster) => cluster.members);
  const exact = members.filter(({ kind }) => kind === 'exact').length;
  const near = members.filter(({ kind }) => kind === 'near').length;
  const lines = [
    `${count(clusters.length, 'cluster')}: ${count(exact, 'exact copy', 'exact copies')}, ${count(near, 'near-duplicate')}`,
  ];
  for (const cluster of shown) {
    lines.push('', cluster.canonical);
    for (const member of cluster.members) if (member.url !== cluster.canonical) lines.push(`  ${line(member)}`);
  }
  if (shown.length < clusters.length)
    lines.push('', `${clusters.length - shown.length} more: --limit ${clusters.length}`);
  return lines;
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

function line({ url, kind, jaccard }: ClusterMember): string {
  if (kind === undefined) return `first  ${url}`;
  return kind === 'exact' ? `same   ${url}` : `${(jaccard ?? 0).toFixed(3)}  ${url}`;
}
