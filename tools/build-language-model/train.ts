/**
 * Lines per language -> the model.
 * node tools/build-language-model/train.ts TEXTS OUT [grams of the Latin part]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachGram, scriptWords } from '../../src/extract/language/grams.ts';
import { type ModelPart, writeModel } from '../../src/extract/language/language-model.ts';
import { FIRST_SCRIPT, letterClasses, SHARED_SCRIPTS } from '../../src/extract/language/letter-classes.ts';
import { GramCounts } from './gram-counts.ts';
import { LANGUAGES, type Source } from './languages.ts';

const [texts, out, latinGrams = '80000', stepsPerLanguage = '40000'] = process.argv.slice(2);
const GRAMS = [Number(latinGrams), 24_000, 8_000, 6_000];
const MOST_CHARACTERS = 3_000_000;
/** Grams overlap: each letter is counted in about this many. */
const OVERLAP = 4;
const RATE = 0.02;
const ROUNDS = 2;
/** A line belongs to another language when that one leads by so much (a natural logarithm). */
const FOREIGN_LEAD = 5;

const classes = letterClasses();
const random = seeded(20_240_607);

const parts = SHARED_SCRIPTS.map((name, index): ModelPart => {
  const probe = { Latin: 'a', Cyrillic: 'я', Arabic: 'ا', Devanagari: 'अ' }[name];
  const languages = LANGUAGES.filter(({ script }) => script.test(probe));
  return train(languages, FIRST_SCRIPT + index, GRAMS[index]);
});
writeFileSync(out, writeModel(parts));

function train(languages: readonly Source[], script: number, mostGrams: number): ModelPart {
  const codes = languages.map(({ code }) => code);
  let lines = languages.map(({ code }) => sample(readFileSync(join(texts, `${code}.txt`), 'utf8').split('\n')));
  for (let round = 1; ; round++) {
    const counts = lines.map((own) => countGrams(own, script));
    const rowOf = chooseGrams(counts, mostGrams);
    const weights = initialWeights(rowOf, counts);
    console.log(`${codes.join(' ')}: ${rowOf.size} grams`);
    const steps = Number(stepsPerLanguage) * languages.length;
    descend(weights, rowOf, lines, languages, script, round === ROUNDS ? steps : steps / 4);
    if (round === ROUNDS) return { languages: codes, grams: Int32Array.from(rowOf.keys()), ...quantized(weights) };
    lines = lines.map((own, language) => withoutForeign(own, language, codes, weights, rowOf, script));
  }
}

function countGrams(lines: readonly string[], script: number): GramCounts {
  const letters = new Uint16Array(4_096);
  const counts = new GramCounts();
  for (const line of lines) counts.add(letters, wordsOf(line, script, letters));
  return counts;
}

/** Without the lines that stayed in another language: a first model knows them. */
function withoutForeign(
  lines: readonly string[],
  language: number,
  codes: readonly string[],
  weights: Float32Array,
  rowOf: ReadonlyMap<number, number>,
  script: number,
): string[] {
  const letters = new Uint16Array(4_096);
  const scores = new Float64Array(codes.length);
  const kept = lines.filter((line) => {
    const rows = rowsOf(letters, wordsOf(line, script, letters), rowOf, codes.length);
    if (rows.length < 20) return true;
    addUp(rows, weights, scores);
    return Math.max(...scores) - scores[language] < FOREIGN_LEAD;
  });
  console.log(`  ${codes[language]}: ${lines.length - kept.length} of ${lines.length} lines are foreign`);
  return kept;
}

function wordsOf(line: string, script: number, letters: Uint16Array): number {
  return scriptWords(line, line, classes.of, script, 'any', letters);
}

function rowsOf(letters: Uint16Array, length: number, rowOf: ReadonlyMap<number, number>, width: number): number[] {
  const rows: number[] = [];
  eachGram(letters, 0, length, (gram) => {
    const row = rowOf.get(gram);
    if (row !== undefined) rows.push(row * width);
    return row !== undefined;
  });
  return rows;
}

function addUp(rows: readonly number[], weights: Float32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const row of rows) {
    for (let language = 0; language < scores.length; language++) scores[language] += weights[row + language];
  }
}

