import { hash32, pick, unit } from '../simulate/model/seeded-hash.ts';
import { Zipf } from '../simulate/model/zipf.ts';
import type { RecordedGraph } from './replay/recorded-graph.ts';

export interface GeneratedGraphOptions {
  readonly pages: number;
  readonly seed: number;
  /** Pages for each host on average; their sizes follow Zipf's law. Default 100. */
  readonly pagesPerHost?: number;
  /** Links of a page to other hosts on average. Default 2.5, a quarter of all links. */
  readonly outsideLinks?: number;
}

const Purpose = {
  parent: 1,
  kind: 2,
  pages: 3,
  links: 4,
  target: 5,
  popularHost: 6,
  popularPage: 7,
  home: 8,
  words: 9,
  near: 10,
} as const;

/** Of the pages without children this many have no links at all: images with a page of their own, documents, dead ends. */
const DANGLING = 0.12;
/** Chance that a new page hangs on any page; else on the parent of one. Children then follow a power law of 2.7, as links on the web do. */
const TO_ANY_PAGE = 0.42;
/** Exponent of Zipf's law for hosts; with 1 a single host would get a tenth of all links. */
const HOST_POPULARITY = 0.8;
/** Of the links to other hosts this many stay in a community of hosts. */
const TO_COMMUNITY = 0.5;
const COMMUNITY = 20;
/** Of the pages this many have a link to the home page. */
const LINKS_HOME = 0.4;
/** Links to pages in the same folder. */
const NEIGHBOURS = 4;
/** Of the links to other hosts this many lead to the home page. */
const TO_HOME = 0.5;

/**
 * A web of hosts, made from a seed. Every host is a tree of pages in folders that has grown by preferential attachment, so
 * that most pages have no children and a few, the indexes and archives, have hundreds. A page links to its children, to its
 * parent and home, to some children of the home page, to popular pages of the host and to a neighbour, and to other hosts,
 * half of them to the home page. Popularity follows Zipf's law, among hosts as among the pages of a host, and has nothing
 * to do with size or place in the tree, so that popular pages can lie deep. Some nine links a page, three of four within the host.
 */
export function generateGraph(options: GeneratedGraphOptions): RecordedGraph {
  return new GraphMaker(options).make();
}

/** The home page of the most popular host. */
export function startOfGenerated(graph: RecordedGraph, options: GeneratedGraphOptions): number {
  const maker = new GraphMaker(options);
  const start = maker.homeOfMostPopular();
  if (start >= graph.urls.length) throw new RangeError('The graph is not of these options.');
  return start;
}

/** Pages of one host, home first: the parent of each, and its children from `childStarts[page]` on. */
interface Tree {
  readonly parents: Uint32Array;
  readonly childStarts: Uint32Array;
  readonly children: Uint32Array;
}

class GraphMaker {
  readonly #seed: number;
  readonly #pages: number;
  readonly #outside: number;
  /** First page of each host, and the end. */
  readonly #starts: Uint32Array;
  readonly #popularHosts: Uint32Array;
  readonly #hostLaw: Zipf;
  readonly #pageLaws = new Map<number, Zipf>();
  #links = new Uint32Array(1 << 16);
  #filled = 0;

  constructor({ pages, seed, pagesPerHost = 100, outsideLinks = 2.5 }: GeneratedGraphOptions) {
    this.#seed = seed;
    this.#pages = pages;
    this.#outside = outsideLinks;
    this.#starts = hostStarts(pages, Math.max(1, Math.round(pages / pagesPerHost)));
    const hosts = this.#starts.length - 1;
    this.#popularHosts = shuffled(hosts, (at) => hash32(seed, at, 0, Purpose.popularHost));
    this.#hostLaw = new Zipf(hosts, HOST_POPULARITY);
  }

  homeOfMostPopular(): number {
    return this.#starts[this.#popularHosts[0]];
  }

