import { fingerprint } from '../../base/fingerprint.ts';
import type { Novelty, PatternReport, TrapVerdict, VisitEvidence } from '../../contracts/trap-guard.ts';

/** Shorter numbers are mostly counted, not drawn. */
const SHORTEST_NUMBER = 10;
/** The same for letters and digits mixed. */
const SHORTEST_MIXED = 16;
const FEWEST_OF_EACH = 3;
/** Pages that came again until a value is taken to change nothing: for each of them, and for pages that were visited once. */
const PAGES_AGAIN = 3;
const PAGES_WIDELY = 25;
/** How many copies outweigh one page that was another. */
const COPIES_PER_CONTRADICTION = 10;
const MOST_HOSTS = 256;
const MOST_NAMES = 16;
/** Pages remembered of one host and parameter; further ones are left to the accounts of the guard. */
const MOST_PAGES = 5000;
/** Pages of all hosts. */
const MOST_IN_ALL = 100_000;
/** URLs with other values that are remembered of a page. */
const MOST_OTHERS = 8;
const LONGEST_WAIT = 64;
const HASH_MASK = (1n << 53n) - 1n;

/**
 * Of a page: the hash of the URL by which it was visited first, and of the text, where there is one; what other values brought, and
 * the hashes of the first URLs with them.
 */
type FirstVisit = readonly [url: number, text: string, since?: Since, others?: readonly number[]];
type Since = '' | 'copy' | 'another';

/** What is known of a parameter (or several) of one host whose value is a long number, or a mixture drawn by lot. */
interface Numbered {
  /** Visits that brought a page which was there under another value, and visits that brought another page. */
  copies: number;
  contradictions: number;
  /** Pages with a copy: of a single one the accounts of the guard know enough. */
  again: number;
  /** By the hash of the URL without the value. */
  readonly pages: Map<number, FirstVisit>;
  /** One that is let through although it must be a copy, for the site may have changed. */
  probe: string;
  probeAt: number;
  probeWait: number;
}

type SavedNumbered = readonly [
  names: string,
  copies: number,
  contradictions: number,
  probe: string,
  probeAt: number,
  probeWait: number,
  again: number | readonly number[],
  pages: readonly (readonly [page: number, first: FirstVisit])[],
];

/**
 * Session ids that no name gives away: `page.php?id=264684413484654`. Whether such a number names a page or a visitor is not to
 * be seen from it, so visits decide. Where pages that were visited come again under other numbers, and no other page does,
 * the number changes nothing: links to pages that were visited already are then held, and links to all others go on. A number may
 * mean nothing to some pages of a site (log in, rate this) and name what others show: a page that was another under another number is
 * never held, and one that was visited once only where many have come again.
 */
export class RenumberedPages {
  readonly #hosts = new Map<string, Map<string, Numbered>>();
  readonly #probeEvery: number;
  #pages = 0;

  constructor(probeEvery: number) {
    this.#probeEvery = probeEvery;
  }

  /** `leadsOn`: the page names URLs of its own pattern that nobody had named before. */
  observe({ task: { url, host }, novelty, copyOf, simhash }: VisitEvidence, leadsOn: boolean, now: number): void {
    const isCopy = novelty === 'duplicate' || novelty === 'near-duplicate';
    if (novelty !== 'new' && !isCopy) {
      if (LEFT.has(novelty)) this.#leave(url, host);
      return;
    }
    const own = withoutNumbers(url);
    if (own === undefined) return;
    const numbered = this.#numbered(host, own.names);
    if (numbered === undefined) return;
    const page = hashOf(own.rest);
    const text = simhash?.toString(16) ?? '';
    const before = numbered.pages.get(page);
    if (before === undefined) {
      if (numbered.pages.size < MOST_PAGES) this.#remember(host, numbered, page, [hashOf(url), text]);
      return;
    }
    const [first, firstText, since = '', others = []] = before;
    const visited = hashOf(url);
    // Visited again, as pages are that may have changed.
    if (first === visited || others.includes(visited)) return;
    const known = others.length < MOST_OTHERS ? [...others, visited] : others;
    const note = (seen: Since): unknown => numbered.pages.set(page, [first, firstText, seen, known]);
    note(since);
    if (novelty === 'new') {
      // A page that is known to be another each time, such as one that shows the news, tells no more of the others.
      if (since !== 'another' || !isSettled(numbered)) numbered.contradictions++;
      note('another');
    } else if (copyOf !== undefined && withoutNumbers(copyOf)?.rest === own.rest) {
      // Pages of one form, such as orders, are near-duplicates of each other: their texts differ, or they lead to no more of them.
      if (novelty === 'duplicate' || (leadsOn && text !== '' && text === firstText)) {
        numbered.copies++;
        if (since === '') {
          numbered.again++;
          note('copy');
        }
      }
    }
    if (numbered.probe === url) numbered.probe = '';
    if (numbered.probeAt === 0) numbered.probeAt = now + numbered.probeWait;
  }

