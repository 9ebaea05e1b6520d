import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stemEnglish } from '../../../../../src/index/analysis/stem/english.ts';

/** Words and stems as the published rules and their samples have them. */
const SAMPLES: Readonly<Record<string, string>> = {
  consign: 'consign',
  consigned: 'consign',
  consigning: 'consign',
  consignment: 'consign',
  consistency: 'consist',
  consistently: 'consist',
  consolation: 'consol',
  consolatory: 'consolatori',
  consolingly: 'consol',
  conspicuously: 'conspicu',
  constancy: 'constanc',
  knackeries: 'knackeri',
  kneeling: 'kneel',
  knightly: 'knight',
  knots: 'knot',
  caresses: 'caress',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  this: 'this',
  gaps: 'gap',
  kiwis: 'kiwi',
  agreed: 'agre',
  feed: 'feed',
  luxuriated: 'luxuri',
  hopping: 'hop',
  hoping: 'hope',
  hoped: 'hope',
  egging: 'egg',
  added: 'add',
  cry: 'cri',
  by: 'by',
  say: 'say',
  relational: 'relat',
  organization: 'organiz',
  biologist: 'biolog',
  electrical: 'electr',
  hopefulness: 'hope',
  adoption: 'adopt',
  rate: 'rate',
  cease: 'ceas',
  controlling: 'control',
  generous: 'generous',
  generate: 'generat',
  communism: 'communism',
  community: 'communiti',
  university: 'universiti',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  news: 'news',
  inning: 'inning',
  proceeded: 'proceed',
  evenings: 'evening',
  "john's": 'john',
  "'tis": 'tis',
  youth: 'youth',
  boyish: 'boyish',
};

test('English words get the stems of the published rules', () => {
  const got = Object.fromEntries(Object.keys(SAMPLES).map((word) => [word, stemEnglish(word)]));
  assert.deepEqual(got, SAMPLES);
});

test('a stem is never empty and never much longer than the word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
      const stem = stemEnglish(word);
      assert.ok(stem.length > 0 && stem.length <= word.length + 1);
      assert.equal(stem, stem.toLowerCase());
    }),
  );
});
