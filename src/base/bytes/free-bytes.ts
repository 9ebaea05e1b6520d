/**
 * Gives the memory of bytes back that nobody will read, where it is theirs alone. To the engine it weighs as much as objects: kept until old
 * garbage is collected, it is what makes it collect.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes;
  const { byteLength } = bytes;
  if (byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
