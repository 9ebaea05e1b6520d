import { hash32, pick } from '../model/seeded-hash.ts';

const PURPOSE = { word: 301, topic: 302, text: 303, title: 304 } as const;
const ONSETS = 'b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sh sl sp st str t th tr v w'.split(
  ' ',
);
const VOWELS = 'a e i o u ai ea ee oa ou'.split(' ');
const CODAS = ['', '', 'b', 'ck', 'd', 'g', 'l', 'll', 'm', 'n', 'nd', 'nt', 'p', 'r', 'rd', 'rn', 's', 'st', 't', 'x'];
const ENDINGS = 'er ing ed ly ness ment al ion or y able ful ish en ow et'.split(' ');
/** Words of every English text: without them no reader takes the rest for a language. */
const SMALL_WORDS =
  'the of and a to in is that for it was on as with at by from this but not are or which an had they were their one has we'.split(
    ' ',
  );
const SIZE = 6000;
const TOPIC_WORDS = 48;

/**
 * Texts that look like English and differ from page to page: small words in common, content words from a vocabulary of
 * 6,000 that the seed makes up, most of them from the topic of the page.
 */
export class Vocabulary {
  readonly #seed: number;
  readonly #made: (string | undefined)[] = new Array(SIZE);

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Number 0 to 5,999. */
  word(number: number): string {
    const made = this.#made[number] ?? this.#make(number);
    this.#made[number] = made;
    return made;
  }

  #make(number: number): string {
    const draw = (step: number): number => hash32(this.#seed, number, step, PURPOSE.word);
    const syllables = 1 + pick(draw(0), 2);
    let word = '';
    for (let at = 0; at < syllables; at++) {
      word += one(ONSETS, draw(3 * at + 1)) + one(VOWELS, draw(3 * at + 2)) + one(CODAS, draw(3 * at + 3));
    }
    return draw(10) % 2 === 0 ? word + one(ENDINGS, draw(11)) : word;
  }

  /** Words joined by hyphens, for addresses: different keys nearly always get different ones. */
  slug(key: number, words = 2): string {
    const drawn = Array.from({ length: words }, (_, at) => hash32(this.#seed, key, at, PURPOSE.title));
    return drawn.map((hash) => this.word(pick(hash, SIZE))).join('-');
  }

  title(key: number, words = 4): string {
    const text = this.slug(key, words).replaceAll('-', ' ');
    return text[0].toUpperCase() + text.slice(1);
  }

  /** Sentences of about `words` words; `key` names the page, `part` the piece of it. */
  text(key: number, part: number, words: number): string {
    const sentences: string[] = [];
    for (let written = 0, sentence = 0; written < words; sentence++) {
      const length = 7 + pick(this.#draw(key, part, sentence, 0), 10);
      const drawn = Array.from({ length }, (_, at) => this.#inText(key, part, sentence, at + 1));
      const text = drawn.join(' ');
      sentences.push(`${text[0].toUpperCase()}${text.slice(1)}.`);
      written += length;
    }
    return sentences.join(' ');
  }

  #inText(key: number, part: number, sentence: number, at: number): string {
    const drawn = this.#draw(key, part, sentence, at);
    const chosen = this.#draw(key, part, sentence, at + 100);
    if (drawn % 10 < 4) return one(SMALL_WORDS, chosen);
    if (drawn % 10 < 6) return this.word(pick(chosen, SIZE));
    // The square makes the first words of a topic common and the last ones rare.
    const rank = Math.floor(TOPIC_WORDS * (chosen / 0x1_0000_0000) ** 2);
    return this.word(pick(hash32(this.#seed, key, rank, PURPOSE.topic), SIZE));
  }

  #draw(key: number, part: number, sentence: number, at: number): number {
    return hash32(this.#seed ^ Math.imul(part + 1, 0x9e3779b1), key, sentence * 256 + at, PURPOSE.text);
  }
}

function one(list: readonly string[], hash: number): string {
  return list[pick(hash, list.length)];
}
