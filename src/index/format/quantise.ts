/**
 * Lengths and frequencies in a byte each. Small values are kept exactly, larger ones in steps of a few percent.
 * A length is rounded up, so that a field always fits into the space its byte tells.
 */
const LENGTHS = Float64Array.from({ length: 256 }, (_, byte) =>
  byte < 32 ? byte : (8 + ((byte - 32) & 7)) * 2 ** (((byte - 32) >> 3) + 2),
);

/** The byte of the smallest representable length that is not below this one. */
export function byteOfLength(length: number): number {
  if (length < 32) return length;
  let low = 32;
  let high = 255;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (LENGTHS[middle] < length) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function lengthOfByte(byte: number): number {
  return LENGTHS[byte];
}

/** Frequencies up to this are exact. */
export const EXACT_FREQUENCY = 16;

const FREQUENCIES = Float64Array.from({ length: 256 }, (_, level) =>
  level <= EXACT_FREQUENCY ? level : EXACT_FREQUENCY * 2 ** ((level - EXACT_FREQUENCY) / 4),
);

/** Frequencies in anchors are sums of weights, so they are counted in quarters. */
const ANCHOR_UNIT = 0.25;

function nearestLevel(value: number): number {
  if (value <= EXACT_FREQUENCY) return Math.max(1, Math.round(value));
  const level = Math.round(EXACT_FREQUENCY + 4 * Math.log2(value / EXACT_FREQUENCY));
  // 17 is nearest to 16, but whoever reads the last exact level takes its word for the number of positions.
  return Math.min(255, Math.max(EXACT_FREQUENCY + 1, level));
}

export function levelOfFrequency(frequency: number): number {
  return frequency === 0 ? 0 : nearestLevel(frequency);
}

export function frequencyOfLevel(level: number): number {
  return FREQUENCIES[level];
}

export function levelOfAnchorWeight(weight: number): number {
  return weight <= 0 ? 0 : nearestLevel(weight / ANCHOR_UNIT);
}

export function anchorWeightOfLevel(level: number): number {
  return FREQUENCIES[level] * ANCHOR_UNIT;
}

/** Upper bounds of term weights, in steps of 7 %; the last byte stands for any value. */
export const BOUND_VALUES = Float64Array.from({ length: 256 }, (_, byte) =>
  byte === 255 ? Number.POSITIVE_INFINITY : 2 ** ((byte - 96) / 10),
);

const ONE = new Float64Array(1);
/** Its sign, its exponent and the first bits of its fraction. */
const HIGH = new Int32Array(ONE.buffer, 4);
/** Steps of 1.6 % at most: between two of them is one bound, or none. */
const FRACTION_BITS = 6;
export const BOUND_SHIFT = 20 - FRACTION_BITS;
const stepOf = (value: number): number => {
  ONE[0] = value;
  return HIGH[0] >> BOUND_SHIFT;
};
export const FIRST_BOUND_STEP = stepOf(BOUND_VALUES[0]);
/** For each step from the lowest bound on the byte of its smallest value. */
export const BOUND_STEPS = Uint8Array.from({ length: stepOf(BOUND_VALUES[254]) - FIRST_BOUND_STEP + 1 }, (_, step) => {
  ONE[0] = 0;
  HIGH[0] = (FIRST_BOUND_STEP + step) << BOUND_SHIFT;
  return BOUND_VALUES.findIndex((bound) => bound >= ONE[0]);
});

/** The byte of the lowest bound that is not below the value. Looked up: a logarithm takes longer than all else of laying out a posting. */
export function byteOfBound(value: number): number {
  if (value <= BOUND_VALUES[0]) return 0;
  if (value > BOUND_VALUES[254]) return 255;
  const byte = BOUND_STEPS[stepOf(value) - FIRST_BOUND_STEP];
  return BOUND_VALUES[byte] < value ? byte + 1 : byte;
}

export function boundOfByte(byte: number): number {
  return BOUND_VALUES[byte];
}
