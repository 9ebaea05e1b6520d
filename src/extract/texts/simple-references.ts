/** A character reference, and the byte that stands for it where white space is collapsed. */
export interface SimpleReference {
  readonly written: Uint8Array;
  readonly byte: number;
}

/** The references that nearly all are. The no-break space counts as a blank. */
const REFERENCES: readonly SimpleReference[] = [
  referenceOf('&nbsp;', ' '),
  referenceOf('&amp;', '&'),
  referenceOf('&lt;', '<'),
  referenceOf('&gt;', '>'),
  referenceOf('&quot;', '"'),
  referenceOf('&#39;', "'"),
  referenceOf('&#160;', ' '),
];

/** The one that begins at the ampersand; undefined where that is another, or none. */
export function simpleReference(source: Uint8Array, ampersand: number, end: number): SimpleReference | undefined {
  const next = source[ampersand + 1];
  for (let index = 0; index < REFERENCES.length; index++) {
    const reference = REFERENCES[index];
    if (reference.written[1] === next && isWritten(reference.written, source, ampersand, end)) return reference;
  }
  return undefined;
}

function isWritten(written: Uint8Array, source: Uint8Array, from: number, end: number): boolean {
  if (from + written.length > end) return false;
  for (let at = 2; at < written.length; at++) if (source[from + at] !== written[at]) return false;
  return true;
}

function referenceOf(written: string, character: string): SimpleReference {
  return { written: Buffer.from(written), byte: character.charCodeAt(0) };
}
