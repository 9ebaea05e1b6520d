const DAY = 86_400_000;
/** Folders of more pages are a heap in which one says little of another. */
const MOST_IN_FOLDER = 64;
const MOST_PAGES = 200_000;
/** Changes remembered of a folder. */
const MOST_FOUND = 4;
/** What is left to learn from one more change found in the same folder. */
const LEFT_BY_ONE = 0.3;
/** Before anything is known a neighbour's change is taken to mean nothing, and this many telling visits are needed to doubt it. */
const DOUBT = 5;
const MOST_TRUST = 0.95;
/** After this many telling visits what they showed has faded to a third. */
const MEMORY = 5000;
/** Visits, and how many of them it takes until they are believed, by which is told whether these are busy times. */
const TIMES_MEMORY = 300;
const TIMES_DOUBT = 5;
/** By size of the folder, each class twice as large as the one before. */
const SIZE_CLASSES = 7;

/** A visit that has just been made. */
export interface NeighbourVisit {
  readonly url: string;
  readonly at: number;
  /** When the page was visited before, and the changes per day that were expected of it; undefined at the first visit. */
  readonly before?: { readonly visitedAt: number; readonly rate: number };
  readonly changed: boolean;
}

/** A page that may have changed together with a neighbour. */
export interface NeighbourHint {
  readonly url: string;
  /** The chance that it has, beside what is expected of it anyway. */
  readonly trust: number;
}

/** What was learnt, per class of folders: how far pages changed beyond expectation after neighbours did, and how often. */
export interface NeighboursSnapshot {
  readonly excess: readonly number[];
  readonly weight: readonly number[];
  /** Changes found and expected lately, for telling whether these are busy times. */
  readonly found?: number;
  readonly expected?: number;
}

interface Folder {
  readonly pages: Map<string, number>;
  found: { readonly url: string; readonly from: number; readonly at: number }[];
  /** Too many pages to be neighbours. */
  overLimit: boolean;
}

/**
 * Pages of one folder are often edited together. When a page is found changed, those beside it that were not looked at since
 * may have changed as well. What that is worth is measured at every visit, whether or not it was made for that reason: how
 * much oftener pages are found changed after a neighbour was than is expected of them. Of a fixed size.
 */
export class NeighbourChanges {
  readonly #excess: number[];
  readonly #weight: number[];
  /** By use, the longest unused first. */
  readonly #folders = new Map<string, Folder>();
  #pages = 0;
  /** Of the last visits of which no neighbour had told anything: changes found and expected. */
  #found: number;
  #expected: number;

  constructor(kept?: NeighboursSnapshot) {
    this.#excess = Array.from({ length: SIZE_CLASSES }, (_, size) => kept?.excess[size] ?? 0);
    this.#weight = Array.from({ length: SIZE_CLASSES }, (_, size) => kept?.weight[size] ?? 0);
    this.#found = kept?.found ?? 0;
    this.#expected = kept?.expected ?? 0;
  }

