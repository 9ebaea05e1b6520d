import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { PatternAccount } from './pattern-account.ts';
import type { PatternForest } from './pattern-forest.ts';

const MOST_LOOKED_AT = 256;

/**
 * How far a page closes the web it stands in: for each group (the narrowest first), how many URLs within it the page names
 * that were named before, but not yet by the group's own pages. Sites have an end, so their pages name one another; a maze names what
 * was never named. The way back, the folders above and what stands on every page are no evidence: a maze can have them too.
 */
export function closuresOf(
  groups: readonly PatternAccount[],
  known: readonly CanonicalUrl[],
  { url, discovery }: CrawlTask,
  forest: PatternForest,
): number[] {
  const closures = groups.map(() => 0);
  for (let i = 0; i < known.length && i < MOST_LOOKED_AT; i++) {
    const target = known[i];
    if (target === discovery.from || isPrefix(target, url)) continue;
    const account = forest.lookUp(target)?.account;
    // Links to pages of good standing adorn a trap as well as a site.
    if (account === undefined || (account.proven && account !== groups[0])) continue;
    const hash = hashOf(target);
    // All of them are remembered, so that navigation counts once.
    for (let at = commonGroup(groups, account); at < groups.length; at++) if (groups[at].names(hash)) closures[at]++;
  }
  return closures;
}

/** The narrowest of the groups that holds the account too; past the last where none does. */
function commonGroup(groups: readonly PatternAccount[], account: PatternAccount): number {
  for (let up: PatternAccount | undefined = account; up !== undefined; up = up.up) {
    const at = groups.indexOf(up);
    if (at !== -1) return at;
  }
  return groups.length;
}

/** As startsWith, which takes three times as long. */
function isPrefix(start: string, text: string): boolean {
  return start.length <= text.length && text.slice(0, start.length) === start;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash ^ (hash >>> 13);
}
