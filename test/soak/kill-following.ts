/**
 * kill -9 of whoever follows a growing archive, and of whoever makes the index anew:
 * `npm run soak:index -- --what follow|rebuild --kills 50`.
 * This process is the crawl: it visits pages (new ones, newer versions, some gone, some redirected, each with links to
 * others) while the child works on the index. A follower tells its place after each commit; a rebuild is killed at random
 * instants, or by itself at one of the steps with which the new index takes the place of the old. After each kill the index
 * must open, must not have gone back behind the place that was told, and must hold every page as it was last visited
 * before its place. In the end following and a rebuild must give the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { IndexSnapshot } from '../../src/contracts/search-index.ts';
import { SqliteLinkStore } from '../../src/engines/links/sqlite-link-store.ts';
import { FIELDS } from '../../src/index/fields.ts';
import { type IndexDisk, nodeIndexDisk } from '../../src/index/store/index-disk.ts';
import { ArchiveFollower } from '../../src/search/indexing/archive-follower.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import { CrawledFolder, html } from '../unit/search/indexing/crawled-folder.ts';

const SELF = fileURLToPath(import.meta.url);
const STEP = 25;
/** Renames and syncs of a switch: the parts of a segment, the manifest, the links. */
const STEPS_OF_SWITCH = 9;
/** While one child works: however slow the machine is, it must be able to keep up. */
const VISITS_PER_CHILD = 120;
const ANCHORS = FIELDS.indexOf('anchors');

export interface KilledFollowingOptions {
  readonly what: 'follow' | 'rebuild';
  readonly kills: number;
  /** From the first sign of life of a child to its kill, in milliseconds: at most so long. */
  readonly killWithinMs: number;
  /** Pages that the crawl goes round. */
  readonly pages: number;
  readonly random: () => number;
  readonly onKill?: (kills: number) => void;
}

export interface KilledFollowingReport {
  readonly kills: number;
  readonly visits: number;
  /** Places that went back, and pages whose last visit lies before the place but is not in the index. */
  readonly lost: string[];
  /** What a rebuild gives otherwise than following gave. */
  readonly different: string[];
}

type Places = Readonly<Record<string, number>>;

/** The crawl, and what the index has to know of it. */
class GrowingCrawl {
  readonly crawl: CrawledFolder;
  /** By URL: the title of the last visit ('' where the page is gone) and where it lies. */
  readonly last = new Map<string, { readonly title: string; readonly file: string; readonly offset: number }>();
  visits = 0;
  readonly #pages: number;
  readonly #random: () => number;

  constructor(folder: string, pages: number, random: () => number) {
    this.crawl = new CrawledFolder(folder);
    this.#pages = pages;
    this.#random = random;
  }

  async visit(): Promise<void> {
    const n = this.visits < this.#pages ? this.visits : Math.floor(this.#random() * this.#pages);
    const version = this.visits++;
    const url = urlOf(n);
    const chance = this.#random();
    const isGone = version >= this.#pages && chance < 0.1;
    // Never two in a row: what is said of three pages would come together then, and a little more of much may wait.
    const isMoved = version >= this.#pages && n % 5 === 0 && chance >= 0.1 && chance < 0.4;
    const title = isGone || isMoved ? '' : `v${version} of ${n}`;
    const next = (n + 1) % this.#pages;
    const visited = isGone
      ? { status: 404, outcome: { kind: 'gone', status: 404 } as const }
      : isMoved
        ? { status: 301, outcome: { kind: 'redirected', to: urlOf(next), status: 301 } as const }
        : { html: html(title, '', [[urlOf(next), `anchor${next}x`]]), text: `unique${n}x version${version}x` };
    const { location, at } = await this.crawl.archive(url, visited as never);
    this.crawl.settle(url, visited as never, location, at);
    this.last.set(url, { title, file: location.file, offset: location.offset });
  }
}

