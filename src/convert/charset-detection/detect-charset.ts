import { decodeLegacy } from '../charset-decoder.ts';
import { alphabetCost } from './alphabet-cost.ts';
import { byteSample } from './byte-sample.ts';
import { ALPHABETIC, type Candidate, IDEOGRAPHIC } from './candidates.ts';
import { ebcdicEncoding } from './ebcdic-encoding.ts';
import { ideographCost } from './ideograph-cost.ts';

export interface DetectedCharset {
  readonly encoding: string;
  /** Whether the text reads like one of a language; where not, this is merely the best of bad readings. */
  readonly clear: boolean;
}

/** Bytes of text that are looked at; more of them change no answer. */
const SAMPLE = 4_096;
/** Bits on top, for texts of a few letters. */
const ALLOWANCE = 16;

/**
 * In which encoding a text is written, judged by its bytes alone: each encoding reads a sample, and the reading that takes
 * the fewest bits by what is known of its languages wins. For bytes that are neither ASCII nor UTF-8.
 */
export function detectCharset(bytes: Uint8Array): DetectedCharset {
  const ebcdic = ebcdicEncoding(bytes);
  if (ebcdic !== undefined) return { encoding: ebcdic, clear: true };
  const sample = byteSample(bytes, SAMPLE);
  let best = ALPHABETIC[0];
  let least = Infinity;
  const consider = (candidate: Candidate, cost: number): void => {
    if (cost >= least) return;
    least = cost;
    best = candidate;
  };
  for (const candidate of IDEOGRAPHIC) {
    const text = decodeLegacy(sample, candidate.encoding);
    for (const language of candidate.languages) {
      consider(candidate, candidate.rarity + ideographCost(text, language, least));
    }
  }
  for (const candidate of ALPHABETIC) {
    const text = decodeLegacy(sample, candidate.encoding);
    const lower = text.toLowerCase();
    for (const language of candidate.languages) {
      consider(candidate, candidate.rarity + alphabetCost(text, lower, language, least));
    }
  }
  let high = 0;
  for (const byte of sample) if (byte >= 0x80) high++;
  return { encoding: best.encoding, clear: least < best.mostBits * high + ALLOWANCE };
}
