/** The hash of no text: where `hashOn` begins. */
export const FIRST_HASH = 0x811c9dc5 | 0;

/** A 32-bit hash of an id. Ids are compared whole after it, so a clash costs a look at the disk, no more. */
export function idHash(id: string): number {
  return endHash(hashOn(FIRST_HASH, id));
}

/** The same of a text in parts, one after the other. */
export function hashOn(before: number, text: string): number {
  let hash = before;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

export function endHash(before: number): number {
  let hash = before;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
