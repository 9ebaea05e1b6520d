import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isWordList, keywordPoints } from '../../../../src/extract/spam/keyword-points.ts';
import { wordStatistics } from '../../../../src/extract/spam/word-statistics.ts';

describe('wordStatistics', () => {
  test('counts words, small words, numbers and the most frequent ones', () => {
    const stats = wordStatistics('The fish, the big fish and 3 red fish: 40 of the fish are red.');
    assert.equal(stats.words, 15);
    assert.equal(stats.topWord, 'fish');
    assert.equal(stats.topCount, 4);
    assert.equal(stats.numberShare, 2 / 15);
    assert.equal(stats.functionShare, 6 / 15);
    assert.equal(stats.sentenceShare, 1 / 15);
  });

  test('a pair goes over small words, but not over numbers and lines', () => {
    assert.equal(wordStatistics('cheap flights of cheap flights and cheap flights').pairCount, 3);
    assert.equal(wordStatistics('cheap 1 flights\ncheap 2 flights').topPair.includes('cheap flights'), false);
  });

  test('a refrain counts once, and how often it came is told', () => {
    const stats = wordStatistics('row the boat\nover the sea\nrow the boat\nrow the boat');
    assert.equal(stats.words, 6);
    assert.equal(stats.mostRepeatedLine, 3);
    assert.equal(stats.repeatedLineWords, 3);
    assert.equal(stats.allWords, 12);
    assert.equal(stats.repeatedLineShare, 0.5);
  });

  test('a label or a line without words is no refrain, however often it stands', () => {
    const stats = wordStatistics('defined in\n:: -> ->\nrow the boat\n'.repeat(3));
    assert.equal(stats.mostRepeatedLine, 3);
    assert.equal(stats.repeatedLineShare, 6 / 14);
    assert.equal(stats.allWords, 5 + 2 * (2 + 3 + 3));
    assert.equal(wordStatistics('defined in\n'.repeat(9)).mostRepeatedLine, 1);
  });

  test('names with capitals inside speak for a program, each of them once', () => {
    const share = (text: string) => wordStatistics(text).codeShare * text.length;
    assert.equal(share('public int smallTag public int largeTag'), 2);
    assert.equal(share('cheap iPhone and iPhone and IPHONE and Phone'), 1);
  });

  test('case and script do not matter', () => {
    assert.equal(wordStatistics('Дом дом ДОМ река').topCount, 3);
    assert.equal(wordStatistics('ÄPFEL äpfel birnen').topWord, 'äpfel');
  });

  test('scripts without blanks are read by pairs of characters, however many there are', () => {
    const many = Array.from({ length: 9000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20000))).join('');
    assert.ok(wordStatistics(many).words > 1000);
    assert.equal(wordStatistics('东京酒店东京酒店东京酒店').topWord.length, 2);
  });

  test('shares are shares, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const stats = wordStatistics(text);
        for (const share of [
          stats.topShare,
          stats.functionShare,
          stats.numberShare,
          stats.topTwelveShare,
          stats.variety,
        ])
          assert.ok(share >= 0 && share <= 1);
        assert.ok(keywordPoints(stats) >= 0);
      }),
    );
  });
});

describe('keywordPoints', () => {
  test('nothing in ordinary sentences, much in a list', () => {
    const prose = 'We walked along the river until it was dark, and nobody of us said what all of us had seen there.';
    assert.equal(keywordPoints(wordStatistics(prose)), 0);
    const list = Array.from({ length: 30 }, (_, at) => `cheap boots ${['sale', 'shop', 'outlet'][at % 3]}`).join(', ');
    assert.ok(keywordPoints(wordStatistics(list)) >= 6);
    assert.equal(isWordList(wordStatistics(list)), true);
    assert.equal(isWordList(wordStatistics(prose)), false);
  });
});
