import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnchorText } from '../../../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../../../src/index/analysis/analyzer.ts';
import { Occurrences, POSITION_MASK } from '../../../../../src/index/store/occurrences.ts';
import { TermNumbers } from '../../../../../src/index/store/term-numbers.ts';
import { WordArrays } from '../../../../../src/index/store/word-arrays.ts';
import { KnownTexts } from '../../../../../src/index/store/words/known-texts.ts';

const texts = fc.oneof(
  fc.constantFrom(
    'Garden spiders',
    'read on',
    'getElementById of the document',
    'state-of-the-art',
    '',
    '東京タワー',
    'C++',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const anchors: fc.Arbitrary<AnchorText[]> = fc.array(
  fc.record({ text: texts, weight: fc.double({ min: 0, max: 20, noNaN: true }) }),
  { maxLength: 12 },
);
const documents = fc.array(
  fc.record({
    anchors,
    language: fc.constantFrom('en', 'de', ''),
    start: fc.oneof(fc.nat(5000), fc.integer({ min: POSITION_MASK - 40, max: POSITION_MASK + 1 })),
    /** Two add by turns, each with numbers of its own. */
    who: fc.nat(1),
    begins: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('anchors whose texts are known give the words that reading them gives', () => {
  fc.assert(
    fc.property(documents, (added) => {
      const { analyze } = createAnalyzer({ remembersNames: true });
      const known = new KnownTexts();
      const numbers = [new TermNumbers(), new TermNumbers()];
      const begun = (who: number): Occurrences => new Occurrences(analyze, new WordArrays(), numbers[who]);
      const read = [begun(0), begun(1)];
      const told = [begun(0), begun(1)];
      for (const { anchors, language, start, who, begins } of added) {
        if (begins) [read[who], told[who]] = [begun(who), begun(who)];
        const taken = told[who].addAnchors(anchors, language, start, known);
        assert.equal(taken, read[who].addAnchors(anchors, language, start));
        read[who].endDocument();
        told[who].endDocument();
        assert.deepEqual(told[who].held(), read[who].held());
      }
    }),
  );
});