/** The most frequent of each language; as many of each as makes `most` together. */
function chooseGrams(counts: readonly GramCounts[], most: number): Map<number, number> {
  const tops = counts.map((own) => own.top(most, 3));
  const rowOf = new Map<number, number>();
  for (let rank = 0; rowOf.size < most && tops.some((top) => rank < top.length); rank++) {
    for (const top of tops) {
      if (rank < top.length && top[rank] !== 0 && !rowOf.has(top[rank])) rowOf.set(top[rank], rowOf.size);
    }
  }
  return rowOf;
}

/** By Bayes, as if grams were independent: a good start. */
function initialWeights(rowOf: ReadonlyMap<number, number>, counts: readonly GramCounts[]): Float32Array {
  const weights = new Float32Array(rowOf.size * counts.length);
  for (const [gram, row] of rowOf) {
    let mean = 0;
    for (let language = 0; language < counts.length; language++) {
      const rate = (counts[language].count(gram) + 0.5) / counts[language].total;
      const value = Math.log(Math.max(rate, 3e-7)) / OVERLAP;
      weights[row * counts.length + language] = value;
      mean += value / counts.length;
    }
    for (let language = 0; language < counts.length; language++) weights[row * counts.length + language] -= mean;
  }
  return weights;
}

/** Gradient descent on the logarithm of the probability of the right language of random stretches of words. */
function descend(
  weights: Float32Array,
  rowOf: ReadonlyMap<number, number>,
  lines: readonly (readonly string[])[],
  languages: readonly Source[],
  script: number,
  steps: number,
): void {
  const count = lines.length;
  const letters = new Uint16Array(512);
  const scores = new Float64Array(count);
  let right = 0;
  let loss = 0;
  for (let step = 0; step < steps; step++) {
    const truth = step % count;
    const { plain = 0 } = languages[truth];
    const words = stretch(lines[truth]);
    const length = wordsOf(random() < plain ? words.normalize('NFD').replace(/\p{M}/gu, '') : words, script, letters);
    const rows = rowsOf(letters, length, rowOf, count);
    if (rows.length === 0) continue;
    addUp(rows, weights, scores);
    let most = -Infinity;
    let best = 0;
    for (let language = 0; language < count; language++) {
      if (scores[language] > most) {
        most = scores[language];
        best = language;
      }
    }
    let sum = 0;
    for (let language = 0; language < count; language++) sum += scores[language] = Math.exp(scores[language] - most);
    loss -= Math.log(scores[truth] / sum);
    if (best === truth) right++;
    const rate = (RATE * (1 - step / steps)) / Math.sqrt(rows.length / 20);
    for (let language = 0; language < count; language++) {
      scores[language] = -rate * (scores[language] / sum - (language === truth ? 1 : 0));
    }
    for (const row of rows)
      for (let language = 0; language < count; language++) weights[row + language] += scores[language];
    if ((step + 1) % Math.ceil(steps / 5) === 0) {
      console.log(
        `  ${step + 1}: ${((100 * right) / Math.ceil(steps / 5)).toFixed(2)} % loss ${(loss / Math.ceil(steps / 5)).toFixed(4)}`,
      );
      right = 0;
      loss = 0;
    }
  }
}

/** One to twenty words, short stretches more often. */
function stretch(own: readonly string[]): string {
  const wanted = 1 + Math.floor(20 * random() ** 2);
  const words: string[] = [];
  let line = Math.floor(random() * own.length);
  const first = own[line].split(' ');
  words.push(...first.slice(Math.floor(random() * Math.max(0, first.length - wanted + 1))));
  while (words.length < wanted) {
    line = Math.floor(random() * own.length);
    words.push(...own[line].split(' '));
  }
  return words.slice(0, wanted).join(' ');
}

function quantized(weights: Float32Array): { weights: Int8Array; unit: number } {
  const sizes = Float32Array.from(weights, Math.abs).sort();
  const unit = sizes[Math.floor(sizes.length * 0.9995)] / 127;
  return {
    weights: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit)))),
    unit,
  };
}

/** Lines in lower case, chosen at random until there is enough. */
function sample(all: string[]): string[] {
  const chosen: string[] = [];
  let size = 0;
  for (let left = all.length; left > 0 && size < MOST_CHARACTERS; left--) {
    const at = Math.floor(random() * left);
    const line = all[at];
    all[at] = all[left - 1];
    if (line.length < 3) continue;
    chosen.push(line.toLowerCase());
    size += line.length;
  }
  return chosen;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