  /** Undefined: nothing speaks against the URL here. */
  verdict(url: string, host: string, now: number): Extract<TrapVerdict, { held: true }> | undefined {
    const names = this.#hosts.get(host);
    if (names === undefined) return undefined;
    const own = withoutNumbers(url);
    const numbered = own && names.get(own.names);
    if (own === undefined || numbered === undefined || !isSettled(numbered)) return undefined;
    const first = numbered.pages.get(hashOf(own.rest));
    if (first === undefined || !isHeld(numbered, first) || first[0] === hashOf(url) || numbered.probe === url)
      return undefined;
    if (now >= numbered.probeAt) {
      numbered.probe = url;
      numbered.probeWait = Math.min(2 * numbered.probeWait, LONGEST_WAIT * this.#probeEvery);
      numbered.probeAt = now + numbered.probeWait;
      return undefined;
    }
    const pattern = patternOf(host, own.names);
    return { held: true, pattern, reason: `${pattern} is held: ${reasonOf(own.names, numbered)}` };
  }

  *report(): Generator<PatternReport> {
    for (const [host, names] of this.#hosts) {
      for (const [name, numbered] of names) {
        if (!isSettled(numbered)) continue;
        const { copies, contradictions, pages } = numbered;
        yield {
          pattern: patternOf(host, name),
          state: 'held',
          reason: `held: ${reasonOf(name, numbered)}; pages that were not visited yet go on`,
          known: pages.size + copies,
          visits: pages.size + copies + contradictions,
          novel: pages.size + contradictions,
          nearDuplicates: 0,
          duplicates: copies,
          failures: 0,
          fromElsewhere: 0,
        };
      }
    }
  }

  save(): readonly (readonly [host: string, names: readonly SavedNumbered[]])[] {
    return [...this.#hosts].map(([host, names]) => [
      host,
      [...names].map(([name, { copies, contradictions, probe, probeAt, probeWait, again, pages }]) => [
        ...([name, copies, contradictions, probe, probeAt, probeWait, again] as const),
        [...pages],
      ]),
    ]);
  }

  /** Takes what `save` gave; snapshots of earlier versions have nothing. */
  load(saved: unknown): void {
    this.#hosts.clear();
    this.#pages = 0;
    for (const [host, names] of (saved ?? []) as ReturnType<RenumberedPages['save']>) {
      const entries = names.map(([name, copies, contradictions, probe, probeAt, probeWait, again, pages]) => {
        this.#pages += pages.length;
        const count = typeof again === 'number' ? again : again.length;
        const known = { copies, contradictions, probe, probeAt, probeWait, again: count, pages: new Map(pages) };
        return [name, known] as const;
      });
      this.#hosts.set(host, new Map(entries));
    }
  }

  #numbered(host: string, name: string): Numbered | undefined {
    let names = this.#hosts.get(host);
    if (names === undefined) {
      names = new Map();
      if (this.#hosts.size >= MOST_HOSTS) this.#forgetFirst(host);
      this.#hosts.set(host, names);
    }
    const known = names.get(name);
    if (known !== undefined || names.size >= MOST_NAMES) return known;
    const made = {
      copies: 0,
      contradictions: 0,
      again: 0,
      pages: new Map(),
      probe: '',
      probeAt: 0,
      probeWait: this.#probeEvery,
    };
    names.set(name, made);
    return made;
  }

  #remember(host: string, { pages }: Numbered, page: number, first: FirstVisit): void {
    if (this.#pages >= MOST_IN_ALL) this.#forgetFirst(host);
    if (this.#pages >= MOST_IN_ALL) return;
    pages.set(page, first);
    this.#pages++;
  }

  /** The host that came first goes first, but not the one that is being visited. */
  #forgetFirst(visited: string): void {
    for (const [host, names] of this.#hosts) {
      if (host === visited) continue;
      for (const { pages } of names.values()) this.#pages -= pages.size;
      this.#hosts.delete(host);
      return;
    }
  }

  /** A page that is no longer there under the value that it was visited by may come under another: sessions end. */
  #leave(url: string, host: string): void {
    const own = this.#hosts.has(host) ? withoutNumbers(url) : undefined;
    const pages = own && this.#hosts.get(host)?.get(own.names)?.pages;
    const page = own && hashOf(own.rest);
    if (page === undefined || pages?.get(page)?.[0] !== hashOf(url)) return;
    pages.delete(page);
    this.#pages--;
  }
}

/** Visits that did not bring the page, and for good. */
const LEFT: ReadonlySet<Novelty> = new Set(['gone', 'soft-not-found', 'redirected']);

function isSettled({ copies, contradictions, again }: Numbered): boolean {
  return again >= PAGES_AGAIN && copies >= COPIES_PER_CONTRADICTION * contradictions;
}

function isHeld({ again }: Numbered, [, , since = '']: FirstVisit): boolean {
  return since === 'copy' || (since === '' && again >= PAGES_WIDELY);
}

function patternOf(host: string, names: string): string {
  return `${host}/**?${names}`;
}

function reasonOf(names: string, { copies }: Numbered): string {
  return `what ${names} holds changes nothing, ${copies} pages were the same under another value`;
}

/** A URL without the values that are long numbers or drawn by lot, and the names of their parameters; undefined where it has none. */
function withoutNumbers(url: string): { readonly rest: string; readonly names: string } | undefined {
  const query = url.indexOf('?');
  if (query === -1 || url.length - query < SHORTEST_NUMBER) return undefined;
  const names: string[] = [];
  const parameters = url
    .slice(query + 1)
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=');
      if (equals === -1 || !isDrawn(parameter, equals + 1)) return parameter;
      names.push(parameter.slice(0, equals));
      return parameter.slice(0, equals + 1);
    });
  if (names.length === 0) return undefined;
  return { rest: `${url.slice(0, query + 1)}${parameters.join('&')}`, names: names.join('&') };
}

function isDrawn(parameter: string, from: number): boolean {
  const length = parameter.length - from;
  if (length < SHORTEST_NUMBER) return false;
  let digits = 0;
  let letters = 0;
  for (let i = from; i < parameter.length; i++) {
    const code = parameter.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters++;
    else return false;
  }
  return letters === 0 || (length >= SHORTEST_MIXED && digits >= FEWEST_OF_EACH && letters >= FEWEST_OF_EACH);
}

function hashOf(text: string): number {
  return Number(fingerprint(text) & HASH_MASK);
}
