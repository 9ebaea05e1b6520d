import { OrbweaverError } from '../base/errors.ts';
import type { ForgetTarget, ForgottenEntry } from '../contracts/forgotten.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { isFileUrl } from '../url/file-url.ts';
import { hostKeyOf } from '../url/host-key.ts';
import { normalizeUrl } from '../url/normalize.ts';
import type { UrlOptions } from '../url/url-options.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';
import { compilePattern } from './url-pattern.ts';

export type UrlMatcher = (url: string) => boolean;

/** Reads what is to be forgotten: `re:` or stars make a pattern, a name without a slash is a host, the rest one URL. */
export function parseForgetTarget(asked: string, urlOptions: UrlOptions): ForgetTarget {
  if (asked.startsWith('re:') || asked.includes('*')) {
    compilePattern(asked);
    return { kind: 'pattern', pattern: asked };
  }
  const hasScheme = /^(?:https?:\/\/|file:\/)/i.test(asked);
  const isOther = /\s|^[a-z.+-]*:\/\//i.test(asked) && !hasScheme;
  const url = isOther
    ? undefined
    : normalizeUrl(hasScheme ? asked : `https://${asked}`, { ...urlOptions, files: true });
  if (url === undefined || asked === '')
    throw new OrbweaverError('USAGE', `'${asked}' is neither a URL nor a host nor a pattern.`, {
      remedy: "Write https://example.org/page, example.org, or a pattern such as 'https://example.org/private/*'.",
    });
  if (hasScheme || /[/?#]/.test(asked)) return { kind: 'url', url };
  return { kind: 'host', host: hostKeyOf(url) };
}

export function matcherOf(target: ForgetTarget): UrlMatcher {
  switch (target.kind) {
    case 'pattern': {
      const pattern = compilePattern(target.pattern);
      return (url) => pattern.matches(url as CanonicalUrl);
    }
    case 'host':
      return (url) => isPage(url) && hostKeyOf(url as CanonicalUrl) === target.host;
    case 'url': {
      const bare = withoutScheme(target.url);
      return (url) => isPage(url) && withoutScheme(url) === bare;
    }
  }
}

/** What was forgotten is not fetched again, unless the user has allowed it since. */
export function createForgottenRule(entries: readonly ForgottenEntry[]): Rule {
  const refusing = entries
    .filter(({ allowedAt }) => allowedAt === undefined)
    .map(({ asked, target, at }) => ({
      matches: matcherOf(target),
      verdict: refuse('scope', `forgotten on ${new Date(at).toISOString().slice(0, 10)} ('${asked}')`),
    }));
  return {
    name: 'forgotten',
    forFiles: true,
    judge({ url }) {
      for (const { matches, verdict } of refusing) if (matches(url)) return verdict;
      return ADMIT;
    },
  };
}

function isPage(url: string): boolean {
  return url.startsWith('http://') || url.startsWith('https://') || isFileUrl(url);
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf('://'));
}
