/** 32 well-mixed bits of a text. Quick, and the same in every process: samples of paths are chosen by it. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** Two hashes made into one; the order counts. */
export function joinHashes(a: number, b: number): number {
  return mixed(Math.imul(a, 0x9e3779b1) ^ b);
}

function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
