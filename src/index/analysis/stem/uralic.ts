import { createSuffixStemmer, type Stem, suffixRules } from './suffix-stemmer.ts';

/** Particles, possessives, cases, plural: from the outside in. Folding has taken the dots, so that harmony makes no difference. */
export const stemFinnish: Stem = createSuffixStemmer(
  suffixRules('kaan kin han ko pa:4'),
  suffixRules('nsa mme nne:4', 'ni si:5'),
  suffixRules(
    'issa ista iin illa ilta ille ina iksi itta ineen:3',
    'ssa sta lla lta lle na ksi tta:3',
    'iden itten ien ten:3',
    'seen aan een oon uun yyn:3',
    'jen ja ia ta a n:3',
  ),
  suffixRules('et t:3', 'j i:4', 'mm>m pp>p tt>t kk>k:3'),
  suffixRules('a e i o u y:3'),
);

export const stemHungarian: Stem = createSuffixStemmer(
  suffixRules(
    'jaitok jeitek jaink jeink aitok eitek jaim jeim jaid jeid aink eink:3',
    'kent kepp anak enek onkent enkent val vel ert:3',
    'okban ekben akban okbol ekbol oknak eknek akat eket okat okra ekre okon eken okkal ekkel:3',
    'ban ben bol rol tol nak nek nal nel hoz hez ba be ra re ul ig on en an:3',
    'at et ot t:3',
  ),
  suffixRules('jaik jeik aik eik juk uk unk jank nk jai jei:3', 'ok ek ak k:3', 'om em am od ed ad ja je:3', 'i:4'),
  suffixRules('a e o:3'),
);
