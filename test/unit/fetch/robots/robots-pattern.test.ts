import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalizeRobotsPath } from '../../../../src/fetch/robots/robots-path.ts';
import { compileRobotsPattern, matchesRobotsPattern } from '../../../../src/fetch/robots/robots-pattern.ts';
import { propertyRuns } from '../../../property-runs.ts';

function matches(pattern: string, path: string): boolean {
  return matchesRobotsPattern(compileRobotsPattern(pattern), normalizeRobotsPath(path));
}

/** Tries everything, in the plainest way. */
function backtracks(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  if (pattern[0] === '*') {
    return backtracks(pattern.slice(1), path) || (path !== '' && backtracks(pattern, path.slice(1)));
  }
  return path !== '' && pattern[0] === path[0] && backtracks(pattern.slice(1), path.slice(1));
}

/** The same by the set of places that each prefix of the pattern can reach: for patterns too long to backtrack. */
function reaches(pattern: string, path: string): boolean {
  let places = new Set([0]);
  for (let i = 0; i < pattern.length && places.size > 0; i++) {
    if (pattern[i] === '$' && i === pattern.length - 1) return places.has(path.length);
    const next = new Set<number>();
    for (const place of places) {
      if (pattern[i] === '*') for (let at = place; at <= path.length; at++) next.add(at);
      else if (path[place] === pattern[i]) next.add(place + 1);
    }
    places = next;
  }
  return places.size > 0;
}

describe('robots patterns', () => {
  test('agree with a backtracking matcher', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$'), maxLength: 10 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '$'), maxLength: 12 });
    fc.assert(
      fc.property(pattern, path, (p, s) => {
        assert.equal(matches(p, `/${s}`), backtracks(p, `/${s}`));
        assert.equal(matches(`/${p}`, `/${s}`), backtracks(`/${p}`, `/${s}`));
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  test('agree with it on long parts too, where another search is used', () => {
    const run = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 15, maxLength: 40 });
    const filler = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 });
    const parts = fc.array(fc.tuple(run, filler), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.constantFrom('', '$'), filler, (pieces, end, tail) => {
        const pattern = `/*${pieces.map(([part]) => part).join('*')}${end}`;
        const path = `/${pieces.map(([part, between]) => between + part).join('')}${tail}`;
        assert.equal(matches(pattern, path), reaches(pattern, path));
        assert.equal(matches(pattern, path.slice(0, -20)), reaches(pattern, path.slice(0, -20)));
        const twin = path.replaceAll('ab', 'ba');
        assert.equal(matches(pattern, twin), reaches(pattern, twin));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  test('take steps in proportion to path and pattern, whatever they hold', () => {
    const hostile = [
      `${'*'.repeat(5000)}b`,
      `${'*a'.repeat(2500)}b`,
      `/${'*aa'.repeat(1500)}*b$`,
      `/*${'a'.repeat(4000)}b`,
      `/*${'a'.repeat(2000)}b*${'a'.repeat(2000)}c`,
      `/*${'ab'.repeat(2000)}c$`,
      `/${'a'.repeat(5000)}$`,
      `/*${'a'.repeat(16)}*${'a'.repeat(15)}b`,
    ];
    for (const written of hostile) {
      const pattern = compileRobotsPattern(written);
      for (const length of [100, 1000, 10_000, 100_000]) {
        const path = `/${'a'.repeat(length)}`;
        const meter = { steps: 0 };
        matchesRobotsPattern(pattern, path, meter);
        assert.ok(meter.steps <= 20 * (path.length + written.length), `${meter.steps} for ${written.slice(0, 20)}…`);
      }
    }
  });

  test('compare paths as RFC 9309, 2.2.2 has it', () => {
    const same: [string, string][] = [
      ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
      ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar'],
      ['/foo/bar/\u{30c4}', '/foo/bar/%E3%83%84'],
      ['/foo/bar/%E3%83%84', '/foo/bar/\u{30c4}'],
      ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
      ['/%7ejoe', '/~joe'],
      ['/a b', '/a%20b'],
      ['/a|b', '/a%7cb'],
      ['/x%2A%24', '/x*$'],
      ['/x%2a', '/x%2A'],
      ['/a$b', '/a%24b'],
      ['/50%', '/50%'],
      ['/50%', '/50%20off'],
    ];
    for (const [pattern, path] of same) assert.ok(matches(pattern, path), `${pattern} ${path}`);
    const different: [string, string][] = [
      ['/a%2Fb', '/a/b'],
      ['/a/b', '/a%2Fb'],
      ['/a%3Fb', '/a?b'],
      ['/x%2A', '/xy'],
      ['/x%24', '/x'],
      ['/A', '/a'],
    ];
    for (const [pattern, path] of different) assert.ok(!matches(pattern, path), `${pattern} ${path}`);
  });

  test('count octets as Google does, unneeded escapes as one', () => {
    const octets: [string, number][] = [
      ['', 0],
      ['/*', 2],
      ['/a$', 3],
      ['/é', 7],
      ['/%C3%A9', 7],
      ['/%7Ejoe', 5],
      ['/%2F', 4],
      ['/\u{1f4a9}', 13],
      ['***', 3],
    ];
    for (const [pattern, count] of octets) assert.equal(compileRobotsPattern(pattern).priority, count, pattern);
  });
});
