export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
