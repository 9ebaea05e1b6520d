import { CodeUnits } from '../../base/code-units.ts';
import { hasVectors } from '../../base/wasm/has-vectors.ts';
import type { ContentSketch, SketchMethod } from '../../contracts/content/content-sketch.ts';
import { KernelReader } from './kernel/kernel-reader.ts';
import { MOST_UNITS } from './kernel/memory-layout.ts';
import { DEFAULT_METHOD, isSameMethod } from './sketch-method.ts';
import { TextReader } from './text-reader.ts';

export interface SketcherOptions {
  /** Shorter texts have no sketch: a line of boilerplate is everywhere, and one changed word in 20 leaves Jaccard 0.5. */
  readonly minimumWords?: number;
  readonly method?: SketchMethod;
}

const MINIMUM_WORDS = 20;
/** So that twenty characters of a script without spaces, or of a list of numbers, are no text either. */
const LETTERS_PER_WORD = 3;

/** Reduces texts to sketches. Its buffers serve one text after the other: one maker per thread. */
export class Sketcher {
  readonly #minimumWords: number;
  readonly #method: SketchMethod;
  readonly #units = new CodeUnits();
  /** Of texts of common length by the default method. Made with the first text, as is the other. */
  #kernelReader: KernelReader | undefined;
  #textReader: TextReader | undefined;

  constructor({ minimumWords = MINIMUM_WORDS, method = DEFAULT_METHOD }: SketcherOptions = {}) {
    this.#minimumWords = minimumWords;
    this.#method = method;
  }

  /** Undefined for a text that is too short to be like another. `units`: its code units with a 0 behind them, where somebody has them. */
  of(text: string, units = this.#units.of(text)): ContentSketch | undefined {
    const reader = this.#readerOf(text);
    const { words, letters, shingles } = reader.read(units, text.length);
    if (words < this.#minimumWords || letters < LETTERS_PER_WORD * this.#minimumWords || shingles <= 0)
      return undefined;
    return reader.sketch();
  }

  #readerOf(text: string): KernelReader | TextReader {
    if (text.length <= MOST_UNITS && isSameMethod(this.#method, DEFAULT_METHOD) && hasVectors()) {
      this.#kernelReader ??= new KernelReader();
      return this.#kernelReader;
    }
    this.#textReader ??= new TextReader(this.#method);
    return this.#textReader;
  }
}
