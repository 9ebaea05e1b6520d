import { readFileSync } from 'node:fs';
import { madeOnce } from '../../base/made-once.ts';
import { scriptWords } from './grams.ts';
import { type LanguageModel, readModel } from './language-model.ts';
import { FIRST_SCRIPT, type LetterClasses, letterClasses } from './letter-classes.ts';
import { type MainScript, mainScript } from './main-script.ts';

export interface IdentifiedLanguage {
  /** ISO 639-1. */
  readonly language: string;
  /** Between 0 and 1: how likely it is this one among all that we know. */
  readonly confidence: number;
  /** Enough text, and no other language near: worth more than what a page declares. */
  readonly reliable: boolean;
}

export interface IdentifyOptions {
  /** Characters looked at, the first of the text; never more than 2,000. */
  readonly maxLength?: number;
  /** Only these are considered, where given. */
  readonly among?: ReadonlySet<string>;
}

/** What a word with a capital counts: it may be a name from anywhere. */
const CAPITAL_WEIGHT = 0.35;
/** More than this changes no answer. */
const MAX_LENGTH = 2_000;
/** Text shorter than this is never a reliable witness. */
const RELIABLE_LETTERS = 24;
/** The same for scripts of one language, where few letters are enough. */
const RELIABLE_SYLLABLES = 6;
const RELIABLE_CONFIDENCE = 0.9;

interface Tables {
  readonly classes: LetterClasses;
  readonly models: readonly LanguageModel[];
}

/** Never changed, and costly to make: one for all identifiers of a thread. */
const ownTables = madeOnce(() => tablesOf(readFileSync(new URL('./languages.model', import.meta.url))));

/** Tells in which language a text is written. The tables are made at the first question. Never throws, whatever the text. */
export class LanguageIdentifier {
  readonly #tables: () => Tables;
  readonly #letters = new Uint16Array(MAX_LENGTH + 2);

  /** `readModelFile`: of another model than our own. */
  constructor(readModelFile?: () => Uint8Array) {
    this.#tables = readModelFile === undefined ? ownTables : madeOnce(() => tablesOf(readModelFile()));
  }

  /** Undefined where the text has no letters of a script we know. */
  identify(text: string, options: IdentifyOptions = {}): IdentifiedLanguage | undefined {
    const { classes, models } = this.#tables();
    const { maxLength = MAX_LENGTH, among } = options;
    const begin = text.slice(0, Math.min(maxLength, MAX_LENGTH)).normalize('NFC');
    const lower = begin.toLowerCase();
    const script = mainScript(lower, classes);
    if (script === undefined) return undefined;
    if (script.language !== undefined) return byScript(script.language, script, among);
    const model = models[script.index - FIRST_SCRIPT];
    const letters = this.#letters;
    const scores = new Float64Array(model.languages.length);
    const small = scriptWords(begin, lower, classes.of, script.index, 'small', letters);
    const known = model.score(letters, small, 1, scores);
    const capital = scriptWords(begin, lower, classes.of, script.index, 'capital', letters);
    if (known + model.score(letters, capital, CAPITAL_WEIGHT, scores) === 0) return undefined;
    return best(model.languages, scores, script, among);
  }
}

function tablesOf(modelFile: Uint8Array): Tables {
  return { classes: letterClasses(), models: readModel(modelFile) };
}

function byScript(
  language: string,
  { letters, share }: MainScript,
  among: ReadonlySet<string> | undefined,
): IdentifiedLanguage | undefined {
  if (among !== undefined && !among.has(language)) return undefined;
  return { language, confidence: share, reliable: share > 0.5 && letters >= RELIABLE_SYLLABLES };
}

/** The language with the highest score; the confidence is its share of the probability. */
function best(
  languages: readonly string[],
  scores: Float64Array,
  { letters, share }: MainScript,
  among: ReadonlySet<string> | undefined,
): IdentifiedLanguage | undefined {
  let first = -1;
  for (let index = 0; index < scores.length; index++) {
    if (among !== undefined && !among.has(languages[index])) continue;
    if (first === -1 || scores[index] > scores[first]) first = index;
  }
  if (first === -1) return undefined;
  let sum = 0;
  for (let index = 0; index < scores.length; index++) {
    if (among === undefined || among.has(languages[index])) sum += Math.exp(scores[index] - scores[first]);
  }
  const confidence = share / sum;
  return {
    language: languages[first],
    confidence,
    reliable: letters >= RELIABLE_LETTERS && confidence >= RELIABLE_CONFIDENCE,
  };
}
