/**
 * Words so common that they say nothing of what is looked for, folded. Short lists: a word more here is a word that is not looked for.
 * Those that mean something in English (die, war, pour, son) are left out of the others, since the language of a query is a guess.
 */
const STOP_WORDS: Readonly<Record<string, string>> = {
  en: 'a about after all also am an and any are as at be because been before being between both but by can could did do does during each for from had has have having he her his how i if in into is it its me more most my no nor not of on only or other our should so some such than that the their them then there these they this those through to under until up very was we were what when where which while who whom why will with would you your',
  de: 'aber als am an auch auf aus bei bis da das dass dem den der des durch ein eine einem einen einer eines er es fur hatte ich ihr im ist ja kann mehr nach nicht noch nur oder ohne sich sie sind uber um und uns unter vom von vor werden wie wir wird wurde zu zum zur zwischen',
  fr: 'au aux avec ce ces cette comme d dans de des du elle en est et etait etre il ils je l la le les leur mais n ne nous ou par pas qu que qui s sa se ses sont sur un une vous y',
  es: 'al como con cual de del desde donde e el ella en entre era es esta este la las lo los mas muy no nos o para pero por que se segun ser sin sobre su sus tambien un una uno y ya',
  it: 'ai al alla alle anche che chi ci coi col come con cui d da dal dalla dei del della delle di e ed era gli i il in l la le lo loro ma nei nel nella non o per piu quale quando questa questo se si sono su sua sul sulla tra un una uno',
  pt: 'a ao aos as com como da das de do dos e ela ele em entre era essa esta este eu foi ha isso ja mais mas muito na nao nas nem no nos o os ou para pela pelo por qual quando que se sem seu sua um uma',
  nl: 'aan al als bij dan dat de deze dit door een en er het hij hoe ik in is je kan maar met naar niet nog of om ook op te tot uit van voor wat we wel werd wij worden ze zij zijn zo',
  sv: 'alla att av de dem den denna det detta du efter eller en ett fran for han har hon hur i inte jag kan med mot nar och om pa sa sig sin som till under ut var vi vid ar',
  no: 'alle at av da de dem den denne der det dette du eller en et etter for fra han har hun hva hvor i ikke jeg kan med mot nar og om pa seg sin skal som til ut var ved vi',
  da: 'af alle at blev da de dem den denne der det dette du efter eller en er et for fra ham han har hun hvad hvor i ikke jeg kan med mod nar og om op pa sig sin skal som til ud var ved vi',
  fi: 'ei eli etta han he hanen ja jo jos joka jotka kuin kun me mika mina mutta myos ne niin nyt ole oli olla on ovat se sen sina taman tai tama vain',
  ru: 'а без бы был была были было быть в вы да для до его ее если есть же за и из или им их к как ко когда кто ли мы на не него нее но о об он она они от по при с со так также то только у что это этот я',
  hu: 'a az de egy es ez ezt hogy ha is ki le meg mar mint mi nem o ok s sem vagy van volt',
  ro: 'a ai al ale am au ca care ce cel cu da de din dupa e ea ei el este eu fi fost in iar la mai nu o pe pentru prin sa sau se si sunt un una unei unui',
  tr: 'ama bir biz bu cok da daha de degil en gibi her icin ile ise kadar ki ne o olan olarak sen siz su ve veya ya',
};

/** What tells the language of a query all the same. */
const TELLING_WORDS: Readonly<Record<string, string>> = {
  de: 'die hat in man mit war was',
  fr: 'a on plus pour son',
  es: 'a me son',
  it: 'a ha ho mi',
  pt: 'me',
  nl: 'die had over was',
  sv: 'men over',
  no: 'er men over',
  da: 'men over',
  hu: 'be fel',
  ro: 'are',
  tr: 'var mi',
};

/** In the order of the lists; Norwegian goes by three tags. */
const SETS = setsOf({ ...STOP_WORDS, nb: STOP_WORDS.no ?? '', nn: STOP_WORDS.no ?? '' });
const TELLING = setsOf(TELLING_WORDS);

function setsOf(lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(lists).map(([language, words]) => [language, new Set(words.split(' '))]));
}

const LANGUAGES = [...SETS.keys()];
/** For each word that tells a language, the places of those that it tells: every query asks about each of its words. */
const COUNTED = languagesOfWords();

function languagesOfWords(): ReadonlyMap<string, readonly number[]> {
  const languages = new Map<string, number[]>();
  for (const [at, language] of LANGUAGES.entries()) {
    for (const word of new Set([...(SETS.get(language) ?? []), ...(TELLING.get(language) ?? [])])) {
      const known = languages.get(word);
      if (known === undefined) languages.set(word, [at]);
      else known.push(at);
    }
  }
  return languages;
}

/** Whether one of the languages has the folded word among its commonest. */
export function isStopWord(word: string, languages: readonly string[]): boolean {
  return languages.some((language) => SETS.get(language)?.has(word));
}

/** The languages whose commonest words are the most of these, and how many: none where no word tells. */
export function languagesByStopWords(words: readonly string[]): {
  readonly languages: readonly string[];
  readonly count: number;
} {
  const counts = LANGUAGES.map(() => 0);
  for (const word of words) for (const language of COUNTED.get(word) ?? []) counts[language]++;
  const count = Math.max(...counts);
  return { languages: count === 0 ? [] : LANGUAGES.filter((_, language) => counts[language] === count), count };
}
