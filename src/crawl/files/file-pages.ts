import { type BigIntStats, lstatSync } from 'node:fs';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { SettledPage } from '../../contracts/state/settled-page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { FileRules } from '../../files/file-rules.ts';
import { versionOf } from '../../files/file-version.ts';
import { fileUrlOf, pathOfFileUrl } from '../../url/file-url.ts';
import { FILES_HOST } from '../../url/host-key.ts';

/** Files that a walk has found wait behind those that somebody has just written. */
const JUST_WRITTEN = 0;
const FOUND = 1;

export function fileTask(path: string, isJustWritten = false): CrawlTask {
  const discovery = { how: 'folder' as const };
  const url = fileUrlOf(path);
  return {
    url,
    host: FILES_HOST,
    depth: 1,
    redirects: 0,
    lane: isJustWritten ? JUST_WRITTEN : FOUND,
    discovery,
    purpose: 'page',
  };
}

/** A regular file that belongs to the crawl; undefined where there is none at this path, or none that may be looked at. */
export function fileAt(path: string, rules: Pick<FileRules, 'refusal'>): BigIntStats | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isFile() === true && rules.refusal(path, 'file') === undefined ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Why a known file is to be visited again; undefined where its last visit shows what it is now. */
export function whyAgain(
  page: Pick<SettledPage, 'url' | 'outcome' | 'visitedAt' | 'facts'>,
  rules: FileRules,
): string | undefined {
  const path = pathOfFileUrl(page.url);
  const found = path === undefined ? undefined : fileAt(path, rules);
  const { kind } = page.outcome;
  if (kind === 'stored' || kind === 'duplicate' || kind === 'unchanged') {
    if (found === undefined) return 'the file is gone';
    return page.facts?.etag === versionOf(found) ? undefined : 'the file has changed';
  }
  if (found === undefined) return undefined;
  if (kind === 'gone') return 'the file is there again';
  if (page.outcome.kind === 'failed' && page.outcome.code === 'file-changing') return 'the file was being written';
  // Nothing was kept of it by which it could be compared; rights change with the second of the two times.
  const touchedAt = Math.max(Number(found.mtimeMs), Number(found.ctimeMs));
  return touchedAt > page.visitedAt ? 'the file has changed' : undefined;
}

/** Whether the page that a file was a copy of has another content by now, or is gone. */
export function isFreeCopy(
  { outcome, facts }: Pick<SettledPage, 'outcome' | 'facts'>,
  originalOf: (url: CanonicalUrl) => { readonly holds: boolean; readonly digest?: string },
): boolean {
  if (outcome.kind !== 'duplicate') return false;
  const original = originalOf(outcome.of);
  return !original.holds || (facts?.digest !== undefined && original.digest !== facts.digest);
}
