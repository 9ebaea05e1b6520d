import { createSuffixStemmer, type Stem, suffixRules } from './suffix-stemmer.ts';

const inflectedGerman = createSuffixStemmer(
  suffixRules(
    'erinnen>er innen>in:4',
    'ern em er en es e:3',
    'bs>b ds>d fs>f gs>g hs>h ks>k ls>l ms>m ns>n rs>r ts>t:3',
  ),
  suffixRules('est er en:3', 'bst>b dst>d fst>f gst>g hst>h kst>k lst>l mst>m nst>n tst>t:3'),
  suffixRules('lichkeit igkeit keit heit lich isch ung:4'),
);
/** Umlauts that were typed as two letters become what folding makes of the others. */
const TYPED_UMLAUT = /(?<![aeiouyq])ue|(?<![aeiouy])oe|ae/g;

export const stemGerman: Stem = (word) =>
  inflectedGerman(word.includes('e') ? word.replace(TYPED_UMLAUT, (pair) => pair[0] as string) : word);

const inflectedDutch = createSuffixStemmer(
  suffixRules(
    'heden>heid:3',
    'eren ende enden en es e:3',
    'ss>s as>a os>o:3',
    'bs>b ds>d fs>f gs>g ks>k ls>l ms>m ns>n ps>p rs>r ts>t:3',
  ),
  suffixRules('heid lijk ing baar:4', 'tj pj kj etj j:4'),
);

/** A long vowel is written double in a closed syllable and single in an open one: maan, manen. */
export const stemDutch: Stem = (word) => {
  const stem = inflectedDutch(word);
  const last = stem.length - 1;
  if (last < 2) return stem;
  const [before, vowel, end] = [stem[last - 2], stem[last - 1], stem[last]] as [string, string, string];
  if (before === vowel && 'aeou'.includes(vowel)) return stem.slice(0, last - 1) + voiceless(end);
  if (vowel === end && !'aeiou'.includes(end)) return stem.slice(0, last);
  return stem.slice(0, last) + voiceless(end);
};

/** v and z become f and s at the end of a word: huizen, huis. */
function voiceless(letter: string): string {
  if (letter === 'v') return 'f';
  return letter === 'z' ? 's' : letter;
}

export const stemSwedish: Stem = createSuffixStemmer(
  suffixRules(
    'heterna heternas heters heter hetens heten het:3',
    'arnas ernas ornas andena andes andet anden andet arens arnas ernas arna erna orna ande arne aste ades ade ades aren:3',
    'ens ets en et an ar er or at ad as es na ns a e s:3',
  ),
  suffixRules('ligt lig els dd>d gd>g nn>n dt>d gt>g kt>k tt>t:3'),
);

export const stemNorwegian: Stem = createSuffixStemmer(
  suffixRules(
    'hetenes hetene hetens heter heten hets het:3',
    'endes ande ende edes enes erte ede ane ene ens ers ets ast ert en ar er as es et a e s:3',
  ),
  suffixRules('leg eleg lig eig els lov dt>d vt>v:4'),
);

export const stemDanish: Stem = createSuffixStemmer(
  suffixRules(
    'erendes erende hedens ethed erede heden heder endes ernes erens erets ered ende erne eren erer heds enes eres eret hed ene ere ens ers ets en er es et e s:3',
  ),
  suffixRules('elig lig els igst ig lost>los gd>g dt>d gt>g kt>k:4'),
);
