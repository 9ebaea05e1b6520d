/** Bytes looked at. */
const SAMPLE = 65_536;

export interface Utf8Evidence {
  /** Whole characters of two or more bytes. */
  readonly characters: number;
  /** Of them, those of three or four bytes. */
  readonly long: number;
  /** Bytes that belong to no character. */
  readonly broken: number;
}

/** How much the first bytes look like UTF-8: in other encodings its characters seldom come about by chance. */
export function utf8Evidence(bytes: Uint8Array): Utf8Evidence {
  const end = Math.min(bytes.length, SAMPLE);
  let characters = 0;
  let long = 0;
  let broken = 0;
  for (let at = 0; at < end; at++) {
    const lead = bytes[at];
    if (lead < 0x80) continue;
    const follow = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let got = 0;
    while (got < follow && at + got + 1 < end && (bytes[at + got + 1] & 0xc0) === 0x80) got++;
    // A character cut at the end of the sample is not broken.
    if (got < follow && at + got + 1 >= end) break;
    if (follow === 0 || got < follow) {
      broken++;
      continue;
    }
    characters++;
    if (follow > 1) long++;
    at += follow;
  }
  return { characters, long, broken };
}
