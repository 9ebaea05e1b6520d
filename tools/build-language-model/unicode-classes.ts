import { FIRST_SCRIPT, JOINER, SCRIPTS } from '../../src/extract/language/letter-classes.ts';

/** The class of each UTF-16 code unit, by the Unicode that this Node.js knows. */
export function unicodeClasses(): Uint8Array {
  const of = new Uint8Array(0x10000);
  const letter = /[\p{L}\p{M}]/u;
  const patterns = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
  // The scripts lie in blocks: looking first where the last letter was makes this quick.
  let last = 0;
  for (let unit = 0; unit < 0x10000; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const char = String.fromCharCode(unit);
    if (!letter.test(char)) continue;
    if (!patterns[last].test(char)) {
      const next = patterns.findIndex((pattern) => pattern.test(char));
      if (next === -1) {
        if (/\p{M}/u.test(char)) of[unit] = JOINER;
        continue;
      }
      last = next;
    }
    of[unit] = FIRST_SCRIPT + last;
  }
  for (const joiner of "'’ʼ·") of[joiner.charCodeAt(0)] = JOINER;
  return of;
}
