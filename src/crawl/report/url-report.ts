import type { RobotsRecord, RobotsVerdict } from '../../contracts/content/robots.ts';
import type { SpamScore, SpamSign } from '../../contracts/content/spam.ts';
import type { Discovery, Outcome } from '../../contracts/crawl-task.ts';
import type { ForgottenEntry } from '../../contracts/forgotten.ts';
import type { HostRecord, PageRecord, PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { AdmittingSeed } from '../../scope/seed-scopes.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';

/** All that is known of a URL, as data. */
export interface UrlReport {
  readonly asked: string;
  readonly url: CanonicalUrl;
  /** How the spelling that was asked for became the canonical one. */
  readonly normalization: readonly string[];
  readonly page?: PageRecord;
  /** What its server wanted to be asked for, where that was another spelling. */
  readonly address?: string;
  /** The pages that led here, from the seed on. */
  readonly path: readonly { readonly url: CanonicalUrl; readonly how: string; readonly anchor?: string }[];
  readonly host?: HostRecord;
  /** A browser is sent another text. */
  readonly cloaked?: SpamSign;
  /** What is known against its host. */
  readonly hostSpam?: SpamScore;
  /** Where seeds have their own scope: those that admit it. */
  readonly admittedBy?: readonly AdmittingSeed[];
  /** The user had it deleted. */
  readonly forgotten?: ForgottenEntry;
  readonly robots?: { readonly record: Omit<RobotsRecord, 'body'>; readonly verdict: RobotsVerdict };
}

const LONGEST_PATH = 50;

export async function reportOf(
  asked: string,
  url: CanonicalUrl,
  normalization: readonly string[],
  pages: PageStore,
  agent: string,
): Promise<UrlReport> {
  const page = await pages.page(url);
  const host = await pages.host(hostKeyOf(url));
  const record = await pages.robots(originOf(url));
  const address = page?.history
    .map((visit) => (visit.kind === 'deferred' ? visit.address : undefined))
    .findLast(Boolean);
  // The rules speak of what is asked for.
  const robotsUrl = address ?? url;
  return {
    asked,
    url,
    normalization,
    ...(page === undefined ? {} : { page }),
    ...(address === undefined ? {} : { address }),
    path: page === undefined ? [] : await pathTo(page, pages),
    ...(host === undefined ? {} : { host }),
    ...(record === undefined
      ? {}
      : { robots: { record: withoutBody(record), verdict: judgeOfRecord(record, agent).judge(robotsUrl) } }),
  };
}

async function pathTo(page: PageRecord, pages: PageStore): Promise<UrlReport['path']> {
  const path: UrlReport['path'][number][] = [];
  let at: PageRecord | undefined = page;
  while (at !== undefined && path.length < LONGEST_PATH) {
    const { how, anchor, from }: Discovery = at.discovery;
    path.unshift({ url: at.url, how, ...(anchor === undefined ? {} : { anchor }) });
    at = from === undefined || path.some((step) => step.url === from) ? undefined : await pages.page(from);
  }
  return path;
}

function withoutBody({ body: _, ...record }: RobotsRecord): Omit<RobotsRecord, 'body'> {
  return record;
}

/** An ending in words. */
export function formatOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'stored':
      return 'stored';
    case 'unchanged':
      return `unchanged since the last visit${outcome.by === undefined ? '' : `, by HEAD: the ${outcome.by} of the body is the same`}`;
    case 'duplicate':
      return `stored as a duplicate of ${outcome.of}`;
    case 'redirected':
      return `redirected to ${outcome.to}`;
    case 'refused':
      return `refused by ${outcome.by}: ${outcome.rule}`;
    case 'gone':
      return outcome.soft === undefined
        ? `gone (HTTP ${outcome.status})`
        : `gone in spite of HTTP ${outcome.status}: ${outcome.soft}`;
    case 'failed':
      return `failed: ${outcome.code}${outcome.detail === undefined ? '' : ` (${outcome.detail})`}`;
    case 'deferred':
      return `waits: ${outcome.why}`;
  }
}
