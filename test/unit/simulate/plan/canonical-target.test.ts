import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalTarget } from '../../../../src/simulate/plan/canonical-target.ts';

describe('canonicalTarget', () => {
  const cases: [string, string][] = [
    ['/', '/'],
    ['/a/b.html', '/a/b.html'],
    ['/a/./b/../c', '/a/c'],
    ['/a/b/..', '/a/'],
    ['/a/.', '/a/'],
    ['/../../x', '/x'],
    ['/%61%2D%7e', '/a-~'],
    ['/%2f%c3%a9', '/%2F%C3%A9'],
    ['/\xc3\xa9', '/%C3%A9'],
    ['/a?b=1#c', '/a?b=1'],
    ['/a?utm_source=x', '/a'],
    ['/a?utm_source=x&b=2&gclid=3&UTM_medium=y', '/a?b=2'],
    ['/a?', '/a'],
    ['/%2e%2e/b', '/b'],
  ];
  for (const [written, canonical] of cases) {
    test(`${JSON.stringify(written)} is ${canonical}`, () => assert.equal(canonicalTarget(written), canonical));
  }
});
