/**
 * Where things lie in the memory in which postings are gathered, in bytes. At first what never grows; then one region behind the other,
 * whose beginnings stand in the head.
 */

/** In the order of their growth: what grows often has little behind it that has to move. */
export const REGIONS = [
  /** Words of the document that is taken: `notes` of analyze.ts. */
  'words',
  /** Where the group of each of them lies. */
  'groupOfWords',
  'runs',
  'groups',
  'odd',
  'codes',
  'lengths',
  'postingBytes',
  'positionBytes',
  'terms',
  'order',
  /** Where each posting lies, counted from the first; by term. */
  'sorted',
  'termOfPostings',
  'postings',
] as const;
export type Region = (typeof REGIONS)[number];

/** In the head: the beginning of each region, then these. */
const HEAD = 16 * 4;
/** The number of the next posting, 0 being none, and where it lies, counted from the first. */
export const NEXT_POSTING = HEAD;
export const NEXT_PLACE = HEAD + 4;
/** Terms and bytes that were written by one call. */
export const POSTINGS_END = HEAD + 8;
export const POSITIONS_END = HEAD + 12;

/** Where the beginning of a region stands. */
export function headOf(region: Region): number {
  return 4 * REGIONS.indexOf(region);
}

/** Of each form two bytes: form-marks.ts. */
export const MARKS = 128;
/** Of each width how many values need it. */
export const NEEDING = 256;
/** Codes of postings of the body alone, by how many words they have; `NO_CODE` where there is none yet. */
export const BODY_CODES = 512;
export const MOST_BODY_CODES = 1024;
export const NO_CODE = 0xffffffff;
/** See quantise.ts. */
export const BOUNDS = BODY_CODES + 4 * MOST_BODY_CODES;
export const BYTE_OF_STEP = BOUNDS + 8 * 256;
/** What an occurrence is worth, by field and byte of the length. */
export const NORMS = BYTE_OF_STEP + 2048;
/** Of the block that is written: a number for each posting. */
export const STEPS_OF_BLOCK = NORMS + 8 * 256 * 6;
export const CODES_OF_BLOCK = STEPS_OF_BLOCK + 512;
export const FORMS_OF_BLOCK = CODES_OF_BLOCK + 512;
export const ADDED_OF_BLOCK = FORMS_OF_BLOCK + 512;
/** Its words, or 0 where its code tells them. */
export const COUNTS_OF_BLOCK = ADDED_OF_BLOCK + 512;
/** What the dictionary has to know of each term that was written. */
export const ENTRIES = COUNTS_OF_BLOCK + 512;
export const ENTRY_BYTES = 16;
export const MOST_ENTRIES = 512;
export const FIRST_REGION = ENTRIES + ENTRY_BYTES * MOST_ENTRIES;

/** Words with positions that follow each other, of one field and weight. */
export const RUN = {
  bytes: 32,
  /** The first word behind it. */
  end: 0,
  position: 4,
  /** What each word adds to the number of its group (64 bits): 1, and the weight above it. */
  adds: 8,
  /** What its mark is multiplied by (64 bits): marks of fields lie beside each other. */
  marks: 16,
  /** Which number of the group. */
  number: 24,
} as const;

/** The words of a term in the document that is taken. */
export const GROUP = {
  bytes: 64,
  /** For each field how many words it has, and the sum of their weights (8 bytes each). */
  numbers: 0,
  /** Marks of its own fields, of the title from bit 16 and of the anchors from bit 32 on. */
  marks: 48,
  /** Where its next position is put. */
  next: 56,
  /** The number of the term; when its postings are made, the position before. */
  term: 60,
  last: 60,
} as const;

/** By the number of the term. */
export const TERM = { bytes: 16, lastPosting: 0, postings: 4, end: 8, rank: 12 } as const;

/**
 * Its positions follow: the first whole, the others as steps; before them forms and added forms, where `HAS_POSTING_FORMS` is set in the number of
 * the document. All of it lies side by side, as the postings of a term lie anywhere in memory, and each place there is waited for.
 */
export const POSTING = { document: 0, code: 4, count: 8, bytes: 12, forms: 12, addedForms: 16 } as const;
export const HAS_POSTING_FORMS = 0x80000000;
export const FORMS_BYTES = 8;

/** By the provisional code: its postings, the first term and posting that have it; then what is known of the lasting one. */
export const CODE = {
  bytes: 80,
  uses: 0,
  firstRank: 4,
  firstPosting: 8,
  lasting: 12,
  /** -1 where the code does not tell the occurrences. */
  occurrences: 16,
  fields: 20,
  frequencies: 24,
} as const;

/** A byte for each field of a document. */
export const LENGTHS_BYTES = 8;
