import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OrbweaverError } from '../../base/errors.ts';
import type { ClusterMember, DuplicateCluster } from '../../crawl/report/duplicate-clusters.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { writeText } from './write-text.ts';

export interface DuplicateOptions {
  readonly json: boolean;
  readonly limit: number;
  readonly threshold: number;
  /** Compares all stored texts with each other instead of telling what the crawl has found. */
  readonly scan: boolean;
  /** A file of texts, or '-'. */
  readonly jsonl?: string;
}

export async function showDuplicates(crawl: AskedCrawl, options: DuplicateOptions): Promise<void> {
  if (options.jsonl !== undefined) return await printPairs(await linesOf(options.jsonl), options.threshold);
  using reader = await openAskedCrawl(crawl, options.scan ? 'urls' : 'duplicates');
  if (options.scan) return await printPairs(reader.texts(), options.threshold);
  const clusters = reader.duplicates();
  const shown = clusters.slice(0, options.limit);
  if (options.json) process.stdout.write(`${JSON.stringify({ total: clusters.length, clusters: shown })}\n`);
  else writeText(`${describe(clusters, shown).join('\n')}\n`);
}

type Documents = AsyncIterable<{ readonly id: string | number; readonly text: string }>;

async function printPairs(documents: Documents, threshold: number): Promise<void> {
  const { printDuplicatePairs } = await import('./duplicate-pairs.ts');
  await printDuplicatePairs({ threshold, documents, output: process.stdout });
}

async function linesOf(file: string): Promise<Documents> {
  const { documentLines } = await import('./duplicate-pairs.ts');
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
