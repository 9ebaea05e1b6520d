const ESCAPE = 0x1b;

/** The seven-bit encodings, which switch alphabets by escape sequences. Those of terminals name none. */
export function escapeEncoding(bytes: Uint8Array): 'iso-2022-jp' | 'iso-2022-kr' | undefined {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    const first = bytes[at + 1];
    const second = bytes[at + 2];
    if (first === 0x24 && (second === 0x40 || second === 0x42)) return 'iso-2022-jp';
    if (first === 0x28 && (second === 0x4a || second === 0x49)) return 'iso-2022-jp';
    if (first === 0x24 && second === 0x29 && bytes[at + 3] === 0x43) return 'iso-2022-kr';
  }
  return undefined;
}