export async function killedFollowing(options: KilledFollowingOptions): Promise<KilledFollowingReport> {
  const { what, kills, pages, random } = options;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-kill-following-'));
  const growing = new GrowingCrawl(folder, pages, random);
  const lost: string[] = [];
  let told: Places = {};
  let struck = 0;
  try {
    for (let at = 0; at < pages; at++) await growing.visit();
    if (what === 'rebuild') await followCrawl(folder, { mode: 'catch-up' });
    while (struck < kills && lost.length === 0) {
      const ended = await runChild(folder, options, growing);
      if (ended.killed) struck++;
      if (ended.killed) options.onKill?.(struck);
      if (ended.told !== undefined) told = ended.told;
      told = await check(folder, growing, told, lost);
    }
    return { kills: struck, visits: growing.visits, lost, different: lost.length > 0 ? [] : await compare(folder) };
  } finally {
    await growing.crawl[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runChild(
  folder: string,
  { what, killWithinMs, random }: KilledFollowingOptions,
  growing: GrowingCrawl,
): Promise<{ readonly killed: boolean; readonly told?: Places }> {
  // Half of the rebuilds end themselves in the midst of the switch, which a random instant would hardly ever meet.
  const step = what === 'rebuild' && random() < 0.5 ? 1 + Math.floor(random() * STEPS_OF_SWITCH) : 0;
  const args = [SELF, '--child', folder, '--what', what, '--end-at', String(step)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdout.on('data', (chunk) => {
    if (output === '' && step === 0) setTimeout(() => child.kill('SIGKILL'), killWithinMs * random()).unref();
    output += chunk;
  });
  const ended = endOf(child);
  // The crawl goes on while the child works.
  for (let visits = 0; ; visits++) {
    const going = visits < VISITS_PER_CHILD ? growing.visit().then(() => systemClock.sleep(5)) : ended;
    const end = await Promise.race([ended, going]);
    if (typeof end !== 'object') continue;
    if (end.signal !== 'SIGKILL' && end.code !== 0) throw new Error(`the child ended with ${end.code}: ${complaint}`);
    // A line that was cut in the middle was not told.
    const line = output.split('\n').slice(0, -1).at(-1) ?? '';
    const isPlace = line.startsWith('{');
    return {
      killed: end.signal === 'SIGKILL',
      ...(isPlace ? { told: (JSON.parse(line).archive ?? {}) as Places } : {}),
    };
  }
}

function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Answers how far the index has come. */
async function check(folder: string, growing: GrowingCrawl, told: Places, lost: string[]): Promise<Places> {
  await using opened = await openIndexOf(folder);
  const reached = ((opened.index.place ?? {}) as { archive?: Places }).archive ?? {};
  for (const [file, place] of Object.entries(told))
    if ((reached[file] ?? 0) < place) lost.push(`${file}: back at ${reached[file]} after ${place}`);
  using snapshot = opened.index.snapshot();
  for (const [url, { title, file, offset }] of growing.last) {
    if (offset >= (reached[file] ?? 0)) continue;
    const number = snapshot.find(url);
    const found = number === undefined ? '' : snapshot.document(number).title;
    if (found !== title) lost.push(`${url}: "${found}" instead of "${title}"`);
  }
  return reached;
}

/** What following left, and what a rebuild from the same archive gives. */
async function compare(folder: string): Promise<string[]> {
  await followCrawl(folder, { mode: 'catch-up' });
  const before = await contentsOf(folder);
  await rebuildIndex(folder, systemClock);
  await followCrawl(folder, { mode: 'catch-up' });
  const after = await contentsOf(folder);
  const different: string[] = [];
  for (const id of new Set([...before.keys(), ...after.keys()]))
    if (before.get(id) !== after.get(id)) different.push(`${id}: ${before.get(id)} | ${after.get(id)}`);
  return different;
}

/** Each document with its title and the length of its fields, and whether its own words and its anchor lead to it alone. */
async function contentsOf(folder: string): Promise<Map<string, string>> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  const contents = new Map<string, string>();
  const { top } = snapshot.top({ kind: 'all' }, Math.max(1, snapshot.documents));
  for (const { document } of top) {
    const { id, title, lengths } = snapshot.document(document);
    const n = id.split('/').at(-1);
    const named = lengths[ANCHORS] > 0 ? idsWith(snapshot, `anchor${n}x`) : '';
    contents.set(id, `${title} ${lengths} ${idsWith(snapshot, `unique${n}x`)} ${named}`);
  }
  return contents;
}

function idsWith(snapshot: IndexSnapshot, term: string): string {
  const { top } = snapshot.top({ kind: 'term', terms: [term] }, 10);
  return String(top.map(({ document }) => snapshot.document(document).id).sort());
}

function urlOf(n: number): string {
  return `http://h${n % 7}.example/${n}`;
}

/** The child that follows: tells its place after each commit. */
async function follow(folder: string): Promise<void> {
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  using links = new SqliteLinkStore(folder);
  using follower = new ArchiveFollower({ folder, index, links, clock: systemClock });
  for (;;) {
    const { caughtUp } = await follower.step(STEP);
    if (caughtUp) writeSync(1, `${JSON.stringify(index.place ?? {})}\n`);
    await systemClock.sleep(1);
  }
}

/** The child that makes the index anew; with `endAt` it ends itself at that step of the switch. */
async function rebuild(folder: string, endAt: number): Promise<void> {
  writeSync(1, 'begun\n');
  let steps = 0;
  const step = (): void => {
    if (++steps === endAt) process.kill(process.pid, 'SIGKILL');
  };
  const disk: IndexDisk = {
    ...nodeIndexDisk,
    rename(from, to) {
      step();
      nodeIndexDisk.rename(from, to);
    },
    syncFolder(place) {
      step();
      nodeIndexDisk.syncFolder(place);
    },
  };
  await rebuildIndex(folder, systemClock, () => {}, disk);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      child: { type: 'string' },
      what: { type: 'string', default: 'follow' },
      'end-at': { type: 'string', default: '0' },
    },
  });
  if (values.child === undefined) throw new Error('Started by: npm run soak:index -- --what follow|rebuild');
  if (values.what === 'follow') await follow(values.child);
  else await rebuild(values.child, Number(values['end-at']));
}
