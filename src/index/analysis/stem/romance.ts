import { createSuffixStemmer, type Stem, suffixRules } from './suffix-stemmer.ts';

/** Endings of verbs, nouns and adjectives are taken off, and where two forms of a word end in different vowels, those too. */
export const stemFrench: Stem = createSuffixStemmer(
  suffixRules('eaux>eau:2', 'aux>al:2', 'eux>eu:2', 's:2', 'x:3'),
  suffixRules(
    'issement>iss atrice>at ateur>at ation>at:3',
    'ement ment:4',
    'euse>eu ive>if ienne>ien elle>el iere>ier:3',
    'eraient erait erais erions eriez erons eront erent erai eras era assent assions:3',
    'iraient irait irais irions irez irons iront irent issaient issait issant issent issons issez:3',
    'aient ait ais ant ante iez ions ons ent ee er ez ai:3',
    'ie i ir it:3',
    'e:3',
  ),
  suffixRules('e i:3', 'nn>n ll>l tt>t mm>m ss>s:3'),
);

export const stemSpanish: Stem = createSuffixStemmer(
  suffixRules('ces>z:2', 'es:3', 's:3'),
  suffixRules(
    'amente mente:4',
    'aciones>aci acion>aci icion>ici adora ador:3',
    'ariamos eriamos iriamos aramos ieramos iendo ando aban abamos aba arian ieron aron arias aria erian eria irian iria:3',
    'aremos eremos iremos amos emos imos aran ara ado ada ido ida ar er ir io ian ia:3',
    'an en o a e:3',
  ),
  suffixRules('i:3'),
);

export const stemPortuguese: Stem = createSuffixStemmer(
  suffixRules('coes>cao soes>sao oes>ao aes>ao ais>al eis>el ois>ol:2', 'res>r zes>z ses>s:3', 'ns>m:2', 's:3'),
  suffixRules(
    'amente mente:4',
    'acao>ac ador adora:3',
    'ariamos eriamos iriamos assemos essemos issemos avamos ando endo indo avam aria eria iria aram eram iram ava asse esse isse:3',
    'aremos eremos iremos amos emos imos ado ada ido ida ar er ir ou ei eu iu am em ia iam:3',
    'a e o:3',
  ),
);

export const stemItalian: Stem = createSuffixStemmer(
  suffixRules(
    'amente mente:4',
    'azioni>az azione>az atori>at atore>at atrice>at atrici>at:3',
    'chi>c che>c ghi>g ghe>g:2',
  ),
  suffixRules(
    'avamo evamo ivamo eranno iranno erebbe irebbe erei irei eremo iremo erete irete avano evano ivano ando endo arono irono:3',
    'ava eva iva ato ata ati ate uto uta uti ute ito ita iti ite are ere ire iamo ano ono:3',
    'a e i o ia ie io ii:3',
  ),
  suffixRules('i h:3'),
);

export const stemRomanian: Stem = createSuffixStemmer(
  suffixRules('urilor ilor elor ului iilor:3', 'urile urii uri ile ele iile iei ii ei lui lor le ul ea:3'),
  suffixRules(
    'ationale ational atiune>at atii>at atie>at atia>at atori>at ator>at are ere ire easca este esc ind and ate at it ut:3',
    'a e i u o:3',
  ),
  suffixRules('i e:3'),
);
