import type { Discovery } from '../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { isResource } from './link-kind-rule.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';

/** Seeds are what the user asked for by name; parts of pages (once wanted at all) are images and the like by nature. */
export function createExtensionRule(excluded: readonly string[]): Rule {
  const verdicts = new Map(excluded.map((extension) => [extension, refuse('scope', `file type .${extension}`)]));
  return {
    name: 'exclude-extensions',
    judge(task, link) {
      const verdict = verdicts.get(extensionOf(task.url));
      if (verdict === undefined || isAnnounced(task.discovery.how)) return ADMIT;
      return link !== undefined && isResource(link) ? ADMIT : verdict;
    },
  };
}

const MAX_EXTENSION = 16;

/** What follows the last dot of the last part of the path, in lower case; '' where there is none. */
export function extensionOf(url: CanonicalUrl): string {
  const query = url.indexOf('?');
  const end = query === -1 ? url.length : query;
  const floor = Math.max(0, end - MAX_EXTENSION - 1);
  for (let at = end - 1; at >= floor; at--) {
    const code = url.charCodeAt(at);
    if (code === 0x2f) return '';
    if (code === 0x2e) return url.slice(at + 1, end).toLowerCase();
  }
  return '';
}

/** Named by a person, or a sitemap: those come compressed. */
function isAnnounced(how: Discovery['how']): boolean {
  return how === 'seed' || how === 'sitemap-file';
}
