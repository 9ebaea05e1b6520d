import type { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { CrawlTask, Discovery } from '../../../../src/contracts/crawl-task.ts';
import type { Novelty, TrapGuard } from '../../../../src/contracts/trap-guard.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { hostKeyOf } from '../../../../src/url/host-key.ts';

/** What a made-up site answers. */
export interface Answer {
  /** 'new' where it is not said. */
  readonly novelty?: Novelty;
  readonly links?: readonly string[];
  /** Where a redirect leads. */
  readonly to?: string;
  /** Of a copy: of which page. */
  readonly copyOf?: string;
  readonly bytes?: number;
  readonly fetchMs?: number;
}

export interface Site {
  readonly seeds: readonly string[];
  /** Listed in the sitemap. */
  readonly listed?: readonly string[];
  answer(url: string): Answer;
}

export interface Drive {
  /** In the order of the visits. */
  readonly visited: readonly string[];
  /** Held back when the crawl had nothing else to do. */
  readonly held: ReadonlySet<string>;
  /** Whether a URL was held at any time. */
  readonly everHeld: ReadonlySet<string>;
}

export interface DriveOptions {
  readonly most?: number;
  /** Whether the guard is shown the links that were known. */
  readonly showsKnown?: boolean;
  readonly clock?: VirtualClock;
  readonly msPerVisit?: number;
  /** The user asked for the site, instead of the crawl finding it by links. */
  readonly wanted?: boolean;
}

const RECONSIDER_EVERY = 200;

/** A breadth-first crawl of a made-up site as the guard sees it, without any network. */
export function drive(guard: TrapGuard, site: Site, options: DriveOptions = {}): Drive {
  const { most = 100_000, showsKnown = true, clock, msPerVisit = 0, wanted = false } = options;
  if (wanted) for (const url of site.seeds) guard.wants(url as CanonicalUrl);
  const known = new Set<string>();
  const queue: CrawlTask[] = [];
  const held = new Map<string, CrawlTask>();
  const everHeld = new Set<string>();
  const visited: string[] = [];
  let next = 0;

  function hold(task: CrawlTask): void {
    held.set(task.url, task);
    everHeld.add(task.url);
  }
  function name(task: CrawlTask): void {
    known.add(task.url);
    if (guard.found(task).held) hold(task);
    else queue.push(task);
  }
  function reconsider(): void {
    for (const [url, task] of held) {
      if (guard.judge(task).held) continue;
      held.delete(url);
      queue.push(task);
    }
  }
  for (const url of site.seeds) name(taskOf(url, 0, { how: 'seed' }));
  for (const url of site.listed ?? []) if (!known.has(url)) name(taskOf(url, 1, { how: 'sitemap' }));
  while (visited.length < most) {
    if (next === queue.length) {
      guard.freeSamples();
      reconsider();
    }
    const task = queue[next++];
    if (task === undefined) break;
    if (guard.judge(task).held) {
      hold(task);
      continue;
    }
    clock?.advance(msPerVisit);
    visited.push(task.url);
    const { novelty = 'new', links = [], to, copyOf, bytes, fetchMs = 100 } = site.answer(task.url);
    const from = task.url;
    if (to !== undefined && !known.has(to))
      name({ ...taskOf(to, task.depth, { how: 'redirect', from }), redirects: 1 });
    const all = [...new Set(links)] as CanonicalUrl[];
    const knownLinks = all.filter((url) => known.has(url));
    for (const url of all) if (!known.has(url)) name(taskOf(url, task.depth + 1, { how: 'link', from }));
    guard.observe({
      task,
      novelty: to === undefined ? novelty : 'redirected',
      links: all.length,
      unknownLinks: all.length - knownLinks.length,
      fetchMs,
      bytes: bytes ?? 5000 + (textHash(task.url) % 20_000),
      ...(copyOf === undefined ? {} : { copyOf: copyOf as CanonicalUrl }),
      ...(showsKnown ? { known: () => knownLinks } : {}),
    });
    if (visited.length % RECONSIDER_EVERY === 0) reconsider();
  }
  return { visited, held: new Set(held.keys()), everHeld };
}

export function taskOf(url: string, depth: number, discovery: { how: Discovery['how']; from?: string }): CrawlTask {
  return {
    url: url as CanonicalUrl,
    host: hostKeyOf(url as CanonicalUrl),
    depth,
    redirects: 0,
    lane: depth,
    discovery: discovery as Discovery,
    purpose: 'page',
  };
}

/** A number that follows from a text. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
