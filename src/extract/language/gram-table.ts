/** What grams say, as the file of a model has it. */
export interface GramWeights {
  readonly grams: Int32Array;
  /** For each language the weights of all grams. */
  readonly columns: Int8Array;
}

/** Of a table for so many grams: a power of two, at most two thirds full. */
export function slotCountFor(grams: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, grams * 1.5)));
}

/**
 * Fills a table with open addressing: the gram at each place, 0 where it is empty, and behind it where its weights begin, of which each gram
 * has `width`: those of the languages, and zeros.
 */
export function fillGramTable(
  { grams, columns }: GramWeights,
  into: { readonly slots: Int32Array; readonly weights: Int8Array; readonly width: number },
): void {
  const { slots, weights, width } = into;
  const count = grams.length;
  const mask = slots.length / 2 - 1;
  for (let row = 0; row < count; row++) {
    let place = grams[row] & mask;
    while (slots[2 * place] !== 0) place = (place + 1) & mask;
    slots[2 * place] = grams[row];
    slots[2 * place + 1] = row * width;
    for (let from = row, to = row * width; from < columns.length; from += count) weights[to++] = columns[from];
  }
}
