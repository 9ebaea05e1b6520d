/**
 * How well search ranks, on test collections with judged queries (corpora/ir, half A), with the defaults as shipped:
 * `npx node tools/score-retrieval.ts [--only=cacm,npl] [--k1=1.4] [--title=3] [--body-b=0.75] [--proximity=0.15] [--reference] [--by-query]`.
 * `--by-query` tells nDCG@10 of every query, to see which of them two versions differ in. Settings of the ranking can be tried; `--reference` ranks with a plain BM25 in memory over the same analysis instead
 * (of the settings it has k1 and body-b alone), to tell the analysis and the index apart.
 * Ends with 1 where nDCG@10 of a collection is below the better BM25 of reference-scores.json, or the mean is not above it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { DocumentFacts } from '../src/contracts/search-index.ts';
import { type Analyzer, createAnalyzer } from '../src/index/analysis/analyzer.ts';
import { DEFAULT_RANKING, type RankingOptions } from '../src/index/ranking-options.ts';
import { openSegmentIndex } from '../src/index/segment-index.ts';
import { Searcher } from '../src/search/searcher.ts';
import { SnapshotLeases } from '../src/search/snapshot-leases.ts';
import { corpus } from '../test/corpora.ts';

const COLLECTIONS = ['cranfield', 'cisi', 'med', 'npl', 'cacm', 'scifact'] as const;
const DEPTH = 1000;
/** Imported documents tell none. */
const LANGUAGE = '';

interface CollectionDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Collection {
  readonly documents: readonly CollectionDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Grades by query and document. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Ids of documents, the best first. */
type Rank = (query: string) => readonly string[];

interface Scores {
  readonly ndcg10: number;
  readonly map: number;
  readonly recall100: number;
}

function readLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function readCollection(folder: string): Collection {
  const judged = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').split('\n')) {
    const [query, document, grade] = line.split('\t');
    if (query === undefined || document === undefined || Number.isNaN(Number(grade))) continue;
    const grades = judged.get(query) ?? new Map<string, number>();
    judged.set(query, grades.set(document, Number(grade)));
  }
  return {
    documents: readLines(gunzipSync(readFileSync(join(folder, 'docs.jsonl.gz'))).toString('utf8')),
    queries: readLines(readFileSync(join(folder, 'queries.jsonl'), 'utf8')),
    judged,
  };
}

const NO_FACTS: DocumentFacts = {
  host: '',
  mediaType: '',
  language: LANGUAGE,
  date: 0,
  fetchedAt: 0,
  cluster: 0,
  spam: 0,
  rank: 0,
};

