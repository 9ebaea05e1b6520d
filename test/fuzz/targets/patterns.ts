import { OrbweaverError } from '../../../src/base/errors.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { pathPattern } from '../../../src/extract/usage-preferences/path-pattern.ts';
import { compileRobotsPattern, matchesRobotsPattern } from '../../../src/fetch/robots/robots-pattern.ts';
import { Glob } from '../../../src/scope/glob.ts';
import { LinearRegex } from '../../../src/scope/linear-regex.ts';
import { RegexSyntaxError } from '../../../src/scope/regex-syntax.ts';
import { compilePattern } from '../../../src/scope/url-pattern.ts';
import { type FuzzTarget, promise, textOf } from '../target.ts';

/** What both understand alike; the rest of JavaScript's syntax means more than ours or is refused. */
const SHARED = /^(?:[\w/.\-=&*+?|()^$ ]|\\[dws.])*$/;

/** The platform's own engine on short inputs, where it cannot take forever. */
function platformAnswer(source: string, text: string): boolean | undefined {
  if (!SHARED.test(source) || source.length > 24 || text.length > 24 || /[*+?}][*+?]|\(\?/.test(source))
    return undefined;
  try {
    return new RegExp(source).test(text);
  } catch {
    return undefined;
  }
}

export const regexTarget: FuzzTarget = {
  name: 'regex',
  samples: [
    '^https?://[^/]+/a(b|c)*$\nhttps://example.com/abcb',
    '(?i)\\.PDF$\nx.pdf',
    '(a+)+b\naaaaaaaaaaaaaaaa',
    'a{2,5}?b\naab',
  ],
  pieces:
    'a b ab \\d \\w+ \\s \\. . * + ? {2} {2,} {0,3} {1000} ( ) (?: (?i) | [a-z] [^/] [ ] \\] ^ $ \\b \\1 (?= (?<n> \\u0041 \\x41 - é'
      .split(' ')
      .concat('\n', '\n'),
  maxLength: 160,
  run(input) {
    const [source, ...rest] = textOf(input).split('\n');
    const text = rest.join('\n');
    let regex: LinearRegex;
    try {
      regex = new LinearRegex(source);
    } catch (error) {
      if (error instanceof RegexSyntaxError) return;
      throw error;
    }
    const answer = regex.test(text);
    promise(regex.test(text) === answer, 'an expression answers the same twice', () => [source, text]);
    const platform = platformAnswer(source, text);
    promise(platform === undefined || platform === answer, 'the platform answers the same', () => [
      source,
      text,
      answer,
    ]);
  },
};

/** Every way to match, tried one after the other: slow and plain. */
function globMatches(pattern: string, text: string): boolean {
  const source = pattern.replace(/\\(.)|[\s\S]/g, (one, escaped: string | undefined) =>
    escaped !== undefined
      ? escaped.replace(/[^\w]/, '\\$&')
      : one === '*'
        ? '[^]*'
        : one === '?'
          ? '[^]'
          : one.replace(/[^\w]/, '\\$&'),
  );
  return new RegExp(`^${source}$`).test(text);
}

/** RFC 9309: a prefix, in which * stands for any run of characters and $ at the end for the end. */
function robotsAnswer(pattern: string, path: string): boolean | undefined {
  if (!/^\/[a-z/*.]{0,20}\$?$/.test(pattern) || !/^\/[a-z/.]{0,60}$/.test(path)) return undefined;
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}`).test(path);
}

export const globTarget: FuzzTarget = {
  name: 'glob',
  samples: [
    '*/a/?b*\nhttps://example.com/a/xbc',
    'example.com/*\nhttps://example.com/y',
    '/p\\*\nhttps://h/p*',
    're:a.b\nhttps://h/axb',
  ],
  pieces: 'a b / * ** ? \\* \\? \\\\ . .. % $ re: https:// example.com'.split(' ').concat('\n'),
  maxLength: 160,
  run(input) {
    const [pattern, ...rest] = textOf(input).split('\n');
    const text = rest.join('');
    if (pattern.length < 20 && text.length < 60 && /^[\x20-\x7e]*$/.test(pattern) && !pattern.endsWith('\\')) {
      promise(new Glob(pattern).matches(text) === globMatches(pattern, text), 'globs match as defined', () => [
        pattern,
        text,
      ]);
    }
    try {
      compilePattern(pattern).matches(text as CanonicalUrl);
    } catch (error) {
      if (!(error instanceof OrbweaverError)) throw error;
    }
    const robots = compileRobotsPattern(pattern);
    const expected = robotsAnswer(pattern, text);
    promise(
      matchesRobotsPattern(robots, text) === (expected ?? matchesRobotsPattern(robots, text)),
      'rules match as RFC 9309 defines them',
      () => [pattern, text],
    );
    pathPattern(pattern);
  },
};
