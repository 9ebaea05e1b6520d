const SPACE = 0x20;
const LESS = 0x3c;
const GREATER = 0x3e;

/**
 * The words of a document that hold bytes beyond ASCII, with a blank between them, `most` bytes of them. Words end at
 * white space and angle brackets, which no encoding uses inside a character: none is cut but the last.
 */
export function byteSample(bytes: Uint8Array, most: number): Uint8Array {
  const sample = new Uint8Array(most);
  let length = 0;
  let wordStart = 0;
  let high = false;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? bytes[at] : SPACE;
    if (byte >= 0x80) high = true;
    else if (byte <= SPACE || byte === LESS || byte === GREATER) {
      if (high) {
        const word = bytes.subarray(wordStart, Math.min(at, wordStart + most - length - 1));
        sample.set(word, length);
        length += word.length;
        sample[length++] = SPACE;
        if (length >= most) break;
        high = false;
      }
      wordStart = at + 1;
    }
  }
  return sample.subarray(0, length);
}