/** The index and the searcher as they are shipped. */
async function scoreIndex(collection: Collection, analyzer: Analyzer, ranking: RankingOptions): Promise<Scores> {
  const folder = mkdtempSync(join(tmpdir(), 'score-retrieval-'));
  try {
    await using index = await openSegmentIndex({ folder, analyze: analyzer.analyze, ranking });
    for (const { id, title, text } of collection.documents)
      index.add({ id, title, headings: '', body: text, description: '', anchors: [], facts: NO_FACTS });
    await index.commit();
    await index.settled();
    const leases = new SnapshotLeases({ version: () => 1, snapshot: () => index.snapshot() });
    await using searcher = new Searcher({
      leases,
      texts: { texts: async () => [] },
      analyze: analyzer.analyzeQuery,
      termsOf: analyzer.termsOf,
      now: () => performance.now(),
      close: async () => leases[Symbol.dispose](),
    });
    return score(collection, (query) => searcher.rank(query, DEPTH).map(({ id }) => id));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Plain BM25 over title and text in one field. */
function referenceRank(collection: Collection, analyzer: Analyzer, k1: number, b: number): Rank {
  const postings = new Map<string, Map<number, number>>();
  const lengths = collection.documents.map(({ title, text }, number) =>
    analyzer.analyze(`${title}\n${text}`, LANGUAGE, (term) => {
      const documents = postings.get(term) ?? new Map<number, number>();
      if (documents.size === 0) postings.set(term, documents);
      documents.set(number, (documents.get(number) ?? 0) + 1);
    }),
  );
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const scores = new Map<number, number>();
    for (const { terms, stop } of analyzer.analyzeQuery(query, undefined)) {
      if (stop) continue;
      const counts = unionOf(terms.flatMap((term) => postings.get(term) ?? []));
      const idf = Math.log(1 + (lengths.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [number, count] of counts) {
        const norm = k1 * (1 - b + (b * (lengths[number] as number)) / mean);
        scores.set(number, (scores.get(number) ?? 0) + (idf * count * (k1 + 1)) / (count + norm));
      }
    }
    const best = [...scores].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, DEPTH);
    return best.map(([number]) => collection.documents[number]?.id as string);
  };
}

function unionOf(maps: readonly ReadonlyMap<number, number>[]): ReadonlyMap<number, number> {
  const [only] = maps;
  if (maps.length === 1 && only !== undefined) return only;
  const union = new Map<number, number>();
  for (const map of maps) for (const [key, count] of map) union.set(key, (union.get(key) ?? 0) + count);
  return union;
}

function score({ queries, judged }: Collection, rank: Rank): Scores {
  const sums = { ndcg10: 0, map: 0, recall100: 0 };
  let judgedQueries = 0;
  for (const { id, text } of queries) {
    const grades = judged.get(id);
    const ideal = [...(grades?.values() ?? [])].filter((grade) => grade > 0).sort((a, b) => b - a);
    if (grades === undefined || ideal.length === 0) continue;
    judgedQueries++;
    const gains = rank(text).map((document) => Math.max(0, grades.get(document) ?? 0));
    const ndcg10 = discounted(gains) / discounted(ideal);
    if (options['by-query']) console.log(`${ndcg10.toFixed(4)}  ${id}  ${text.replaceAll(/\s+/g, ' ')}`);
    sums.ndcg10 += ndcg10;
    sums.map += averagePrecision(gains, ideal.length);
    sums.recall100 += gains.slice(0, 100).filter((gain) => gain > 0).length / ideal.length;
  }
  return {
    ndcg10: sums.ndcg10 / judgedQueries,
    map: sums.map / judgedQueries,
    recall100: sums.recall100 / judgedQueries,
  };
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

function averagePrecision(gains: readonly number[], relevant: number): number {
  let found = 0;
  let sum = 0;
  for (const [at, gain] of gains.entries()) if (gain > 0) sum += ++found / (at + 1);
  return sum / relevant;
}

type References = Record<string, Record<string, { readonly A: Readonly<Record<string, number>> }>>;

function betterBm25(references: References, collection: string): Scores {
  const columns = Object.entries(references[collection] ?? {}).filter(([name]) => name.startsWith('bm25'));
  const best = (measure: string) => Math.max(...columns.map(([, { A }]) => A[measure] as number));
  return { ndcg10: best('nDCG@10'), map: best('MAP'), recall100: best('R@100') };
}

function meanOf(scores: readonly Scores[]): Scores {
  const mean = (measure: keyof Scores) => scores.reduce((sum, each) => sum + each[measure], 0) / scores.length;
  return { ndcg10: mean('ndcg10'), map: mean('map'), recall100: mean('recall100') };
}

function line(name: string, ours: Scores, reference: Scores): string {
  const cells = (['ndcg10', 'map', 'recall100'] as const).flatMap((measure) => [
    ours[measure].toFixed(4),
    reference[measure].toFixed(4),
    `${ours[measure] < reference[measure] ? '' : '+'}${(ours[measure] - reference[measure]).toFixed(4)}`,
  ]);
  return `${name.padEnd(10)} ${cells.map((cell) => cell.padStart(8)).join(' ')}`;
}

const { values: options } = parseArgs({
  options: {
    reference: { type: 'boolean', default: false },
    'by-query': { type: 'boolean', default: false },
    only: { type: 'string', default: COLLECTIONS.join(',') },
    k1: { type: 'string', default: String(DEFAULT_RANKING.k1) },
    title: { type: 'string', default: String(DEFAULT_RANKING.weights.title) },
    'title-b': { type: 'string', default: String(DEFAULT_RANKING.b.title) },
    'body-b': { type: 'string', default: String(DEFAULT_RANKING.b.body) },
    proximity: { type: 'string', default: String(DEFAULT_RANKING.proximity) },
  },
});
const root = corpus('ir');
if (root === undefined) throw new Error('the collections (corpora/ir) are not beside the checkout');
const references = JSON.parse(readFileSync(join(root, 'reference-scores.json'), 'utf8')) as References;
const analyzer = createAnalyzer();
const ranking: RankingOptions = {
  ...DEFAULT_RANKING,
  k1: Number(options.k1),
  weights: { ...DEFAULT_RANKING.weights, title: Number(options.title) },
  b: { ...DEFAULT_RANKING.b, title: Number(options['title-b']), body: Number(options['body-b']) },
  proximity: Number(options.proximity),
};
const names = options.only.split(',');
const ours: Scores[] = [];
console.log(
  `${''.padEnd(10)} ${['nDCG@10', 'BM25', '', 'MAP', 'BM25', '', 'R@100', 'BM25', ''].map((head) => head.padStart(8)).join(' ')}`,
);
for (const name of names) {
  const collection = readCollection(join(root, name));
  const scores = options.reference
    ? score(collection, referenceRank(collection, analyzer, ranking.k1, ranking.b.body))
    : await scoreIndex(collection, analyzer, ranking);
  ours.push(scores);
  console.log(line(name, scores, betterBm25(references, name)));
}
const bars = names.map((name) => betterBm25(references, name));
const [mean, bar] = [meanOf(ours), meanOf(bars)];
console.log(line('mean', mean, bar));
const below = names.filter((_, at) => (ours[at] as Scores).ndcg10 < (bars[at] as Scores).ndcg10);
if (below.length > 0) console.log(`below the reference: ${below.join(', ')}`);
process.exitCode = below.length > 0 || mean.ndcg10 <= bar.ndcg10 ? 1 : 0;
