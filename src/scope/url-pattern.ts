import { OrbweaverError } from '../base/errors.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { Glob } from './glob.ts';
import { LinearRegex } from './linear-regex.ts';
import { RegexSyntaxError } from './regex-syntax.ts';

/** One entry of `include` or `exclude`. */
export interface UrlPattern {
  /** As written by the user. */
  readonly text: string;
  matches(url: CanonicalUrl): boolean;
}

/**
 * `re:` begins a regular expression. Of the rest, a text with a star is a glob, one without is a prefix. What they are
 * held against follows from how they begin: `/` path and query; a star or a scheme, the whole URL; otherwise host and path.
 */
export function compilePattern(text: string): UrlPattern {
  if (text.startsWith('re:')) return regexPattern(text);
  const start = startOf(text);
  const written = withLowerCaseHost(text);
  if (isGlob(written)) {
    const glob = new Glob(written);
    return { text, matches: (url) => glob.matches(url, start(url)) };
  }
  const prefix = written.replace(/\\(.)/g, '$1');
  return { text, matches: (url) => url.startsWith(prefix, start(url)) };
}

function regexPattern(text: string): UrlPattern {
  try {
    const regex = new LinearRegex(text.slice('re:'.length));
    return { text, matches: (url) => regex.test(url) };
  } catch (cause) {
    if (!(cause instanceof RegexSyntaxError)) throw cause;
    throw new OrbweaverError('SETTING_INVALID', `The pattern '${text}' cannot be used: ${cause.message}.`, {
      cause,
      remedy: 'Regular expressions may use groups, alternation, classes, quantifiers, ^, $ and a leading (?i).',
    });
  }
}

function startOf(text: string): (url: CanonicalUrl) => number {
  if (text.startsWith('/')) return (url) => url.indexOf('/', hostStart(url));
  return text.startsWith('*') || text.includes('://') ? () => 0 : hostStart;
}

/**
 * Schemes and hosts of canonical URLs are in lower case, and people write them as they like. A pattern that begins with a star
 * is left as it is, unless it has a scheme: what follows the star may be a part of a path.
 */
function withLowerCaseHost(text: string): string {
  const host = text.startsWith('*') ? /^[^/]*:\/\/[^/*?#\\]*/ : /^(?:[^/]*:\/\/)?[^/*?#\\]*/;
  return text.replace(host, (found) => found.toLowerCase());
}

function hostStart(url: CanonicalUrl): number {
  return url.indexOf('://') + '://'.length;
}

function isGlob(text: string): boolean {
  return text.replace(/\\./g, '').includes('*');
}
