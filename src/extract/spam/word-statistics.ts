import { CodeUnits } from '../../base/code-units.ts';
import { madeOnce } from '../../base/made-once.ts';
import { DIGIT, FULL_STOP, IDEOGRAPHIC, KINDS, LETTER, PROGRAM_SIGN, SEPARATOR, STOP } from './character-kinds.ts';
import { isFunctionWord } from './function-words.ts';

/** What a text looks like when only the counts of its words are seen. */
export interface WordStatistics {
  /** Words, numbers included; lines that came before do not count again. */
  readonly words: number;
  /** Those in repeated lines too, roughly. */
  readonly allWords: number;
  /** Words that carry meaning: no function words, no numbers. */
  readonly contentWords: number;
  readonly functionShare: number;
  readonly numberShare: number;
  /** Lines that are read, and the share of them that has a number. */
  readonly lines: number;
  readonly numberedLineShare: number;
  /** Different content words for each content word. */
  readonly variety: number;
  /** The most frequent content word, and its share of all words. */
  readonly topWord: string;
  readonly topCount: number;
  readonly topShare: number;
  /** Share of the four most frequent content words together. */
  readonly topFourShare: number;
  /** Share of the twelve most frequent ones: a family of phrases said again and again. */
  readonly topTwelveShare: number;
  /** The most frequent pair of neighbouring content words, and the share of all words that it covers. Empty and 0 where no word is frequent. */
  readonly topPair: string;
  readonly pairCount: number;
  readonly pairShare: number;
  /** Commas, bars, semicolons and bullets for each word: what separates the items of a list. */
  readonly separatorShare: number;
  /** Full stops, question and exclamation marks for each word. */
  readonly sentenceShare: number;
  /** Braces, brackets, operators, names with dots, and each name with capitals inside once, for each character: what program text is full of. */
  readonly codeShare: number;
  /** Lines that repeat an earlier one: what share of all lines' words, how often the most frequent line stands. Labels do not count. */
  readonly repeatedLineShare: number;
  readonly mostRepeatedLine: number;
  /** Words of that line. */
  readonly repeatedLineWords: number;
}

/** A text of which more than this is read tells nothing new. */
const LONGEST = 2_500;

/** Counts the words of a text. Pure; time grows with the text, up to a limit. */
export function wordStatistics(text: string): WordStatistics {
  const counter = new WordCounter(text.length > LONGEST ? text.slice(0, LONGEST) : text);
  counter.read();
  return counter.statistics();
}

/** Pairs are counted where a word has at least this share. */
const FREQUENT_SHARE = 0.045;
const TOP = 12;
const NONE = new Int32Array(0);
const BREAK = -1;
const FUNCTION = 1;
const CONTENT = 2;
/** A line with fewer content words that stands again is a label or the rest of a template: "Defined in", ":: -> ->". */
const LEAST_PHRASE = 2;
const LABEL = 0;

/** What the words of a text of up to so many characters are noted in. */
class WordTables {
  /** Open addressing: hash of the word, times seen, kind, where it first stood. */
  readonly hashes: Int32Array;
  readonly counts: Int32Array;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly lengths: Uint16Array;
  /** Slots of the content words in their order; -1 where a number or a line ends a phrase. */
  readonly order: Int16Array;
  readonly units = new CodeUnits();
  readonly writtenUnits = new CodeUnits();

  constructor(longest: number) {
    const size = slotsFor(longest);
    this.hashes = new Int32Array(size);
    this.counts = new Int32Array(size);
    this.kinds = new Uint8Array(size);
    this.starts = new Int32Array(size);
    this.lengths = new Uint16Array(size);
    this.order = new Int16Array(longest + 2);
  }
}

/** One text is counted after the other. */
const keptTables = madeOnce(() => new WordTables(LONGEST));

class WordCounter {
  /** In small letters. */
  readonly #text: string;
  readonly #mask: number;
  /** Tables are never filled up: scripts without blanks have a word for nearly every character. */
  readonly #room: number;
  #filled = 0;
  #filledPairs = 0;
  readonly #hashes: Int32Array;
  readonly #counts: Int32Array;
  readonly #kinds: Uint8Array;
  readonly #starts: Int32Array;
  readonly #lengths: Uint16Array;
  /** Pairs of content words by the slots of both. */
  #pairs = NONE;
  #pairCounts = NONE;
  readonly #order: Int16Array;
  /** The code units of the text, and a 0; and of it as it is written. */
  readonly #units: Uint16Array;
  readonly #written: Uint16Array;
  readonly #writtenLength: number;
  #orderLength = 0;
  /** How often each line stood, by its hash; `LABEL` for labels. */
  readonly #lines = new Map<number, number>();
  #words = 0;
  #numbers = 0;
  #functions = 0;
  #contents = 0;
  #distinct = 0;
  #separators = 0;
  #stops = 0;
  #code = 0;
  #lineWords = 0;
  #linesRead = 0;
  #numberedLines = 0;
  #repeatedWords = 0;
  #labelWords = 0;
  #mostRepeated = 1;
  #repeatedLineWords = 0;

