/** Text to bytes, one character per byte. */
export type ByteEncoder = (text: string) => string;

/** Encodes into a charset of the web. The platform can only decode them, so that its decoders are read backwards. */
export function byteEncoder(charset: string): ByteEncoder {
  if (charset === 'utf-16le') return (text) => Buffer.from(text, 'utf16le').toString('latin1');
  if (charset === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1');
  const table = isDoubleByte(charset) ? doubleBytes(charset) : singleBytes(charset);
  return (text) => {
    let bytes = '';
    for (const character of text) {
      const found = character < '\x80' ? character : table.get(character);
      if (found === undefined) throw new RangeError(`${charset} has no "${character}"`);
      bytes += found;
    }
    return bytes;
  };
}

function isDoubleByte(charset: string): boolean {
  return charset === 'shift_jis' || charset === 'gb18030';
}

function singleBytes(charset: string): Map<string, string> {
  const bytes = Uint8Array.from({ length: 128 }, (_, at) => at + 128);
  const table = new Map<string, string>();
  for (const [at, character] of [...new TextDecoder(charset).decode(bytes)].entries()) {
    if (character !== '\ufffd') table.set(character, String.fromCharCode(at + 128));
  }
  return table;
}

/** All pairs at once, a line for each: what makes no character leaves a line of another length. */
function doubleBytes(charset: string): Map<string, string> {
  const pairs: string[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) pairs.push(String.fromCharCode(lead, trail));
  }
  const lines = new TextDecoder(charset).decode(Buffer.from(pairs.join('\n'), 'latin1')).split('\n');
  const table = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    // The first pair of several for one character is the one that encoders write.
    if (line.length === 1 && line !== '\ufffd' && !table.has(line)) table.set(line, pairs[at]);
  }
  return table;
}
