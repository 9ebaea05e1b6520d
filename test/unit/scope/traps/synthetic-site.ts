import { fingerprint } from '../../../../src/base/fingerprint.ts';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import type { Novelty } from '../../../../src/contracts/trap-guard.ts';
import { NearIndex } from '../../../../src/dedupe/near/near-index.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { extractPage } from '../../../../src/extract/extract-page.ts';
import type { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { normalizeUrl } from '../../../../src/url/normalize.ts';
import { createResolver } from '../../../../src/url/resolver.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';
import type { Answer, Site } from './drive.ts';

const resolver = (base: string) => {
  const made = createResolver(base, defaultUrlOptions);
  return (reference: string) => made.resolve(reference);
};

/** A synthetic web as the guard meets it: bytes and text are compared with all that came before. No network. */
export function syntheticSite(web: SyntheticWeb, seeds: readonly string[], follows: (url: string) => boolean): Site {
  const digests = new Set<bigint>();
  const sketches: ContentSketch[] = [];
  const index = new NearIndex({ contentSketch: (document) => sketches[document] });
  const maker = new Sketcher();

  function noveltyOf(body: string, text: string): Novelty {
    const digest = fingerprint(body);
    if (digests.has(digest)) return 'duplicate';
    digests.add(digest);
    const contentSketch = maker.of(text);
    if (contentSketch === undefined) return 'new';
    const alike = index.alike(contentSketch).length > 0;
    index.add(sketches.push(contentSketch) - 1, contentSketch);
    return alike ? 'near-duplicate' : 'new';
  }
  return {
    seeds,
    answer(url): Answer {
      const { host, origin } = new URL(url);
      const number = web.hosts.find(host);
      const located = web.locate(number, url.slice(origin.length));
      const { status, headers, body } = web.reply(number, located, { before: 1, now: 0 });
      const pace = web.bytesPerSecond(number, located);
      const fetchMs = pace === 0 ? 50 : Math.min(60_000, (body.length * 1000) / pace);
      const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'location');
      if (at !== -1) {
        const to = normalizeUrl(headers[at + 1], defaultUrlOptions, url as never);
        return { ...(to === undefined || !follows(to) ? { novelty: 'gone' } : { to }), bytes: 0, fetchMs };
      }
      if (status !== 200 || headers.includes('Content-Encoding'))
        return { novelty: status < 500 && status !== 200 ? 'gone' : 'failed', bytes: 0, fetchMs };
      if (fetchMs >= 60_000) return { novelty: 'failed', bytes: pace * 60, fetchMs };
      // Telling these takes a probe of the host, which is another part's business.
      if (located.kind === 'trap' && located.trap === 'brokenLinks') return { novelty: 'soft-not-found', bytes: 900 };
      const page = extractPage(body, { url, text: true, resolver });
      const links = page.links.filter(
        (link) =>
          !link.nofollow &&
          (link.kind === 'a' || link.kind === 'area' || link.kind === 'iframe' || link.kind === 'frame'),
      );
      return {
        novelty: noveltyOf(body, page.text ?? ''),
        links: links.map((link) => link.url).filter(follows),
        bytes: body.length,
        fetchMs,
      };
    },
  };
}
