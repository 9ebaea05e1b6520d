/**
 * kill -9 while documents are indexed and segments merged, many times:
 * `npm run soak:index -- --kills 100 [--what import|follow|rebuild]`; kill-following.ts tells of the last two.
 * A child imports documents, some of them again in a newer version, and tells what it has committed; it is killed at
 * random instants. After each kill the index must open and hold all that was told. At the end it must give what an index
 * made anew from the same documents gives.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { IndexSnapshot, QueryNode, SearchIndex } from '../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../src/index/analysis/analyzer.ts';
import type { ImportedDocument } from '../../src/search/indexing/imports/document-block.ts';
import { DocumentStore } from '../../src/search/indexing/imports/document-store.ts';
import { importDocuments } from '../../src/search/indexing/imports/import-documents.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';

const SELF = fileURLToPath(import.meta.url);
const BATCH = 40;
const analyzer = createAnalyzer();
const WORDS = 'river stone maple cloud engine violin harbor copper meadow signal lantern orchard'.split(' ');

export interface KilledIndexOptions {
  readonly kills: number;
  /** From the first commit of a child to its kill, in milliseconds: at most so long. */
  readonly killWithinMs: number;
  /** Documents that a round goes through. */
  readonly documents: number;
  readonly random: () => number;
  readonly onKill?: (kills: number) => void;
}

export interface KilledIndexReport {
  readonly kills: number;
  readonly committed: number;
  /** Told as committed, but not in the index or in an older version. */
  readonly lost: string[];
  /** Found by no search for their own word, or without a text. */
  readonly unfindable: string[];
  /** Queries whose documents are others than in an index made anew. */
  readonly different: string[];
}

/** Version v of document n. */
function documentOf(n: number, version: number): ImportedDocument {
  const words = Array.from({ length: 40 }, (_, at) => WORDS[(n * 7 + at * at + version) % WORDS.length]);
  return { id: `d${n}`, title: `v${version} of ${n}`, text: `unique${n}x ${words.join(' ')} version${version}x` };
}

/** Every round goes through the documents from its own start on: some are new, some replace what was there. */
function* roundOf(round: number, documents: number): Generator<ImportedDocument> {
  for (let at = 0; at < documents; at++) yield documentOf((round * 131 + at) % documents, round);
}

/** The child: tells the number of documents after each commit. */
async function importRound(folder: string, round: number, documents: number): Promise<void> {
  using store = new DocumentStore(folder);
  await using opened = await openIndexOf(folder);
  await importDocuments(roundOf(round, documents), {
    ...{ index: opened.index, store, clock: systemClock, commitDocuments: BATCH },
    onCommitted: (done) => writeSync(1, `${done}\n`),
  });
}

