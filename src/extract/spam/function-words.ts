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

export const functionWords: ReadonlySet<string> = new Set(LISTED.split(' '));
