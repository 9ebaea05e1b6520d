import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chooseOriginal, type OriginStanding } from '../../../../src/dedupe/mirrors/choose-original.ts';

function standing(origin: string, more: Partial<OriginStanding> = {}): OriginStanding {
  return { origin, canonicalVotes: 0, inlinks: 0, firstSeen: 5, ...more };
}

function chosen(a: OriginStanding, b: OriginStanding): string {
  return chooseOriginal(a, b).origin;
}

describe('chooseOriginal', () => {
  test('what the pages name comes before everything', () => {
    const named = standing('http://a-long-name.example', { canonicalVotes: 3 });
    assert.equal(chosen(standing('https://b.example', { inlinks: 99 }), named), named.origin);
  });

  test('then what others link to, if it is clear', () => {
    const linked = standing('http://a-long-name.example', { inlinks: 40 });
    assert.equal(chosen(linked, standing('https://b.example', { inlinks: 3 })), linked.origin);
    assert.equal(chosen(linked, standing('https://b.example', { inlinks: 30 })), 'https://b.example');
  });

  test('then https, names, plain names, short names, the first', () => {
    assert.equal(chosen(standing('http://a.example'), standing('https://www.a.example')), 'https://www.a.example');
    assert.equal(chosen(standing('http://1.1.1.1'), standing('http://long.example')), 'http://long.example');
    assert.equal(chosen(standing('http://m.ab.example'), standing('http://www.ab.example')), 'http://www.ab.example');
    assert.equal(chosen(standing('http://www.ab.example'), standing('http://ab.example')), 'http://ab.example');
    assert.equal(
      chosen(standing('http://b.example', { firstSeen: 1 }), standing('http://a.example')),
      'http://b.example',
    );
    assert.equal(chosen(standing('http://b.example'), standing('http://a.example')), 'http://a.example');
  });

  test('property: the order of the two does not matter', () => {
    const any = fc.record({
      origin: fc.constantFrom('https://a.example', 'http://www.a.example', 'http://m.b.example', 'https://10.0.0.1'),
      canonicalVotes: fc.nat(4),
      inlinks: fc.nat(4),
      firstSeen: fc.nat(2),
    });
    fc.assert(
      fc.property(any, any, (a, b) => {
        fc.pre(a.origin !== b.origin);
        assert.equal(chosen(a, b), chosen(b, a));
      }),
    );
  });
});
