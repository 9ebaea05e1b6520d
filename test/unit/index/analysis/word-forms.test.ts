import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { isForm } from '../../../../src/index/analysis/word-forms.ts';

const { termsOf } = createAnalyzer();

/** Words that rules of stemming have in common, or nearly, and that mean different things. */
const APART =
  'organization/organ university/universe general/generic policy/police news/new comprehension/comprehensive ' +
  'subscriptable/subscription subscript/subscription relational/relate operator/operate operation/operative ' +
  'business/busy nation/national iterator/iterable importance/import department/depart army/arm numeric/number ' +
  'animal/animate organize/organizer';

/** Forms of one word. */
const TOGETHER =
  'index/indexes index/indexing crawl/crawling crawl/crawled crawling/crawls query/queries queries/querying ' +
  'archive/archived archives/archiving comprehension/comprehensions subscriptions/subscription class/classes ' +
  'stop/stopped quick/quickly agree/agreed process/processing study/studies relate/relating national/nationally';

const pairs = (list: string): [string, string][] => list.split(' ').map((pair) => pair.split('/') as [string, string]);

function isWordOf(word: string, other: string, limit: 'form' | 'derivation', language = 'en'): boolean {
  const [one, two] = [termsOf(word, language)[0], termsOf(other, language)[0]];
  return one.term === two.term && isForm(two.form, one.form, limit);
}

describe('forms of English words', () => {
  for (const [word, other] of pairs(APART))
    test(`${word} is not ${other}`, () => assert.equal(isWordOf(word, other, 'derivation'), false));
  for (const [word, other] of pairs(TOGETHER))
    test(`${word} is ${other} in another form`, () => {
      assert.equal(isWordOf(word, other, 'derivation'), true);
      assert.equal(isWordOf(word, other, 'form'), false);
      assert.equal(isWordOf(word, word.toUpperCase(), 'form'), true);
    });
});

test('other languages have forms as well, and no derivation', () => {
  for (const [language, list] of Object.entries({
    de: 'Tag/Tage Kind/Kindern',
    fr: 'porte/portes grand/grande',
    ru: 'книга/книги',
  }))
    for (const [word, other] of pairs(list)) {
      assert.equal(isWordOf(word, other, 'derivation', language), true, `${word}, ${other}`);
      assert.equal(isWordOf(word, other, 'form', language), false, `${word}, ${other}`);
    }
});

test('the form of a word does not depend on case and accents', () => {
  assert.deepEqual(termsOf('Éditions', 'fr'), termsOf('editions', 'fr'));
});
