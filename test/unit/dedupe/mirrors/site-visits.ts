import type { MirrorFinder, MirrorFound, MirrorVisit } from '../../../../src/dedupe/mirrors/mirror-finder.ts';
import { textHash } from '../../../../src/dedupe/mirrors/text-hash.ts';

/** A site: what lies at each path. */
export type SiteText = (path: string) => string;

/** 64 bits as different as two texts are. */
export function simhashOf(text: string): bigint {
  return (BigInt(textHash(`${text}#high`)) << 32n) | BigInt(textHash(`${text}#low`));
}

export function visitTo(origin: string, target: string, text: string, more: Partial<MirrorVisit> = {}): MirrorVisit {
  return { origin, target, status: 200, at: 1_000_000, digest: text, simhash: simhashOf(text), words: 200, ...more };
}

export function pathsOf(count: number): string[] {
  return ['/', ...Array.from({ length: count - 1 }, (_, at) => `/articles/page-${at + 1}.html`)];
}

/** Visits the paths on all origins in turn. Answers the first verdict and after how many pages of each it fell. */
export function visitAll(
  finder: MirrorFinder,
  paths: readonly string[],
  sites: Readonly<Record<string, SiteText>>,
): { readonly found: MirrorFound; readonly after: number } | undefined {
  for (const [at, path] of paths.entries()) {
    for (const [origin, site] of Object.entries(sites)) {
      const found = finder.observe(visitTo(origin, path, site(path)));
      if (found !== undefined) return { found, after: at + 1 };
    }
  }
  return undefined;
}