  constructor(text: string) {
    this.#text = text.toLowerCase();
    const size = slotsFor(text.length);
    this.#mask = size - 1;
    this.#room = (size * 7) >> 3;
    // In small letters some texts are longer.
    const tables = this.#text.length > LONGEST ? new WordTables(text.length) : keptTables();
    this.#hashes = tables.hashes.fill(0, 0, size);
    this.#counts = tables.counts.fill(0, 0, size);
    this.#kinds = tables.kinds;
    this.#starts = tables.starts;
    this.#lengths = tables.lengths;
    this.#order = tables.order;
    this.#units = tables.units.of(this.#text);
    this.#written = tables.writtenUnits.of(text);
    this.#writtenLength = text.length;
  }

  read(): void {
    const text = this.#text;
    let start = 0;
    while (start < text.length) {
      let end = text.indexOf('\n', start);
      if (end === -1) end = text.length;
      if (end > start) this.#readLine(start, end);
      start = end + 1;
    }
  }

  /** A line that stood before (a refrain, the head of a table) is counted as such and not read again. */
  #readLine(start: number, end: number): void {
    const units = this.#units;
    let sum = 0;
    let spaces = 1;
    for (let at = start; at < end; at++) {
      const code = units[at];
      spaces += code === 0x20 ? 1 : 0;
      sum = (Math.imul(sum, 31) + code) | 0;
    }
    const before = this.#lines.get(sum);
    if (before === LABEL) {
      this.#labelWords += spaces;
      return;
    }
    this.#lineWords += spaces;
    if (before === undefined) {
      this.#lines.set(sum, this.#readNewLine(start, end) < LEAST_PHRASE ? LABEL : 1);
      return;
    }
    const times = before + 1;
    this.#lines.set(sum, times);
    this.#repeatedWords += spaces;
    if (times <= this.#mostRepeated) return;
    this.#mostRepeated = times;
    this.#repeatedLineWords = spaces;
  }

  /** Answers how many content words it has. */
  #readNewLine(start: number, end: number): number {
    const numbers = this.#numbers;
    const contents = this.#contents;
    this.#readWords(start, end);
    this.#linesRead++;
    if (this.#numbers > numbers) this.#numberedLines++;
    return this.#contents - contents;
  }

