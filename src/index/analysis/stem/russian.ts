import { createSuffixStemmer, type Stem, suffixRules } from './suffix-stemmer.ts';

/** Reflexive, then the ending of a gerund, adjective, verb or noun, then what derivation and gradation leave. */
export const stemRussian: Stem = createSuffixStemmer(
  suffixRules('ся сь:4'),
  suffixRules(
    'ившись ывшись вшись ивши ывши вши:3',
    'ими ыми его ого ему ому ее ие ые ое ей ий ый ой ем им ым ом их ых ую юю ая яя ою ею:3',
    'ующая ующий ующего ующих ующее:3',
    'уйте ейте ила ыла ена ите или ыли ило ыло ено ует уют ены ить ыть ишь ешь ете йте ать ять еть ает яет ают яют ала яла ало яло али яли ал ял ил ыл ат ят ет ут ют ит ть:3',
    'иями ями ами ией иям ием иях ев ов ие ье еи ии ам ям ах ях ию ью ия ья а е и й о у ы ь ю я:3',
  ),
  suffixRules('и:3'),
  suffixRules('ость ост:3', 'ейше ейш:3', 'нн>н:2', 'ь:3'),
);
