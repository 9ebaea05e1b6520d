import { encodingOf } from './encoding-label.ts';

/** The encoding that an XML declaration names, or the one its bytes show. */
export function xmlEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0x3c, 0, 0x3f, 0, 0x78, 0])) return 'utf-16le';
  if (startsWith(bytes, [0, 0x3c, 0, 0x3f, 0, 0x78])) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  const declaration = /^<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^"<>]*)"|'([^'<>]*)')[^>]*>/.exec(start);
  const encoding = encodingOf(declaration?.[1] ?? declaration?.[2] ?? '');
  // A declaration that could be read byte by byte is not written in UTF-16.
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf-8' : encoding;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
