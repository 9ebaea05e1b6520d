import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { PageFacts } from '../../../../src/contracts/content/page-facts.ts';
import type { KnownUrl } from '../../../../src/contracts/state/known-url.ts';
import type { InLinkCount } from '../../../../src/contracts/state/link-store.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';

const AT = Date.UTC(2026, 10, 17, 9);

/** A URL that the state knows, found by a link and waiting unless said otherwise. */
export function known(path: string, more: Partial<KnownUrl> = {}): KnownUrl {
  const url = (path.startsWith('http') ? path : `http://site.test${path}`) as CanonicalUrl;
  const state = more.state ?? (more.outcome === undefined ? 'waiting' : 'visited');
  return { url, host: new URL(url).host as HostKey, depth: 1, foundBy: 'link', foundAt: AT, ...more, state };
}

/** One that was visited and stored. */
export function page(path: string, facts: Partial<PageFacts> = {}, more: Partial<KnownUrl> = {}): KnownUrl {
  const usual = { status: 200, mediaType: 'text/html', bytes: 1000, directives: [], noindex: false, linkCount: 3 };
  const about = { textLength: 100, words: 20, description: `About ${path}` };
  const whole = { ...usual, title: `Title of ${path}`, about, fetchMs: 40, requestedAt: AT, ...facts };
  return known(path, { outcome: { kind: 'stored' }, status: 200, visitedAt: AT, facts: whole, ...more });
}

/** Links to URLs, by path; none of them on the page itself. */
export function linked(counts: Readonly<Record<string, number>>): () => Generator<InLinkCount> {
  return function* () {
    for (const [path, links] of Object.entries(counts)) {
      const key = fingerprint(path.startsWith('http') ? path : `http://site.test${path}`);
      yield { hi: Number(key >> 32n), lo: Number(key & 0xffffffffn), links, fromOthers: links };
    }
  };
}
