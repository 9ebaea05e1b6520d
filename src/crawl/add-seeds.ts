import { OrbweaverError } from '../base/errors.ts';
import type { CrawlOrder } from '../contracts/crawl-order.ts';
import type { CrawlTask } from '../contracts/crawl-task.ts';
import type { ForgottenEntry } from '../contracts/forgotten.ts';
import type { SeedScope } from '../contracts/seed.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { liesInCrawlFolder } from '../files/file-rules.ts';
import { createForgottenRule } from '../scope/forget-target.ts';
import type { SeedScopes } from '../scope/seed-scopes.ts';
import { rootsOf } from '../seeds/folder-seeds.ts';
import { isFileUrl } from '../url/file-url.ts';
import { hostKeyOf } from '../url/host-key.ts';
import { normalizeUrl } from '../url/normalize.ts';
import type { UrlOptions } from '../url/url-options.ts';

export function canonicalSeed(text: string, urlOptions: UrlOptions): CanonicalUrl {
  const url = normalizeUrl(text, urlOptions);
  if (url !== undefined) return url;
  throw new OrbweaverError('SEED_INVALID', `${text} is not an http or https URL.`, {
    remedy: 'Write seeds as https://example.org/path.',
  });
}

/** Each node has a disk of its own, and a page is whoever's turn it is. A crawl that reads what crawls write never ends. */
export function refuseFolders(seeds: readonly CanonicalUrl[], isNode: boolean): void {
  const folder = seeds.find(isFileUrl);
  if (folder !== undefined && isNode)
    throw new OrbweaverError('SEED_INVALID', `${folder} cannot be crawled by several nodes.`, {
      remedy: 'Crawl folders without --partitions.',
    });
  const within = rootsOf(seeds).find(liesInCrawlFolder);
  if (within === undefined) return;
  throw new OrbweaverError('SEED_INVALID', `${within} cannot be crawled: it lies in the folder of a crawl.`, {
    remedy: 'Name another folder, or keep the crawl elsewhere with --dir.',
  });
}

/** Scopes of all seeds, after some were named: what these say now counts, also where it is nothing. Undefined: none has its own. */
export function mergeSeedScopes(
  before: SeedScopes = {},
  urls: readonly CanonicalUrl[],
  seeds: readonly SeedScope[],
): SeedScopes | undefined {
  const merged = new Map(Object.entries(before));
  for (const [at, { scope, depth }] of seeds.entries()) {
    if (scope === undefined && depth === undefined) merged.delete(urls[at]);
    else merged.set(urls[at], { ...(scope && { scope }), ...(depth === undefined ? {} : { depth }) });
  }
  return merged.size === 0 && Object.keys(before).length === 0 ? undefined : Object.fromEntries(merged);
}

/**
 * Queues seeds. Those that are known and brought nothing are tried once more. A forgotten seed is left out: the command that
 * began a crawl resumes it as well, so that naming it again does not take that back. Answers what the user is to know.
 */
export async function addSeeds(
  seeds: readonly CanonicalUrl[],
  state: OwnedPartition,
  order: CrawlOrder,
  forgotten: readonly ForgottenEntry[],
): Promise<string[]> {
  const rule = createForgottenRule(forgotten);
  const tasks: CrawlTask[] = [];
  const notices: string[] = [];
  // Folders are gone through (crawl/files): what lies in them comes in.
  for (const url of seeds.filter((seed) => !isFileUrl(seed))) {
    const task = seedTask(url, order);
    const verdict = rule.judge(task);
    if (verdict.admit) tasks.push(task);
    else
      notices.push(
        `The seed ${url} is not fetched: ${verdict.rule}. To allow it again: orbweaver forget --allow PATTERN`,
      );
  }
  const verdicts = await state.frontier.add(tasks);
  const known = tasks.filter((_, at) => verdicts[at] === 'known').map(({ url }) => url);
  if (known.length > 0) await state.retry(({ kind }) => kind !== 'gone', known);
  return notices;
}

/** Seeds come first, whatever the order makes of them. */
export function seedTask(url: CanonicalUrl, order: CrawlOrder): CrawlTask {
  const discovery = { how: 'seed' as const };
  const task = { url, host: hostKeyOf(url), depth: 0, redirects: 0, lane: 0, discovery, purpose: 'page' as const };
  const { why } = order.place(task);
  return { ...task, ...(why === undefined ? {} : { why }) };
}
