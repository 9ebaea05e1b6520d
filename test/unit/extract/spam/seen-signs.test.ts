import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HiddenPiece, SeenPage } from '../../../../src/contracts/content/renderer.ts';
import { hiddenWords, withSeen } from '../../../../src/extract/spam/seen-signs.ts';

const URL = 'https://river.example/';
const KEYWORDS = Array.from({ length: 30 }, () => 'cheap pills buy pills online').join(' ');
const STUFFED = { technique: 'term-stuffing', weight: 0.5, evidence: 'x' } as const;
const WRITTEN = { technique: 'hidden-text', weight: 0.7, evidence: '40 words hidden (a box of 0px)' } as const;

function seen(...hidden: readonly Partial<HiddenPiece>[]): SeenPage {
  const piece = { hiding: 'covert', how: 'font-size: 1px', labels: false, text: '', links: [] } as const;
  return { width: 1280, height: 2000, overlays: 0, hidden: hidden.map((one) => ({ ...piece, ...one })) };
}

describe('what a browser has seen', () => {
  it('takes the place of what the markup seemed to hide; other signs stand', () => {
    assert.deepEqual(withSeen([WRITTEN, STUFFED], undefined, URL), [WRITTEN, STUFFED]);
    assert.deepEqual(withSeen([WRITTEN, STUFFED], seen(), URL), [STUFFED]);
    const [hidden, ...others] = withSeen([STUFFED], seen({ text: KEYWORDS }), URL);
    assert.equal(hidden.evidence, "150 words hidden (font-size: 1px), 'pills' 60 times");
    assert.deepEqual(others, [STUFFED]);
  });

  it('leaves what the markup hides where not all of the page was looked at', () => {
    const partial = { ...seen(), isPartial: true } as const;
    assert.deepEqual(withSeen([WRITTEN, STUFFED], partial, URL), [WRITTEN, STUFFED]);
    assert.deepEqual(withSeen([STUFFED], partial, URL), [STUFFED]);
    const [hidden] = withSeen([WRITTEN], { ...seen({ text: KEYWORDS }), isPartial: true }, URL);
    assert.match(hidden.evidence, /^150 words/);
  });

  it('judges colours as those of the markup', () => {
    const alike = { text: KEYWORDS, how: '', colours: [0xfefefe, 0xffffff] } as const;
    assert.match(withSeen([], seen(alike), URL)[0].evidence, /\(colour #fefefe on #ffffff\)/);
    // Parts that are near each other, and can be told apart.
    const legible = { ...alike, colours: [0x202020, 0x000000] } as const;
    assert.deepEqual(withSeen([], seen(legible), URL), []);
    assert.equal(hiddenWords(seen(alike, legible, { text: 'one two', hiding: 'folded' })), 150);
  });

  it('counts hidden links by the sites they lead to, not those of the page itself', () => {
    const links = (count: number) => Array.from({ length: count }, (_, at) => `https://s${at}.example/`);
    assert.equal(withSeen([], seen({ links: links(8) }), URL)[0].weight, 0.8);
    assert.deepEqual(withSeen([], seen({ links: Array(8).fill('https://www.river.example/a') }), URL), []);
  });
});