  make(): RecordedGraph {
    const urls: string[] = new Array(this.#pages);
    const starts = new Uint32Array(this.#pages + 1);
    for (let host = 0; host + 1 < this.#starts.length; host++) {
      const first = this.#starts[host];
      const tree = this.#grow(first, this.#starts[host + 1] - first);
      for (let page = 0; page < tree.parents.length; page++) {
        urls[first + page] = page === 0 ? `http://h${host}.example/` : below(urls[first + tree.parents[page]], page);
        this.#linksOf(host, page, tree);
        starts[first + page + 1] = this.#filled;
      }
    }
    return { urls, starts, targets: this.#links.slice(0, this.#filled) };
  }

  /** A page is a child of any earlier page with a chance in proportion to the children that page has, and one. */
  #grow(first: number, size: number): Tree {
    const parents = new Uint32Array(size);
    const childStarts = new Uint32Array(size + 1);
    for (let page = 1; page < size; page++) {
      const draw = this.#draw(first + page, 0, Purpose.parent);
      const earlier = pick(draw, page);
      parents[page] = unit(this.#draw(first + page, 1, Purpose.parent)) < TO_ANY_PAGE ? earlier : parents[earlier];
      childStarts[parents[page] + 1]++;
    }
    for (let page = 0; page < size; page++) childStarts[page + 1] += childStarts[page];
    const children = new Uint32Array(size);
    const next = childStarts.slice(0, size);
    for (let page = 1; page < size; page++) children[next[parents[page]]++] = page;
    return { parents, childStarts, children };
  }

  #linksOf(host: number, page: number, { parents, childStarts, children }: Tree): void {
    const first = this.#starts[host];
    const size = parents.length;
    const own = first + page;
    const from = this.#filled;
    const add = (target: number): void => this.#add(from, own, target);
    for (let at = childStarts[page]; at < childStarts[page + 1]; at++) add(first + children[at]);
    const hasChildren = childStarts[page + 1] > childStarts[page];
    if (!hasChildren && page > 0 && unit(this.#draw(own, 0, Purpose.kind)) < DANGLING) return;
    if (page > 0) {
      const parent = parents[page];
      const siblings = childStarts[parent + 1] - childStarts[parent];
      if (unit(this.#draw(own, 1, Purpose.kind)) < LINKS_HOME) add(first);
      add(first + parent);
      // The first page of a folder is its cover, and the others are leafed through.
      add(first + children[childStarts[parent]]);
      for (let link = 0; link < NEIGHBOURS; link++) {
        add(first + children[childStarts[parent] + pick(this.#draw(own, link, Purpose.pages), siblings)]);
      }
    }
    for (let link = 0; link < 2; link++) add(this.#popularPage(host, size, this.#draw(own, link, Purpose.target)));
    this.#linksToOthers(host, own, add);
  }

  #linksToOthers(host: number, own: number, add: (target: number) => void): void {
    const count = pick(this.#draw(own, 0, Purpose.links), 2 * this.#outside + 1);
    for (let link = 0; link < count; link++) {
      const other = this.#otherHost(host, own, link);
      const isHome = unit(this.#draw(own, link, Purpose.kind)) < TO_HOME;
      const size = this.#starts[other + 1] - this.#starts[other];
      add(isHome ? this.#starts[other] : this.#popularPage(other, size, this.#draw(own, link, Purpose.words)));
    }
  }

  #otherHost(host: number, own: number, link: number): number {
    const draw = this.#draw(own, link, Purpose.home);
    if (unit(this.#draw(own, link, Purpose.near)) >= TO_COMMUNITY)
      return this.#popularHosts[this.#hostLaw.rank(unit(draw))];
    const hosts = this.#popularHosts.length;
    // Hosts are numbered by size, so that a community is made of hosts whose numbers leave the same rest.
    const communities = Math.max(1, Math.floor(hosts / COMMUNITY));
    return ((host % communities) + communities * pick(draw, COMMUNITY)) % hosts;
  }

  /** A page of the host by popularity: the ranks are dealt to the pages by a hash. */
  #popularPage(host: number, size: number, draw: number): number {
    let law = this.#pageLaws.get(size);
    if (law === undefined) {
      law = new Zipf(size, 1);
      this.#pageLaws.set(size, law);
    }
    return this.#starts[host] + pick(this.#draw(host, law.rank(unit(draw)), Purpose.popularPage), size);
  }

  #add(from: number, own: number, target: number): void {
    if (target === own) return;
    for (let at = from; at < this.#filled; at++) if (this.#links[at] === target) return;
    if (this.#filled === this.#links.length) {
      const larger = new Uint32Array(2 * this.#filled);
      larger.set(this.#links);
      this.#links = larger;
    }
    this.#links[this.#filled++] = target;
  }

  #draw(a: number, b: number, purpose: number): number {
    return hash32(this.#seed, a, b, purpose);
  }
}

function below(parent: string, page: number): string {
  return `${parent.endsWith('/') ? parent : `${parent}/`}${page.toString(36)}`;
}

/** Sizes in proportion to 1 / rank, one page at least. */
function hostStarts(pages: number, hosts: number): Uint32Array {
  let sum = 0;
  for (let host = 1; host <= hosts; host++) sum += 1 / host;
  const starts = new Uint32Array(hosts + 1);
  let total = 0;
  for (let host = 0; host < hosts; host++) {
    total += Math.max(1, (pages - hosts) / sum / (host + 1) + 1);
    starts[host + 1] = Math.min(pages, Math.round(total));
  }
  starts[hosts] = pages;
  return starts;
}

function shuffled(count: number, draw: (at: number) => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = pick(draw(at), at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
