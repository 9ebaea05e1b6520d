import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { crawlDelayMs, robotsAllow } from '../../../../src/simulate/model/robots-oracle.ts';
import type { HostRobots } from '../../../../src/simulate/model/web-model.ts';

function rules(...patterns: string[]): HostRobots {
  const parsed = patterns.map((text) => ({ allow: text.startsWith('+'), pattern: text.slice(1) }));
  return { verdict: 'rules', groups: [{ agents: ['*'], rules: parsed }] };
}

describe('robotsAllow', () => {
  test('the longest pattern decides, and allow wins a tie', () => {
    assert.equal(robotsAllow(rules('-/a/', '+/a/b/'), 'x', '/a/b/c'), true);
    assert.equal(robotsAllow(rules('+/a/b/', '-/a/'), 'x', '/a/c'), false);
    assert.equal(robotsAllow(rules('-/a', '+/a'), 'x', '/a'), true);
    assert.equal(robotsAllow(rules('+/a', '-/a'), 'x', '/a'), true);
    assert.equal(robotsAllow(rules('-'), 'x', '/a'), true);
    assert.equal(robotsAllow(rules('-/'), 'x', '/a'), false);
  });

  test('stars and dollars match as a regular expression would', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '.');
    const pattern = fc.tuple(fc.array(piece, { maxLength: 6 }), fc.boolean());
    const path = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 });
    fc.assert(
      fc.property(pattern, path, ([pieces, anchored], letters) => {
        const text = `/${pieces.join('')}${anchored ? '$' : ''}`;
        const target = `/${letters.join('')}`;
        const source = text.replaceAll('.', '\\.').replaceAll('*', '.*');
        assert.equal(robotsAllow(rules(`-${text}`), 'x', target), !new RegExp(`^${source}`).test(target));
      }),
      { numRuns: 500 },
    );
  });

  test('a named group replaces the general one; groups with the same name add up', () => {
    const robots: HostRobots = {
      verdict: 'rules',
      groups: [
        { agents: ['*'], rules: [{ allow: false, pattern: '/a' }], crawlDelaySeconds: 2 },
        { agents: ['bot', 'other'], rules: [{ allow: false, pattern: '/b' }] },
        { agents: ['bot'], rules: [{ allow: false, pattern: '/c' }], crawlDelaySeconds: 0.5 },
      ],
    };
    const verdicts = (agent: string): boolean[] => ['/a', '/b', '/c'].map((path) => robotsAllow(robots, agent, path));
    assert.deepEqual(verdicts('anyone'), [false, true, true]);
    assert.deepEqual(verdicts('Bot'), [true, false, false]);
    assert.deepEqual(verdicts('other'), [true, false, true]);
    assert.deepEqual(
      ['anyone', 'bot', 'other'].map((agent) => crawlDelayMs(robots, agent)),
      [2000, 500, 0],
    );
    assert.equal(robotsAllow({ verdict: 'allow-all' }, 'x', '/'), true);
    assert.equal(robotsAllow({ verdict: 'disallow-all' }, 'x', '/'), false);
  });
});