  /** Learns from a visit; answers whose next visits are to be thought over. */
  visited(visit: NeighbourVisit): NeighbourHint[] {
    const { url, at, before, changed } = visit;
    const folder = this.#folderOf(url);
    if (folder.overLimit) return [];
    if (before !== undefined) this.#learn(folder, visit, before);
    this.#enter(folder, url, at);
    if (!changed || before === undefined || folder.overLimit) return [];
    folder.found = [...folder.found.slice(1 - MOST_FOUND), { url, from: before.visitedAt, at }];
    const worth = this.#worth(folder);
    if (worth <= 0) return [];
    const hints: NeighbourHint[] = [];
    // A hint is worth the less the likelier all other pages are to have changed, too.
    const less = 1 / Math.max(1, this.#busyness());
    for (const [neighbour, visitedAt] of folder.pages) {
      const chance = Math.min(MOST_TRUST, worth * strengthFor(folder, neighbour, visitedAt));
      const trust = 1 - (1 - chance) ** less;
      if (trust > 0.01) hints.push({ url: neighbour, trust });
    }
    return hints;
  }

  forget(url: string): void {
    if (this.#folderOf(url).pages.delete(url)) this.#pages--;
  }

  toJSON(): NeighboursSnapshot {
    return { excess: this.#excess, weight: this.#weight, found: this.#found, expected: this.#expected };
  }

  #learn(folder: Folder, visit: NeighbourVisit, before: NonNullable<NeighbourVisit['before']>): void {
    const strength = strengthFor(folder, visit.url, before.visitedAt);
    const changes = (before.rate * (visit.at - before.visitedAt)) / DAY;
    const found = visit.changed ? 1 : 0;
    if (strength < 0.01) {
      this.#found += found - this.#found / TIMES_MEMORY;
      this.#expected += -Math.expm1(-changes) - this.#expected / TIMES_MEMORY;
      return;
    }
    const size = sizeClassOf(folder);
    const expected = -Math.expm1(-changes * this.#busyness());
    const keep = 1 - 1 / MEMORY;
    this.#excess[size] = this.#excess[size] * keep + (found - expected) * strength;
    this.#weight[size] = this.#weight[size] * keep + (1 - expected) * strength * strength;
  }

  /** Changes found to those expected: in busy times pages change together that have nothing to do with each other. */
  #busyness(): number {
    return (this.#found + TIMES_DOUBT) / (this.#expected + TIMES_DOUBT);
  }

  #worth(folder: Folder): number {
    const size = sizeClassOf(folder);
    return this.#excess[size] / (this.#weight[size] + DOUBT);
  }

  #folderOf(url: string): Folder {
    const name = folderNameOf(url);
    const known = this.#folders.get(name);
    if (known !== undefined) {
      this.#folders.delete(name);
      this.#folders.set(name, known);
      return known;
    }
    const folder: Folder = { pages: new Map(), found: [], overLimit: false };
    this.#folders.set(name, folder);
    return folder;
  }

  #enter(folder: Folder, url: string, at: number): void {
    if (!folder.pages.has(url)) this.#pages++;
    folder.pages.set(url, at);
    if (folder.pages.size > MOST_IN_FOLDER) {
      folder.overLimit = true;
      folder.found = [];
      this.#pages -= folder.pages.size;
      folder.pages.clear();
    }
    for (const [name, oldest] of this.#folders) {
      // Folders without pages are few bytes, but may be many.
      if (this.#pages <= MOST_PAGES && this.#folders.size <= MOST_PAGES) break;
      if (oldest === folder) break;
      this.#folders.delete(name);
      this.#pages -= oldest.pages.size;
    }
  }
}

/**
 * How much was heard of a page since its last visit, 0 to 1. A change was found between two visits to the neighbour; so far as
 * that time lies before this page's own last visit, it has been looked at since.
 */
function strengthFor(folder: Folder, url: string, visitedAt: number): number {
  let left = 1;
  for (const { url: other, from, at } of folder.found) {
    if (other === url || at <= visitedAt) continue;
    left *= 1 - (1 - LEFT_BY_ONE) * Math.min(1, (at - visitedAt) / Math.max(1, at - from));
  }
  return 1 - left;
}

function sizeClassOf(folder: Folder): number {
  return Math.min(SIZE_CLASSES - 1, Math.floor(Math.log2(Math.max(1, folder.pages.size))));
}

/** Everything up to the last part of the path, which may end in a slash. A site's front page is among its first pages. */
function folderNameOf(url: string): string {
  // Asked at every visit: searching for signs takes a fraction of the time of patterns.
  const query = url.indexOf('?');
  const fragment = url.indexOf('#');
  let end = Math.min(query < 0 ? url.length : query, fragment < 0 ? url.length : fragment);
  if (url[end - 1] === '/') end--;
  const folder = end === 0 ? '' : url.slice(0, url.lastIndexOf('/', end - 1) + 1);
  return folder.endsWith('://') ? `${url.slice(0, end)}/` : folder;
}
