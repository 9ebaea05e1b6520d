import { createSuffixStemmer, type Stem, suffixRules } from './suffix-stemmer.ts';

/** Nouns: copula, case, possessive, plural, from the outside in. Folding makes one i of ı and i, one u of u and ü. */
const noun = createSuffixStemmer(
  suffixRules('dirlar dirler tirlar tirler dir dur tir tur:4'),
  suffixRules(
    'ndaki ndeki daki deki taki teki:3',
    'ndan nden nda nde:3',
    'dan den tan ten da de ta te:2',
    'nin nun yla yle:3',
    'yi yu ya ye:3',
    'in un:4',
  ),
  suffixRules('larimiz lerimiz lariniz leriniz imiz umuz iniz unuz:3', 'lari leri:3', 'si su:3', 'im um:4'),
  suffixRules('lar ler:2'),
  suffixRules('i u:3'),
);

/** Before a vowel a final p, t, k is spoken and written soft: kitap, kitabı. */
export const stemTurkish: Stem = (word) => {
  const stem = noun(word);
  const hard = HARDENED[stem[stem.length - 1] as string];
  return hard !== undefined && stem.length > 3 ? stem.slice(0, -1) + hard : stem;
};

const HARDENED: Readonly<Record<string, string>> = { b: 'p', d: 't', g: 'k' };