export async function killedIndex(options: KilledIndexOptions): Promise<KilledIndexReport> {
  const { kills, documents } = options;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-kill-index-'));
  const expected = new Map<string, number>();
  const lost: string[] = [];
  const unfindable: string[] = [];
  let committed = 0;
  let struck = 0;
  try {
    for (let round = 0; struck < kills; round++) {
      const { done, killed } = await runChild(folder, round, options);
      if (killed) struck++;
      if (killed) options.onKill?.(struck);
      committed += done;
      let at = 0;
      for (const { id } of roundOf(round, documents)) {
        if (at++ >= done) break;
        expected.set(id, round);
      }
      await check(folder, expected, round, lost, unfindable);
      if (lost.length + unfindable.length > 0) break;
    }
    return { kills: struck, committed, lost, unfindable, different: await compareWithNew(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runChild(
  folder: string,
  round: number,
  { documents, killWithinMs, random }: KilledIndexOptions,
): Promise<{ done: number; killed: boolean }> {
  return new Promise((resolve, reject) => {
    const args = [SELF, '--child', folder, '--round', String(round), '--documents', String(documents)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    let complaint = '';
    let timer: NodeJS.Timeout | undefined;
    // The clock runs from the first sign of life: how long a process takes to start says nothing about the index.
    child.stdout.on('data', (chunk) => {
      told += chunk;
      timer ??= setTimeout(() => child.kill('SIGKILL'), killWithinMs * random());
    });
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== 'SIGKILL' && code !== 0) return reject(new Error(`the import ended with ${code}: ${complaint}`));
      // A number that was cut in the middle was not told.
      const numbers = told.split('\n').slice(0, -1);
      resolve({ done: Number(numbers.at(-1) ?? 0), killed: signal === 'SIGKILL' });
    });
  });
}

async function check(
  folder: string,
  expected: ReadonlyMap<string, number>,
  round: number,
  lost: string[],
  unfindable: string[],
): Promise<void> {
  using store = new DocumentStore(folder);
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  for (const [id, version] of expected) {
    const number = snapshot.find(id);
    const found = number === undefined ? -1 : Number(/^v(\d+) of/.exec(snapshot.document(number).title)?.[1] ?? -1);
    if (found < version || found > round) lost.push(`${id}: version ${found} instead of ${version}`);
    const hits = idsOf(snapshot, `unique${id.slice(1)}x`);
    if (hits.length !== 1 || hits[0] !== id || store.get(id) === undefined) unfindable.push(`${id}: ${hits}`);
  }
}

/** What can be found must not depend on how the index came about. */
async function compareWithNew(folder: string): Promise<string[]> {
  const other = mkdtempSync(join(tmpdir(), 'orbweaver-rebuilt-index-'));
  try {
    using store = new DocumentStore(folder);
    await using opened = await openIndexOf(folder);
    const { index } = opened;
    await importDocuments(aheadOfIndex(store, index), { index, store, clock: systemClock });
    using made = new DocumentStore(other);
    await using anew = await openIndexOf(other);
    await importDocuments(store.all(), { index: anew.index, store: made, clock: systemClock });
    using before = index.snapshot();
    using after = anew.index.snapshot();
    const queries = [...WORDS, ...WORDS.map((word) => `${word} version1x`), 'version0x', 'version2x'];
    const different =
      before.documents === after.documents ? [] : [`${before.documents} and ${after.documents} documents`];
    return [...different, ...queries.filter((query) => `${idsOf(before, query)}` !== `${idsOf(after, query)}`)];
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}

/** The texts are durable a moment before the index speaks of them: a kill in between leaves a batch to be imported again. */
function aheadOfIndex(store: DocumentStore, index: SearchIndex): ImportedDocument[] {
  using snapshot = index.snapshot();
  return [...store.all()].filter(({ id, title }) => {
    const number = snapshot.find(id);
    return number === undefined || snapshot.document(number).title !== title;
  });
}

/** All documents that hold all words of the query, in the order of their ids. */
function idsOf(snapshot: IndexSnapshot, query: string): string[] {
  const nodes: QueryNode[] = analyzer.analyzeQuery(query, undefined).map(({ terms }) => ({ kind: 'term', terms }));
  const { top } = snapshot.top({ kind: 'and', nodes }, Math.max(1, snapshot.documents));
  return top.map(({ document }) => snapshot.document(document).id).sort();
}

async function soakImport(kills: number, documents: number): Promise<string[]> {
  const { onKill, random } = SOAK;
  const report = await killedIndex({ kills, documents, killWithinMs: 1500, random, onKill });
  const { lost, unfindable, different } = report;
  console.log(
    `import: ${report.kills} kills, ${report.committed} documents committed, ${lost.length} lost, ` +
      `${unfindable.length} not to be found, ${different.length} queries differ from an index made anew`,
  );
  return [...lost, ...unfindable, ...different];
}

async function soakFollowing(what: 'follow' | 'rebuild', kills: number, pages: number): Promise<string[]> {
  const { onKill, random } = SOAK;
  // The children of an import have no use for it, and start sooner without.
  const { killedFollowing } = await import('./kill-following.ts');
  const report = await killedFollowing({ what, kills, pages, killWithinMs: 1000, random, onKill });
  const { lost, different } = report;
  console.log(
    `${what}: ${report.kills} kills, ${report.visits} visits, ${lost.length} lost, ` +
      `${different.length} documents differ from an index made anew`,
  );
  return [...lost, ...different];
}

const SOAK = {
  random: Math.random,
  onKill: (kills: number): void => {
    if (kills % 10 === 0) console.log(`${kills} kills`);
  },
};

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '100' },
      what: { type: 'string', default: 'import' },
      pages: { type: 'string', default: '300' },
      child: { type: 'string' },
      round: { type: 'string', default: '0' },
      documents: { type: 'string', default: '4000' },
    },
  });
  if (values.child !== undefined) await importRound(values.child, Number(values.round), Number(values.documents));
  else {
    const kills = Number(values.kills);
    const problems =
      values.what === 'follow' || values.what === 'rebuild'
        ? await soakFollowing(values.what, kills, Number(values.pages))
        : await soakImport(kills, Number(values.documents));
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  }
}
