/**
 * How many of the recorded sitemaps of the corpus are read as they must be: `npx node tools/score-sitemaps.ts [--verbose]`.
 * The corpus records two ways of reading: strict (location rule, well-formed only) and lenient.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SitemapEntry, SitemapReference } from '../src/extract/sitemap/sitemap-entry.ts';
import { SitemapReader } from '../src/extract/sitemap/sitemap-reader.ts';

interface SitemapCase {
  readonly source: string;
  readonly strict_location: boolean;
  readonly strict_namespace: boolean;
  readonly content_type: string | null;
  readonly url: string;
  readonly body?: string;
  readonly body_b64?: string;
  readonly error?: string;
  readonly type?: string;
  readonly urls?: readonly { loc: string; lastmod: string | null; changefreq: string | null; priority: number }[];
  readonly sitemaps?: readonly { loc: string; lastmod: string | null }[];
}

/** What our reader makes of a case, in the words of the corpus. */
export function readCase(given: SitemapCase): unknown {
  const entries: SitemapEntry[] = [];
  const sitemaps: SitemapReference[] = [];
  const reader = new SitemapReader({
    url: given.url,
    contentType: given.content_type ?? undefined,
    strictLocation: given.strict_location,
    strictNamespace: given.strict_namespace,
    strictSyntax: given.strict_location,
    onEntries: (batch) => entries.push(...batch),
    onSitemaps: (batch) => sitemaps.push(...batch),
  });
  reader.push(given.body === undefined ? Buffer.from(given.body_b64 ?? '', 'base64') : Buffer.from(given.body));
  const outcome = reader.end();
  if (outcome.kind === 'unreadable') return { error: 'UnknownFormatException' };
  return {
    type: outcome.format.toUpperCase(),
    urls: entries.map((entry) => ({
      loc: entry.url,
      lastmod: isoOf(entry.lastModified),
      changefreq: entry.changeFrequency?.toUpperCase() ?? null,
      priority: entry.priority ?? 0.5,
    })),
    sitemaps: sitemaps.map((sitemap) => ({ loc: sitemap.url, lastmod: isoOf(sitemap.lastModified) })),
  };
}

/** What the corpus expects of a case, in the same form. */
export function expectedOf(given: SitemapCase): unknown {
  if (given.error !== undefined) return { error: given.error };
  return { type: given.type, urls: given.urls, sitemaps: given.sitemaps };
}

function isoOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

function main(): void {
  const folder = fileURLToPath(new URL('../../shared/corpora/sitemaps', import.meta.url));
  const lines = readFileSync(join(folder, 'crawler-commons.jsonl'), 'utf8').trim().split('\n');
  let right = 0;
  for (const [index, line] of lines.entries()) {
    const given = JSON.parse(line) as SitemapCase;
    const got = JSON.stringify(readCase(given));
    const expected = JSON.stringify(expectedOf(given));
    if (got === expected) right++;
    else if (process.argv.includes('--verbose')) console.log(`case ${index} ${given.source}\n  ${got}\n  ${expected}`);
  }
  console.log(`sitemaps: ${right} of ${lines.length} read as expected`);
}

if (import.meta.main) main();
