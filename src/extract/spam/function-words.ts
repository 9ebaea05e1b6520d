/**
 * The small words of the languages that are most written on the web: every third to second word of running text, and
 * next to none of a list of keywords. Words of one or two letters count as such in every language and are not listed.
 */
const LISTED = [
  'the and for are was were not but you your this that with from have has had its his her our they them their what which',
  'who when where how can will would could should been being than then there these those into about after before between',
  'because through during without under over again also only other some such more most very just out all any one two now',
  'der die das und ist nicht mit den dem des ein eine einer einen eines sich auch auf für von bei aus sind war als wie noch',
  'nach wird oder aber wenn dass nur über vor kann mehr durch haben werden zum zur ich wir sie ihr',
  'les des une est pas que qui dans pour par sur avec plus sont aux ses mais comme ont cette nous vous leur elle ils son',
  'los las del una con por para como más pero sus este esta son hay ser fue han muy sobre entre todo también cuando',
  'que com uma não dos das mais como foi são mas pelo pela seu sua nos che non per una sono della del dei delle con nel',
  'alla gli anche come più questo questa het een van voor niet met zijn dat ook aan naar maar door och att det som för med',
  'inte har till den ett ikke til som med på jest się nie jak dla oraz czy ale lub tego już przez że',
  'что как это для или его она они все так уже при был была было быть если только тот мне нас вас чтобы они',
  'bir için ile olan daha çok gibi kadar olarak ama ve adalah yang dan untuk dengan dari tidak ini itu pada',
].join(' ');

/** By the sums of their letters; and 1 at the place of the sum of each, which most other words are told by. */
const FUNCTION_WORDS = new Map<number, readonly string[]>();
const FUNCTION_SUMS = new Uint8Array(1 << 14);
for (const word of new Set(LISTED.split(' '))) {
  const sum = sumOf(word);
  FUNCTION_WORDS.set(sum, [...(FUNCTION_WORDS.get(sum) ?? []), word]);
  FUNCTION_SUMS[placeOf(sum)] = 1;
}

/** `sum`: each letter added to 31 times the sum before it, in 32 bits. No string is made of the word. */
export function isFunctionWord(sum: number, units: Uint16Array, start: number, end: number): boolean {
  if (FUNCTION_SUMS[placeOf(sum)] === 0) return false;
  return FUNCTION_WORDS.get(sum)?.some((word) => stands(word, units, start, end)) === true;
}

function stands(word: string, units: Uint16Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== units[start + at]) return false;
  return true;
}

function placeOf(sum: number): number {
  return (sum ^ (sum >>> 15)) & (FUNCTION_SUMS.length - 1);
}

function sumOf(word: string): number {
  let sum = 0;
  for (let at = 0; at < word.length; at++) sum = (Math.imul(sum, 31) + word.charCodeAt(at)) | 0;
  return sum;
}
