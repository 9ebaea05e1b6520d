import { CODE_PAGES, decodeCodePage, EBCDIC_PAGES } from '../code-pages.ts';
import { alphabetCost } from './alphabet-cost.ts';
import { WEST } from './candidates.ts';

/** Bytes looked at. */
const SAMPLE = 4_096;
const LEAST = 16;
const EBCDIC_SPACE = 0x40;
/** In ASCII an `@`: nothing else has one for each word, and no blank at all. */
const SPACE_SHARE = 0.05;
const ASCII_SPACE_SHARE = 0.005;
const LETTER_SHARE = 0.6;
/** Bits for a bracket, bar or circumflex, which stand where another page has the exclamation mark. */
const RARE_MARK = 14;

/** The page of EBCDIC in which a text of a mainframe is written; undefined for any other bytes. */
export function ebcdicEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.length < LEAST || !looksLikeEbcdic(sample)) return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const page of EBCDIC_PAGES) {
    const text = decodeCodePage(sample, CODE_PAGES.get(page) ?? '');
    const lower = text.toLowerCase();
    const marks = RARE_MARK * (text.match(/[[\]|^{}~]/g)?.length ?? 0);
    for (const language of WEST) {
      const cost = marks + alphabetCost(text, lower, language, least);
      if (cost >= least) continue;
      least = cost;
      best = page;
    }
  }
  return best;
}

function looksLikeEbcdic(sample: Uint8Array): boolean {
  let spaces = 0;
  let asciiSpaces = 0;
  let letters = 0;
  for (const byte of sample) {
    if (byte === EBCDIC_SPACE) spaces++;
    else if (byte === 0x20) asciiSpaces++;
    else if (isLetter(byte)) letters++;
  }
  const { length } = sample;
  return spaces > SPACE_SHARE * length && asciiSpaces <= ASCII_SPACE_SHARE * length && letters > LETTER_SHARE * length;
}

/** Small letters, in three rows of nine. */
function isLetter(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x89) || (byte >= 0x91 && byte <= 0x99) || (byte >= 0xa2 && byte <= 0xa9);
}