  #readWords(from: number, end: number): void {
    const units = this.#units;
    this.#order[this.#orderLength++] = BREAK;
    for (let at = from; at < end; ) {
      const start = at;
      switch (KINDS[units[at]]) {
        case LETTER: {
          let sum = 0;
          do {
            sum = (Math.imul(sum, 31) + units[at]) | 0;
            at++;
          } while (at < end && KINDS[units[at]] === LETTER);
          this.#count(sum, start, at, false);
          continue;
        }
        case IDEOGRAPHIC:
          // No blanks between the words: pairs of characters stand for them.
          if (KINDS[units[at + 1]] === IDEOGRAPHIC)
            this.#count((Math.imul(units[at], 31) + units[at + 1]) | 0, start, start + 2, true);
          break;
        case DIGIT:
          while (at + 1 < end && isInNumber(KINDS[units[at + 1]])) at++;
          this.#words++;
          this.#numbers++;
          this.#order[this.#orderLength++] = BREAK;
          break;
        case SEPARATOR:
          this.#separators++;
          break;
        case FULL_STOP:
          // In the midst of a name, as programs and addresses have them.
          if (at > from && isLetter(KINDS[units[at - 1]]) && isLetter(KINDS[units[at + 1]])) this.#code++;
          else this.#stops++;
          break;
        case STOP:
          this.#stops++;
          break;
        case PROGRAM_SIGN:
          this.#code++;
          break;
      }
      at++;
    }
  }

  #count(sum: number, start: number, end: number, isIdeographic: boolean): void {
    const hash = sum | 1;
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & this.#mask;
    this.#words++;
    if (this.#hashes[slot] === 0) {
      if (this.#filled >= this.#room) return;
      this.#filled++;
      this.#hashes[slot] = hash;
      this.#starts[slot] = start;
      this.#lengths[slot] = Math.min(end - start, 60);
      const length = end - start;
      const small = !isIdeographic && (length <= 2 || (length <= 8 && isFunctionWord(sum, this.#units, start, end)));
      if (length > 3 && hasInnerCapital(this.#written, start, Math.min(end, this.#writtenLength))) this.#code++;
      this.#kinds[slot] = small ? FUNCTION : CONTENT;
      if (!small) this.#distinct++;
    }
    this.#counts[slot]++;
    if (this.#kinds[slot] === FUNCTION) this.#functions++;
    else {
      this.#contents++;
      this.#order[this.#orderLength++] = slot;
    }
  }

  /** Counts the pairs. Those of rare words are rare, so that nobody asks for them where no word is frequent. */
  #countPairs(): void {
    this.#pairs = new Int32Array(this.#mask + 1);
    this.#pairCounts = new Int32Array(this.#mask + 1);
    for (let at = 1; at < this.#orderLength; at++) {
      const first = this.#order[at - 1];
      if (first !== BREAK && this.#order[at] !== BREAK) this.#countPair(first, this.#order[at]);
    }
  }

  #countPair(first: number, second: number): void {
    const pair = (first << 16) | second | 0;
    const key = pair === 0 ? 1 : pair;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 12) & this.#mask;
    while (this.#pairs[slot] !== 0 && this.#pairs[slot] !== key) slot = (slot + 1) & this.#mask;
    if (this.#pairs[slot] === 0) {
      if (this.#filledPairs >= this.#room) return;
      this.#filledPairs++;
      this.#pairs[slot] = key;
    }
    this.#pairCounts[slot]++;
  }

  statistics(): WordStatistics {
    const words = Math.max(1, this.#words);
    const top = this.#mostFrequent();
    const topCounts = top.map((slot) => this.#counts[slot]);
    if ((topCounts[0] ?? 0) >= FREQUENT_SHARE * words) this.#countPairs();
    const pair = this.#topPair();
    const pairCount = pair < 0 ? 0 : this.#pairCounts[pair];
    const contentWords = this.#words - this.#numbers - this.#functions;
    return {
      words: this.#words,
      allWords: this.#words + this.#repeatedWords + this.#labelWords,
      contentWords,
      functionShare: this.#functions / words,
      numberShare: this.#numbers / words,
      lines: this.#linesRead,
      numberedLineShare: this.#numberedLines / Math.max(1, this.#linesRead),
      variety: this.#distinct / Math.max(1, contentWords),
      topWord: top.length === 0 ? '' : this.#wordAt(top[0]),
      topCount: topCounts[0] ?? 0,
      topShare: (topCounts[0] ?? 0) / words,
      topFourShare: sum(topCounts, 4) / words,
      topTwelveShare: sum(topCounts, TOP) / words,
      topPair: pair < 0 ? '' : `${this.#wordAt(this.#pairs[pair] >>> 16)} ${this.#wordAt(this.#pairs[pair] & 0xffff)}`,
      pairCount,
      pairShare: (2 * pairCount) / words,
      separatorShare: this.#separators / words,
      sentenceShare: this.#stops / words,
      codeShare: this.#code / Math.max(1, this.#text.length),
      repeatedLineShare: this.#repeatedWords / Math.max(1, this.#lineWords),
      mostRepeatedLine: this.#mostRepeated,
      repeatedLineWords: this.#repeatedLineWords,
    };
  }

  #mostFrequent(): number[] {
    const counts = this.#counts;
    const top: number[] = [];
    // Of words that are as frequent the first ones count; most are too rare to be looked at.
    let least = 0;
    for (let slot = 0; slot <= this.#mask; slot++) {
      const count = counts[slot];
      if (count <= least || this.#kinds[slot] !== CONTENT) continue;
      let place = top.length < TOP ? top.push(slot) - 1 : TOP - 1;
      for (; place > 0 && counts[top[place - 1]] < count; place--) top[place] = top[place - 1];
      top[place] = slot;
      if (top.length === TOP) least = counts[top[TOP - 1]];
    }
    return top;
  }

  #topPair(): number {
    let best = -1;
    for (let slot = 0; slot < this.#pairCounts.length; slot++)
      if (this.#pairCounts[slot] > 0 && (best < 0 || this.#pairCounts[slot] > this.#pairCounts[best])) best = slot;
    return best;
  }

  #wordAt(slot: number): string {
    return this.#text.slice(this.#starts[slot], this.#starts[slot] + this.#lengths[slot]);
  }
}

function sum(counts: readonly number[], first: number): number {
  let total = 0;
  for (let at = 0; at < Math.min(first, counts.length); at++) total += counts[at];
  return total;
}

/** Whether a capital follows a small letter, as in `fileName`. */
function hasInnerCapital(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (isCapital(units[at]) && !isCapital(units[at - 1])) return true;
  return false;
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** A power of two. */
function slotsFor(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(64, length / 2)));
}

function isLetter(kind: number): boolean {
  return kind === LETTER || kind === IDEOGRAPHIC;
}

function isInNumber(kind: number): boolean {
  return kind === DIGIT || isLetter(kind);
}
